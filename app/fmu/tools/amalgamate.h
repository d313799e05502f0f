/* A tool of the build: puts all sources that an FMU needs into one C file. */
#ifndef WITHY_FMU_AMALGAMATE_H
#define WITHY_FMU_AMALGAMATE_H

/* Says what is wrong and returns 1. */
int die(const char *what, const char *which);

/* OUT.c NAME EXPORT ROOT FILE...: puts the files together in OUT.c, for an FMU called NAME that offers EXPORT (an
 * initialiser of fm_exported). The project's own headers are put in place of their #include lines, once each; those of
 * the C library go to the top. Nothing but the FMI functions is seen from outside, so that several such files can be
 * linked into one program: what the files share becomes static. Two of them that use one name for a thing of their own
 * are an error. A fingerprint of the text is the FMU's token: it stands in the text and in OUT.c.token. */
int amalgamate(int count, char **args);

#endif
