/* Sweep files: reading and checking. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/given.h"
#include "scenario/text_file.h"
#include "sweep/flow.h"
#include "sweep/sweep.h"

enum { MOST_CHECKED = 1000 };

static const char *const designs[] = {"grid", "zip", "latin-hypercube", "random", NULL};
const char *const wy_take_names[] = {"last", "first", "min", "max", "mean", NULL};
static const char *const keys[] = {"scenario", "title", "design", "count", "seed", "over", "keep", NULL};

typedef struct reader {
    wy_sweep *sweep;
    const wy_scenario_options *options;
    wy_error *err;
} reader;

/* An error at a line: reported, and kept. */
static wy_status report_sweep_error(reader *r, const wy_node *node, const char *format, ...) WY_PRINTF(3, 4);
static wy_status report_sweep_error(reader *r, const wy_node *node, const char *format, ...) {
    char what[WY_ERROR_TEXT - 300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    wy_fail(r->err, WY_BAD_INPUT, "%.200s:%d:%d: %s", node->source, node->line, node->column, what);
    if (r->options && r->options->report_error)
        r->options->report_error(r->options->context, r->err->text);
    return WY_BAD_INPUT;
}

static wy_status no_memory(reader *r) {
    return wy_fail(r->err, WY_NO_MEMORY, "no memory for sweep '%s'", r->sweep->path);
}

/* The index of a word in a list that NULL ends, or -1 after an error with a suggestion. */
static int find_word(reader *r, const wy_node *node, const char *what, const char *const *words) {
    wy_nearest nearest = {.wanted = node->text};
    char known[200] = "";
    size_t n = 0;
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], node->text) == 0)
            return i;
        wy_nearest_offer(&nearest, words[i]);
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", words[i]);
    }
    if (nearest.best)
        report_sweep_error(r, node, "unknown %s '%.60s'; did you mean '%s'?", what, node->text, nearest.best);
    else
        report_sweep_error(r, node, "unknown %s '%.60s', expected one of %s", what, node->text, known);
    return -1;
}

static wy_status read_number(reader *r, double *x, const wy_node *node, const char *what) {
    wy_error why;
    if (node->type != WY_NODE_SCALAR || !node->plain)
        return report_sweep_error(r, node, "'%s' is no number, expected one (without quotes)", what);
    return wy_expression(x, node->text, &why) ? report_sweep_error(r, node, "'%s': %s", what, why.text) : WY_OK;
}

static wy_status read_whole(reader *r, double *x, const wy_node *node, const char *what, double low, double high) {
    const wy_status s = read_number(r, x, node, what);
    if (s)
        return s;
    return *x >= low && *x <= high && *x == floor(*x)
               ? WY_OK
               : report_sweep_error(r, node, "'%s' is %.15g, expected a whole number from %.15g to %.15g", what, *x,
                                    low, high);
}

/* {from: a, to: b, count: n, spacing: linear | logarithmic} */
static wy_status read_range(reader *r, wy_sweep_axis_data *axis, const wy_node *node) {
    static const char *const names[] = {"from", "to", "count", "spacing", NULL};
    static const char *const spacings[] = {"linear", "logarithmic", NULL};
    const bool sampled = r->sweep->design == WY_DESIGN_LATIN || r->sweep->design == WY_DESIGN_RANDOM;
    double count = 0.0;
    axis->range = axis->numbers = true;
    axis->from = axis->to = NAN;
    for (size_t i = 0; i < node->count; i++) {
        const wy_node *item = node->items[i];
        const int at = find_word(r, node->keys[i], "key of a range", names);
        wy_status s = WY_OK;
        if (at < 0)
            return WY_BAD_INPUT;
        if (at == 0 || at == 1) {
            s = read_number(r, at ? &axis->to : &axis->from, item, names[at]);
        } else if (at == 2 && sampled) {
            s = report_sweep_error(r, item, "a range has no 'count' where the design is %s: the sweep has one",
                                   designs[r->sweep->design]);
        } else if (at == 2) {
            s = read_whole(r, &count, item, "count", 1, WY_SWEEP_MOST_POINTS);
        } else {
            const int spacing = item->type == WY_NODE_SCALAR ? find_word(r, item, "spacing", spacings) : -1;
            if (spacing < 0)
                return item->type == WY_NODE_SCALAR
                           ? WY_BAD_INPUT
                           : report_sweep_error(r, item, "'spacing' is no word, expected linear or logarithmic");
            axis->logarithmic = spacing == 1;
        }
        if (s)
            return s;
    }
    if (isnan(axis->from) || isnan(axis->to))
        return report_sweep_error(r, node, "a range needs 'from' and 'to'");
    if (!sampled && count == 0.0)
        return report_sweep_error(r, node, "a range needs a 'count' where the design is %s", designs[r->sweep->design]);
    if (count == 1.0 && axis->from != axis->to)
        return report_sweep_error(r, node, "one value cannot be both %g and %g, expected a count of at least 2",
                                  axis->from, axis->to);
    if (axis->logarithmic && !(axis->from * axis->to > 0.0))
        return report_sweep_error(r, node, "from %g to %g is no logarithmic range, expected two numbers of one sign",
                                  axis->from, axis->to);
    axis->count = (size_t)count;
    return WY_OK;
}

