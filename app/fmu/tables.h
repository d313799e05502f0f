/* Questions to a model's tables, for the FMI layers and for the descriptions. A variable is told by a handle: the index
 * of a scalar, or the number of scalars plus the place of an array. */
#ifndef WITHY_FMU_TABLES_H
#define WITHY_FMU_TABLES_H

#include "model.h"

/* Log categories, in the words of the standard. Errors and discards are always logged, the others when asked for. */
enum { FM_LOG_ERROR = 1, FM_LOG_DISCARD = 2, FM_LOG_WARNING = 4, FM_LOG_EVENTS = 8, FM_LOG_ALL = 15 };
const char *fm_category(unsigned category);

/* Whether the standard has the scalar. */
bool fm_has(const fm_model *model, int standard, int index);

/* The handle of the variable with that reference in this standard, or -1. */
int fm_find(const fm_model *model, int standard, uint32_t reference);

/* The array behind a handle, or NULL where it is a scalar. */
const fm_array *fm_as_array(const fm_model *model, int handle);

const char *fm_name(const fm_model *model, int handle);
fm_causality fm_causality_of(const fm_model *model, int handle);
fm_type fm_type_of(const fm_model *model, int handle);

/* What the initial value of an output depends on: indices, ended by -1; NULL: nothing. */
const int *fm_initial(const fm_model *model, int handle);

/* The value reference of time in FMI 3.0: the one after the largest. */
uint32_t fm_time_reference(const fm_model *model);

#endif
