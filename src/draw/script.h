/* A page as commands for gnuplot. Internal to src/draw. */
#ifndef WY_SCRIPT_H
#define WY_SCRIPT_H

#include <stdio.h>

#include "draw/page.h"

/* Writes the commands that draw the page, without terminal and output. */
wy_status wy_script_write(FILE *out, const page *pg, wy_error *err);

#endif
