/* Elliptic integrals: tabulated values, identities, limits, and the elastica's own checks. */
#include "support/beam_tools.h"

#include <withy/elastica.h>
#include <withy/elliptic.h>

#define PI 3.14159265358979323846

START_TEST(values) {
    /* Abramowitz and Stegun, and 30-digit arithmetic */
    ck_assert_double_eq_tol(wy_elliptic_K(0.0), PI / 2, 1e-15);
    ck_assert_double_eq_tol(wy_elliptic_K(sqrt(0.5)), 1.8540746773013719, 3e-15);
    ck_assert_double_eq_tol(wy_elliptic_E(sqrt(0.5)), 1.3506438810476755, 3e-15);
    ck_assert_double_eq_tol(wy_elliptic_K(0.8), 1.9953027776647293, 3e-15);
    ck_assert_double_eq_tol(wy_elliptic_E(0.8), 1.2763499431699064, 3e-15);
    ck_assert_double_eq_tol(wy_elliptic_F(1.1, 0.8), 1.25316311502941, 1e-14);
    ck_assert_double_eq_tol(wy_elliptic_E_incomplete(2.7, 0.8), 2.12010457723385, 1e-14);
    ck_assert_double_eq_tol(wy_elliptic_Pi(0.3, 0.8), 2.43920420027257, 1e-14);
    ck_assert_double_eq_tol(wy_carlson_RC(0.0, 0.25), PI, 1e-14);
    ck_assert_double_eq_tol(wy_carlson_RC(2.25, 2.0), 0.6931471805599453, 1e-14);           /* log 2 */
    ck_assert_double_eq_tol(wy_carlson_RJ(0.0, 1.0, 2.0, 3.0), 0.77688623778582332, 1e-14); /* Carlson 1995 */
    ck_assert_double_eq_tol(wy_carlson_RD(0.0, 2.0, 1.0), 1.7972103521033883, 1e-14);
    ck_assert_double_eq_tol(wy_carlson_RF(1.0, 2.0, 0.0), 1.3110287771460599, 1e-14);
}
END_TEST

START_TEST(identities) {
    for (double k = 0.05; k < 1.0; k += 0.09) {
        const double kp = sqrt(1 - k * k);
        /* Legendre's relation */
        ck_assert_double_eq_tol(wy_elliptic_E(k) * wy_elliptic_K(kp) + wy_elliptic_E(kp) * wy_elliptic_K(k) -
                                    wy_elliptic_K(k) * wy_elliptic_K(kp),
                                PI / 2, 1e-13);
        for (double phi = -7.7; phi < 8.0; phi += 1.3)
            ck_assert_double_eq_tol(wy_elliptic_am(wy_elliptic_F(phi, k), k), phi, 1e-12);
        ck_assert_double_eq_tol(wy_elliptic_Pi(0.0, k), wy_elliptic_K(k), 1e-14);
    }
    ck_assert(isnan(wy_elliptic_K(1.0)) && isnan(wy_elliptic_K(-0.1)) && isnan(wy_elliptic_E(2.0)) &&
              isnan(wy_elliptic_am(1.0, 1.5)));
    ck_assert(isnan(wy_carlson_RF(-1, 1, 1)) && isnan(wy_carlson_RJ(1, 1, 1, 0)) && isnan(wy_carlson_RC(1, 0)) &&
              isnan(wy_carlson_RF(0, 0, 1)));
}
END_TEST

START_TEST(inextensible_limit) {
    for (double xi = 0.15; xi < 1.3; xi += 0.2) {
        wy_elastica e;
        ck_assert_int_eq(wy_elastica_planar(&e, 3.0, 3e14, 7e14, 2.0, 1, xi, NULL), WY_OK);
        const double K = wy_elliptic_K(e.k);
        ck_assert_double_eq_tol(e.F, 16 * K * K * 3.0 / 4.0, 1e-11 * e.F);
        ck_assert_double_eq_tol(xi, 2 - 2 * wy_elliptic_E(e.k) / K, 1e-12);
        double y[13];
        wy_elastica_state(y, &e, 2.0);
        ck_assert_double_eq_tol(y[12], (1 - xi) * 2.0, 1e-11);
        ck_assert_double_eq_tol(y[10], 0.0, 1e-11);
    }
}
END_TEST

START_TEST(refusals) {
    wy_elastica e;
    wy_error err;
    ck_assert_int_eq(wy_elastica_planar(&e, 110.8, 2338.6, 6080.5, 10, 1, 0.005, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "0.00711287"));
    ck_assert_int_eq(wy_elastica_planar(&e, 110.8, 2338.6, 6080.5, 10, 1, 2.5, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_elastica_planar(&e, 110.8, 2338.6, 6080.5, 10, 1, NAN, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_elastica_planar(&e, 0.0, 2338.6, 6080.5, 10, 1, 0.5, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_elastica_planar(&e, 110.8, 2338.6, 6080.5, 10, 0, 0.5, &err), WY_BAD_INPUT);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, values);
    tcase_add_test(tc, identities);
    tcase_add_test(tc, inextensible_limit);
    tcase_add_test(tc, refusals);
}

int main(void) {
    return run_suite("elliptic", add);
}
