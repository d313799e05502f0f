/* Other programs: gnuplot and ffmpeg. Internal to src/draw. */
#ifndef WY_PROCESS_H
#define WY_PROCESS_H

#include <stdio.h>

enum { PROCESS_MISSING = 127 };

/* Runs a program (found in PATH) in `folder` (NULL: here) with its standard input, output and error in these files;
 * the input is read from its beginning. Returns its exit code, PROCESS_MISSING if there is no such program, or -1 if
 * nothing can be started. Nothing goes through a shell. */
int wy_process_run(const char *const *arguments, FILE *in, FILE *out, FILE *said, const char *folder);

/* The first line that says something. */
void wy_process_first_words(char *line, int size, FILE *said);

#endif
