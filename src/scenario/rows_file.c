/* Rows of numbers from a file: what a measurement, another program or a spreadsheet leaves behind. */
#include "scenario/rows_file.h"

#include <stdlib.h>
#include <string.h>

#include "scenario/text_file.h"

static const char between[] = ",; \t";

/* The next line that says something, ended by a zero; *at goes behind it. NULL at the end. */
static char *next_line(char **at, size_t *number) {
    while (**at) {
        char *line = *at + strspn(*at, " \t");
        char *end = line + strcspn(line, "\r\n");
        const bool last = !*end, two = end[0] == '\r' && end[1] == '\n';
        *end = 0;
        *at = last ? end : end + 1 + two;
        ++*number;
        if (*line && *line != '#')
            return line;
    }
    return NULL;
}

static bool is_heading(const char *line) {
    return (*line >= 'a' && *line <= 'z') || (*line >= 'A' && *line <= 'Z') || *line == '"' || *line == '\'';
}

static wy_status read_line(double *row, char *line, size_t number, const char *path, const wy_param *one, size_t count,
                           wy_arena *arena, wy_error *err) {
    size_t n = 0;
    for (char *word = line; *word;) {
        char *end = word + strcspn(word, between);
        char *next = end + strspn(end, " \t");
        if (*next == ',' || *next == ';') /* one of these, with blanks about it, or blanks alone */
            next += 1 + strspn(next + 1, " \t");
        const bool last = !*end;
        *end = 0;
        if (n == count)
            return wy_fail(err, WY_BAD_INPUT, "'%.300s', line %zu: more than %zu numbers", path, number, count);
        wy_error why;
        const wy_status s = wy_param_parse(one, word, &row[n], arena, &why);
        if (s)
            return wy_fail(err, s, "'%.300s', line %zu: %.300s", path, number, why.text);
        n++;
        word = last ? end : next;
    }
    return n == count
               ? WY_OK
               : wy_fail(err, WY_BAD_INPUT, "'%.300s', line %zu: %zu numbers, expected %zu", path, number, n, count);
}

static wy_status read_lines(wy_samples *rows, char *text, size_t length, const char *path, const wy_param *param,
                            wy_arena *arena, wy_error *err) {
    static const char mark[] = "\xef\xbb\xbf"; /* a byte-order mark, which spreadsheets put before UTF-8 */
    if (strncmp(text, mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (memchr(text, 0, length))
        return wy_fail(err, WY_BAD_INPUT, "'%.300s' is no text: a zero byte", path);
    size_t lines = 1; /* at most so many rows; each number takes two bytes of the text at least */
    for (size_t i = 0; i + 1 < length; i++)
        lines += (text[i] == '\n' || text[i] == '\r') && strchr("\r\n#", text[i + 1]) == NULL;
    if (lines > length / (2 * param->count) + 2)
        lines = length / (2 * param->count) + 2;
    double *values = wy_arena_take(arena, lines * param->count * sizeof *values);
    if (!values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the rows of '%.300s'", path);
    wy_param one = *param;
    one.type = WY_TYPE_REAL;
    size_t count = 0, number = 0;
    bool first = true;
    wy_status s = WY_OK;
    for (char *line; !s && (line = next_line(&text, &number)) != NULL; first = false) {
        if (first && is_heading(line))
            continue;
        s = read_line(values + count * param->count, line, number, path, &one, param->count, arena, err);
        count++;
    }
    if (!s && !count)
        s = wy_fail(err, WY_BAD_INPUT, "'%.300s' has no rows, expected lines of %zu numbers", path, param->count);
    *rows = (wy_samples){.rows = count, .values = values};
    return s;
}

wy_status wy_rows_file_read(wy_samples *rows, const char *path, const wy_param *param, wy_arena *arena, wy_error *err) {
    char *text;
    size_t length;
    wy_status s = wy_text_file_read(&text, &length, path, "rows", err);
    if (s)
        return s;
    char *ended = realloc(text, length + 1);
    if (!ended) {
        free(text);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the rows of '%.300s'", path);
    }
    ended[length] = 0;
    s = read_lines(rows, ended, length, path, param, arena, err);
    free(ended);
    return s;
}