/* "sweep.yaml:4:3" */
static const char *node_position(reader *r, const wy_node *node) {
    char position[300];
    const int n = snprintf(position, sizeof position, "%.200s:%d:%d", node->source, node->line, node->column);
    return wy_arena_text(r->sweep->arena, position, (size_t)n);
}

static wy_status read_axis(reader *r, wy_sweep_axis_data *axis, const wy_node *key, const wy_node *node) {
    axis->path = key->text;
    axis->location = node_position(r, key);
    if (!axis->location)
        return no_memory(r);
    if (node->type == WY_NODE_MAPPING)
        return read_range(r, axis, node);
    if (node->type != WY_NODE_SEQUENCE)
        return report_sweep_error(r, node, "'%.60s' is a value, expected a list of values or a range {from, to, count}",
                                  key->text);
    if (node->count == 0)
        return report_sweep_error(r, node, "'%.60s' is an empty list: there is nothing to sweep over", key->text);
    const char **values = wy_arena_take(r->sweep->arena, node->count * sizeof *values);
    if (!values)
        return no_memory(r);
    axis->numbers = true;
    for (size_t i = 0; i < node->count; i++) {
        double x;
        values[i] = wy_flow_text(node->items[i], false, r->sweep->arena, r->err);
        if (!values[i])
            return r->err->status;
        axis->numbers &=
            node->items[i]->type == WY_NODE_SCALAR && node->items[i]->plain && !wy_expression(&x, values[i], NULL);
    }
    axis->values = values;
    axis->count = node->count;
    return WY_OK;
}

static wy_status read_axes(reader *r, const wy_node *over) {
    if (over->type != WY_NODE_MAPPING || over->count == 0)
        return report_sweep_error(r, over,
                                  "'over' has no axes, expected a mapping such as 'section.radius: [0.004, 0.005]'");
    r->sweep->axes = wy_arena_take(r->sweep->arena, over->count * sizeof *r->sweep->axes);
    if (!r->sweep->axes)
        return no_memory(r);
    r->sweep->axis_count = over->count;
    for (size_t i = 0; i < over->count; i++) {
        const size_t first = wy_node_find(over, over->keys[i]->text);
        if (first < i)
            return report_sweep_error(r, over->keys[i], "'%.60s' is given twice, first on line %d", over->keys[i]->text,
                                      over->keys[first]->line);
        const wy_status s = read_axis(r, &r->sweep->axes[i], over->keys[i], over->items[i]);
        if (s)
            return s;
    }
    return WY_OK;
}

/* "tip from 1 to 2": the channel, and the window of the axis. */
static wy_status read_window(reader *r, wy_keep *keep, const wy_node *item) {
    static const char *const words[] = {" from ", " to "};
    const size_t length = strcspn(keep->channel, " ");
    const char *at = keep->channel + length, *channel = wy_arena_text(r->sweep->arena, keep->channel, length);
    double *bounds[] = {&keep->from, &keep->to};
    keep->window = at;
    for (size_t k = 0; k < 2 && *at; k++) {
        if (strncmp(at, words[k], strlen(words[k])) != 0)
            continue;
        const char *number = at + strlen(words[k]), *end = k == 0 ? strstr(number, words[1]) : NULL;
        char text[100];
        wy_error why;
        snprintf(text, sizeof text, "%.*s", end ? (int)(end - number) : (int)strlen(number), number);
        if (wy_expression(bounds[k], text, &why))
            return report_sweep_error(r, item, "'%s': %s", text, why.text);
        at = end ? end : "";
    }
    if (*at || length == 0)
        return report_sweep_error(r, item, "'%.100s', expected a channel with a window, such as 'tip from 1 to 2'",
                                  keep->channel);
    if (!(keep->from <= keep->to))
        return report_sweep_error(r, item, "a window from %g to %g, expected one that ends after its beginning",
                                  keep->from, keep->to);
    keep->channel = channel;
    return channel ? WY_OK : no_memory(r);
}

