/* What `withy plot` draws of a recording: which panels there are, and which were asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/draw.h>

#include "base/given.h"
#include "draw/sketch.h"
#include "scene/component.h"

typedef enum sort { SHAPE, SERIES, ALONG, DIAGRAM, AMPLITUDE, PHASE, CAMPBELL } sort;

enum { MOST_IN_PANEL = 16, MOST_SERIES = 9, NOTE_WIDTH = 105 };

typedef struct spec {
    sort sort;
    char name[64];     /* as asked for */
    const char *title; /* as drawn */
    char words[96];    /* the title, of what belongs to a rod or rigid body of an assembly: "leg: tip position" */
    size_t channels[MOST_IN_PANEL], count;
    size_t first, columns; /* ALONG */
    bool standard;         /* drawn if nothing is asked for */
} spec;

typedef struct catalogue {
    spec *specs;
    size_t count, capacity;
} catalogue;

/* "tip position" is asked for as tip-position. */
static void slug(char *buffer, size_t size, const char *text) {
    size_t n = 0;
    for (; *text && n + 1 < size; text++)
        buffer[n++] = *text == ' ' || *text == ',' || *text == '_' ? '-' : *text;
    buffer[n] = 0;
}

static spec *add(catalogue *list, const spec *s, const char *name) {
    spec made = *s;
    slug(made.name, sizeof made.name, name);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->specs[i].name, made.name) == 0)
            return NULL; /* the first of a name is the one */
    if (list->count == list->capacity)
        return NULL;
    list->specs[list->count] = made;
    return &list->specs[list->count++];
}

/* With the name of the object in front of the panel's, and of its title. */
static spec *add_of(catalogue *list, const spec *s, const wy_channel *c, const char *name) {
    if (!c->object)
        return add(list, s, name);
    char of_object[160];
    spec made = *s;
    snprintf(of_object, sizeof of_object, "%.60s %.90s", c->object, name);
    snprintf(made.words, sizeof made.words, "%.40s: %.50s", c->object, s->title ? s->title : name);
    made.standard = false;
    spec *added = add(list, &made, of_object);
    if (added)
        added->title = added->words;
    return added;
}

static bool is_of_same(const wy_channel *a, const wy_channel *b) {
    return a->object == b->object || (a->object && b->object && strcmp(a->object, b->object) == 0);
}

static bool few(const wy_channel *c) {
    const size_t size = wy_channel_size(c);
    return c->rank < 2 && size > 0 && size <= MOST_SERIES;
}

/* The panels that the channels themselves name. */
static void add_named(catalogue *list, const sketch *k) {
    const wy_recording *r = k->r;
    for (size_t i = 1; i < r->channel_count; i++) {
        const char *panel = r->channels[i].panel;
        spec s = {.sort = SERIES,
                  .title = panel,
                  .standard =
                      (r->frames > 1 || !wy_sketch_has_branches(r)) && !(wy_sketch_has_mode_shapes(r) && k->scene)};
        for (size_t j = i; panel && j < r->channel_count && s.count < MOST_IN_PANEL; j++)
            if (r->channels[j].panel && strcmp(r->channels[j].panel, panel) == 0 && few(&r->channels[j]) &&
                is_of_same(&r->channels[i], &r->channels[j]))
                s.channels[s.count++] = j;
        if (s.count)
            add_of(list, &s, &r->channels[i], panel);
    }
}

static bool is_pose(const wy_scene *scene, size_t channel) {
    for (; scene; scene = scene->next)
        if (channel == scene->position || channel == scene->orientation)
            return true;
    return false;
}

/* Along the rod: tables with a row for each node or element; [moment; force] are two. */
static void add_along(catalogue *list, const wy_recording *r, const wy_scene *scene) {
    for (size_t i = 1; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        const bool table = c->rank == 2 && c->dims[0] > 1 && c->dims[1] > 0;
        const bool row = c->rank == 1 && c->dims[0] > MOST_SERIES && scene && c->dims[0] == scene->nodes;
        if ((!table && !row) || (scene && is_pose(scene, i)) || strcmp(c->name, "arc_length") == 0)
            continue;
        const size_t columns = table ? c->dims[1] : 1;
        const spec whole = {.sort = ALONG, .title = c->name, .channels = {i}, .count = 1, .columns = columns};
        char word[2][64];
        if (columns == 6 && wy_component_name(word[0], sizeof word[0], c, 0) &&
            wy_component_name(word[1], sizeof word[1], c, 3) && strlen(word[0]) > 1) {
            for (size_t half = 0; half < 2; half++) {
                word[half][strlen(word[half]) - 1] = 0;         /* kappa1: kappa */
                const char *title = strstr(c->doc, word[half]); /* lives as long as the recording */
                spec s = whole;
                s.first = 3 * half;
                s.columns = 3;
                s.title = NULL;
                s.standard = strcmp(word[half], "moment") == 0;
                spec *added = title ? add_of(list, &s, c, word[half]) : NULL;
                if (added && !c->object)
                    added->title = added->name;
            }
        }
        spec s = whole;
        s.standard = (strcmp(c->name, "angle") == 0 && wy_sketch_has_mode_shapes(r)) ||
                     (strcmp(c->name, "moment") == 0 && !wy_sketch_has_branches(r)) ||
                     (r->frames == 1 && (strcmp(c->name, "force") == 0 || strcmp(c->name, "curvature") == 0));
        add_of(list, &s, c, c->name);
    }
}

