/* Frames in memory are the frames of the archive: every channel, every number; cancelling and naming work as in an
 * archive. */
#include <withy/io.h>

#include "support/suite.h"

static const char text[] =
    "kind: rigid-body\ninertia: [2, 1, 0.7]\nmomentum: [0.4, 0.3, 0.9]\nduration: 3.3\nstep: 0.07\n";

static wy_scenario *read_scenario(void) {
    wy_scenario *scenario;
    wy_error err;
    ck_assert_msg(!wy_scenario_read_text(&scenario, "text", text, sizeof text - 1, NULL, &err), "%s", err.text);
    return scenario;
}

typedef struct watcher {
    int calls;
    double last;
} watcher;

static bool stop_after_ten(void *context, double fraction) {
    watcher *w = context;
    w->last = fraction;
    return ++w->calls == 10;
}

START_TEST(frames_are_those_of_the_archive) {
    wy_error err;
    wy_scenario *scenario = read_scenario();
    wy_frames *frames;
    ck_assert(!wy_frames_create(&frames, NULL, NULL, NULL, &err));
    for (int round = 0; round < 2; round++) /* the second run replaces the first */
        ck_assert(!wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_frames_sink(frames), &err));
    const char *path = "test_frames.h5";
    wy_archive *archive;
    ck_assert_msg(!wy_archive_create(&archive, path, scenario, NULL, &err), "%s", err.text);
    ck_assert(!wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_archive_sink(archive), &err));
    ck_assert_msg(!wy_archive_close(archive, WY_OK, NULL, &err), "%s", err.text);
    wy_recording *r;
    ck_assert_msg(!wy_recording_open(&r, path, &err), "%s", err.text);
    const wy_channel *channels;
    ck_assert_uint_eq(wy_frames_channels(&channels, frames), r->channel_count);
    ck_assert_uint_eq(wy_frames_count(frames), r->frames);
    ck_assert_uint_gt(r->frames, 40);
    for (size_t i = 0; i < r->channel_count; i++) {
        const double *values;
        size_t size;
        ck_assert_str_eq(channels[i].name, r->channels[i].name);
        ck_assert(!wy_frames_values(&values, &size, frames, channels[i].name, &err));
        ck_assert_uint_eq(size, wy_channel_size(&r->channels[i]));
        double *stored = malloc(size * r->frames * sizeof *stored);
        ck_assert(!wy_recording_read(r, i, 0, r->frames, stored, &err));
        ck_assert(memcmp(stored, values, size * r->frames * sizeof *stored) == 0);
        free(stored);
    }
    wy_recording_free(r);
    remove(path);
    wy_frames_free(frames);
    wy_scenario_free(scenario);
}
END_TEST

START_TEST(a_run_is_stopped_and_keeps_what_it_had) {
    wy_error err;
    wy_scenario *scenario = read_scenario();
    watcher w = {0};
    wy_frames *frames;
    ck_assert(!wy_frames_create(&frames, stop_after_ten, NULL, &w, &err));
    ck_assert_int_eq(wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_frames_sink(frames), &err),
                     WY_CANCELLED);
    ck_assert_int_eq(w.calls, 10);
    ck_assert(w.last > 0.0 && w.last < 1.0);
    ck_assert(wy_frames_count(frames) > 1 && wy_frames_count(frames) < 40);
    wy_frames_free(frames);
    wy_frames_free(NULL);
    wy_scenario_free(scenario);
}
END_TEST

START_TEST(channels_go_by_name) {
    wy_error err;
    wy_scenario *scenario = read_scenario();
    wy_frames *frames;
    const double *a, *b;
    ck_assert(!wy_frames_create(&frames, NULL, NULL, NULL, &err));
    ck_assert(!wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_frames_sink(frames), &err));
    ck_assert(!wy_frames_values(&a, NULL, frames, "momentum", &err));
    ck_assert(!wy_frames_values(&b, NULL, frames, "state/momentum", &err));
    ck_assert_ptr_eq(a, b);
    ck_assert_double_eq(a[1], 0.3);
    ck_assert_int_eq(wy_frames_values(&a, NULL, frames, "momentun", &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "did you mean 'momentum'"));
    ck_assert_int_eq(wy_frames_values(&a, NULL, frames, "solver/momentum", &err), WY_BAD_INPUT);
    wy_frames_free(frames);
    wy_scenario_free(scenario);
}
END_TEST

/* Collects bytes; after `capacity` of them it takes no more. */
typedef struct pipe_end {
    char bytes[64];
    size_t count, capacity, calls;
} pipe_end;

static bool take(void *context, const void *bytes, size_t count) {
    pipe_end *p = context;
    p->calls++;
    if (p->count + count > p->capacity)
        return false;
    memcpy(p->bytes + p->count, bytes, count);
    p->count += count;
    return true;
}

START_TEST(an_output_that_fails_is_left_alone) {
    pipe_end end = {.capacity = 9};
    wy_output out = {.context = &end, .write = take};
    wy_output_text(&out, "one ");
    wy_output_print(&out, "%d-%s", 7, "two");
    ck_assert(!out.failed);
    wy_output_text(&out, "three");
    ck_assert(out.failed);
    wy_output_text(&out, "4");
    ck_assert_uint_eq(end.calls, 3);
    ck_assert_int_eq(memcmp(end.bytes, "one 7-two", 9), 0);
}
END_TEST

START_TEST(a_long_line_arrives_whole) {
    char word[1500];
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = 0;
    FILE *file = tmpfile();
    wy_output out;
    wy_output_to_file(&out, file);
    wy_output_print(&out, "<%s>", word);
    ck_assert(!out.failed);
    ck_assert_int_eq(ftell(file), (long)sizeof word + 1);
    fclose(file);
}
END_TEST

SUITE("frames", frames_are_those_of_the_archive, a_run_is_stopped_and_keeps_what_it_had, channels_go_by_name,
      an_output_that_fails_is_left_alone, a_long_line_arrives_whole)
