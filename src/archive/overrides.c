/* Overrides as a JSON list of texts. Written: control characters, quotes and backslashes escaped. Read: what is
 * written, and the other escapes of JSON, so that a list that h5py or jq wrote is read too. */
#include "archive/overrides.h"

#include <stdio.h>
#include <string.h>

const char *wy_overrides_text(const wy_overrides *o, wy_arena *arena) {
    size_t length = 3;
    for (size_t i = 0; i < o->count; i++)
        length += 6 * strlen(o->items[i]) + 4;
    char *text = wy_arena_take(arena, length), *at = text;
    if (!text)
        return NULL;
    *at++ = '[';
    for (size_t i = 0; i < o->count; i++) {
        at += sprintf(at, "%s\"", i ? ", " : "");
        for (const char *p = o->items[i]; *p; p++)
            if (*p == '"' || *p == '\\')
                at += sprintf(at, "\\%c", *p);
            else if (*p == '\n')
                at += sprintf(at, "\\n");
            else if ((unsigned char)*p < 0x20 || *p == 0x7f)
                at += sprintf(at, "\\u%04x", (unsigned)*p);
            else
                *at++ = *p;
        *at++ = '"';
    }
    *at++ = ']';
    *at = 0;
    return text;
}

static const char *skip(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* The four hexadecimal digits at `at`, or -1. */
static long four_digits(const char *at) {
    long code = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        const char c = at[i] >= 'A' && at[i] <= 'F' ? (char)(at[i] - 'A' + 'a') : at[i];
        const char *digit = c ? strchr(digits, c) : NULL;
        if (!digit)
            return -1;
        code = 16 * code + (digit - digits);
    }
    return code;
}

static char *put_character(char *to, unsigned long code) {
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char heads[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(heads[more] | code >> (6 * more));
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | ((code >> (6 * i)) & 0x3f));
    return to;
}

/* "\uXXXX", two of them where a character needs it; behind it, or NULL. A zero is no part of a text. */
static const char *unicode(char **to, const char *at) {
    long code = four_digits(at);
    at += 4;
    if (code >= 0xd800 && code < 0xdc00) {
        const long second = at[0] == '\\' && at[1] == 'u' ? four_digits(at + 2) : -1;
        if (second < 0xdc00 || second > 0xdfff)
            return NULL;
        code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
        at += 6;
    } else if (code <= 0 || (code >= 0xdc00 && code <= 0xdfff)) {
        return NULL;
    }
    *to = put_character(*to, (unsigned long)code);
    return at;
}

/* A text in quotes, written to `to`, ended by a zero and never longer than it stands there; behind it, or NULL. */
static const char *quoted(char **to, const char *at) {
    static const char escaped[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (*at++ != '"')
        return NULL;
    while (*at && *at != '"') {
        if (*at != '\\') {
            *(*to)++ = *at++;
            continue;
        }
        at++;
        const char *which = *at ? strchr(escaped, *at) : NULL;
        if (which) {
            *(*to)++ = meant[which - escaped];
            at++;
        } else if (*at != 'u' || !(at = unicode(to, at + 1))) {
            return NULL;
        }
    }
    *(*to)++ = 0;
    return *at == '"' ? at + 1 : NULL;
}

wy_status wy_overrides_read(wy_overrides *o, const char *text, wy_arena *arena, wy_error *err) {
    size_t quotes = 0;
    for (const char *p = text; *p; p++)
        quotes += *p == '"';
    const char **items = wy_arena_take(arena, (quotes / 2 + 1) * sizeof *items);
    char *to = wy_arena_take(arena, strlen(text) + 1);
    if (!items || !to)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the overrides of a scenario");
    size_t count = 0;
    const char *at = skip(text);
    bool good = *at == '[';
    at = good ? skip(at + 1) : at;
    while (good && *at && *at != ']') {
        items[count] = to;
        at = quoted(&to, at);
        good = at != NULL;
        at = good ? skip(at) : at;
        count += good;
        good = good && (*at == ']' || *at == ',');
        if (good && *at == ',')
            at = skip(at + 1);
    }
    good = good && *at == ']' && !*skip(at + 1);
    *o = (wy_overrides){good ? count : 0, items};
    return good ? WY_OK : wy_fail(err, WY_CANNOT_READ, "its overrides are no list of texts");
}

wy_status wy_overrides_read_lines(wy_overrides *o, const char *text, wy_arena *arena, wy_error *err) {
    size_t lines = 1;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    const char **items = wy_arena_take(arena, lines * sizeof *items);
    *o = (wy_overrides){0, items};
    bool good = items != NULL;
    for (size_t n; good && *text; text += n + (text[n] != 0)) {
        n = strcspn(text, "\n");
        if (n)
            good = (items[o->count++] = wy_arena_text(arena, text, n)) != NULL;
    }
    return good ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for the overrides of a scenario");
}
