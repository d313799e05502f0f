/* Parameter tables, catalogues, the arena, statuses and the sink: what each takes, and every way it refuses. */
#include <stddef.h>
#include <stdio.h>

#include <withy/integrator.h>
#include <withy/kind.h>
#include <withy/version.h>

#include "support/suite.h"

/* ---- a table with one of everything ---- */

typedef struct inner {
    double depth;
    int64_t count;
} inner;

typedef struct outer {
    double length, optional, must;
    int64_t steps, must_count;
    bool flag, must_flag;
    const char *label, *must_label;
    int mode, must_mode;
    double vector[3], must_vector[2];
    wy_samples samples;
    wy_choice method, must_choice;
    wy_list list;
    inner nested;
} outer;

static const char *const modes[] = {"slow", "quick", "very-quick", NULL};

static const wy_param inner_params[] = {
    {.key = "depth", .unit = "m", .type = WY_TYPE_REAL, .default_text = "2.5", .offset = offsetof(inner, depth)},
    {.key = "count",
     .type = WY_TYPE_INTEGER,
     .rule = WY_RULE_POSITIVE,
     .default_text = "3",
     .offset = offsetof(inner, count)},
    {0},
};

static const wy_param params[] = {
    {.key = "length",
     .unit = "m",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .default_text = "2*pi/3",
     .offset = offsetof(outer, length)},
    {.key = "optional", .type = WY_TYPE_REAL, .default_text = "", .offset = offsetof(outer, optional)},
    {.key = "must", .type = WY_TYPE_REAL, .offset = offsetof(outer, must)},
    {.key = "steps",
     .unit = "1",
     .type = WY_TYPE_INTEGER,
     .rule = WY_RULE_BETWEEN,
     .low = 1,
     .high = 1e6,
     .default_text = "10^3",
     .offset = offsetof(outer, steps)},
    {.key = "must_count", .type = WY_TYPE_INTEGER, .offset = offsetof(outer, must_count)},
    {.key = "flag", .type = WY_TYPE_BOOL, .default_text = "true", .offset = offsetof(outer, flag)},
    {.key = "must_flag", .type = WY_TYPE_BOOL, .offset = offsetof(outer, must_flag)},
    {.key = "label", .type = WY_TYPE_TEXT, .default_text = "no name", .offset = offsetof(outer, label)},
    {.key = "must_label", .type = WY_TYPE_TEXT, .offset = offsetof(outer, must_label)},
    {.key = "mode", .type = WY_TYPE_NAME, .names = modes, .default_text = "quick", .offset = offsetof(outer, mode)},
    {.key = "must_mode", .type = WY_TYPE_NAME, .names = modes, .offset = offsetof(outer, must_mode)},
    {.key = "vector",
     .unit = "m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .rule = WY_RULE_NONNEGATIVE,
     .default_text = "[1, cos(1.1), 0]",
     .offset = offsetof(outer, vector)},
    {.key = "must_vector", .type = WY_TYPE_VECTOR, .count = 2, .offset = offsetof(outer, must_vector)},
    {.key = "samples", .type = WY_TYPE_SAMPLES, .count = 2, .default_text = "", .offset = offsetof(outer, samples)},
    {.key = "method",
     .type = WY_TYPE_CHOICE,
     .from = &wy_integrators,
     .default_text = "GL4",
     .offset = offsetof(outer, method)},
    {.key = "must_choice", .type = WY_TYPE_CHOICE, .from = &wy_integrators, .offset = offsetof(outer, must_choice)},
    {.key = "list", .type = WY_TYPE_LIST, .from = &wy_integrators, .default_text = "", .offset = offsetof(outer, list)},
    {.key = "nested", .type = WY_TYPE_GROUP, .group = inner_params, .offset = offsetof(outer, nested)},
    {0},
};

