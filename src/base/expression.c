/* Constant arithmetic in scenario numbers: recursive descent over
 *   sum     = product { ("+" | "-") product }
 *   product = power { ("*" | "/") power }
 *   power   = ("+" | "-") power | atom [ "^" power ]
 *   atom    = number | "pi" | function "(" sum ")" | "(" sum ")"                              */
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/param.h>

#include "base/given.h"
#include "math/constants.h"
#include "math/elementary.h"

enum { DEEPEST = 64 };

typedef struct reader {
    const char *start, *at;
    int depth;
    wy_error *err;
} reader;

static wy_status sum(reader *r, double *x);

static void skip_blanks(reader *r) {
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool accept_char(reader *r, char c) {
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static wy_status unexpected(reader *r, const char *wanted) {
    if (*r->at)
        return wy_fail(r->err, WY_BAD_INPUT, "'%s' is not a number: expected %s at '%.20s'", r->start, wanted, r->at);
    return wy_fail(r->err, WY_BAD_INPUT, "'%s' is not a number: expected %s at its end", r->start, wanted);
}

/* Infinity in the middle must not come out as a number at the end, as 1/1e400 = 0 would. */
static wy_status check_value(reader *r, double x) {
    return isfinite(x) ? WY_OK : wy_fail(r->err, WY_BAD_INPUT, "'%s' is not a finite number", r->start);
}

/* strtod obeys the program's locale; a scenario must not. So cut out the token, and spell its point as strtod wants
 * it. */
static wy_status evaluate_number(reader *r, double *x) {
    char token[128];
    const char *point = localeconv()->decimal_point;
    size_t n = 0;
    const char *p = r->at;
    int digits = 0;
    const size_t capacity = sizeof token - 8;
    for (; isdigit((unsigned char)*p) && n < capacity; digits++)
        token[n++] = *p++;
    if (*p == '.' && n < capacity) {
        p++;
        for (const char *q = point; *q && n < capacity; q++)
            token[n++] = *q;
        for (; isdigit((unsigned char)*p) && n < capacity; digits++)
            token[n++] = *p++;
    }
    if (digits && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        if (*q == '+' || *q == '-')
            q++;
        if (isdigit((unsigned char)*q)) {
            while (p < q && n < capacity)
                token[n++] = *p++;
            while (isdigit((unsigned char)*p) && n < capacity)
                token[n++] = *p++;
        }
    }
    if (n >= capacity)
        return wy_fail(r->err, WY_BAD_INPUT, "'%.20s...' has too many digits for a number", r->at);
    if (!digits)
        return unexpected(r, "a number");
    token[n] = 0;
    *x = strtod(token, NULL);
    r->at = p;
    return WY_OK;
}

static wy_status word(reader *r, double *x) {
    static const struct {
        const char *name;
        double (*f)(double);
    } functions[] = {{"sqrt", sqrt},    {"sin", wy_sin},   {"cos", wy_cos}, {"tan", wy_tan}, {"asin", wy_asin},
                     {"acos", wy_acos}, {"atan", wy_atan}, {"exp", wy_exp}, {"log", wy_log}, {"abs", fabs}};
    const char *p = r->at;
    while (isalnum((unsigned char)*p))
        p++;
    const size_t n = (size_t)(p - r->at);
    if (n == 2 && memcmp(r->at, "pi", 2) == 0) {
        *x = WY_PI;
        r->at = p;
        return WY_OK;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strlen(functions[i].name) == n && memcmp(functions[i].name, r->at, n) == 0) {
            const char *name = r->at;
            r->at = p;
            if (!accept_char(r, '('))
                return unexpected(r, "'('");
            double a = 0.0;
            const wy_status s = sum(r, &a);
            if (s)
                return s;
            if (!accept_char(r, ')'))
                return unexpected(r, "')'");
            *x = functions[i].f(a);
            if (!isfinite(*x))
                return wy_fail(r->err, WY_BAD_INPUT, "%.*s(%g) is not a finite number", (int)n, name, a);
            return WY_OK;
        }
    return wy_fail(r->err, WY_BAD_INPUT, "'%s' is not a number: '%.*s' is not known here", r->start, (int)n, r->at);
}

static wy_status atom(reader *r, double *x) {
    skip_blanks(r);
    if (accept_char(r, '(')) {
        const wy_status s = sum(r, x);
        if (s)
            return s;
        return accept_char(r, ')') ? WY_OK : unexpected(r, "')'");
    }
    if (isalpha((unsigned char)*r->at))
        return word(r, x);
    return evaluate_number(r, x);
}

static wy_status power(reader *r, double *x) {
    wy_status s;
    if (++r->depth > DEEPEST)
        return wy_fail(r->err, WY_BAD_INPUT, "'%.40s...' is nested more than %d deep", r->start, DEEPEST);
    if (accept_char(r, '-')) {
        s = power(r, x);
        *x = -*x;
    } else if (accept_char(r, '+')) {
        s = power(r, x);
    } else {
        s = atom(r, x);
        if (!s && accept_char(r, '^')) {
            double e = 0.0;
            s = power(r, &e);
            *x = wy_pow(*x, e);
        }
    }
    r->depth--;
    return s ? s : check_value(r, *x);
}

static wy_status evaluate_product(reader *r, double *x) {
    wy_status s = power(r, x);
    while (!s) {
        double y = 1.0;
        if (accept_char(r, '*')) {
            s = power(r, &y);
            *x *= y;
        } else if (accept_char(r, '/')) {
            s = power(r, &y);
            if (!s && y == 0.0)
                return wy_fail(r->err, WY_BAD_INPUT, "'%s' divides by zero", r->start);
            *x /= y;
        } else {
            break;
        }
    }
    return s ? s : check_value(r, *x);
}

static wy_status sum(reader *r, double *x) {
    *x = 0.0;
    wy_status s = evaluate_product(r, x);
    while (!s) {
        double y = 0.0;
        if (accept_char(r, '+')) {
            s = evaluate_product(r, &y);
            *x += y;
        } else if (accept_char(r, '-')) {
            s = evaluate_product(r, &y);
            *x -= y;
        } else {
            break;
        }
    }
    return s ? s : check_value(r, *x);
}

wy_status wy_expression(double *value, const char *text, wy_error *err) {
    WY_GIVEN(value && text, err);
    reader r = {.start = text, .at = text, .err = err};
    double x = 0.0;
    *value = NAN;
    if (strlen(text) > 200)
        return wy_fail(err, WY_BAD_INPUT, "'%.40s...' is too long for a number (%zu characters)", text, strlen(text));
    const wy_status s = sum(&r, &x);
    if (s)
        return s;
    skip_blanks(&r);
    if (*r.at)
        return unexpected(&r, "an operator or the end");
    *value = x;
    return WY_OK;
}