static void add_rest(catalogue *list, const wy_recording *r) {
    for (size_t i = 1; i < r->channel_count; i++) {
        const spec s = {.sort = SERIES, .title = r->channels[i].name, .channels = {i}, .count = 1};
        if (few(&r->channels[i]))
            add_of(list, &s, &r->channels[i], r->channels[i].name);
    }
}

static wy_status list_panels(catalogue *list, const sketch *k) {
    const wy_recording *r = k->r;
    list->capacity = 3 * r->channel_count + 8;
    list->specs = calloc(list->capacity, sizeof *list->specs);
    if (!list->specs)
        return wy_fail(k->err, WY_NO_MEMORY, "no memory for the panels of '%s'", r->path);
    if (wy_sketch_has_branches(r)) {
        static const char *const quantities[][2] = {{"thrust", "axial compression at the left end"},
                                                    {"bending", "bending moment at the left end"},
                                                    {"torque", "torque at the left end"},
                                                    {"strain_energy", "energy"}};
        for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) {
            spec s = {.sort = DIAGRAM, .title = quantities[i][1], .standard = true};
            for (size_t c = 1; c < r->channel_count; c++)
                if (strcmp(r->channels[c].name, quantities[i][0]) == 0 && s.count++ == 0)
                    s.channels[0] = c;
            if (s.count == 1)
                add(list, &s, quantities[i][0]);
        }
    }
    if (wy_sketch_has_response(r)) {
        add(list, &(spec){.sort = AMPLITUDE, .title = "amplitude", .standard = true}, "amplitude");
        add(list, &(spec){.sort = PHASE, .title = "phase", .standard = true}, "phase");
    }
    if (wy_sketch_has_whirl(r))
        add(list, &(spec){.sort = CAMPBELL, .title = "Campbell diagram", .standard = true}, "campbell");
    if (k->scene)
        add(list, &(spec){.sort = SHAPE, .title = "shape", .standard = true}, "shape");
    add_named(list, k);
    add_along(list, r, k->scene);
    add_rest(list, r);
    return WY_OK;
}

/* Each line as a note, broken at spaces where it is longer than the page. */
static void note_lines(wy_figure *figure, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n > NOTE_WIDTH)
            for (n = NOTE_WIDTH; n > NOTE_WIDTH / 2 && text[n] != ' '; n--)
                ;
        wy_figure_note(figure, "%.*s", (int)n, text);
        text += n + (text[n] == '\n' || text[n] == ' ');
    }
}

/* The last lines of the page: how accurate the run is, and what it warns of. */
static wy_status draw_verdict(sketch *k) {
    const wy_recording *r = k->r;
    char text[1024];
    bool certified = *r->warnings;
    for (size_t i = 0; i < r->channel_count && !certified; i++)
        certified = wy_recording_certifies(r, i);
    const wy_status s = certified ? wy_recording_verdict(text, sizeof text, r, k->err) : WY_OK;
    wy_figure *f = certified && !s ? wy_sketch_figure(k, (wy_figure){.title = "accuracy"}) : NULL;
    if (f) {
        note_lines(f, text);
        note_lines(f, r->warnings);
    }
    return s;
}

static wy_status draw_panel(sketch *k, const spec *s) {
    switch (s->sort) {
    case SHAPE:
        if (wy_sketch_has_mode_shapes(k->r))
            return wy_sketch_mode_shapes(k);
        return wy_sketch_has_branches(k->r) ? wy_sketch_diagram_shapes(k) : wy_sketch_shapes(k);
    case SERIES: return wy_sketch_series(k, s->title, s->channels, s->count);
    case ALONG: return wy_sketch_along(k, s->title, s->channels[0], s->first, s->columns);
    case AMPLITUDE:
    case PHASE: return wy_sketch_response(k, s->sort == PHASE);
    case CAMPBELL: return wy_sketch_campbell(k);
    case DIAGRAM: return wy_sketch_diagram(k, k->r->channels[s->channels[0]].name, s->title);
    }
    return WY_OK;
}

