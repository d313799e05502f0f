/* From a configuration to JSON by its parameter tables: whatever a scenario can say, the page can draw. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { MOST_ROWS = 4000 }; /* of a table of samples: beyond, every so many */

typedef struct writer {
    FILE *out;
    const double *times;
    size_t count;
} writer;

static void write_table(writer *w, const wy_param *params, const void *config, bool first);

/* A function of time at the given times; one value where it does not change. */
static void write_signal(writer *w, const wy_choice *choice) {
    const wy_signal *signal = (const wy_signal *)(const void *)choice->entry;
    bool constant = true;
    for (size_t i = 1; i < w->count && constant; i++)
        constant = signal->value(choice->config, w->times[i]) == signal->value(choice->config, w->times[0]);
    fputs(",\"values\":[", w->out);
    for (size_t i = 0; i < (constant ? 1 : w->count); i++)
        fprintf(w->out, "%s%.6g", i ? "," : "", signal->value(choice->config, w->count ? w->times[i] : 0.0));
    fputc(']', w->out);
}

static void write_choice(writer *w, const wy_param *p, const wy_choice *choice) {
    if (!choice->entry) {
        fputs("null", w->out);
        return;
    }
    fputs("{\"name\":", w->out);
    json_text(w->out, choice->entry->name);
    if (choice->config)
        write_table(w, choice->entry->params, choice->config, false);
    if (p->from == &wy_signals)
        write_signal(w, choice);
    fputc('}', w->out);
}

static void write_row(writer *w, const double *values, size_t count) {
    fputc('[', w->out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputc(',', w->out);
        json_number(w->out, values[i]);
    }
    fputc(']', w->out);
}

static void write_samples(writer *w, const wy_param *p, const wy_samples *samples) {
    const size_t stride = samples->rows / MOST_ROWS + 1;
    fputc('[', w->out);
    for (size_t i = 0; i < samples->rows; i += stride) {
        if (i)
            fputc(',', w->out);
        write_row(w, samples->values + i * p->count, p->count);
    }
    fputc(']', w->out);
}

static void write_value(writer *w, const wy_param *p, const void *at) {
    switch (p->type) {
    case WY_TYPE_REAL: json_number(w->out, *(const double *)at); break;
    case WY_TYPE_INTEGER: fprintf(w->out, "%lld", (long long)*(const int64_t *)at); break;
    case WY_TYPE_BOOL: fputs(*(const bool *)at ? "true" : "false", w->out); break;
    case WY_TYPE_TEXT: json_text(w->out, *(const char *const *)at); break;
    case WY_TYPE_NAME: json_text(w->out, p->names[*(const int *)at]); break;
    case WY_TYPE_VECTOR: write_row(w, at, p->count); break;
    case WY_TYPE_SAMPLES: write_samples(w, p, at); break;
    case WY_TYPE_CHOICE: write_choice(w, p, at); break;
    case WY_TYPE_LIST: {
        const wy_list *list = at;
        fputc('[', w->out);
        for (size_t i = 0; i < list->count; i++) {
            if (i)
                fputc(',', w->out);
            write_choice(w, p, &list->items[i]);
        }
        fputc(']', w->out);
        break;
    }
    case WY_TYPE_TEXTS: {
        const wy_texts *texts = at;
        fputc('[', w->out);
        for (size_t i = 0; i < texts->count; i++) {
            fputs(i ? "," : "", w->out);
            json_text(w->out, texts->items[i]);
        }
        fputc(']', w->out);
        break;
    }
    case WY_TYPE_NAMED: {
        const wy_named *named = at;
        fputc('{', w->out);
        for (size_t i = 0; i < named->count; i++) {
            fputs(i ? "," : "", w->out);
            json_text(w->out, named->items[i].name);
            fputs(":{", w->out);
            write_table(w, p->group, named->items[i].config, true);
            fputc('}', w->out);
        }
        fputc('}', w->out);
        break;
    }
    case WY_TYPE_GROUP:
        fputc('{', w->out);
        write_table(w, p->group, at, true);
        fputc('}', w->out);
        break;
    }
}

static void write_table(writer *w, const wy_param *params, const void *config, bool first) {
    for (const wy_param *p = params; p && p->key; p++) {
        if (!first)
            fputc(',', w->out);
        first = false;
        json_text(w->out, p->key);
        fputc(':', w->out);
        write_value(w, p, (const char *)config + p->offset);
    }
}

void config_write(FILE *out, const wy_scenario *scenario, const double *times, size_t count) {
    writer w = {.out = out, .times = times, .count = count};
    fputc('{', out);
    write_table(&w, wy_scenario_kind(scenario)->entry.params, wy_scenario_config(scenario), true);
    fputc('}', out);
}
