/* The elementary functions: special values, and the same bits from every build. Their errors:
 * test_elementary_ulps.c. */
#include <stdbool.h>

#include "math/largest.h"
#include "support/arguments.h"

/* ---- special values: C17, annex F.10 ---- */

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

#define SAME(call, wanted) ck_assert_msg(same(call, wanted), #call " is %a, expected %a", call, (double)(wanted))

START_TEST(specials_of_one) {
    const double inf = INFINITY, tiny = 0x1p-1074;
    for (int i = 0; i < FUNCTIONS; i++)
        ck_assert_msg(isnan(functions[i].ours(NAN)), "%s(NaN)", functions[i].name);
    double (*const odd[])(double) = {wy_sin, wy_tan, wy_asin, wy_atan};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        SAME(odd[i](0.0), 0.0);
        SAME(odd[i](-0.0), -0.0);
        SAME(odd[i](tiny), tiny);
        SAME(odd[i](-tiny), -tiny);
        SAME(odd[i](-3.0 * tiny), -3.0 * tiny);
        SAME(odd[i](DBL_MIN), DBL_MIN);
        SAME(odd[i](-0x1.23p-40), -0x1.23p-40);
        ck_assert(odd[i](-0.3) == -odd[i](0.3));
        ck_assert(odd[i](-0.8) == -odd[i](0.8));
    }
    SAME(wy_sin(inf), NAN);
    SAME(wy_cos(-inf), NAN);
    SAME(wy_tan(inf), NAN);
    SAME(wy_cos(0.0), 1.0);
    SAME(wy_cos(-tiny), 1.0);
    SAME(wy_sin(1e22), -0.8522008497671888); /* the classic of large angles */
    SAME(wy_asin(1.0), 0x1.921fb54442d18p+0);
    SAME(wy_asin(-1.0), -0x1.921fb54442d18p+0);
    SAME(wy_asin(nextafter(1.0, 2.0)), NAN);
    SAME(wy_asin(-inf), NAN);
    SAME(wy_acos(1.0), 0.0);
    SAME(wy_acos(-1.0), 0x1.921fb54442d18p+1);
    SAME(wy_acos(0.0), 0x1.921fb54442d18p+0);
    SAME(wy_acos(-1.0000001), NAN);
    SAME(wy_acos(inf), NAN);
    SAME(wy_atan(inf), 0x1.921fb54442d18p+0);
    SAME(wy_atan(-inf), -0x1.921fb54442d18p+0);
    SAME(wy_atan(-DBL_MAX), -0x1.921fb54442d18p+0);
    SAME(wy_exp(0.0), 1.0);
    SAME(wy_exp(-0.0), 1.0);
    SAME(wy_exp(inf), inf);
    SAME(wy_exp(-inf), 0.0);
    SAME(wy_exp(tiny), 1.0);
    SAME(wy_exp(709.782712893384), 0x1.fffffffffff2ap+1023);
    SAME(wy_exp(709.7827128933841), inf);
    SAME(wy_exp(-745.1332191019411), tiny);
    SAME(wy_exp(-745.1332191019412), 0.0);
    SAME(wy_log(1.0), 0.0);
    SAME(wy_log(0.0), -inf);
    SAME(wy_log(-0.0), -inf);
    SAME(wy_log(-1.0), NAN);
    SAME(wy_log(-inf), NAN);
    SAME(wy_log(inf), inf);
    SAME(wy_log(tiny), -744.4400719213812);
    SAME(wy_log(DBL_MAX), 709.782712893384);
}
END_TEST

