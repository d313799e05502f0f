/* One flipped bit anywhere in an archive gives the right answer or an error, never a crash, a hang, or a text or
 * number that differs from the one that was written. WITHY_LONG=1 flips every bit of a small archive; else one in some
 * hundred. Archives of 0.2.0, whose texts have no checksum, must not crash or hang. The reference is the undamaged
 * file. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include <withy/io.h>

#include "support/suite.h"

static char path[128];

static void write_bytes(const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    ck_assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static unsigned char *read_bytes(size_t *size, const char *name) {
    FILE *file = fopen(name, "rb");
    ck_assert_msg(file != NULL, "%s", name);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    ck_assert(bytes && fread(bytes, 1, *size, file) == *size && fclose(file) == 0);
    return bytes;
}

/* Everything that an archive says, as one text; NULL if it is refused, as a whole or in a part. */
static char *everything(wy_error *err) {
    wy_recording *r;
    if (wy_recording_open(&r, path, err))
        return NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%s|%s|%s|%s|%s|%s|%zu\n", r->kind, r->title, r->version, r->scenario, r->warnings, r->outcome,
            r->frames);
    for (size_t i = 0; i < r->overrides.count; i++)
        fprintf(out, "%s\n", r->overrides.items[i]);
    bool good = true;
    for (size_t i = 0; i < r->channel_count && good; i++) {
        const wy_channel *c = &r->channels[i];
        const size_t n = wy_channel_size(c) * r->frames;
        double *values = malloc((n + 1) * sizeof *values);
        good = values && wy_recording_read(r, i, 0, r->frames, values, err) == WY_OK;
        fprintf(out, "%s/%s %s %s %s %s %zu\n", c->group ? c->group : "", c->name, c->unit, c->doc,
                c->panel ? c->panel : "", c->meaning ? c->meaning : "", c->rank);
        for (size_t k = 0; k < n && good; k++)
            fprintf(out, "%a ", values[k]);
        free(values);
    }
    wy_recording_free(r);
    ck_assert(fclose(out) == 0);
    if (good)
        return text;
    free(text);
    return NULL;
}

typedef struct tally {
    size_t tried, refused, same, wrong, first_wrong;
} tally;

static void flip(tally *t, unsigned char *bytes, size_t size, size_t bit, const char *truth) {
    wy_error err = {0};
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    write_bytes(bytes, size);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    char *said = everything(&err);
    t->tried++;
    if (!said) {
        t->refused++;
        ck_assert_msg(*err.text, "bit %zu: refused without a word", bit);
    } else if (strcmp(said, truth) == 0) {
        t->same++;
    } else if (t->wrong++ == 0) {
        t->first_wrong = bit;
    }
    free(said);
}

static tally flip_all(unsigned char *bytes, size_t size, size_t step, uint64_t seed) {
    wy_error err = {0};
    tally t = {0};
    write_bytes(bytes, size);
    char *truth = everything(&err);
    ck_assert_msg(truth != NULL, "%s", err.text);
    for (size_t bit = random_bits(&seed) % step;
         bit<8 * size; bit += step> 1 ? 1 + random_bits(&seed) % (2 * step - 1) : 1)
        flip(&t, bytes, size, bit, truth);
    free(truth);
    printf("%zu bits of %zu bytes: %zu refused, %zu as before, %zu wrong\n", t.tried, size, t.refused, t.same, t.wrong);
    return t;
}

static void run(const char *text) {
    wy_error err;
    wy_scenario *s;
    wy_archive *a;
    const char *const set[] = {"title=\"a \\\"title\\\" of \xc3\xa9\""};
    const wy_scenario_options options = {.set = set, .set_count = 1};
    ck_assert_msg(wy_scenario_read_text(&s, "t", text, strlen(text), &options, &err) == WY_OK, "%s", err.text);
    ck_assert_msg(wy_archive_create(&a, path, s, NULL, &err) == WY_OK, "%s", err.text);
    const wy_status ran = wy_scenario_kind(s)->run(wy_scenario_config(s), wy_archive_sink(a), &err);
    ck_assert_msg(ran == WY_OK, "%s", err.text);
    ck_assert_msg(wy_archive_close(a, WY_OK, NULL, &err) == WY_OK, "%s", err.text);
    wy_scenario_free(s);
}

static const char body[] =
    "kind: rigid-body\ninertia: [2, 1, 2/3]\nmomentum: [0.3, -0.7, 1.1]\nmethod: rk4\nduration: 0.3\nstep: 0.1\n";

/* A text of 40 kB, which is a dataset, and a title of two lines. */
START_TEST(flips_of_this_version) {
    const bool all = getenv("WITHY_LONG") != NULL;
    char *text = calloc(1, sizeof body + 50000);
    ck_assert(text != NULL);
    size_t size;
    snprintf(path, sizeof path, "/tmp/withy-flips-%ld.h5", (long)getpid());
    strcpy(text, body);
    for (int turn = 0; turn < 2; turn++) {
        run(text);
        unsigned char *bytes = read_bytes(&size, path);
        const tally t = flip_all(bytes, size,
                                 all && turn == 0 ? 1
                                 : SANITIZED      ? 400
                                 : turn           ? 500
                                                  : 150,
                                 3601u + (unsigned)turn);
        ck_assert_msg(t.wrong == 0, "%zu of %zu flipped bits are not noticed, the first is bit %zu", t.wrong, t.tried,
                      t.first_wrong);
        ck_assert_msg(t.refused > t.tried / 4, "%zu of %zu refused: is anything read?", t.refused, t.tried);
        free(bytes);
        for (size_t n = strlen(text); n < sizeof body + 40000; n += 10)
            strcat(text, "# comment\n");
    }
    free(text);
    remove(path);
}
END_TEST

START_TEST(flips_of_0_2_0) {
    static const char *const kinds[] = {"rigid-body", "sweep", "dynamic", "static", "continuation", "shaft"};
    snprintf(path, sizeof path, "/tmp/withy-flips-%ld.h5", (long)getpid());
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[512];
        size_t size;
        snprintf(name, sizeof name, TEST_DATA "/archives-0.2.0/%s.h5", kinds[i]);
        unsigned char *bytes = read_bytes(&size, name);
        flip_all(bytes, size, getenv("WITHY_LONG") ? 40 : SANITIZED ? 10000 : 3000, 3602);
        free(bytes);
    }
    remove(path);
}
END_TEST

SUITE("flipped bits", flips_of_this_version, flips_of_0_2_0)
