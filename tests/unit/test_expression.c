/* The arithmetic of scenario numbers: values, precedence, every error, and that a locale changes nothing. */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

#include <withy/param.h>

#include "support/suite.h"

typedef struct sample {
    const char *text;
    double value;
} sample;

static void expect(const sample *samples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double x = -1.0;
        wy_error err = {0};
        const wy_status s = wy_expression(&x, samples[i].text, &err);
        ck_assert_msg(s == WY_OK, "'%s': %s", samples[i].text, err.text);
        ck_assert_msg(x == samples[i].value, "'%s' gave %.17g, expected %.17g", samples[i].text, x, samples[i].value);
        ck_assert_msg(err.status == WY_OK && err.text[0] == 0, "'%s' succeeded and wrote '%s'", samples[i].text,
                      err.text);
    }
}
#define EXPECT(...)                                        \
    do {                                                   \
        const sample samples[] = {__VA_ARGS__};            \
        expect(samples, sizeof samples / sizeof *samples); \
    } while (0)

/* The text is refused, and the sentence holds these words. */
static void refuse(const char *text, const char *words) {
    double x = 1.0;
    wy_error err = {0};
    const wy_status s = wy_expression(&x, text, &err);
    ck_assert_msg(s == WY_BAD_INPUT && err.status == WY_BAD_INPUT, "'%s' gave %s, %.17g", text, wy_status_name(s), x);
    ck_assert_msg(isnan(x), "'%s' was refused but left %g", text, x);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s': '%s' does not say '%s'", text, err.text, words);
    ck_assert_int_eq(wy_expression(&x, text, NULL), WY_BAD_INPUT); /* and without a place for the sentence */
}

START_TEST(numbers) {
    EXPECT({"0", 0.0}, {"7", 7.0}, {"-7", -7.0}, {"+7", 7.0}, {"0.1", 0.1}, {".5", 0.5}, {"5.", 5.0}, {"1e3", 1e3},
           {"1E3", 1e3}, {"2.5e-3", 2.5e-3}, {"6.02e+23", 6.02e+23}, {"1e-400", 0.0}, {"5e-324", 5e-324},
           {"1.7976931348623157e308", 1.7976931348623157e308}, {"0.1000000000000000055511151231257827", 0.1},
           {"  42\t ", 42.0}, {"007", 7.0}, {"123456789012345678901234567890", 123456789012345678901234567890.0});
}
END_TEST

START_TEST(arithmetic) {
    EXPECT({"1+2*3", 7.0}, {"(1+2)*3", 9.0}, {"8-3-2", 3.0}, {"8/4/2", 1.0}, {"2^3^2", 512.0}, {"-2^2", -4.0},
           {"(-2)^2", 4.0}, {"2^-1", 0.5}, {"2^+3", 8.0}, {"--3", 3.0}, {"-+-3", 3.0}, {"2*-3", -6.0}, {"6/-3", -2.0},
           {"1 - -1", 2.0}, {"((((5))))", 5.0}, {" ( 1 + 2 ) * ( 3 - 1 ) ", 6.0}, {"2e2^2", 40000.0}, {"0^0", 1.0},
           {"4^0.5", 2.0}, {"1/3", 1.0 / 3.0}, {"10-4/2*3", 4.0}, {"1/4^2", 0.0625}, {"-0", 0.0});
}
END_TEST

START_TEST(words) {
    const double pi = 3.14159265358979323846;
    EXPECT({"pi", pi}, {"2*pi/3", 2 * pi / 3}, {"-pi", -pi}, {"sqrt(2)", sqrt(2.0)}, {"sin(0.3)", sin(0.3)},
           {"cos(1.1)", cos(1.1)}, {"tan(0.7)", tan(0.7)}, {"asin(0.4)", asin(0.4)}, {"acos(0.4)", acos(0.4)},
           {"atan(17)", atan(17.0)}, {"exp(-3)", exp(-3.0)}, {"log(10)", log(10.0)}, {"abs(-2.5)", 2.5},
           {"cos (1.1)", cos(1.1)}, {"sqrt(sqrt(16))", 2.0},
           {"cos(pi/8)^2+sin(pi/8)^2", pow(cos(pi / 8), 2) + pow(sin(pi / 8), 2)}, {"2*sqrt( 9 ) - abs(-1)", 5.0},
           {"exp(log(1))", 1.0});
}
END_TEST