/* tip, max(tip), or max(tip from 1 to 2) */
static wy_status read_keep(reader *r, const wy_node *node) {
    if (node->type != WY_NODE_SEQUENCE || node->count == 0)
        return report_sweep_error(r, node, "'keep' is no list, expected channels such as [tip, max(energy)]");
    wy_keep *keep = wy_arena_take(r->sweep->arena, node->count * sizeof *keep);
    if (!keep)
        return no_memory(r);
    for (size_t i = 0; i < node->count; i++) {
        const wy_node *item = node->items[i];
        const char *open = item->type == WY_NODE_SCALAR ? strchr(item->text, '(') : NULL;
        const size_t length = item->type == WY_NODE_SCALAR ? strlen(item->text) : 0;
        if (length == 0 || (open && item->text[length - 1] != ')'))
            return report_sweep_error(r, item,
                                      "expected a channel such as 'tip', 'max(tip)' or 'max(tip from 1 to 2)'");
        keep[i] = (wy_keep){.channel = item->text, .window = "", .from = -INFINITY, .to = INFINITY};
        keep[i].location = node_position(r, item);
        if (!keep[i].location)
            return no_memory(r);
        if (open) {
            wy_node word = *item;
            word.text = wy_arena_text(r->sweep->arena, item->text, (size_t)(open - item->text));
            keep[i].channel = wy_arena_text(r->sweep->arena, open + 1, length - (size_t)(open + 1 - item->text) - 1);
            if (!word.text || !keep[i].channel)
                return no_memory(r);
            const int take = find_word(r, &word, "reduction", wy_take_names);
            if (take < 0)
                return WY_BAD_INPUT;
            keep[i].take = (wy_take)take;
            const wy_status s = read_window(r, &keep[i], item);
            if (s)
                return s;
        }
    }
    r->sweep->keep = keep;
    r->sweep->keep_count = node->count;
    return WY_OK;
}

/* The scenario: text of its own, or a file beside the sweep. */
static wy_status read_scenario(reader *r, const wy_node *node) {
    wy_sweep *s = r->sweep;
    if (node->type == WY_NODE_MAPPING) {
        s->scenario_name = s->path;
        s->scenario_text = wy_flow_text(node, true, s->arena, r->err);
        return s->scenario_text ? WY_OK : r->err->status;
    }
    if (node->type != WY_NODE_SCALAR || !*node->text)
        return report_sweep_error(r, node, "'scenario' is no file name and no mapping");
    const char *slash = node->text[0] == '/' ? NULL : strrchr(s->path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - s->path) : 0, length = strlen(node->text);
    char *name = wy_arena_take(s->arena, folder + length + 1);
    if (!name)
        return no_memory(r);
    memcpy(name, s->path, folder);
    memcpy(name + folder, node->text, length);
    s->scenario_name = name;
    char *text;
    size_t size;
    errno = 0;
    const wy_status status = wy_text_file_read(&text, &size, name, "scenario", r->err);
    const bool nowhere = errno == ENOENT; /* a name that is wrong is a mistake in the sweep */
    if (status) {
        char why[WY_ERROR_TEXT];
        snprintf(why, sizeof why, "%s", r->err->text);
        return nowhere ? report_sweep_error(r, node, "%.600s", why)
                       : wy_fail(r->err, status, "%.200s:%d:%d: %.600s", node->source, node->line, node->column, why);
    }
    s->scenario_text = wy_arena_text(s->arena, text, size);
    free(text);
    return s->scenario_text ? WY_OK : no_memory(r);
}

static wy_status keep_overrides(reader *r) {
    const wy_scenario_options *o = r->options;
    wy_sweep *s = r->sweep;
    const size_t count = o ? o->set_count : 0;
    const char **set = wy_arena_take(s->arena, count * sizeof *set + 1);
    if (!set)
        return no_memory(r);
    for (size_t i = 0; i < count; i++)
        if (!(set[i] = wy_arena_text(s->arena, o->set[i], strlen(o->set[i]))))
            return no_memory(r);
    s->set = set;
    s->set_count = count;
    return WY_OK;
}

/* Every value of every list once, the others being those of the first point; of ranges the ends. What only some
 * combinations get wrong is found when they run, and is then the row of that point. */
