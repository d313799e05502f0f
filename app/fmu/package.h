/* Writes an FMU: the texts, the binary and the sources in one archive. */
#ifndef WITHY_FMU_PACKAGE_H
#define WITHY_FMU_PACKAGE_H

#include "model.h"

/* Writes the FMU of a model for FMI 2.0 or 3.0 (FM_IN_2, FM_IN_3) to `path`. A failure leaves what was there. */
wy_status fm_package(const char *path, const fm_model *model, int standard, wy_error *err);

#endif
