/* The texts of an FMU, written from a model's tables: modelDescription.xml and the others. */
#ifndef WITHY_FMU_DESCRIBE_H
#define WITHY_FMU_DESCRIBE_H

#include "tables.h"

/* A text that grows. After a failed allocation `bad` is set and nothing is added any more. */
typedef struct fm_text {
    char *chars;
    size_t length, capacity;
    bool bad;
} fm_text;

void fm_text_free(fm_text *text);

/* Adds a few words (up to 600 characters). */
void fm_put(fm_text *text, const char *format, ...) WY_PRINTF(2, 3);

/* Adds bytes. */
void fm_put_bytes(fm_text *text, const char *bytes, size_t count);

/* What is to be written: a model for FMI 2.0 or 3.0 (FM_IN_2, FM_IN_3), with the token of its binary. */
typedef struct fm_job {
    const fm_model *model;
    int standard;
    bool arrays;  /* 3.0: with the model's arrays */
    bool sources; /* the FMU has the source of its binary */
    const char *token;
} fm_job;

/* modelDescription.xml. */
void fm_describe(fm_text *out, const fm_job *job);

/* sources/buildDescription.xml. */
void fm_describe_build(fm_text *out, const fm_model *model);

/* terminalsAndIcons/terminalsAndIcons.xml. */
void fm_describe_ports(fm_text *out, const fm_job *job);

/* documentation/index.html. */
void fm_describe_page(fm_text *out, const fm_job *job);

#endif