START_TEST(errors) {
    refuse("", "at its end");
    refuse("   ", "at its end");
    refuse("1+", "at its end");
    refuse("*2", "expected a number at '*2'");
    refuse("1 2", "an operator or the end at '2'");
    refuse("2pi", "an operator or the end at 'pi'");
    refuse("1e", "an operator or the end at 'e'");
    refuse("1e+", "an operator or the end at 'e+'");
    refuse("0x10", "an operator or the end at 'x10'");
    refuse("1,5", "an operator or the end at ',5'");
    refuse("1.2.3", "an operator or the end at '.3'");
    refuse(".", "expected a number at '.'");
    refuse("-", "expected a number at its end");
    refuse("(1", "expected ')' at its end");
    refuse("(1]", "expected ')' at ']'");
    refuse("1)", "an operator or the end at ')'");
    refuse("()", "expected a number at ')'");
    refuse("sin", "expected '(' at its end");
    refuse("sin 1", "expected '(' at '1'");
    refuse("sin(1", "expected ')' at its end");
    refuse("sin()", "expected a number at ')'");
    refuse("sin(*)", "expected a number at '*)'");
    refuse("nan", "'nan' is not known");
    refuse("inf", "'inf' is not known");
    refuse("infinity", "'infinity' is not known");
    refuse("PI", "'PI' is not known");
    refuse("pi2", "'pi2' is not known");
    refuse("sinh(1)", "'sinh' is not known");
    refuse("1+x", "'x' is not known");
    refuse("1;2", "an operator or the end at ';2'");
    refuse("\n1", "expected a number");
    refuse("\xc3\xa9", "is not");
    refuse("2*", "expected a number at its end");
    refuse("2/", "expected a number at its end");
    refuse("2*-", "expected a number at its end");
    refuse("2^-", "expected a number at its end");
    refuse("1-", "expected a number at its end");
    refuse("1-*", "expected a number at '*'");
}
END_TEST

/* Nothing that is not finite gets through, not even by way of the middle: 1/1e400 is no 0, and 1^NaN is no 1. */
START_TEST(not_finite) {
    refuse("1e400", "not a finite number");
    refuse("-1e400", "not a finite number");
    refuse("1/0", "divides by zero");
    refuse("0/0", "divides by zero");
    refuse("1/(2-2)", "divides by zero");
    refuse("1e308*10", "not a finite number");
    refuse("1e308/1e-10", "not a finite number");
    refuse("1e308+1e308", "not a finite number");
    refuse("-1e308-1e308", "not a finite number");
    refuse("10^400", "not a finite number");
    refuse("(-1)^0.5", "not a finite number");
    refuse("0^-1", "not a finite number");
    refuse("1/1e400", "not a finite number");
    refuse("1/10^400", "not a finite number");
    refuse("atan(1e400)", "not a finite number");
    refuse("1^((-8)^0.5)", "not a finite number");
    refuse("((-1)^0.5)^0", "not a finite number");
    refuse("1/(1e308+1e308)", "not a finite number");
    refuse("sqrt(-1)", "sqrt(-1) is not a finite number");
    refuse("log(0)", "log(0) is not a finite number");
    refuse("acos(1.5)", "acos(1.5) is not a finite number");
    refuse("asin(-2)", "asin(-2) is not a finite number");
    refuse("exp(1000)", "exp(1000) is not a finite number");
}
END_TEST

