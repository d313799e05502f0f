/* A program that links libwithy alone: what libwithy-lab would add is named in the message, and is no entry. */
#include <string.h>

#include <withy/equilibrium.h>
#include <withy/motion.h>

#include "support/suite.h"

static void refuses(const wy_catalogue *catalogue, const char *name) {
    const wy_entry *entry;
    wy_error err = {0};
    ck_assert_int_eq(wy_catalogue_get(&entry, catalogue, name, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, name) && strstr(err.text, "libwithy-lab"), "%s", err.text);
    ck_assert_ptr_null(wy_catalogue_find(catalogue, name));
}

START_TEST(a_name_of_the_laboratory_is_answered_with_the_library) {
    static const char *const methods[] = {"multi-symplectic-box", "midpoint-shooting", "bdf-alpha-shooting"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        refuses(&wy_motion_methods, methods[i]);
    refuses(&wy_equilibrium_solvers, "multi-symplectic");
    const wy_entry *entry;
    wy_error err = {0};
    ck_assert_int_eq(wy_catalogue_get(&entry, &wy_motion_methods, "midpoint-shoting", &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "unknown"));
    ck_assert_int_eq(wy_catalogue_get(&entry, &wy_motion_methods, "bdf-alpha", &err), WY_OK);
}
END_TEST

/* Its own entries are there, one after the other, and the list ends. */
START_TEST(the_catalogues_list_the_library) {
    for (const wy_catalogue *const *c = wy_catalogues; *c; c++) {
        size_t count = 0;
        while (wy_catalogue_entry(*c, count)) {
            ck_assert_ptr_eq(wy_catalogue_entry(*c, count), (*c)->entries[count]);
            count++;
        }
        ck_assert_ptr_null((*c)->entries[count]);
        ck_assert_ptr_null(wy_catalogue_entry(*c, count + 5));
    }
}
END_TEST

SUITE("without the laboratory", a_name_of_the_laboratory_is_answered_with_the_library, the_catalogues_list_the_library)