START_TEST(defaults_of_every_type) {
    wy_arena *arena = wy_arena_create();
    outer c;
    memset(&c, 0x5a, sizeof c); /* not a clean sheet: defaults must not depend on it */
    wy_error err = {0};
    ck_assert_msg(wy_params_defaults(params, &c, arena, &err) == WY_OK, "%s", err.text);
    ck_assert_double_eq(c.length, 2 * 3.14159265358979323846 / 3);
    ck_assert_double_nan(c.optional);
    ck_assert_double_nan(c.must);
    ck_assert_int_eq(c.steps, 1000);
    ck_assert_int_eq(c.must_count, 0);
    ck_assert(c.flag);
    ck_assert(!c.must_flag);
    ck_assert_str_eq(c.label, "no name");
    ck_assert_ptr_null(c.must_label);
    ck_assert_int_eq(c.mode, 1);
    ck_assert_int_eq(c.must_mode, 0);
    ck_assert_double_eq(c.vector[0], 1.0);
    ck_assert_double_eq(c.vector[1], cos(1.1));
    ck_assert_double_eq(c.vector[2], 0.0);
    ck_assert_double_nan(c.must_vector[0]);
    ck_assert_double_nan(c.must_vector[1]);
    ck_assert_uint_eq(c.samples.rows, 0);
    ck_assert_ptr_null(c.samples.values);
    ck_assert_str_eq(c.method.entry->name, "gauss-legendre-4");
    const wy_implicit *settings = c.method.config;
    ck_assert_int_eq(settings->solver, WY_NEWTON);
    ck_assert_double_eq(settings->tolerance, 0.0);
    ck_assert_int_eq(settings->max_iterations, 100);
    ck_assert_ptr_null(c.must_choice.entry);
    ck_assert_uint_eq(c.list.count, 0);
    ck_assert_double_eq(c.nested.depth, 2.5);
    ck_assert_int_eq(c.nested.count, 3);
    ck_assert_int_eq(wy_params_defaults(NULL, &c, arena, &err), WY_OK);
    wy_arena_free(arena);
}
END_TEST

/* A default that does not fit its own table is found out, wherever it stands. */
START_TEST(bad_defaults_are_refused) {
    static const struct {
        wy_param param;
        const char *words;
    } cases[] = {
        {{.key = "a", .type = WY_TYPE_REAL, .default_text = "fast"}, "'fast' is not known"},
        {{.key = "a", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = "-1"},
         "'a' is -1, expected a positive number"},
        {{.key = "a", .type = WY_TYPE_INTEGER, .default_text = "1.5"}, "expected a whole number"},
        {{.key = "a", .type = WY_TYPE_BOOL, .default_text = "yes"}, "'a' is 'yes', expected true or false"},
        {{.key = "a", .type = WY_TYPE_NAME, .names = modes, .default_text = "quik"}, "did you mean 'quick'?"},
        {{.key = "a", .type = WY_TYPE_CHOICE, .from = &wy_integrators, .default_text = "euler"},
         "unknown integrator 'euler'"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "1, 2, 3"}, "is not a list of 3 numbers"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[1, 2"}, "is not a list of 3 numbers"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[1, 2]"}, "is not a list of 3 numbers"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[1, 2, 3"}, "is not a list of 3 numbers"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[1, 2, 3, 4]"},
         "is not a list of 3 numbers"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 1, .default_text = "["}, "is not a list of 1 numbers"},
        {{.key = "a",
          .type = WY_TYPE_VECTOR,
          .count = 1,
          .default_text = "[0000000000000000000000000000000000000000000000000000000000000000001]"},
         "is not a list of 1 numbers"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 2, .default_text = "[1, x]"}, "'x' is not known"},
        {{.key = "a", .type = WY_TYPE_VECTOR, .count = 2, .default_text = "[, 2]"}, "is not a number"},
        {{.key = "a", .type = WY_TYPE_SAMPLES, .count = 2, .default_text = "[[1, 2]]"},
         "expected a list of rows of 2 numbers"},
        {{.key = "a", .type = WY_TYPE_LIST, .from = &wy_integrators, .default_text = "rk4"},
         "expected a list of integrators"},
    };
    wy_arena *arena = wy_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wy_param inside[] = {cases[i].param, {0}},
                       table[] = {{.key = "g", .type = WY_TYPE_GROUP, .group = inside}, {0}};
        max_align_t config[8] = {0};
        wy_error err = {0};
        ck_assert_msg(wy_params_defaults(table, config, arena, &err) == WY_BAD_INPUT, "case %zu went through", i);
        ck_assert_msg(strstr(err.text, cases[i].words) != NULL, "case %zu: '%s'", i, err.text);
        ck_assert_int_eq(wy_params_defaults(table, config, arena, NULL), WY_BAD_INPUT);
    }
    wy_arena_free(arena);
}
END_TEST

