/* The texts of an FMU, written from a model's tables: modelDescription.xml and the others. */
#ifndef WITHY_FMU_DESCRIBE_H
#define WITHY_FMU_DESCRIBE_H

#include "core.h"

/* A text that grows. After a failed allocation `bad` is set and nothing is added any more. */
typedef struct fm_text {
    char *chars;
    size_t length, room;
    bool bad;
} fm_text;

void fm_text_free(fm_text *text);

/* modelDescription.xml of FMI 2.0 or 3.0 (FM_IN_2, FM_IN_3). */
void fm_describe(fm_text *out, const fm_model *model, int standard);

/* sources/buildDescription.xml. */
void fm_describe_build(fm_text *out, const fm_model *model);

/* terminalsAndIcons/terminalsAndIcons.xml; only for models with ports. */
void fm_describe_ports(fm_text *out, const fm_model *model);

/* documentation/index.html. */
void fm_describe_page(fm_text *out, const fm_model *model, int standard);

#endif
