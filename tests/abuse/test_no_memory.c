/* Memory that ends: the n-th allocation of the library fails, for every n, and each time the call says so, leaks
 * nothing and leaves nothing behind. The allocator is wrapped by the linker, and for the reader each take from an arena
 * and each start of libfyaml as well. (Inside, libfyaml and HDF5 keep their own allocator.) */
#include <stdio.h>
#include <unistd.h>

#include <libfyaml.h>

#include <withy/io.h>
#include <withy/lab.h>

#include "scenario/scenario_reader.h"
#include "support/suite.h"
#include "support/tree_kind.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long left = -1; /* allocations until one fails; negative: none does */

/* What the acts find out: Check itself needs memory, so they do not assert. */
static bool consistent = true;

static bool fails(void) {
    return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

/* ---- finer: arenas and libfyaml
 * --------------------------------------------------------------------------------------- */

void *__real_wy_arena_take(wy_arena *arena, size_t size);
char *__real_wy_arena_text(wy_arena *arena, const char *text, size_t length);
struct fy_diag *__real_fy_diag_create(const struct fy_diag_cfg *cfg);
struct fy_parser *__real_fy_parser_create(const struct fy_parse_cfg *cfg);
int __real_fy_parser_set_string(struct fy_parser *fyp, const char *text, size_t length);
void *__wrap_wy_arena_take(wy_arena *arena, size_t size);
char *__wrap_wy_arena_text(wy_arena *arena, const char *text, size_t length);
struct fy_diag *__wrap_fy_diag_create(const struct fy_diag_cfg *cfg);
struct fy_parser *__wrap_fy_parser_create(const struct fy_parse_cfg *cfg);
int __wrap_fy_parser_set_string(struct fy_parser *fyp, const char *text, size_t length);

static bool fine; /* whether these count, too */

void *__wrap_wy_arena_take(wy_arena *arena, size_t size) {
    return fine && fails() ? NULL : __real_wy_arena_take(arena, size);
}
char *__wrap_wy_arena_text(wy_arena *arena, const char *text, size_t length) {
    return fine && fails() ? NULL : __real_wy_arena_text(arena, text, length);
}
struct fy_diag *__wrap_fy_diag_create(const struct fy_diag_cfg *cfg) {
    return fine && fails() ? NULL : __real_fy_diag_create(cfg);
}
struct fy_parser *__wrap_fy_parser_create(const struct fy_parse_cfg *cfg) {
    return fine && fails() ? NULL : __real_fy_parser_create(cfg);
}
int __wrap_fy_parser_set_string(struct fy_parser *fyp, const char *text, size_t length) {
    return fine && fails() ? -1 : __real_fy_parser_set_string(fyp, text, length);
}

/* Runs `act` with the n-th allocation failing, for n = 0, 1, ... until it succeeds; answers how many ways there
 * were. */
static int exhaust(wy_status (*act)(wy_error *err)) {
    for (int n = 0; n < 10000; n++) {
        wy_error err = {0};
        left = n;
        const wy_status s = act(&err);
        const bool hit = left < 0 || s != WY_OK; /* in a child process, whose count is its own, too */
        left = -1;
        ck_assert_msg(consistent, "allocation %d: status %d with or without an object", n, s);
        if (!hit) {
            ck_assert_msg(s == WY_OK, "%s", err.text);
            return n;
        }
        ck_assert_msg(s == WY_NO_MEMORY || s == WY_CANNOT_READ || s == WY_CANNOT_WRITE, "allocation %d: status %d: %s",
                      n, s, err.text);
        ck_assert_msg(strlen(err.text) > 5, "allocation %d gave no reason", n);
    }
    ck_abort_msg("never succeeded");
    return 0;
}

/* Long enough that the arena needs many chunks. */
static char scenario_text[1 << 15];
static const char *const sets[] = {"method.tolerance=1e-10", "every=2", "title=an override", "method.solver=newton"};

static void write_scenario(void) {
    char *at = scenario_text;
    at += sprintf(
        at, "kind: rigid-body\ninertia: &i [2, 1, 2/3]\nmomentum: *i\nduration: 1\nstep: 0.1\nmethod: IM\ntitle: ");
    for (int i = 0; i < 20000; i++)
        *at++ = (char)('a' + i % 26);
    strcpy(at, "\n");
}

static wy_status read_scenario(wy_error *err) {
    wy_scenario *s;
    const wy_scenario_options options = {.set = sets, .set_count = 4};
    const wy_status status = wy_scenario_read_text(&s, "t.yaml", scenario_text, strlen(scenario_text), &options, err);
    consistent = consistent && (status == WY_OK) == (s != NULL);
    wy_scenario_free(s);
    return status;
}

static wy_status read_tree(wy_error *err) {
    static const char text[] =
        "kind: tree\ntitle: t\nheight: 2*pi\ngirth: 0.75\nbranches: 2^10\nevergreen: true\nspecies: &s salix\nseason: "
        "autumn\n"
        "base: [1, -2.5e-3, 1]\ncurve:\n  - [0, 1]\n  - [0.5, 1.5]\nradii: [0.1, 0.2, 0.3, 0.4, 0.5]\n"
        "tie: {name: spring, stiffness: 1e3}\nspare: rope\nhangings: [rope, &k {name: SP, stiffness: 2, angle: [1, "
        "2]}, *k]\n"
        "roots: {depth: .5, count: 9}\n";
    static const char *const tree_sets[] = {"spare.name=spring", "spare.stiffness=3", "hangings.0.name=rope",
                                            "roots.count=2", "base=[1, 2, 3]"};
    const wy_scenario_options options = {.set = tree_sets, .set_count = 5};
    wy_scenario *s;
    const wy_status status = wy_scenario_read_kinds(&s, &kinds, "t.yaml", text, sizeof text - 1, &options, err);
    consistent = consistent && (status == WY_OK) == (s != NULL);
    wy_scenario_free(s);
    return status;
}

static wy_status read_nothing(wy_error *err) {
    static const wy_param none[] = {{0}};
    static const wy_kind nothing = {.entry = {"nothing", NULL, "Nothing.", none, 0}};
    static const wy_entry *const rows[] = {&nothing.entry, NULL};
    static const wy_catalogue only = {"kinds", "kind", "Kinds.", rows, NULL};
    const char *const set[] = {"kind=nothing"}; /* into an empty file */
    const wy_scenario_options options = {.set = set, .set_count = 1};
    wy_scenario *s;
    const wy_status status = wy_scenario_read_kinds(&s, &only, "t.yaml", "", 0, &options, err);
    wy_scenario_free(s);
    return status;
}

static wy_status read_file(wy_error *err) {
    wy_scenario *s;
    const wy_status status = wy_scenario_read_file(&s, TEST_SOURCE "/examples/rigid-body.yaml", NULL, err);
    wy_scenario_free(s);
    return status;
}

static wy_status make_stepper(wy_error *err) {
    static const wy_body body = {.inertia = {3, 2, 1.5}};
    const wy_system system = wy_body_quaternion_system(&body);
    wy_stepper *stepper;
    double y[7] = {1, 2, 3, 1, 0, 0, 0};
    wy_status s = wy_stepper_create(&stepper, wy_integrator_find("GL6"), NULL, &system, err);
    for (int i = 0; i < 3 && !s; i++)
        s = wy_stepper_step(stepper, 0.1, y, err);
    wy_stepper_free(stepper);
    return s;
}

/* A study with enough rows, figures and points that every array of the report has to grow. */
static wy_status fill_report(wy_report *report, const wy_sink *progress, wy_error *err) {
    static double x[600];
    (void)progress;
    (void)err;
    for (int i = 0; i < 30; i++)
        wy_report_row(report, "a row", wy_prints_nothing(), i, wy_shown(), "number %d", i);
    for (int f = 0; f < 10; f++) {
        wy_figure *figure = wy_report_figure(report, &(wy_figure){.title = "a figure", .x_label = "x", .y_label = "y"});
        for (int c = 0; c < 10; c++)
            wy_figure_curve(figure, "a curve", WY_LINES, 600, x, x, NULL);
    }
    return WY_OK;
}

static wy_status run_study(wy_error *err) {
    static const wy_study study = {
        .entry = {.name = "a-study", .doc = "A study."}, .source = "this test", .run = fill_report};
    wy_report *report;
    const wy_status s = wy_study_run(&report, &study, NULL, err);
    consistent = consistent && (s == WY_OK) == (report != NULL);
    wy_report_free(report);
    return s;
}

static wy_status write_archive(wy_error *err) {
    static wy_scenario *s;
    if (!s) { /* read once, with memory: not what is tested here */
        const long keep = left;
        left = -1;
        ck_assert_int_eq(wy_scenario_read_text(&s, "t", scenario_text, strlen(scenario_text), NULL, err), WY_OK);
        left = keep;
    }
    char path[64];
    snprintf(path, sizeof path, "/tmp/withy-no-memory-%ld.h5", (long)getpid());
    const wy_archive_options options = {.flush_seconds = 0};
    wy_archive *archive;
    wy_status status = wy_archive_create(&archive, path, s, &options, err), closed = WY_OK;
    if (!status) {
        status = wy_scenario_kind(s)->run(wy_scenario_config(s), wy_archive_sink(archive), err);
        closed = wy_archive_close(archive, status, err, status ? NULL : err);
    }
    wy_recording *recording = NULL;
    wy_report *figures = NULL;
    double drift;
    if (!status && !closed)
        status = wy_recording_open(&recording, path, err);
    if (recording && !status)
        status = wy_recording_figures(&figures, recording, NULL, err);
    if (recording && !status)
        status = wy_recording_drift(&drift, recording, 1, err);
    wy_report_free(figures);
    wy_recording_free(recording);
    remove(path);
    strcat(path, ".part");
    remove(path);
    return status ? status : closed;
}

START_TEST(scenario) {
    write_scenario();
    ck_assert_int_gt(exhaust(read_scenario), 5);
    ck_assert_int_gt(exhaust(read_file), 3);
}
END_TEST

START_TEST(reader_in_detail) {
    fine = true;
    ck_assert_int_gt(exhaust(read_tree), 150);
    ck_assert_int_gt(exhaust(read_nothing), 10);
    fine = false;
}
END_TEST

START_TEST(stepper) {
    ck_assert_int_ge(exhaust(make_stepper), 2);
}
END_TEST

START_TEST(study) {
    ck_assert_int_gt(exhaust(run_study), 20);
}
END_TEST

START_TEST(archive) {
    write_scenario();
    ck_assert_int_gt(exhaust(write_archive), 10);
}
END_TEST

SUITE("no memory", scenario, reader_in_detail, stepper, study, archive)