/* ---- one scalar from text ---- */

START_TEST(parse_every_scalar) {
    wy_arena *arena = wy_arena_create();
    wy_error err = {0};
    double x = 0;
    ck_assert_int_eq(wy_param_parse(&(wy_param){.key = "x", .type = WY_TYPE_REAL}, "1e-3/4", &x, arena, &err), WY_OK);
    ck_assert_double_eq(x, 1e-3 / 4);
    int64_t n = 0;
    const wy_param whole = {.key = "n", .type = WY_TYPE_INTEGER};
    ck_assert_int_eq(wy_param_parse(&whole, "-9007199254740992", &n, arena, &err), WY_OK);
    ck_assert(n == -9007199254740992);
    ck_assert_int_eq(wy_param_parse(&whole, "1e3", &n, arena, &err), WY_OK);
    ck_assert_int_eq(n, 1000);
    bool b = true;
    const wy_param flag = {.key = "b", .type = WY_TYPE_BOOL};
    ck_assert_int_eq(wy_param_parse(&flag, "false", &b, arena, &err), WY_OK);
    ck_assert(!b);
    ck_assert_int_eq(wy_param_parse(&flag, "true", &b, arena, &err), WY_OK);
    ck_assert(b);
    const char *t = NULL;
    char text[] = "a b";
    ck_assert_int_eq(wy_param_parse(&(wy_param){.key = "t", .type = WY_TYPE_TEXT}, text, &t, arena, &err), WY_OK);
    text[0] = 'x'; /* a copy was taken */
    ck_assert_str_eq(t, "a b");
    int mode = -1;
    const wy_param name = {.key = "m", .type = WY_TYPE_NAME, .names = modes};
    ck_assert_int_eq(wy_param_parse(&name, "very-quick", &mode, arena, &err), WY_OK);
    ck_assert_int_eq(mode, 2);
    wy_choice choice = {0};
    const wy_param pick = {.key = "c", .type = WY_TYPE_CHOICE, .from = &wy_integrators};
    ck_assert_int_eq(wy_param_parse(&pick, "rk4", &choice, arena, &err), WY_OK);
    ck_assert_str_eq(choice.entry->name, "rk4");
    ck_assert_ptr_null(choice.config); /* it has no parameters */
    ck_assert_int_eq(wy_param_parse(&pick, "sm", &choice, arena, &err), WY_OK);
    ck_assert_str_eq(choice.entry->name, "spherical-midpoint");
    ck_assert_ptr_nonnull(choice.config);
    ck_assert_str_eq(err.text, "");
    wy_arena_free(arena);
}
END_TEST

