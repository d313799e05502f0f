/* The same bits everywhere: a hash of every channel of every example scenario, compared with tests/data/golden.txt. The
 * examples are run by two threads at once (WITHY_THREADS=1: by one), so that one does not disturb the other either.
 *
 * Who changes the numbers on purpose writes the file anew with `./dev golden` and says in the commit why. `./dev golden
 * matrix` tries both compilers, every level of optimisation, with and without AVX2. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include <withy/scenario.h>
#include <withy/withy.h>

#include "support/suite.h"

#define GOLDEN TEST_DATA "/golden.txt"

enum { MOST_EXAMPLES = 64, MOST_CHANNELS = 96, MOST_LINES = 2048, LINE = 160 };

/* One example, with a hash of each channel. */
typedef struct example {
    char name[64];
    bool portable; /* without vector instructions, where its method has a choice */
    const wy_channel *channels;
    size_t count;
    uint64_t hash[MOST_CHANNELS];
    char path[MOST_CHANNELS][96];
    wy_status status;
    wy_error err;
} example;

static example examples[MOST_EXAMPLES];
static int example_count;

/* FNV-1a over the bytes of a number, the lowest first. */
static uint64_t stir(uint64_t hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (bits >> (8 * i) & 0xff)) * 0x100000001b3u;
    return hash;
}

static wy_status begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    example *e = context;
    if (count > MOST_CHANNELS)
        return wy_fail(err, WY_BAD_INPUT, "%zu channels, room for %d", count, MOST_CHANNELS);
    e->channels = channels;
    e->count = count;
    for (size_t i = 0; i < count; i++) {
        e->hash[i] = 0xcbf29ce484222325u;
        snprintf(e->path[i], sizeof e->path[i], "%s%s%s", channels[i].group ? channels[i].group : "",
                 channels[i].group ? "/" : "", channels[i].name);
    }
    return WY_OK;
}

static wy_status frame(void *context, const double *const *values, wy_error *err) {
    (void)err;
    example *e = context;
    for (size_t i = 0; i < e->count; i++)
        for (size_t k = 0; k < wy_channel_size(&e->channels[i]); k++)
            e->hash[i] = stir(e->hash[i], values[i][k]);
    return WY_OK;
}

/* Reads an example with some settings; where a setting is refused (the kind or method has no such choice), NULL. */
static wy_scenario *read_example(const char *name, const char *const *set, size_t count, wy_error *err) {
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%.63s", TEST_SOURCE, name);
    const wy_scenario_options options = {.set = set, .set_count = count};
    wy_scenario *s = NULL;
    return wy_scenario_read_file(&s, path, &options, err) ? NULL : s;
}

static bool accepts(const char *name, const char *setting) {
    wy_error err;
    wy_scenario *s = read_example(name, &setting, 1, &err);
    wy_scenario_free(s);
    return s != NULL;
}

/* Runs with many steps go without the coarser ones beside them that estimate their errors. */
static bool is_long(const char *name) {
    static const char *const names[] = {"flying-rod.yaml", "helix.yaml", "mooring-line.yaml", "twisted-rod.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void run(example *e) {
    const char *set[2];
    size_t count = 0;
    if (e->portable)
        set[count++] = "method.portable=true";
    if (is_long(e->name))
        set[count++] = "estimate=false";
    wy_scenario *s = read_example(e->name, set, count, &e->err);
    e->status = s ? WY_OK : WY_BAD_INPUT;
    if (!s)
        return;
    const wy_sink sink = {.context = e, .begin = begin, .frame = frame};
    e->status = wy_scenario_kind(s)->run(wy_scenario_config(s), &sink, &e->err);
    wy_scenario_free(s);
}

static bool is_scenario(const char *name) {
    char path[512], line[256];
    const size_t n = strlen(name);
    bool found = false;
    if (n < 6 || strcmp(name + n - 5, ".yaml") != 0)
        return false;
    snprintf(path, sizeof path, "%s/examples/%s", TEST_SOURCE, name);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (!found && fgets(line, sizeof line, f))
        found = strncmp(line, "kind:", 5) == 0;
    fclose(f);
    return found;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const example *)a)->name, ((const example *)b)->name);
}

