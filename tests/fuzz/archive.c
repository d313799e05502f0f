/* Fuzz target: the readers of archives (info, plot, export, modes, release, resume). The input is a list of changes to
 * a good archive, made through HDF5: attributes and datasets removed or replaced by others of any shape, type and
 * storage, links, numbers, missing frames, bytes of the stored numbers. (Bytes anywhere in the file would test HDF5,
 * not withy: the structures of HDF5 have checksums.) One of the readers then reads the changed archive to its end or
 * refuses it with an error; it never crashes, leaks or returns a number that is not stored. One reader per input and
 * few channels: a thousand small archives cover more than ten large ones. */
#define _GNU_SOURCE /* open_memstream */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "../../app/cli/labelled_solution.c"
#include "archive_changes.h"
#include "archive/guard.h"
#include "archive/h5.h"
#include "archive/recording_store.h"
#include "draw/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char body_text[] =
    "kind: rigid-body\ntitle: a body\ninertia: [2, 1, 2/3]\nmomentum: [0.3, -0.7, 1.1]\nmethod: rk4\n"
    "duration: 0.3\nstep: 0.1\n";
static const char column_text[] =
    "kind: continuation\nlength: 1.3\nsection: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, "
    "EA: 1.5e4, rhoA: 0.8, rhoI1: 1e-4, rhoI2: 1e-4, rhoJ: 2e-4}\nfirst_end: clamped\nlast_end: free\n"
    "loads: [{name: gravity, acceleration: [0, 0, -1]}]\n"
    "parameter: {number: loads.0.acceleration.2, from: -8, to: -1, start: -1, at: [-1.5]}\n"
    "follow: {branches: 1, points: 4}\nelements: 4\n";
static const char rod_text[] =
    "kind: dynamic\nlength: 1.3\nsection: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, "
    "EA: 1.5e4, rhoA: 0.8, rhoI1: 1e-4, rhoI2: 1e-4, rhoJ: 2e-4}\nfirst_end: clamped\nlast_end: free\n"
    "loads: [{name: gravity, acceleration: [1, 0, 0]}]\n"
    "elements: 2\nduration: 0.003\nstep: 0.001\n";

/* A good archive. `only`: the channels that some reader asks for by name, and one of each sort. NULL: all channels,
 * which only a resumed run needs (each further channel takes 0.1 ms). */
typedef struct model {
    const char *text;
    const char *only;
    wy_scenario *scenario;
    uint8_t *bytes;
    size_t size;
    names names;
} model;

static model models[] = {
    {.text = body_text, .only = "time\nstate/momentum\nstate/orientation\ninvariants/energy\nsolver/iterations"},
    {.text = column_text,
     .only = "loads.0.acceleration.2\nbranch/branch\nbranch/label\nbranch/label_number\nbranch/negative\nends/thrust\n"
             "state/arc_length\nstate/position\nstate/orientation\nstate/force\nstate/moment\nsolver/error"},
    {.text = rod_text, .only = "time\nstate/position\nstate/orientation\nstate/strain"},
    {.text = body_text},
    {.text = column_text},
    {.text = rod_text},
};
enum { MODELS = sizeof models / sizeof *models, SHORT = 3 };

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/* In this process: a child for each archive takes as long as all the rest, and a crash is what is looked for. */
wy_status wy_guard(wy_guarded task, void *context, const char *name, wy_error *err) {
    (void)name;
    return task(context, err);
}
#endif

static char path[128];
static labelled_solution landed; /* a rod that was released, to be looked for among the solutions of the archive */
static wy_release *release;

static bool stop_at_last(void *context, double fraction) {
    (void)context;
    return fraction > 0.9;
}

/* A run that goes on has shown what it makes of the archive after a few steps; a continuation begins anew. */
static bool stop_soon(void *context, double fraction) {
    int *left = context;
    (void)fraction;
    return --*left < 0;
}