/* What is refused leaves the value as it was. */
START_TEST(parse_refusals) {
    static const wy_param real = {.key = "x", .type = WY_TYPE_REAL, .unit = "m", .rule = WY_RULE_NONNEGATIVE};
    static const wy_param whole = {
        .key = "n", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = -2, .high = 1e300};
    static const wy_param flag = {.key = "b", .type = WY_TYPE_BOOL};
    static const wy_param name = {.key = "m", .type = WY_TYPE_NAME, .names = modes};
    static const wy_param pick = {.key = "c", .type = WY_TYPE_CHOICE, .from = &wy_integrators};
    static const wy_param vector = {.key = "v", .type = WY_TYPE_VECTOR, .count = 3};
    static const wy_param group = {.key = "g", .type = WY_TYPE_GROUP, .group = inner_params};
    static const struct {
        const wy_param *param;
        const char *text, *words;
    } cases[] = {
        {&real, "-0.1", "'x' is -0.1, expected a non-negative number in m"},
        {&real, "one", "'x' needs a non-negative number in m, but 'one' is not a number: 'one' is not known here"},
        {&real, "", "'x' needs"},
        {&real, "1/0", "divides by zero"},
        {&real, "1e999", "not a finite number"},
        {&whole, "0.5", "'n' is '0.5', expected a whole number from -2 to 1e+300"},
        {&whole, "-3", "'n' is -3, expected"},
        {&whole, "2^53+2", "expected a whole number"},
        {&whole, "1e20", "expected a whole number"},
        {&whole, "x", "'x' is not known"},
        {&flag, "True", "'b' is 'True', expected true or false"},
        {&flag, "", "'b' is '', expected true or false"},
        {&flag, "1", "expected true or false"},
        {&name, "quik", "expected one of slow, quick, very-quick; did you mean 'quick'?"},
        {&name, "Slow", "did you mean 'slow'?"},
        {&name, "zebra", "'m' is 'zebra', expected one of slow, quick, very-quick"},
        {&pick, "implicit-midpiont", "did you mean 'implicit-midpoint'?"},
        {&pick, "zebra", "unknown integrator 'zebra' (known: explicit-midpoint, "},
        {&vector, "[1, 2, 3]", "expected a list of 3 numbers"},
        {&group, "x", "expected a mapping"},
    };
    wy_arena *arena = wy_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char where[64], before[64];
        max_align_t aligned[2];
        memset(where, 0x33, sizeof where);
        memcpy(before, where, sizeof before);
        memset(aligned, 0x33, sizeof aligned);
        wy_error err = {0};
        ck_assert_msg(wy_param_parse(cases[i].param, cases[i].text, aligned, arena, &err) == WY_BAD_INPUT,
                      "'%s' went through", cases[i].text);
        ck_assert_msg(strstr(err.text, cases[i].words) != NULL, "'%s': %s", cases[i].text, err.text);
        ck_assert_mem_eq(aligned, before, sizeof aligned < sizeof before ? sizeof aligned : sizeof before);
        ck_assert_int_eq(wy_param_parse(cases[i].param, cases[i].text, aligned, arena, NULL), WY_BAD_INPUT);
    }
    /* a long text is cut, not spilt */
    char text[3000];
    memset(text, 'q', sizeof text - 1);
    text[sizeof text - 1] = 0;
    const wy_param *all[] = {&real, &whole, &flag, &name, &pick, &vector};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        max_align_t storage[2];
        wy_error err = {0};
        ck_assert_int_eq(wy_param_parse(all[i], text, storage, arena, &err), WY_BAD_INPUT);
        ck_assert_uint_gt(strlen(err.text), 10);
        ck_assert_uint_lt(strlen(err.text), WY_ERROR_TEXT);
    }
    wy_arena_free(arena);
}
END_TEST

