/* The picture of an FMU: a rod between two ends. */
#ifndef WITHY_FMU_ICON_H
#define WITHY_FMU_ICON_H

#include "describe.h"

/* As PNG, 96 x 96 with transparency. */
void fm_icon_png(fm_text *out);

/* The same as SVG. */
void fm_icon_svg(fm_text *out);

#endif
