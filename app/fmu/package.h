/* Writes an FMU: the texts, the binary and the sources in one archive. */
#ifndef WITHY_FMU_PACKAGE_H
#define WITHY_FMU_PACKAGE_H

#include <stdio.h>

#include "model.h"

/* How to write it. */
typedef struct fm_wish {
    int standard;           /* FM_IN_2 or FM_IN_3 */
    bool arrays;            /* 3.0: with the model's arrays */
    const char *definition; /* what the binary reads from the resources; NULL: nothing */
} fm_wish;

/* Writes the FMU of a model to a stream. */
wy_status fm_package(FILE *out, const fm_model *model, const fm_wish *wish, wy_error *err);

/* The platforms that the FMU of a model has a binary for, in the words of FMI 2.0 ("linux64", "win64"), one after the
 * other; NULL ends. */
const char *fm_platform(const fm_model *model, int standard, size_t i);

#endif
