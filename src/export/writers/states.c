/* The state along a rod as rows that a scenario takes for its `start`: s, force, moment, quaternion, position. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/text.h>
#include <withy/writer.h>

static const wy_channel *find(const wy_recording *r, const char *name, size_t *index) {
    for (size_t c = 0; c < r->channel_count; c++)
        if (strcmp(r->channels[c].name, name) == 0 && r->channels[c].group &&
            strcmp(r->channels[c].group, "state") == 0) {
            *index = c;
            return &r->channels[c];
        }
    return NULL;
}

static wy_status take(double **values, size_t *rows, const wy_recording *r, const char *name, size_t columns,
                      size_t frame, wy_error *err) {
    size_t index;
    *values = NULL;
    const wy_channel *c = find(r, name, &index);
    if (!c || (columns > 1 ? c->rank != 2 || c->dims[1] != columns : c->rank != 1))
        return WY_OK;
    *rows = c->dims[0];
    *values = malloc(wy_channel_size(c) * sizeof **values);
    if (!*values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", *rows);
    return wy_recording_read(r, index, frame, 1, *values, err);
}

static wy_status write(const wy_selection *selection, wy_output *out, wy_error *err) {
    const wy_recording *r = selection->recording;
    enum { ARC, PLACE, TURN, FORCE, MOMENT, WRENCH, PARTS };
    static const struct {
        const char *name;
        size_t columns;
    } parts[PARTS] = {{"arc_length", 1}, {"position", 3}, {"orientation", 4},
                      {"force", 3},      {"moment", 3},   {"wrench", 6}};
    double *v[PARTS] = {NULL};
    size_t rows[PARTS] = {0};
    wy_status s = WY_OK;
    for (int i = 0; i < PARTS && !s; i++)
        s = take(&v[i], &rows[i], r, parts[i].name, parts[i].columns, selection->first, err);
    const size_t n = rows[PLACE];
    if (!s && (!v[PLACE] || !v[TURN] || n < 2 || rows[TURN] != n || (v[FORCE] && rows[FORCE] != n) ||
               (v[MOMENT] && rows[MOMENT] != n) || (v[ARC] && rows[ARC] != n) || (v[WRENCH] && rows[WRENCH] + 1 != n)))
        s = wy_fail(err, WY_BAD_INPUT, "no states along a rod in it: expected positions and orientations of its nodes");
    /* a run has no arc length: its nodes lie evenly on the length that its scenario says */
    double length = 0.0;
    const char *text = s || v[ARC] ? NULL : strstr(r->scenario, "length:");
    while (text && text != r->scenario && text[-1] != '\n')
        text = strstr(text + 1, "length:");
    if (text)
        length = strtod(text + 7, NULL);
    if (!s && !v[ARC] && !(length > 0.0))
        s = wy_fail(err, WY_UNSUPPORTED, "its scenario does not say its length as a plain number");
    for (size_t i = 0; i < n && !s; i++) {
        double row[14] = {v[ARC] ? v[ARC][i] : length * (double)i / (double)(n - 1)};
        for (size_t k = 0; k < 3; k++) {
            row[1 + k] = v[FORCE] ? v[FORCE][3 * i + k] : 0.0;
            row[4 + k] = v[MOMENT] ? v[MOMENT][3 * i + k] : 0.0;
            if (!v[FORCE] && v[WRENCH]) { /* of the elements beside the node */
                const double *a = v[WRENCH] + 6 * (i > 0 ? i - 1 : 0), *b = v[WRENCH] + 6 * (i + 1 < n ? i : n - 2);
                row[1 + k] = 0.5 * (a[3 + k] + b[3 + k]);
                row[4 + k] = 0.5 * (a[k] + b[k]);
            }
            row[11 + k] = v[PLACE][3 * i + k];
        }
        memcpy(row + 7, v[TURN] + 4 * i, 4 * sizeof *row);
        for (int c = 0; c < 14; c++) {
            char number[32];
            wy_output_print(out, "%s%s", c ? "," : "", wy_number_text(number, row[c]));
        }
        wy_output_text(out, "\n");
    }
    for (int i = 0; i < PARTS; i++)
        free(v[i]);
    return s;
}

const wy_writer wy_writer_states = {
    .entry =
        {.name = "states",
         .doc =
             "One frame as rows of s, force, moment, quaternion, position: the `start` of a static rod or a continuation."},
    .traits = WY_WRITES_ONE_FRAME,
    .ending = "states",
    .write = write,
};
