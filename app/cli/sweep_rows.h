/* The rows of a sweep while it is under way: a folder OUT.rows beside the result.
 *
 *   sweep      what is computed, so that rows of another sweep are never mixed in
 *   jobs       the journal of `--jobs`: a line for each row, only ever appended to
 *   point-17   the row of `--point 17`
 *
 * A line that was cut (a kill, a full disk) is not whole and counts as not there. */
#ifndef WITHY_SWEEP_ROWS_H
#define WITHY_SWEEP_ROWS_H

#include "cli.h"

typedef struct sweep_rows {
    char folder[4096];
    FILE *journal;
} sweep_rows;

/* Whether there are rows, of whatever sweep, beside the result `output`. */
bool sweep_rows_exist(const char *output);

/* Makes the folder for the result `output`, or finds it; refuses one of another sweep. */
wy_status sweep_rows_open(sweep_rows *rows, const char *output, const wy_sweep *sweep, wy_error *err);

/* Takes the journal for this process alone; refused while another has it. */
wy_status sweep_rows_claim(sweep_rows *rows, wy_error *err);

/* Reads every row that is there into the table. */
wy_status sweep_rows_read(const sweep_rows *rows, wy_sweep_table *table, wy_error *err);

/* Appends a line ("seconds host row") to the journal. */
wy_status sweep_rows_append(sweep_rows *rows, const char *line, wy_error *err);

/* Writes the line of one point into a file of its own. */
wy_status sweep_rows_put(const sweep_rows *rows, size_t point, const char *line, wy_error *err);

/* Takes a line apart and adds it to the table; false if it is not whole. */
bool sweep_rows_add(wy_sweep_table *table, const char *line);

/* Removes the folder and what withy has put there. */
void sweep_rows_remove(sweep_rows *rows);

/* Lets go of the journal. */
void sweep_rows_close(sweep_rows *rows);

#endif