static void find_examples(void) {
    DIR *folder = opendir(TEST_SOURCE "/examples");
    ck_assert_ptr_nonnull(folder);
    for (struct dirent *d; (d = readdir(folder));)
        if (is_scenario(d->d_name)) {
            ck_assert_int_lt(example_count, MOST_EXAMPLES);
            snprintf(examples[example_count++].name, sizeof examples[0].name, "%.63s", d->d_name);
        }
    closedir(folder);
    qsort(examples, (size_t)example_count, sizeof *examples, by_name);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int next_example;

static void *work(void *unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&gate);
        const int mine = next_example < example_count ? next_example++ : -1;
        pthread_mutex_unlock(&gate);
        if (mine < 0)
            return NULL;
        run(&examples[mine]);
    }
}

static void run_all(void) {
    const char *wanted = getenv("WITHY_THREADS");
    const int threads = wanted && *wanted == '1' ? 1 : 2;
    pthread_t other;
    next_example = 0;
    if (threads > 1)
        ck_assert_int_eq(pthread_create(&other, NULL, work, NULL), 0);
    work(NULL);
    if (threads > 1)
        pthread_join(other, NULL);
    for (int i = 0; i < example_count; i++)
        ck_assert_msg(examples[i].status == WY_OK, "%s: %s", examples[i].name, examples[i].err.text);
}

static char lines[MOST_LINES][LINE];

static int write_lines(void) {
    int n = 0;
    for (int i = 0; i < example_count; i++)
        for (size_t c = 0; c < examples[i].count; c++) {
            ck_assert_int_lt(n, MOST_LINES);
            snprintf(lines[n++], LINE, "%.63s %.75s %016llx", examples[i].name, examples[i].path[c],
                     (unsigned long long)examples[i].hash[c]);
        }
    return n;
}

/* The lines told are those of the file, as far as it is about the examples that were run. */
static void compare(int count) {
    FILE *f = fopen(GOLDEN, "r");
    ck_assert_msg(f != NULL, "no %s: ./dev golden writes it", GOLDEN);
    char line[LINE], first[LINE] = "";
    int seen = 0, different = 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        bool ours = false;
        for (int i = 0; i < example_count && *line != '#'; i++)
            ours = ours || (strncmp(line, examples[i].name, strlen(examples[i].name)) == 0 &&
                            line[strlen(examples[i].name)] == ' ');
        if (*line == '#' || !*line || (!ours && examples[0].portable))
            continue;
        if ((seen >= count || strcmp(line, lines[seen]) != 0) && ++different == 1)
            strcpy(first, seen < count ? lines[seen] : line);
        seen++;
    }
    fclose(f);
    ck_assert_msg(
        different == 0 && seen == count,
        "%d of %d channels have other bits than %s, or are new or gone; the first: %s. If the numbers were changed "
        "on purpose: ./dev golden",
        different, count, GOLDEN, first);
}

START_TEST(every_channel_of_every_example) {
    find_examples();
    ck_assert_int_ge(example_count, 5);
    run_all();
    const int count = write_lines();
    const char *write = getenv("WITHY_GOLDEN");
    if (write && strcmp(write, "write") == 0) {
        FILE *f = fopen(GOLDEN, "w");
        ck_assert_ptr_nonnull(f);
        fprintf(f, "# Example, channel, hash of all its numbers. Written by ./dev golden; read by "
                   "tests/laws/test_golden.c.\n");
        for (int i = 0; i < count; i++)
            fprintf(f, "%s\n", lines[i]);
        ck_assert_int_eq(fclose(f), 0);
        return;
    }
    compare(count);
}
END_TEST

/* A method that has kernels for several sets of instructions gives the same bits with all of them. (The sanitizers see
 * the same lines in one example as in all.) */
START_TEST(portable_kernels) {
    find_examples();
    int kept = 0;
    for (int i = 0; i < example_count; i++)
        if (accepts(examples[i].name, "method.portable=true") && !(SANITIZED && kept)) {
            examples[kept] = examples[i];
            examples[kept++].portable = true;
        }
    ck_assert_int_ge(kept, 1);
    example_count = kept;
    run_all();
    compare(write_lines());
}
END_TEST

SUITE("golden bits", every_channel_of_every_example, portable_kernels)