static wy_status check_values(reader *r) {
    wy_sweep *s = r->sweep;
    size_t checked = 0;
    for (size_t a = 0; a < s->axis_count; a++) {
        const wy_sweep_axis_data whole = s->axes[a];
        const double ends[2] = {whole.from, whole.to};
        const size_t count = whole.range ? 2 : whole.count;
        for (size_t i = 0; i < count && checked < MOST_CHECKED; i++, checked++) {
            wy_scenario *scenario;
            char number[32];
            const char *one = whole.range ? wy_number_text(number, ends[i]) : whole.values[i];
            s->axes[a].range = false; /* for a moment the axis has this one value */
            s->axes[a].values = &one;
            s->axes[a].count = 1;
            const wy_status status = wy_sweep_scenario(&scenario, s, 0, r->err);
            s->axes[a] = whole;
            if (status == WY_BAD_INPUT && r->options && r->options->report_error)
                r->options->report_error(r->options->context, r->err->text);
            if (status)
                return status;
            wy_scenario_free(scenario);
        }
    }
    return WY_OK;
}

/* Whether an override "path=value" sets something that an axis says itself. */
static bool of_an_axis(const wy_sweep *s, const char *set) {
    for (size_t a = 0; a < s->axis_count; a++) {
        const size_t n = strlen(s->axes[a].path);
        if (strncmp(set, s->axes[a].path, n) == 0 && (set[n] == '.' || set[n] == '='))
            return true;
    }
    return false;
}

/* Rows that the scenario has from files are taken once, as overrides of every point: the process that runs one needs no
 * file, and another file is another sweep. */
static wy_status take_rows(reader *r) {
    wy_sweep *s = r->sweep;
    wy_scenario *first;
    if (!r->options || !r->options->files)
        return WY_OK;
    s->files = true;
    const wy_status status = wy_sweep_scenario(&first, s, 0, r->err);
    s->files = false;
    if (status)
        return status == WY_NO_MEMORY ? status : WY_OK;    /* what is wrong with it is told with the values */
    const wy_overrides all = wy_scenario_overrides(first); /* the caller's, the axes', and then rows of files */
    const char **set = wy_arena_take(s->arena, all.count * sizeof *set + 1);
    size_t count = s->set_count;
    bool good = set != NULL;
    for (size_t i = 0; i < s->set_count && good; i++)
        set[i] = s->set[i];
    for (size_t i = s->set_count + s->axis_count; i < all.count && good; i++)
        if (!of_an_axis(s, all.items[i]))
            good = (set[count++] = wy_arena_text(s->arena, all.items[i], strlen(all.items[i]))) != NULL;
    wy_scenario_free(first);
    if (!good)
        return no_memory(r);
    s->set = set;
    s->set_count = count;
    return WY_OK;
}

/* The units of the numbers that the axes vary, in the scenario of the first point. */
static wy_status find_units(reader *r) {
    wy_sweep *s = r->sweep;
    wy_scenario *first;
    wy_error why;
    const wy_status status = wy_sweep_scenario(&first, s, 0, &why);
    if (status) /* a point that cannot be is a row of its own */
        return status == WY_NO_MEMORY ? no_memory(r) : WY_OK;
    const wy_kind *kind = wy_scenario_kind(first);
    wy_arena *arena = wy_arena_create();
    void *config = arena ? wy_arena_take(arena, kind->entry.config_size) : NULL;
    if (config)
        memcpy(config, wy_scenario_config(first), kind->entry.config_size);
    for (size_t a = 0; a < s->axis_count && config; a++) {
        double *where;
        const wy_param *found;
        if (s->axes[a].numbers &&
            !wy_param_reach(&where, &found, kind->entry.params, config, s->axes[a].path, arena, &why))
            s->axes[a].unit = found->unit;
    }
    wy_arena_free(arena);
    wy_scenario_free(first);
    return config ? WY_OK : no_memory(r);
}

static const wy_node *value_of(const wy_node *root, const char *key) {
    const size_t at = wy_node_find(root, key);
    return at < root->count ? root->items[at] : NULL;
}

