/* The page: an embedded viewer with a run in it. The viewer ends where its data begin:
 *
 *   <script type="application/json" id="run">   what there is: names, units, the scenario's meaning
 *   <script type="text/plain" id="b0"> ...      the numbers of channel 0, base64
 *   <script type="text/plain" id="s0"> ...      their scales, where they are 16-bit numbers
 *   <script type="application/json" id="r1run"> ...  another run beside it, and so on
 *
 * Script blocks of other types are never run; nothing that comes from an archive stands anywhere else. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "embedded.h"
#include "frames.h"
#include "modes.h"
#include "text.h"
#include "viewer.h"

enum { PAGE_BYTES = 44 << 20, PACKET_BYTES = 4 << 20 };

static const char data_mark[] = "<!--withy:run-->", connect_mark[] = "'withy:connect'";

/* Where blocks of numbers go: script blocks of a page, or members of a JSON object. */
typedef struct block_writer {
    FILE *out;
    bool json;
    size_t number; /* of the run: the first is 0 */
} block_writer;

static void block_begin(const block_writer *w, const char *name) {
    if (w->json)
        fprintf(w->out, ",\n\"%s\":\"", name);
    else if (w->number)
        fprintf(w->out, "<script type=\"text/plain\" id=\"r%zu%s\">", w->number, name);
    else
        fprintf(w->out, "<script type=\"text/plain\" id=\"%s\">", name);
}

static void block_end(const block_writer *w) {
    fputs(w->json ? "\"" : "</script>\n", w->out);
}

static void write_channels(FILE *out, const wy_recording *r, const frames_plan *plan) {
    static const char *const codes[] = {"f8", "f4", "u2"};
    fputs("\"channels\":[", out);
    for (size_t i = 0; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        const frames_shape f = frames_shape_of(r, i, plan);
        fputs(i ? ",\n{\"object\":" : "\n{\"object\":", out);
        json_text(out, c->object);
        fputs(",\"group\":", out);
        json_text(out, c->group);
        fputs(",\"name\":", out);
        json_text(out, c->name);
        fputs(",\"unit\":", out);
        json_text(out, c->unit);
        fputs(",\"doc\":", out);
        json_text(out, c->doc);
        const bool table = f.code != FRAMES_F8;
        fprintf(out, ",\"rows\":%zu,\"columns\":%zu,\"all_rows\":%zu,\"row_stride\":%zu,\"along\":%s,\"code\":\"%s\"}",
                f.rows, f.columns, table ? c->dims[0] : 1, f.row_stride, table ? "true" : "false", codes[f.code]);
    }
    fputc(']', out);
}

/* The times of the frames of a plan; NULL without memory. */
static double *read_axis(const wy_recording *r, const frames_plan *plan) {
    double *axis = calloc(plan->count + 1, sizeof *axis);
    wy_error err;
    for (size_t i = 0; axis && i < plan->count; i++)
        if (wy_recording_read(r, 0, frames_at(plan, i), 1, &axis[i], &err))
            break;
    return axis;
}

static void write_head(FILE *out, const wy_recording *r, const frames_plan *plan, const viewer_options *o) {
    const char *slash = strrchr(r->path, '/');
    char verdict[1024];
    fputs("\"format\":1,\"file\":", out);
    json_text(out, slash ? slash + 1 : r->path);
    const struct {
        const char *key, *text;
    } texts[] = {
        {"kind", r->kind},        {"title", r->title},
        {"version", r->version},  {"scenario", r->scenario},
        {"outcome", r->outcome},  {"verdict", wy_recording_verdict(verdict, sizeof verdict, r, NULL) ? "" : verdict},
        {"warnings", r->warnings}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fprintf(out, ",\"%s\":", texts[i].key);
        json_text(out, texts[i].text);
    }
    fputs(",\"overrides\":[", out);
    for (size_t i = 0; i < r->overrides.count; i++) {
        fputs(i ? "," : "", out);
        json_text(out, r->overrides.items[i]);
    }
    fputc(']', out);
    fprintf(out, ",\"frames\":%zu,\"first\":%zu,\"stride\":%zu,\"count\":%zu,\"end\":%zu,\"follow\":%s,\n", r->frames,
            plan->first, plan->stride, plan->count, plan->end, o->follow ? "true" : "false");
}

static void write_config(FILE *out, const wy_recording *r, const wy_scenario *scenario, const wy_error *why,
                         const frames_plan *plan) {
    fputs(",\n\"config\":", out);
    double *axis = scenario ? read_axis(r, plan) : NULL;
    if (axis)
        config_write(out, scenario, axis, strcmp(r->channels[0].name, "time") == 0 ? plan->count : 0);
    else
        fputs("null", out);
    free(axis);
    fputs(",\"config_problem\":", out);
    json_text(out, scenario ? NULL : why->text);
}

