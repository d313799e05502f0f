/* Sections: limits of the formulas, and everything that must be refused. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/section.h>

#define PI 3.14159265358979323846

static wy_section make(wy_arena *arena, const char *shape, const char *const *keys, const char *const *values,
                       wy_status *status, wy_error *err) {
    const wy_entry *e = wy_catalogue_find(&wy_section_shapes, shape);
    ck_assert_ptr_nonnull(e);
    void *config = wy_arena_take(arena, e->config_size);
    ck_assert_int_eq(wy_params_defaults(e->params, config, arena, err), WY_OK);
    for (int i = 0; keys[i]; i++) {
        const wy_param *p = e->params;
        while (p->key && strcmp(p->key, keys[i]))
            p++;
        ck_assert_ptr_nonnull(p->key);
        ck_assert_int_eq(wy_param_parse(p, values[i], (char *)config + p->offset, arena, err), WY_OK);
    }
    const wy_choice choice = {e, config};
    wy_section s;
    *status = wy_section_make(&s, &choice, err);
    return s;
}

#define MAKE(shape, ...) make(arena, shape, (const char *[]){__VA_ARGS__, NULL}, values, &status, &err)
#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9 * fabs(b))

START_TEST(shapes) {
    wy_arena *arena = wy_arena_create();
    wy_error err;
    wy_status status;
    const double E = 2.07e11, nu = 0.29, G = E / (2 * (1 + nu)), rho = 7810, r = 0.013;
    {
        const char *values[] = {"0.013", "2.07e11", "0.29", "7810"};
        const wy_section c = MAKE("circle", "radius", "E", "nu", "density");
        ck_assert_int_eq(status, WY_OK);
        NEAR(c.EA, E * PI * r * r);
        NEAR(c.EI1, E * PI * pow(r, 4) / 4);
        NEAR(c.EI2, c.EI1);
        NEAR(c.GJ, G * PI * pow(r, 4) / 2);
        NEAR(c.GA1, 6 * (1 + nu) / (7 + 6 * nu) * G * PI * r * r);
        NEAR(c.rhoA, rho * PI * r * r);
        NEAR(c.rhoJ, rho * PI * pow(r, 4) / 2);
        NEAR(c.diameter, 2 * r);
        const char *values2[] = {"0.013", "0.013", "2.07e11", "0.29", "7810"};
        const wy_section e =
            make(arena, "ellipse", (const char *[]){"a", "b", "E", "nu", "density", NULL}, values2, &status, &err);
        NEAR(e.EI1, c.EI1); /* a round ellipse is a circle */
        NEAR(e.GJ, c.GJ);
        NEAR(e.GA1, c.GA1);
        const wy_section t =
            make(arena, "tube", (const char *[]){"radius", "wall", "E", "nu", "density", NULL}, values2, &status, &err);
        NEAR(t.EI1, c.EI1); /* a tube that is all wall is a circle */
        NEAR(t.GA1, c.GA1);
    }
    {
        const char *values[] = {"0.3", "0.3", "1", "0.5", "0.8"};
        const wy_section q = MAKE("rectangle", "width", "height", "E", "G", "shear_correction");
        ck_assert_int_eq(status, WY_OK);
        NEAR(q.GJ, 0.5 * 0.1405770149553 * pow(0.3, 4)); /* Timoshenko and Goodier, J = 0.1406 a^4 for a square */
        NEAR(q.GA2, 0.8 * 0.5 * 0.09);
        const char *thin[] = {"0.0001", "10", "1", "0.5"};
        const wy_section p =
            make(arena, "rectangle", (const char *[]){"width", "height", "E", "G", NULL}, thin, &status, &err);
        ck_assert_double_eq_tol(p.GJ / (0.5 * 10 * 1e-12 / 3), 1.0, 1e-5); /* a strip: a b^3/3 */
        NEAR(p.EI1, 1e-4 * 1000 / 12);
        NEAR(p.EI2, 10 * 1e-12 / 12);
    }
    wy_arena_free(arena);
}
END_TEST

START_TEST(refusals) {
    wy_arena *arena = wy_arena_create();
    wy_error err;
    wy_status status;
    {
        const char *values[] = {"0.1", "1e9"};
        MAKE("circle", "radius", "E");
        ck_assert_int_eq(status, WY_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.text, "neither"));
    }
    {
        const char *values[] = {"0.1", "1e9", "0.3", "1e9"};
        MAKE("circle", "radius", "E", "nu", "G");
        ck_assert_int_eq(status, WY_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.text, "both"));
    }
    {
        const char *values[] = {"0.1", "0.2", "1e9", "0.3"};
        MAKE("tube", "radius", "wall", "E", "nu");
        ck_assert_int_eq(status, WY_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.text, "thicker"));
    }
    const wy_section good = {1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0};
    ck_assert_int_eq(wy_section_check(&good, &err), WY_OK);
    wy_section bad = good;
    bad.GJ = 0.0;
    ck_assert_int_eq(wy_section_check(&bad, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "GJ"));
    bad = good;
    bad.EA = NAN;
    ck_assert_int_eq(wy_section_check(&bad, &err), WY_BAD_INPUT);
    bad = good;
    bad.rhoA = -1.0;
    ck_assert_int_eq(wy_section_check(&bad, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_section_make(&bad, NULL, &err), WY_BAD_INPUT);
    double K[6], inertia[6];
    wy_section_diagonals(K, NULL, &good);
    wy_section_diagonals(NULL, inertia, &good);
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq(K[i], i + 1.0);
    wy_arena_free(arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("section");
    TCase *tc = tcase_create("section");
    tcase_add_test(tc, shapes);
    tcase_add_test(tc, refusals);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