static wy_status read_root(reader *r, const wy_node *root) {
    wy_sweep *s = r->sweep;
    double count = 0.0, seed = 1.0;
    wy_status status = WY_OK;
    if (root->type != WY_NODE_MAPPING)
        return report_sweep_error(r, root, "a sweep is a mapping with 'scenario' and 'over'");
    for (size_t i = 0; i < root->count; i++)
        if (find_word(r, root->keys[i], "key of a sweep", keys) < 0)
            return WY_BAD_INPUT;
        else if (wy_node_find(root, root->keys[i]->text) < i)
            return report_sweep_error(r, root->keys[i], "'%s' is given twice", root->keys[i]->text);
    const wy_node *scenario = value_of(root, "scenario"), *over = value_of(root, "over"),
                  *design = value_of(root, "design"), *number = value_of(root, "count"),
                  *title = value_of(root, "title"), *keep = value_of(root, "keep"), *from = value_of(root, "seed");
    if (!scenario || !over)
        return report_sweep_error(r, root, "'%s' is missing in the sweep", scenario ? "over" : "scenario");
    s->title = title && title->type == WY_NODE_SCALAR ? title->text : "";
    if (design) {
        const int at = design->type == WY_NODE_SCALAR ? find_word(r, design, "design", designs) : -1;
        if (at < 0)
            return design->type == WY_NODE_SCALAR ? WY_BAD_INPUT : report_sweep_error(r, design, "'design' is no word");
        s->design = (wy_design)at;
    }
    const bool sampled = s->design == WY_DESIGN_LATIN || s->design == WY_DESIGN_RANDOM;
    if (from && (status = read_whole(r, &seed, from, "seed", 0, 0x1p53)))
        return status;
    s->seed = (uint64_t)seed;
    if (sampled && !number)
        return report_sweep_error(r, design, "a %s needs a 'count' of points", designs[s->design]);
    if (!sampled && number)
        return report_sweep_error(r, number,
                                  "'count' is for latin-hypercube and random; a %s has as many points as its axes give",
                                  designs[s->design]);
    if (number && (status = read_whole(r, &count, number, "count", 1, 0x1p53)))
        return status;
    if ((status = read_scenario(r, scenario)) || (status = read_axes(r, over)) ||
        (keep && (status = read_keep(r, keep))))
        return status;
    if (s->design == WY_DESIGN_ZIP) {
        count = (double)s->axes[0].count;
        for (size_t a = 1; a < s->axis_count; a++)
            if (s->axes[a].count != s->axes[0].count)
                return report_sweep_error(r, over->keys[a],
                                          "'%s' has %zu values and '%s' %zu: zipped axes have one length",
                                          s->axes[a].path, s->axes[a].count, s->axes[0].path, s->axes[0].count);
    }
    wy_error why;
    if ((status = count > WY_SWEEP_MOST_POINTS ? WY_BAD_INPUT : WY_OK))
        return report_sweep_error(r, number, "the sweep has %.15g points, expected at most %d", count,
                                  WY_SWEEP_MOST_POINTS);
    if ((status = wy_design_prepare(s, (size_t)count, &why)))
        return status == WY_BAD_INPUT ? report_sweep_error(r, over, "%s", why.text) : no_memory(r);
    status = take_rows(r);
    if (!status)
        status = check_values(r);
    return status ? status : find_units(r);
}

wy_status wy_sweep_read_text(wy_sweep **sweep, const char *path, const char *text, size_t length,
                             const wy_scenario_options *options, wy_error *err) {
    WY_GIVEN(sweep && path && (text || !length), err);
    wy_error unused = {0};
    wy_arena *arena = wy_arena_create();
    wy_sweep *s = arena ? wy_arena_take(arena, sizeof *s) : NULL;
    *sweep = NULL;
    if (!s) {
        wy_arena_free(arena);
        return wy_fail(err, WY_NO_MEMORY, "no memory for sweep '%s'", path);
    }
    reader r = {.sweep = s, .options = options, .err = err ? err : &unused};
    s->arena = arena;
    s->path = wy_arena_text(arena, path, strlen(path));
    s->text = wy_arena_text(arena, text, length);
    wy_node *root;
    wy_status status =
        s->path && s->text ? keep_overrides(&r) : wy_fail(err, WY_NO_MEMORY, "no memory for sweep '%s'", path);
    if (!status && (status = wy_yaml_read(&root, s->path, s->text, length, arena, r.err)) == WY_BAD_INPUT && options &&
        options->report_error)
        options->report_error(options->context, r.err->text);
    if (!status)
        status = read_root(&r, root);
    if (status)
        wy_arena_free(arena);
    else
        *sweep = s;
    return status;
}

wy_status wy_sweep_read_file(wy_sweep **sweep, const char *path, const wy_scenario_options *options, wy_error *err) {
    WY_GIVEN(sweep && path, err);
    char *text;
    size_t length;
    *sweep = NULL;
    wy_status s = wy_text_file_read(&text, &length, path, "sweep", err);
    if (!s) {
        wy_scenario_options with_files = options ? *options : (wy_scenario_options){0};
        with_files.files = true;
        s = wy_sweep_read_text(sweep, path, text, length, &with_files, err);
        free(text);
    }
    return s;
}
