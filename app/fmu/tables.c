/* Lookup in a model's tables (tables.h): by value reference, by index and by name. */
#include "tables.h"

const char *fm_category(unsigned category) {
    switch (category) {
    case FM_LOG_ERROR: return "logStatusError";
    case FM_LOG_DISCARD: return "logStatusDiscard";
    case FM_LOG_WARNING: return "logStatusWarning";
    case FM_LOG_EVENTS: return "logEvents";
    default: return "logAll";
    }
}

bool fm_has(const fm_model *model, int standard, int index) {
    const int in = model->variables[index].standards;
    return in == 0 || (in & standard) != 0;
}

int fm_find(const fm_model *model, int standard, uint32_t reference) {
    /* references mostly are indices */
    if (reference < (uint32_t)model->count && model->variables[reference].reference == reference &&
        fm_has(model, standard, (int)reference))
        return (int)reference;
    for (int i = 0; i < model->count; i++)
        if (model->variables[i].reference == reference && fm_has(model, standard, i))
            return i;
    for (int a = 0; standard == FM_IN_3 && model->arrays && model->arrays[a].name; a++)
        if (model->arrays[a].reference == reference)
            return model->count + a;
    return -1;
}

const fm_array *fm_as_array(const fm_model *model, int handle) {
    return handle < model->count ? NULL : &model->arrays[handle - model->count];
}

const char *fm_name(const fm_model *model, int handle) {
    const fm_array *a = fm_as_array(model, handle);
    return a ? a->name : model->variables[handle].name;
}

fm_causality fm_causality_of(const fm_model *model, int handle) {
    const fm_array *a = fm_as_array(model, handle);
    return a ? a->causality : model->variables[handle].causality;
}

fm_type fm_type_of(const fm_model *model, int handle) {
    return handle < model->count ? model->variables[handle].type : FM_REAL;
}

const int *fm_initial(const fm_model *model, int handle) {
    const fm_array *a = fm_as_array(model, handle);
    return a ? a->initial : model->variables[handle].initial;
}

uint32_t fm_time_reference(const fm_model *model) {
    uint32_t most = 0;
    for (int i = 0; i < model->count; i++)
        if (model->variables[i].reference > most)
            most = model->variables[i].reference;
    for (int a = 0; model->arrays && model->arrays[a].name; a++)
        if (model->arrays[a].reference > most)
            most = model->arrays[a].reference;
    return most + 1;
}