START_TEST(specials_of_two) {
    const double inf = INFINITY, pi = 0x1.921fb54442d18p+1, tiny = 0x1p-1074;
    /* atan2 */
    SAME(wy_atan2(0.0, -0.0), pi);
    SAME(wy_atan2(-0.0, -0.0), -pi);
    SAME(wy_atan2(0.0, 0.0), 0.0);
    SAME(wy_atan2(-0.0, 0.0), -0.0);
    SAME(wy_atan2(0.0, -2.0), pi);
    SAME(wy_atan2(-0.0, -2.0), -pi);
    SAME(wy_atan2(-0.0, 2.0), -0.0);
    SAME(wy_atan2(-2.0, 0.0), -pi / 2);
    SAME(wy_atan2(2.0, -0.0), pi / 2);
    SAME(wy_atan2(2.0, -inf), pi);
    SAME(wy_atan2(-2.0, -inf), -pi);
    SAME(wy_atan2(-2.0, inf), -0.0);
    SAME(wy_atan2(inf, 2.0), pi / 2);
    SAME(wy_atan2(-inf, -2.0), -pi / 2);
    SAME(wy_atan2(inf, -inf), 3 * pi / 4);
    SAME(wy_atan2(-inf, -inf), -3 * pi / 4);
    SAME(wy_atan2(inf, inf), pi / 4);
    SAME(wy_atan2(NAN, 1.0), NAN);
    SAME(wy_atan2(0.0, NAN), NAN);
    SAME(wy_atan2(tiny, 1.0), tiny);
    SAME(wy_atan2(tiny, tiny), pi / 4);
    SAME(wy_atan2(-DBL_MAX, DBL_MAX), -pi / 4);
    SAME(wy_atan2(tiny, DBL_MAX), 0.0);
    SAME(wy_atan2(-tiny, DBL_MAX), -0.0);
    SAME(wy_atan2(DBL_MAX, -tiny), pi / 2);
    SAME(wy_atan2(tiny, -DBL_MAX), pi);
    /* hypot */
    SAME(wy_hypot(inf, NAN), inf);
    SAME(wy_hypot(NAN, -inf), inf);
    SAME(wy_hypot(NAN, 1.0), NAN);
    SAME(wy_hypot(0.0, -0.0), 0.0);
    SAME(wy_hypot(-3.0, 4.0), 5.0);
    SAME(wy_hypot(-0.0, -7.0), 7.0);
    SAME(wy_hypot(3 * tiny, 4 * tiny), 5 * tiny);
    SAME(wy_hypot(0x1.8p1022, 0x1p1023), 0x1.4p1023);
    SAME(wy_hypot(DBL_MAX, DBL_MAX), inf);
    SAME(wy_hypot(DBL_MAX, 1.0), DBL_MAX);
    /* pow */
    SAME(wy_pow(0.0, 3.0), 0.0);
    SAME(wy_pow(-0.0, 3.0), -0.0);
    SAME(wy_pow(-0.0, 2.0), 0.0);
    SAME(wy_pow(-0.0, 2.5), 0.0);
    SAME(wy_pow(-0.0, -3.0), -inf);
    SAME(wy_pow(0.0, -3.0), inf);
    SAME(wy_pow(-0.0, -2.0), inf);
    SAME(wy_pow(0.0, -inf), inf);
    SAME(wy_pow(-1.0, inf), 1.0);
    SAME(wy_pow(-1.0, -inf), 1.0);
    SAME(wy_pow(1.0, NAN), 1.0);
    SAME(wy_pow(NAN, 0.0), 1.0);
    SAME(wy_pow(NAN, -0.0), 1.0);
    SAME(wy_pow(NAN, 1.0), NAN);
    SAME(wy_pow(2.0, NAN), NAN);
    SAME(wy_pow(-8.0, 1.0 / 3.0), NAN);
    SAME(wy_pow(0.5, -inf), inf);
    SAME(wy_pow(-2.0, -inf), 0.0);
    SAME(wy_pow(0.5, inf), 0.0);
    SAME(wy_pow(-2.0, inf), inf);
    SAME(wy_pow(-inf, -3.0), -0.0);
    SAME(wy_pow(-inf, -2.0), 0.0);
    SAME(wy_pow(-inf, 3.0), -inf);
    SAME(wy_pow(-inf, 2.5), inf);
    SAME(wy_pow(inf, -0.5), 0.0);
    SAME(wy_pow(inf, 0.5), inf);
    SAME(wy_pow(-2.0, 3.0), -8.0);
    SAME(wy_pow(-2.0, 4.0), 16.0);
    SAME(wy_pow(-2.0, 1024.0), inf);
    SAME(wy_pow(-2.0, 1023.0), -0x1p1023);
    SAME(wy_pow(2.0, -1074.0), tiny);
    SAME(wy_pow(-2.0, -1073.0), -2.0 * tiny);
    SAME(wy_pow(2.0, -1076.0), 0.0);
    SAME(wy_pow(-2.0, -1077.0), -0.0);
    SAME(wy_pow(tiny, 0.5), 0x1p-537);
    SAME(wy_pow(-1.0, 9007199254740993.0), 1.0); /* even: there are no odd doubles so large */
    SAME(wy_pow(-1.0, 9007199254740991.0), -1.0);
    SAME(wy_pow(1.7, 1e300), inf);
    SAME(wy_pow(1.7, -1e300), 0.0);
    SAME(wy_pow(1.7, 1e-300), 1.0);
    SAME(wy_pow(nextafter(1.0, 2.0), 0x1p53), 0x1.d8e64b8d4ddacp+2); /* e^2 (1 - 2^-52) */
    for (int n = -22; n <= 22; n++) /* powers of ten are exact as far as doubles hold them */
        if (n >= 0) {
            double ten = 1.0;
            for (int i = 0; i < n; i++)
                ten *= 10.0;
            SAME(wy_pow(10.0, n), ten);
        }
}
END_TEST

