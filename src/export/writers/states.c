/* The state along a rod as rows that a scenario takes for its `start`: s, force, moment, quaternion, position. */
#include <stdlib.h>
#include <string.h>

#include <withy/text.h>
#include <withy/writer.h>

static wy_status states_write(const wy_selection *selection, wy_output *out, wy_error *err) {
    const wy_recording *r = selection->recording;
    /* a run has no arc length: its nodes lie evenly on the length that its scenario says */
    double *rows, length = 0.0;
    const char *text = strstr(r->scenario, "length:");
    while (text && text != r->scenario && text[-1] != '\n')
        text = strstr(text + 1, "length:");
    if (text)
        length = strtod(text + 7, NULL);
    size_t count;
    const wy_status s = wy_recording_states(&rows, &count, r, selection->first, length, err);
    for (size_t i = 0; i < count && !s; i++) {
        for (size_t c = 0; c < 14; c++) {
            char number[32];
            wy_output_print(out, "%s%s", c ? "," : "", wy_number_text(number, rows[14 * i + c]));
        }
        wy_output_text(out, "\n");
    }
    free(rows);
    return s;
}

const wy_writer wy_writer_states = {
    .entry = {.name = "states",
              .doc = "One frame as rows of s, force, moment, quaternion, position: the `start` of a static rod or a "
                     "continuation."},
    .traits = WY_WRITES_ONE_FRAME,
    .ending = "states",
    .write = states_write,
};
