/* One flipped bit anywhere in an archive gives the right answer or an error, never a crash, a hang, or a text or
 * number that differs from the one that was written. WITHY_LONG=1 flips every bit of a small archive (else one in some
 * hundred) and 10^5 random bits of a large one (else 100). Archives of 0.2.0, whose texts have no checksum, must not
 * crash or hang. The reference is the undamaged file. WITHY_FLIPS=n takes n bits of the large archive, WITHY_SEED
 * others. The long form needs CK_TIMEOUT_MULTIPLIER=10. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
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

/* Everything that an archive says: its texts, and of its numbers a hash (FNV-1a of their bytes). NULL if it is refused,
 * as a whole or in a part. */
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
        uint64_t hash = 0xcbf29ce484222325u;
        for (size_t k = 0; k < n * sizeof *values && good; k++)
            hash = (hash ^ ((const unsigned char *)values)[k]) * 0x100000001b3u;
        fprintf(out, "%s/%s %s %s %s %s %zu %llx\n", c->group ? c->group : "", c->name, c->unit, c->doc,
                c->panel ? c->panel : "", c->meaning ? c->meaning : "", c->rank, (unsigned long long)hash);
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
    double slowest; /* seconds of computing, with children */
} tally;

static double computed(void) {
    double seconds = 0.0;
    const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (int i = 0; i < 2; i++) {
        struct rusage use;
        getrusage(whose[i], &use);
        seconds += (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                   1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    }
    return seconds;
}

static void put_byte(size_t at, unsigned char byte) {
    FILE *file = fopen(path, "r+b");
    ck_assert(file && fseek(file, (long)at, SEEK_SET) == 0 && fputc(byte, file) == byte && fclose(file) == 0);
}

static void flip(tally *t, const unsigned char *bytes, size_t bit, const char *truth) {
    wy_error err = {0};
    const double before = computed();
    put_byte(bit / 8, bytes[bit / 8] ^ (unsigned char)(1u << bit % 8));
    char *said = everything(&err);
    put_byte(bit / 8, bytes[bit / 8]);
    t->slowest = fmax(t->slowest, computed() - before);
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

/* One bit in `step` on average, or `count` random ones. */
static tally flip_all(const unsigned char *bytes, size_t size, size_t step, size_t count, uint64_t seed) {
    wy_error err = {0};
    tally t = {0};
    write_bytes(bytes, size);
    char *truth = everything(&err);
    ck_assert_msg(truth != NULL, "%s", err.text);
    size_t bit = step ? random_bits(&seed) % step : 8 * size;
    while (bit < 8 * size) {
        flip(&t, bytes, bit, truth);
        bit += step == 1 ? 1 : 1 + random_bits(&seed) % (2 * step - 1);
    }
    for (size_t i = 0; i < count; i++)
        flip(&t, bytes, random_bits(&seed) % (8 * size), truth);
    free(truth);
    printf("%zu bits of %zu bytes: %zu refused, %zu as before, %zu wrong, the slowest %.2f s\n", t.tried, size,
           t.refused, t.same, t.wrong, t.slowest);
    fflush(stdout);
    ck_assert_msg(SANITIZED || t.slowest < 3.0, "%g s of computing, and the child has 2", t.slowest);
    return t;
}

static void must_be_noticed(const tally *t) {
    ck_assert_msg(t->wrong == 0, "%zu of %zu flipped bits are not noticed, the first is bit %zu", t->wrong, t->tried,
                  t->first_wrong);
    ck_assert_msg(t->refused > t->tried / 4, "%zu of %zu refused: is anything read?", t->refused, t->tried);
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
                                 0, 3601u + (unsigned)turn);
        must_be_noticed(&t);
        free(bytes);
        for (size_t n = strlen(text); n < sizeof body + 40000; n += 10)
            strcat(text, "# comment\n");
    }
    free(text);
    remove(path);
}
END_TEST

START_TEST(flips_of_a_large_one) {
    const char *count = getenv("WITHY_FLIPS");
    size_t size;
    snprintf(path, sizeof path, "/tmp/withy-flips-%ld.h5", (long)getpid());
    run("kind: dynamic\nlength: 0.4\nelements: 12\nsection: {name: circle, radius: 0.01, E: 1e8, nu: 0.4, density: "
        "1200}\nfirst_end: clamped\nloads: [{name: gravity, acceleration: [1, 0, 0]}]\nduration: 0.5\nstep: 0.005\n");
    unsigned char *bytes = read_bytes(&size, path);
    const tally t = flip_all(bytes, size, 0,
                             count                  ? strtoul(count, NULL, 10)
                             : getenv("WITHY_LONG") ? 100000
                             : SANITIZED            ? 20
                                                    : 100,
                             suite_seed(3603));
    must_be_noticed(&t);
    free(bytes);
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
        flip_all(bytes, size, getenv("WITHY_LONG") ? 40 : SANITIZED ? 10000 : 3000, 0, suite_seed(3602));
        free(bytes);
    }
    remove(path);
}
END_TEST

SUITE("flipped bits", flips_of_this_version, flips_of_a_large_one, flips_of_0_2_0)