static void write_bytes(const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    must(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* The paths of its channels, and those that are not wanted. */
static void list_channels(model *m, names *others) {
    wy_recording *r;
    char wanted[1024], line[66];
    snprintf(wanted, sizeof wanted, "\n%s\n", m->only ? m->only : "");
    must(wy_recording_open_unguarded(&r, path, NULL) == WY_OK);
    for (size_t i = 0; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", c->group ? c->group : "", c->group ? "/" : "", c->name);
        snprintf(line, sizeof line, "\n%s\n", name);
        names *list = !m->only || strstr(wanted, line) ? &m->names : others;
        must(list->count < 60);
        memcpy(list->text[list->count++], name, sizeof name);
    }
    wy_recording_free(r);
}

/* Leaves the channels that are wanted. */
static void trim(model *m) {
    names others = {.count = 0};
    char list[4096] = "";
    list_channels(m, &others);
    for (size_t i = 0; i < m->names.count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? "\n" : "", m->names.text[i]);
    if (m->only) {
        must(strcmp(list, m->only) == 0);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        for (size_t i = 0; i < others.count; i++)
            H5Ldelete(file, others.text[i], H5P_DEFAULT);
        must(wy_h5_put_text(file, "channels", list) >= 0 && H5Fclose(file) >= 0);
    }
    snprintf(m->names.text[m->names.count++], 64, "checkpoint");
    snprintf(m->names.text[m->names.count++], 64, "state");
}

/* An archive; one with all channels was interrupted, so that it can be resumed. */
static void make(model *m) {
    wy_error err;
    wy_archive *archive;
    must(wy_scenario_read_text(&m->scenario, "fuzz", m->text, strlen(m->text), NULL, &err) == WY_OK);
    const wy_archive_options options = {.flush_seconds = 0.0, .progress = m->only ? NULL : stop_at_last};
    remove(path);
    must(wy_archive_create(&archive, path, m->scenario, &options, &err) == WY_OK);
    const wy_status s =
        wy_scenario_kind(m->scenario)->run(wy_scenario_config(m->scenario), wy_archive_sink(archive), &err);
    must(wy_archive_close(archive, s, &err, NULL) == WY_OK);
    trim(m);
    FILE *file = fopen(path, "rb");
    must(file && fseek(file, 0, SEEK_END) == 0);
    m->size = (size_t)ftell(file);
    m->bytes = malloc(m->size);
    rewind(file);
    must(m->bytes && fread(m->bytes, 1, m->size, file) == m->size);
    fclose(file);
}

/* A file of its own for what comes next. */
static void new_path(void) {
    static int files;
    if (path[0])
        remove(path);
    snprintf(path, sizeof path, "%s/withy-fuzz-%ld-%d.h5", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid(), files++);
}

static void prepare(void) {
    if (path[0])
        return;
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    H5dont_atexit(); /* a file that HDF5 cannot close would not let it end */
#endif
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    /* HDF5 takes half a megabyte for each file that it opens: let it keep that */
    H5set_free_list_limits(1 << 26, 1 << 24, 1 << 26, 1 << 24, 1 << 26, 1 << 24);
    new_path();
    for (size_t i = 0; i < MODELS; i++)
        make(&models[i]);
    wy_error err;
    wy_release_options options;
    wy_release_options_init(&options);
    options.elements = 4;
    options.duration = 1e-3;
    write_bytes(models[1].bytes, models[1].size);
    must(labelled_solution_open(&landed, path, "UZ1", &err) == WY_OK);
    must(wy_release_create(&release, landed.solver, &options, &err) == WY_OK);
    must(wy_release_move(release, NULL, &err) == WY_OK);
    wy_recording_free(landed.source.recording); /* or HDF5 has the file open for ever */
    landed.source.recording = NULL;
}

/* ---- the readers ---- */

static bool swallow(void *context, const void *bytes, size_t count) {
    size_t *capacity = context;
    (void)bytes;
    if (count > *capacity)
        return false;
    *capacity -= count;
    return true;
}

enum { CAPACITY = 1 << 18 };

static wy_output *open_one(void *context, const char *name) {
    must(name && *name);
    return context;
}

static bool close_one(void *context, wy_output *output) {
    (void)context;
    return !output->failed;
}

static void checked(wy_status s, const wy_error *err) {
    if (s)
        must(err->text[0] != 0);
}

/* What `withy info` asks. */
static void info(const wy_recording *r, bool json) {
    wy_error err = {0};
    double drift;
    must(r->path && r->kind && r->title && r->version && r->scenario && r->outcome && r->channel_count);
    if (json) {
        size_t capacity = CAPACITY;
        wy_output out = {.context = &capacity, .write = swallow};
        checked(wy_recording_json(&out, r, &err), &err);
        return;
    }
    for (size_t i = 0; i < r->channel_count && i < 40; i++) {
        checked(wy_recording_drift(&drift, r, i, &err), &err);
        char shown[1024];
        must(wy_text_shown(shown, sizeof shown, r->channels[i].doc, false) != NULL);
        size_t found;
        if (wy_recording_find(&found, r, r->channels[i].name, &err))
            abort();
    }
}

/* `withy plot`, up to the commands for gnuplot. */
static void plot(const wy_recording *r, const char *panels) {
    wy_error err = {0};
    wy_report *report;
    page pg;
    const wy_status s = wy_recording_figures(&report, r, panels, &err);
    if (s) {
        checked(s, &err);
        return;
    }
    if (report->figure_count &&
        wy_page_lay_out(&pg, (const wy_figure *const *)report->figures, report->figure_count, &err) == WY_OK) {
        char *text = NULL;
        size_t size = 0;
        FILE *script = open_memstream(&text, &size);
        must(script);
        checked(wy_script_write(script, &pg, &err), &err);
        fclose(script);
        free(text);
        wy_page_free(&pg);
    }
    wy_report_free(report);
}

static void export(const wy_recording *r, const wy_writer *writer, bool one_channel) {
    wy_error err = {0};
    size_t *channels = calloc(r->channel_count, sizeof *channels);
    must(channels);
    for (size_t i = 0; i < r->channel_count; i++)
        channels[i] = i;
    const bool one_frame = writer->traits & WY_WRITES_ONE_FRAME;
    const wy_selection selection = {.recording = r,
                                    .channels = channels,
                                    .channel_count = one_channel ? 1 : r->channel_count,
                                    .frames = one_frame ? r->frames > 0 : r->frames,
                                    .scale = 1.0};
    size_t capacity = CAPACITY;
    wy_output out = {.context = &capacity, .write = swallow};
    const wy_files files = {.context = &out, .open = open_one, .close = close_one};
    checked(wy_write(writer, &selection, writer->write ? &out : NULL, writer->write ? NULL : &files, &err), &err);
    free(channels);
}

static void modes_and_release(const wy_recording *r, unsigned how) {
    wy_error err = {0};
    nearest_solution nearest;
    checked(find_nearest_solution(&nearest, r, landed.parameter, release, &err), &err);
    if (how & 1)
        return;
    labelled_solution p;
    checked(labelled_solution_open(&p, path, how & 2 ? "EP1" : "UZ1", &err), &err);
    labelled_solution_close(&p);
}

static void resume(const model *m, unsigned how) {
    wy_error err = {0};
    wy_archive *archive;
    bool finished;
    int steps = 4;
    const wy_archive_options options = {.flush_seconds = 1e9, .progress = stop_soon, .context = &steps};
    if (wy_archive_resume(&archive, &finished, path, m->scenario, &options, &err)) {
        must(err.text[0] != 0 && !archive);
        return;
    }
    if (finished)
        return;
    const bool goes_on = m->text != column_text || how % 8 == 0; /* its solver takes as long as ten archives */
    const wy_status s =
        goes_on ? wy_scenario_kind(m->scenario)->run(wy_scenario_config(m->scenario), wy_archive_sink(archive), &err)
                : wy_fail(&err, WY_CANCELLED, "enough");
    checked(s, &err);
    wy_archive_close(archive, s, &err, NULL);
}

static void read_by(unsigned reader, unsigned how, const model *m, const wy_recording *r) {
    size_t writers = 0;
    while (wy_writers.entries[writers])
        writers++;
    switch (reader) {
    case 0: info(r, how & 1); break;
    case 1: plot(r, how & 1 ? m->names.text[how / 2 % (m->names.count - 2)] : NULL); break;
    case 2: export(r, (const wy_writer *)(const void *)wy_writers.entries[how / 2 % writers], how & 1); break;
    default: modes_and_release(r, how);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    prepare();
    input in = {data, size};
    const unsigned which = byte(&in), reader = byte(&in) % 32, how = byte(&in);
    const bool resumes = reader == 31;
    const model *m = &models[which % SHORT + (resumes ? SHORT : 0)];
    write_bytes(m->bytes, m->size);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    must(file >= 0);
    bool last = false;
    for (int i = 0; i < 4 && in.left && !last; i++) {
        last = change(file, &m->names, &in);
        H5Fflush(file, H5F_SCOPE_LOCAL); /* HDF5 dies of writing into what it has just freed and made anew */
    }
    if (H5Fclose(file) < 0) { /* HDF5 1.10 shrinks some datasets and then writes behind the end: no archive to read */
        new_path();
        return 0;
    }
    if (resumes) {
        resume(m, how);
        return 0;
    }
    wy_error err = {0};
    wy_recording *r;
    if (wy_recording_open_unguarded(&r, path, &err) == WY_OK)
        read_by(reader % 4, how, m, r);
    else
        must(err.text[0] != 0 && !r);
    wy_recording_free(r);
    return 0;
}