/* Everything about a run, as one JSON object or as script blocks. */
static wy_status write_run(const block_writer *w, const wy_recording *r, const frames_plan *plan,
                           const viewer_options *o, wy_error *err) {
    FILE *out = w->out;
    const bool json = w->json;
    wy_scenario *scenario;
    wy_error why;
    wy_recording_scenario(&scenario, r, NULL, &why);
    char *modes = NULL, *shapes = NULL;
    size_t modes_size = 0, shapes_size = 0;
    wy_status s = WY_OK;
    size_t label;
    if (scenario && wy_scenario_kind(scenario)->branches && !o->follow &&
        wy_recording_find(&label, r, "branch/label", &why) == WY_OK) { /* else it is an archive of `withy modes` */
        FILE *m = open_memstream(&modes, &modes_size), *f = open_memstream(&shapes, &shapes_size);
        if (m && f)
            s = modes_write(m, f, r, scenario, plan, err);
        if (m)
            fclose(m);
        if (f)
            fclose(f);
    }
    if (!json && w->number)
        fprintf(out, "<script type=\"application/json\" id=\"r%zurun\">{", w->number);
    else
        fputs(json ? "{" : "<script type=\"application/json\" id=\"run\">{", out);
    write_head(out, r, plan, o);
    write_channels(out, r, plan);
    write_config(out, r, scenario, &why, plan);
    if (modes && !s)
        fprintf(out, ",\n\"modes\":%s,\"mode_count\":%d", modes, MODES_SHOWN);
    fputs(json ? "" : "}</script>\n", out);
    for (size_t i = 0; i < r->channel_count && !s; i++) {
        char name[40];
        snprintf(name, sizeof name, "b%zu", i);
        block_begin(w, name);
        s = frames_write(out, r, i, plan, false, err);
        block_end(w);
        if (s || frames_shape_of(r, i, plan).code != FRAMES_U2)
            continue;
        name[0] = 's';
        block_begin(w, name);
        s = frames_write(out, r, i, plan, true, err);
        block_end(w);
    }
    if (shapes && !s) {
        block_begin(w, "modes");
        fwrite(shapes, 1, shapes_size, out);
        block_end(w);
    }
    fputs(json ? "}\n" : "", out);
    free(modes);
    free(shapes);
    wy_scenario_free(scenario);
    return s;
}

static const viewer_file *page_of(const viewer_options *o) {
    for (const viewer_file *f = viewer_embedded; f->label; f++)
        if (!o->plain || strcmp(f->label, "plain") == 0)
            return f;
    return NULL;
}

const char *viewer_built(void) {
    return viewer_embedded[0].label;
}

/* Writes the bytes up to a mark, which is left out, and returns where they go on. */
static const unsigned char *until_mark(FILE *out, const unsigned char *at, const unsigned char *end, const char *mark) {
    const size_t n = strlen(mark);
    for (const unsigned char *p = at; p && (size_t)(end - p) >= n; p++)
        if (memcmp(p, mark, n) == 0) {
            fwrite(at, 1, (size_t)(p - at), out);
            return p + n;
        }
    return NULL;
}

/* A page for a run that has no frames yet: what it waits for. */
static void write_waiting(FILE *out, const char *archive, const char *why, bool json) {
    const char *slash = strrchr(archive, '/');
    fputs(json ? "{\"waiting\":" : "<script type=\"application/json\" id=\"run\">{\"follow\":true,\"waiting\":", out);
    json_text(out, why);
    fputs(",\"file\":", out);
    json_text(out, slash ? slash + 1 : archive);
    fputs(json ? "}\n" : "}</script>\n", out);
}

/* One run of a page, from its archive. */
static wy_status write_archive(FILE *out, const char *archive, size_t number, const viewer_options *o, wy_error *err) {
    wy_recording *r;
    wy_error why;
    const wy_status opened = wy_recording_open(&r, archive, &why);
    if (opened && !o->follow)
        return *err = why, opened;
    const block_writer w = {.out = out, .number = number};
    wy_status s = WY_OK;
    if (!opened && r->frames) {
        const frames_plan plan = frames_choose(r, 0, r->frames, PAGE_BYTES / (1 + o->overlay_count));
        s = write_run(&w, r, &plan, o, err);
    } else if (o->follow) {
        write_waiting(out, archive, opened ? why.text : "no frame yet", false);
    } else {
        s = wy_fail(err, WY_BAD_INPUT, "'%s' has no frames to view", archive);
    }
    wy_recording_free(r);
    return s;
}

wy_status viewer_write_page(FILE *out, const char *archive, const viewer_options *o, wy_error *err) {
    const viewer_file *page = page_of(o);
    const unsigned char *end = page->bytes + page->size;
    const unsigned char *at = until_mark(out, page->bytes, end, connect_mark);
    fputs(o->follow ? "'self'" : "'none'", out);
    at = until_mark(out, at, end, data_mark);
    wy_status s = at ? WY_OK : wy_fail(err, WY_UNSUPPORTED, "the embedded viewer has no place for a run");
    if (!s)
        s = write_archive(out, archive, 0, o, err);
    for (size_t i = 0; i < o->overlay_count && !s; i++)
        s = write_archive(out, o->overlays[i], i + 1, o, err);
    if (!s)
        fwrite(at, 1, (size_t)(end - at), out);
    return s;
}

wy_status viewer_write_packet(FILE *out, const char *archive, size_t first, wy_error *err) {
    wy_recording *r;
    wy_error why;
    if (wy_recording_open(&r, archive, &why)) {
        write_waiting(out, archive, why.text, true);
        return WY_OK;
    }
    const viewer_options o = {.follow = true};
    const frames_plan none = {.first = r->frames, .end = r->frames, .stride = 1};
    frames_plan plan = first < r->frames ? frames_choose(r, first, r->frames, PACKET_BYTES) : none;
    const block_writer w = {.out = out, .json = true};
    const wy_status s = write_run(&w, r, &plan, &o, err);
    wy_recording_free(r);
    return s;
}