START_TEST(sine_and_cosine_together) {
    uint64_t seed = 77;
    long different = 0;
    for (int i = 0; i < 300000; i++) {
        const double x = (i % 3 == 0 ? any : i % 3 == 1 ? turn : many_turns)(&seed);
        double s, c;
        wy_sincos(x, &s, &c);
        different += !same(s, wy_sin(x)) || !same(c, wy_cos(x));
    }
    ck_assert_int_eq(different, 0);
    double s, c;
    wy_sincos(-0.0, &s, &c);
    ck_assert(same(s, -0.0) && c == 1.0);
    wy_sincos(-INFINITY, &s, &c);
    ck_assert(isnan(s) && isnan(c));
}
END_TEST

/* One hash of many values of each function, so that another compiler, level or machine that differs by a bit is
 * noticed. */
START_TEST(golden_bits) {
    uint64_t seed = 4711, hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 200000; i++) {
        double values[12];
        size_t n = 0;
        for (int f = 0; f < FUNCTIONS; f++)
            values[n++] = functions[f].ours(functions[f].draws[i % 3](&seed));
        const double x = middling(&seed), y = middling(&seed);
        const double base = random_in(&seed, 0.1, 9.0), power = random_in(&seed, -9.0, 9.0);
        values[n++] = wy_atan2(y, x);
        values[n++] = wy_hypot(x, y);
        values[n++] = wy_pow(base, power);
        for (size_t k = 0; k < n; k++)
            for (int byte = 0; byte < 8; byte++)
                hash = (hash ^ (wy_bits(values[k]) >> (8 * byte) & 0xff)) * 0x100000001b3u;
    }
    ck_assert_msg(hash == 0x44ea8cefc3ef3fc9u, "hash 0x%016llx", (unsigned long long)hash);
}
END_TEST

/* The maximum of numbers among which is a NaN, at any position, is NaN. */
START_TEST(test_no_number_stays_largest) {
    for (int at = 0; at < 4; at++) {
        double x[4] = {1.0, -3.0, 2.0, 0.5};
        ck_assert_double_eq(wy_largest(x, 4), 3.0);
        x[at] = NAN;
        ck_assert(isnan(wy_largest(x, 4)));
        x[at] = -INFINITY;
        ck_assert(isinf(wy_largest(x, 4)));
    }
}
END_TEST

SUITE("elementary functions", test_no_number_stays_largest, specials_of_one, specials_of_two, sine_and_cosine_together,
      golden_bits)
