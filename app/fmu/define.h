/* Writes the definition of what a scenario describes: definition.h reads it. */
#ifndef WITHY_FMU_DEFINE_H
#define WITHY_FMU_DEFINE_H

#include <withy/kind.h>

#include "describe.h"

/* "KIND\nNAME\nTITLE\n" and a line for each value of the configuration, which is only read. */
wy_status fm_define(fm_text *out, const wy_kind *kind, const void *config, const char *name, const char *title,
                    wy_error *err);

#endif
