/* Paths to numbers in a configuration. */
#include <withy/rod.h>
#include <withy/kind.h>

#include "support/suite.h"

START_TEST(paths) {
    wy_arena *arena = wy_arena_create();
    const wy_entry *kind = wy_catalogue_find(&wy_kinds, "static");
    char config[4096] = {0}, shared[4096];
    ck_assert_uint_le(kind->config_size, sizeof config);
    wy_error err = {0};
    ck_assert_int_eq(wy_params_defaults(kind->params, config, arena, &err), WY_OK);
    /* choose a last end, a reference and two loads */
    const wy_param *right = NULL, *load = NULL, *reference = NULL;
    for (const wy_param *p = kind->params; p->key; p++) {
        if (strcmp(p->key, "last_end") == 0)
            right = p;
        if (strcmp(p->key, "loads") == 0)
            load = p;
        if (strcmp(p->key, "reference") == 0)
            reference = p;
    }
    ck_assert_int_eq(wy_param_parse(right, "coaxial", config + right->offset, arena, &err), WY_OK);
    ck_assert_int_eq(wy_param_parse(reference, "constant", config + reference->offset, arena, &err), WY_OK);
    wy_choice items[2];
    ck_assert_int_eq(wy_param_parse(&(wy_param){.key = "x", .type = WY_TYPE_CHOICE, .from = load->from}, "gravity",
                                    &items[0], arena, &err),
                     WY_OK);
    items[1] = items[0];
    memcpy(config + load->offset, &(wy_list){2, items}, sizeof(wy_list));
    memcpy(shared, config, sizeof config);

    double *where;
    const wy_param *found;
    ck_assert_int_eq(wy_param_reach(&where, &found, kind->params, config, "length", arena, &err), WY_OK);
    ck_assert_ptr_eq((char *)where, config + found->offset);
    ck_assert_int_eq(wy_param_reach(&where, &found, kind->params, config, "reference.strain.2", arena, &err), WY_OK);
    *where = 4.5;
    ck_assert_int_eq(wy_param_reach(&where, &found, kind->params, config, "sweep.from", arena, &err), WY_OK);
    ck_assert_int_eq(wy_param_reach(&where, &found, kind->params, config, "last_end.twist", arena, &err), WY_OK);
    ck_assert_str_eq(found->key, "twist");
    const double before = *where;
    *where = 7.25;
    /* what the original points to has not changed */
    double *other;
    ck_assert_int_eq(wy_param_reach(&other, &found, kind->params, shared, "last_end.twist", arena, &err), WY_OK);
    ck_assert_double_eq(*other, before);
    ck_assert_int_eq(wy_param_reach(&where, &found, kind->params, config, "loads.1.acceleration.0", arena, &err),
                     WY_OK);
    *where = -3.0;
    ck_assert_int_eq(wy_param_reach(&other, &found, kind->params, config, "loads.0.acceleration.0", arena, &err),
                     WY_OK);
    ck_assert_double_eq(*other, 0.0);

    static const char *const bad[] = {"",
                                      "lenght",
                                      "length.2",
                                      "reference.strain",
                                      "reference.strain.6",
                                      "reference.strain.x",
                                      "reference.strain.1.1",
                                      "last_end",
                                      "last_end.twst",
                                      "last_end.twist.0",
                                      "loads.2.force",
                                      "loads.x",
                                      "loads",
                                      "branch",
                                      "loads.0",
                                      "sweep.number",
                                      "first_end.position.99",
                                      "solver.order",
                                      "section.EI1",
                                      "a.b.c",
                                      "..",
                                      "last_end.twist.",
                                      "sweep",
                                      "reference.strain.1234567890"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err.text[0] = 0;
        ck_assert_msg(wy_param_reach(&where, &found, kind->params, config, bad[i], arena, &err) == WY_BAD_INPUT &&
                          err.text[0],
                      "'%s'", bad[i]);
    }
    ck_assert_int_eq(wy_param_reach(&where, &found, kind->params, config, "lenght", arena, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "did you mean 'length'"));
    wy_arena_free(arena);
}
END_TEST

SUITE("reach", paths)
