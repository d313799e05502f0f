/* The box around a space with its scales, in gnuplot's language. Internal to src/draw. */
#ifndef WY_AXES_AXES_BOX_H
#define WY_AXES_AXES_BOX_H

#include <stdio.h>

#include "draw/page.h"

void wy_axes_box_write(FILE *out, const page *pg, const panel *p);

/* From script.c. */
void wy_script_quoted(FILE *out, const char *text);
void wy_script_screen(FILE *out, const page *pg, double x, double y);

#endif