/* A panel by its name, or by the name of a channel in it, or by the beginning of its name if that is only one. */
static const spec *find_panel(const catalogue *list, const wy_recording *r, const char *name) {
    char wanted[64];
    slug(wanted, sizeof wanted, name);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->specs[i].name, wanted) == 0)
            return &list->specs[i];
    for (size_t i = 0; i < list->count; i++)
        for (size_t c = 0; c < list->specs[i].count; c++)
            if (!r->channels[list->specs[i].channels[c]].object &&
                strcmp(r->channels[list->specs[i].channels[c]].name, name) == 0)
                return &list->specs[i];
    const spec *only = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (*wanted && strncmp(list->specs[i].name, wanted, strlen(wanted)) == 0) {
            if (only)
                return NULL;
            only = &list->specs[i];
        }
    return only;
}

static wy_status no_such_panel(const catalogue *list, const sketch *k, const char *name) {
    char text[400] = "";
    size_t n = 0;
    wy_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < list->count; i++) {
        wy_nearest_offer(&nearest, list->specs[i].name);
        if (n + strlen(list->specs[i].name) + 8 < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? ", " : "", list->specs[i].name);
        else if (n + 5 < sizeof text && strcmp(text + n - 3, "...") != 0)
            n += (size_t)snprintf(text + n, sizeof text - n, " ...");
    }
    return wy_fail(k->err, WY_BAD_INPUT, "no panel '%.60s'%s%s%s; there are: %s", name,
                   nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "", nearest.best ? "'?" : "",
                   text);
}

static wy_status draw_asked(sketch *k, const catalogue *list, const char *panels) {
    k->asked = true;
    for (const char *at = panels;; at++) {
        const size_t n = strcspn(at, ",");
        char name[64];
        snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : (int)sizeof name - 1, at);
        const spec *s = find_panel(list, k->r, name);
        if (!s)
            return no_such_panel(list, k, name);
        const wy_status status = draw_panel(k, s);
        if (status)
            return status;
        at += n;
        if (!*at)
            return WY_OK;
    }
}

/* What is told in words alone comes last, a line of the page each. */
static void words_last(const wy_report *report) {
    const size_t n = report->figure_count;
    wy_figure *const *all = report->figures;
    const char *heading = all[0]->heading;
    for (size_t i = 0, moved = 0; i + moved < n;) {
        wy_figure words = *all[i];
        if (words.curve_count) {
            i++;
            continue;
        }
        for (size_t j = i; j + 1 < n; j++)
            *all[j] = *all[j + 1];
        words.width = 0.0;
        *all[n - 1] = words;
        moved++;
    }
    for (size_t i = 0; i < n; i++)
        all[i]->heading = i ? NULL : heading;
}

/* Side by side in pairs; one alone at the end of a row gets all of it. */
static void fill_rows(const wy_report *report) {
    double used = 0.0;
    words_last(report);
    for (size_t i = 0; i < report->figure_count; i++) {
        wy_figure *f = report->figures[i];
        const double width = f->width > 0.0 ? f->width : 1.0;
        const bool last = i + 1 == report->figure_count || !(report->figures[i + 1]->width > 0.0);
        used = used + width > 1.001 ? width : used + width;
        if (last && used < 0.999 && used == width && f->curve_count)
            f->width = 0.0;
        if (used > 0.999 || last)
            used = 0.0;
    }
}

wy_status wy_recording_figures(wy_report **report, const wy_recording *r, const char *panels, wy_error *err) {
    WY_GIVEN(report && r, err);
    *report = NULL;
    if (r->frames == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has no frames to plot", r->path);
    sketch k = {.r = r, .report = wy_report_create(r->path, r->kind), .err = err};
    k.stride = (r->frames + SKETCH_POINTS - 1) / SKETCH_POINTS;
    k.count = (r->frames - 1 + k.stride - 1) / k.stride + 1; /* the last frame is always among them */
    k.axis = malloc(k.count * sizeof *k.axis);
    catalogue list = {0};
    wy_status s = WY_OK;
    if (!k.report || !k.axis)
        s = wy_fail(err, WY_NO_MEMORY, "no memory to plot %zu frames", k.count);
    if (!s)
        s = wy_sketch_read(&k, 0, k.axis);
    if (!s && wy_scene_fits(r))
        s = wy_scene_open(&k.scene, r, err);
    if (!s)
        s = list_panels(&list, &k);
    if (!s && panels)
        s = draw_asked(&k, &list, panels);
    for (size_t i = 0; i < list.count && !s && !panels; i++)
        if (list.specs[i].standard)
            s = draw_panel(&k, &list.specs[i]);
    if (!s && k.report->figure_count == 0)
        s = wy_fail(err, WY_BAD_INPUT, "'%s' has nothing to plot: everything in it is zero", r->path);
    if (!s)
        s = draw_verdict(&k);
    if (!s && !wy_report_whole(k.report))
        s = wy_fail(err, WY_NO_MEMORY, "no memory to plot '%s'", r->path);
    if (!s)
        fill_rows(k.report);
    free(k.axis);
    free(list.specs);
    wy_scene_free(k.scene);
    if (s)
        wy_report_free(k.report);
    else
        *report = k.report;
    return s;
}