START_TEST(rules) {
    const double below = nextafter(2.0, 0.0), above = nextafter(3.0, 4.0);
    const struct {
        wy_rule rule;
        double x;
        bool good;
    } cases[] = {
        {WY_RULE_NONE, -1e300, true},      {WY_RULE_NONE, NAN, false},          {WY_RULE_NONE, INFINITY, false},
        {WY_RULE_NONE, -INFINITY, false},  {WY_RULE_POSITIVE, 5e-324, true},    {WY_RULE_POSITIVE, 0.0, false},
        {WY_RULE_POSITIVE, -0.0, false},   {WY_RULE_POSITIVE, -1, false},       {WY_RULE_POSITIVE, NAN, false},
        {WY_RULE_NONNEGATIVE, 0.0, true},  {WY_RULE_NONNEGATIVE, -0.0, true},   {WY_RULE_NONNEGATIVE, -5e-324, false},
        {WY_RULE_NONNEGATIVE, NAN, false}, {WY_RULE_POSITIVE, INFINITY, false}, {WY_RULE_BETWEEN, 2.0, true},
        {WY_RULE_BETWEEN, 3.0, true},      {WY_RULE_BETWEEN, below, false},     {WY_RULE_BETWEEN, above, false},
        {WY_RULE_BETWEEN, NAN, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wy_param p = {.key = "k", .type = WY_TYPE_REAL, .rule = cases[i].rule, .low = 2, .high = 3};
        wy_error err = {0};
        const wy_status s = wy_param_check(&p, cases[i].x, &err);
        ck_assert_msg((s == WY_OK) == cases[i].good, "rule %d at %g: %s", (int)cases[i].rule, cases[i].x,
                      wy_status_name(s));
        ck_assert_msg(cases[i].good || strstr(err.text, "'k' is"), "%s", err.text);
    }
}
END_TEST

START_TEST(expectations_in_words) {
    static const struct {
        wy_param param;
        const char *words;
    } cases[] = {
        {{.type = WY_TYPE_REAL}, "a number"},
        {{.type = WY_TYPE_REAL, .unit = "1"}, "a number"},
        {{.type = WY_TYPE_REAL, .unit = "kg m^2", .rule = WY_RULE_POSITIVE}, "a positive number in kg m^2"},
        {{.type = WY_TYPE_REAL, .unit = "s", .rule = WY_RULE_BETWEEN, .low = 0, .high = 0.1},
         "a number from 0 to 0.1 in s"},
        {{.type = WY_TYPE_INTEGER, .rule = WY_RULE_NONNEGATIVE}, "a non-negative whole number"},
        {{.type = WY_TYPE_BOOL}, "true or false"},
        {{.type = WY_TYPE_TEXT}, "text"},
        {{.type = WY_TYPE_NAME, .names = modes}, "one of slow, quick, very-quick"},
        {{.type = WY_TYPE_VECTOR, .count = 3, .unit = "m", .rule = WY_RULE_POSITIVE},
         "a list of 3 positive numbers in m"},
        {{.type = WY_TYPE_SAMPLES, .count = 1, .unit = "N"}, "a list of numbers in N"},
        {{.type = WY_TYPE_SAMPLES, .count = 4}, "a list of rows of 4 numbers"},
        {{.type = WY_TYPE_CHOICE, .from = &wy_integrators}, "the name of one of the integrators"},
        {{.type = WY_TYPE_LIST, .from = &wy_integrators}, "a list of integrators"},
        {{.type = WY_TYPE_GROUP}, "a mapping"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[320], small[8];
        ck_assert_str_eq(wy_param_expects(&cases[i].param, buffer, sizeof buffer), cases[i].words);
        ck_assert_int_eq(strncmp(wy_param_expects(&cases[i].param, small, sizeof small), cases[i].words, 7), 0);
        ck_assert_uint_lt(strlen(small), sizeof small);
    }
    /* more words than fit */
    const char *many[80];
    for (int i = 0; i < 79; i++)
        many[i] = "another-word";
    many[79] = NULL;
    char buffer[320];
    wy_param_expects(&(wy_param){.type = WY_TYPE_NAME, .names = many}, buffer, sizeof buffer);
    ck_assert_uint_lt(strlen(buffer), sizeof buffer);
}
END_TEST

/* ---- names ---- */

START_TEST(nearest_word) {
    static const struct {
        const char *wanted, *offered, *best;
    } cases[] = {
        {"step", "stpe", "stpe"},   /* neighbours swapped */
        {"step", "steps", "steps"}, /* one too few */
        {"steps", "step", "step"},  /* one too many */
        {"STEP", "step", "step"},   /* the case alone */
        {"durration", "duration", "duration"},
        {"orientaton", "orientation", "orientation"},
        {"tolerence", "tolerance", "tolerance"},
        {"step", "zebra", NULL},
        {"inertia", "momentum", NULL},
        {"ab", "cd", NULL},
        {"step", "step", "step"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wy_nearest n = {.wanted = cases[i].wanted};
        wy_nearest_offer(&n, NULL);
        wy_nearest_offer(&n, "something-quite-different");
        wy_nearest_offer(&n, cases[i].offered);
        if (cases[i].best) {
            ck_assert_msg(n.best != NULL, "'%s' is not near '%s'", cases[i].offered, cases[i].wanted);
            ck_assert_str_eq(n.best, cases[i].best);
        } else {
            ck_assert_msg(n.best == NULL, "'%s' suggests '%s'", cases[i].wanted, n.best);
        }
    }
    wy_nearest n = {.wanted = "duration"}; /* the nearer wins, whatever the order; the first of two equals stays */
    wy_nearest_offer(&n, "durations");
    wy_nearest_offer(&n, "duration");
    wy_nearest_offer(&n, "durationx");
    ck_assert_str_eq(n.best, "duration");
    ck_assert_uint_eq(n.distance, 0);
    char longer[200];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    wy_nearest far = {.wanted = "aaa"};
    wy_nearest_offer(&far, longer);
    ck_assert_ptr_null(far.best);
}
END_TEST

START_TEST(catalogue) {
    ck_assert_str_eq(wy_catalogue_find(&wy_integrators, "kahan")->name, "kahan");
    ck_assert_str_eq(wy_catalogue_find(&wy_integrators, "KM")->name, "kahan");
    ck_assert_str_eq(wy_catalogue_find(&wy_integrators, "km")->name, "kahan"); /* an alias in any case */
    ck_assert_ptr_null(wy_catalogue_find(&wy_integrators, "Kahan"));           /* a name only as it is */
    ck_assert_ptr_null(wy_catalogue_find(&wy_integrators, "K"));
    ck_assert_ptr_null(wy_catalogue_find(&wy_integrators, "KMM"));
    ck_assert_ptr_null(wy_catalogue_find(&wy_integrators, ""));
    ck_assert_ptr_eq(wy_integrator_find("GL6"), (const void *)wy_catalogue_find(&wy_integrators, "gauss-legendre-6"));
    ck_assert_ptr_null(wy_integrator_find("nothing"));
    const wy_entry *entry = NULL;
    wy_error err = {0};
    ck_assert_int_eq(wy_catalogue_get(&entry, &wy_integrators, "rk4", &err), WY_OK);
    ck_assert_str_eq(entry->alias, "RK4");
    ck_assert_int_eq(wy_catalogue_get(&entry, &wy_integrators, "rk5", &err), WY_BAD_INPUT);
    ck_assert_ptr_null(entry);
    static const char start[] =
        "unknown integrator 'rk5'; did you mean 'rk4'? (known: explicit-midpoint, implicit-midpoint, ";
    ck_assert_int_eq(strncmp(err.text, start, sizeof start - 1), 0);
    /* more entries than the sentence has room for */
    static const wy_entry row = {.name = "a-name-that-is-rather-long-for-a-name"};
    const wy_entry *rows[60];
    for (int i = 0; i < 59; i++)
        rows[i] = &row;
    rows[59] = NULL;
    const wy_catalogue many = {.name = "rows", .singular = "row", .entries = rows};
    ck_assert_int_eq(wy_catalogue_get(&entry, &many, "x", &err), WY_BAD_INPUT);
    ck_assert_uint_lt(strlen(err.text), WY_ERROR_TEXT);
}
END_TEST

/* ---- the arena ---- */

START_TEST(arena) {
    wy_arena_free(NULL);
    wy_arena *a = wy_arena_create();
    unsigned char *taken[400];
    for (size_t i = 0; i < 400; i++) { /* across many chunks, some larger than a chunk */
        const size_t size = i % 50 == 49 ? 10000 + i : i;
        taken[i] = wy_arena_take(a, size);
        ck_assert_ptr_nonnull(taken[i]);
        ck_assert_uint_eq((uintptr_t)taken[i] % _Alignof(max_align_t), 0);
        int dirty = 0;
        for (size_t k = 0; k < size; k++)
            dirty |= taken[i][k];
        ck_assert_int_eq(dirty, 0);
        memset(taken[i], (int)(i % 251) + 1, size);
    }
    int wrong = 0; /* no block overlaps another */
    for (size_t i = 0; i < 400; i++)
        for (size_t k = 0; k < (i % 50 == 49 ? 10000 + i : i); k++)
            wrong += taken[i][k] != i % 251 + 1;
    ck_assert_int_eq(wrong, 0);
    ck_assert_ptr_ne(wy_arena_take(a, 0), wy_arena_take(a, 0)); /* each its own, even of nothing */
    ck_assert_ptr_null(wy_arena_take(a, SIZE_MAX));
    ck_assert_ptr_null(wy_arena_take(a, SIZE_MAX - 7));
    ck_assert_ptr_null(wy_arena_take(a, SIZE_MAX / 2 + 1));
    ck_assert_ptr_null(wy_arena_text(a, "x", SIZE_MAX));
    ck_assert_str_eq(wy_arena_text(a, "hello, world", 5), "hello");
    ck_assert_str_eq(wy_arena_text(a, NULL, 0), "");
    wy_arena_free(a);
}
END_TEST

/* ---- statuses ---- */

START_TEST(failing) {
    wy_error err = {0};
    ck_assert_int_eq(wy_fail(&err, WY_NOT_FINITE, "step %g of %d", 0.5, 7), WY_NOT_FINITE);
    ck_assert_int_eq(err.status, WY_NOT_FINITE);
    ck_assert_str_eq(err.text, "step 0.5 of 7");
    ck_assert_int_eq(wy_fail(NULL, WY_BAD_INPUT, "nobody %d", 1), WY_BAD_INPUT);
    ck_assert_int_eq(wy_fail_at(&err, WY_NOT_FINITE, "line %d", 3), WY_NOT_FINITE);
    ck_assert_str_eq(err.text, "line 3: step 0.5 of 7");
    ck_assert_int_eq(wy_fail_at(NULL, WY_CANCELLED, "line %d", 3), WY_CANCELLED);
}
END_TEST

/* A sentence or a prefix of any length: always terminated, the front always there. */
START_TEST(failing_at_length) {
    char text[2 * WY_ERROR_TEXT];
    struct {
        wy_error err;
        char guard[16];
    } box;
    for (size_t prefix = 0; prefix < 1100; prefix += prefix < 1000 ? 37 : 1)
        for (size_t length = 0; length < 1100; length += length < 1000 ? 211 : 7) {
            memset(&box, 0x77, sizeof box);
            memset(text, 's', sizeof text);
            text[length] = 0;
            wy_fail(&box.err, WY_BAD_INPUT, "%s", text);
            const size_t kept = length < WY_ERROR_TEXT ? length : WY_ERROR_TEXT - 1;
            ck_assert_uint_eq(strlen(box.err.text), kept);
            memset(text, 'p', sizeof text);
            text[prefix] = 0;
            wy_fail_at(&box.err, WY_BAD_INPUT, "%s", text);
            const size_t all = prefix + 2 + kept, n = strlen(box.err.text);
            if (all < WY_ERROR_TEXT)
                ck_assert_uint_eq(n, all);
            else
                ck_assert_uint_ge(n, WY_ERROR_TEXT - 3);
            ck_assert_uint_lt(n, WY_ERROR_TEXT);
            ck_assert_uint_eq(strspn(box.err.text, "p"), prefix < WY_ERROR_TEXT ? prefix : WY_ERROR_TEXT - 1);
            for (size_t i = 0; i < sizeof box.guard; i++)
                ck_assert_int_eq(box.guard[i], 0x77);
        }
}
END_TEST

START_TEST(status_names) {
    for (int s = WY_OK; s <= WY_CANCELLED; s++)
        for (int t = WY_OK; t < s; t++)
            ck_assert_str_ne(wy_status_name((wy_status)s), wy_status_name((wy_status)t));
    ck_assert_str_eq(wy_status_name(WY_OK), "ok");
    ck_assert_str_eq(wy_status_name(WY_NO_CONVERGENCE), "no convergence");
    ck_assert_str_eq(wy_status_name((wy_status)99), "unknown status");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", WY_VERSION_MAJOR, WY_VERSION_MINOR, WY_VERSION_PATCH);
    ck_assert_str_eq(wy_version(), version);
}
END_TEST

/* ---- the sink ---- */

typedef struct counter {
    int begun, frames;
    double last;
    wy_status answer;
    bool stop;
} counter;

static wy_status on_begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    counter *c = context;
    (void)channels, (void)err;
    c->begun += (int)count;
    return c->answer;
}
static wy_status on_frame(void *context, const double *const *values, wy_error *err) {
    counter *c = context;
    c->frames++;
    c->last = values[1][5];
    return c->answer ? wy_fail(err, c->answer, "disk full") : WY_OK;
}
static bool on_progress(void *context, double fraction) {
    counter *c = context;
    c->last = fraction;
    return c->stop;
}

START_TEST(the_sink_lets_no_nan_through) {
    static const wy_channel channels[] = {{.name = "time", .unit = "s"},
                                          {.name = "pose", .unit = "m", .rank = 2, .dims = {2, 3}}};
    ck_assert_uint_eq(wy_channel_size(&channels[0]), 1);
    ck_assert_uint_eq(wy_channel_size(&channels[1]), 6);
    counter c = {0};
    const wy_sink sink = {.context = &c, .begin = on_begin, .frame = on_frame, .progress = on_progress}, empty = {0};
    double t = 0.125, pose[6] = {1, 2, 3, 4, 5, 6};
    const double *values[] = {&t, pose};
    wy_error err = {0};
    ck_assert_int_eq(wy_sink_begin(&sink, channels, 2, &err), WY_OK);
    ck_assert_int_eq(c.begun, 2);
    ck_assert_int_eq(wy_sink_frame(&sink, channels, 2, values, &err), WY_OK);
    ck_assert_double_eq(c.last, 6.0);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        pose[4] = bad[k];
        ck_assert_int_eq(wy_sink_frame(&sink, channels, 2, values, &err), WY_NOT_FINITE);
        ck_assert_ptr_nonnull(strstr(err.text, "'pose' component 4 became"));
        ck_assert_ptr_nonnull(strstr(err.text, "at time = 0.125 s"));
        ck_assert_int_eq(wy_sink_frame(NULL, channels, 2, values, &err), WY_NOT_FINITE); /* also without a sink */
    }
    ck_assert_int_eq(c.frames, 1);
    pose[4] = 0;
    t = NAN;
    ck_assert_int_eq(wy_sink_frame(&sink, channels, 2, values, &err), WY_NOT_FINITE);
    ck_assert_ptr_nonnull(strstr(err.text, "'time' component 0 became"));
    t = 1;
    c.answer = WY_CANNOT_WRITE;
    ck_assert_int_eq(wy_sink_frame(&sink, channels, 2, values, &err), WY_CANNOT_WRITE);
    ck_assert_str_eq(err.text, "disk full");
    ck_assert_int_eq(wy_sink_begin(&sink, channels, 2, &err), WY_CANNOT_WRITE);
    ck_assert_int_eq(wy_sink_progress(&sink, 0.25, &err), WY_OK);
    c.stop = true;
    ck_assert_int_eq(wy_sink_progress(&sink, 0.375, &err), WY_CANCELLED);
    ck_assert_str_eq(err.text, "stopped at 37.5 % as asked");
    ck_assert_int_eq(wy_sink_begin(&empty, channels, 2, &err), WY_OK);
    ck_assert_int_eq(wy_sink_frame(&empty, channels, 2, values, &err), WY_OK);
    ck_assert_int_eq(wy_sink_progress(&empty, 1.0, &err), WY_OK);
    ck_assert_int_eq(wy_sink_begin(NULL, channels, 2, &err), WY_OK);
    ck_assert_int_eq(wy_sink_progress(NULL, 1.0, &err), WY_OK);
}
END_TEST

SUITE("parameters", defaults_of_every_type, bad_defaults_are_refused, parse_every_scalar, parse_refusals, rules,
      expectations_in_words, nearest_word, catalogue, arena, failing, failing_at_length, status_names,
      the_sink_lets_no_nan_through)