START_TEST(too_much) {
    char text[400];
    memset(text, '1', sizeof text);
    text[130] = 0;
    refuse(text, "too many digits");
    memcpy(text, "0.", 2); /* the fraction is too long */
    refuse(text, "too many digits");
    memcpy(text, "1e", 2); /* the exponent is too long */
    refuse(text, "too many digits");
    memset(text, '1', 119); /* the longest that is taken */
    text[119] = 0;
    double x;
    ck_assert_int_eq(wy_expression(&x, text, NULL), WY_OK);
    text[119] = '1', text[120] = 0;
    refuse(text, "too many digits");
    memset(text, '1', sizeof text);
    text[201] = 0;
    refuse(text, "too long for a number (201 characters)");
    memset(text, '-', 64);
    strcpy(text + 64, "1");
    refuse(text, "nested more than 64 deep");
    strcpy(text + 63, "1");
    ck_assert_int_eq(wy_expression(&x, text, NULL), WY_OK);
    ck_assert_double_eq(x, -1.0);
    memset(text, '(', 70);
    strcpy(text + 70, "1");
    refuse(text, "nested more than 64 deep");
    /* width is not depth: 100 terms are fine */
    memset(text, 0, sizeof text);
    for (int i = 0; i < 100; i++)
        strcat(text, i ? "+1" : "1");
    text[199] = 0;
    ck_assert_int_eq(wy_expression(&x, text, NULL), WY_OK);
    ck_assert_double_eq(x, 100.0);
    memset(text, 0, sizeof text); /* nor is depth one after the other */
    for (int i = 0; i < 60; i++)
        strcat(text, i ? "*-1" : "2");
    ck_assert_int_eq(wy_expression(&x, text, NULL), WY_OK);
    ck_assert_double_eq(x, -2.0);
}
END_TEST

/* Every byte at every position: a value or an error, never a crash; a value is finite. */
START_TEST(any_bytes) {
    static const char alphabet[] = "0123456789.eE+-*/^() \tpisqrtncolgabx,_\x01\xff";
    uint64_t seed = 2;
    int good = 0, bad = 0, broken = 0;
    for (int n = 0; n < 200000; n++) {
        char text[24];
        const size_t length = random_bits(&seed) % sizeof text;
        for (size_t i = 0; i < length; i++)
            text[i] = alphabet[random_bits(&seed) % (sizeof alphabet - 1)];
        text[length < sizeof text ? length : sizeof text - 1] = 0;
        double x = 0.0;
        wy_error err = {0};
        if (wy_expression(&x, text, &err))
            bad++, broken += !isnan(x) || !err.text[0];
        else
            good++, broken += !isfinite(x);
    }
    ck_assert_int_gt(good, 1000);
    ck_assert_int_gt(bad, 100000);
    ck_assert_int_eq(broken, 0);
}
END_TEST

/* A locale with a decimal comma: one that is installed, or one made for the purpose where localedef can. */
static bool comma_locale(char folder[]) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",
                                        "fr_FR.UTF-8", "nb_NO.UTF-8", "sv_SE.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]) && strcmp(localeconv()->decimal_point, ",") == 0)
            return true;
    char command[200];
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    if (system(command) != 0)
        return false;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") && strcmp(localeconv()->decimal_point, ",") == 0;
}

START_TEST(a_comma_locale_changes_nothing) {
    char folder[] = "/tmp/withy-locale-XXXXXX";
    const bool comma = comma_locale(folder);
    if (comma) {
        ck_assert_double_eq(strtod("1.5", NULL), 1.0); /* so the locale is at work */
        EXPECT({"1.5", 1.5}, {".25e1", 2.5}, {"3.", 3.0}, {"1.5*2.5", 3.75});
        refuse("1,5", "an operator or the end at ',5'");
    } else {
        printf("no locale with a decimal comma here: not tried\n");
    }
    setlocale(LC_ALL, "C");
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (!strstr(folder, "XXXXXX"))
        ck_assert_int_eq(system(command), 0);
}
END_TEST

SUITE("expressions", numbers, arithmetic, words, errors, not_finite, too_much, any_bytes,
      a_comma_locale_changes_nothing)
