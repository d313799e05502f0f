/* Functions of time for what acts on the ends of a shaft in a scenario. */
#ifndef WY_SIGNAL_H
#define WY_SIGNAL_H

#include <withy/param.h>

/* A signal is a catalogue entry with its value at a time. To add one, write its struct, table and function in signal.c
 * and add its row there. */
typedef struct wy_shaft_signal {
    wy_entry entry;
    double (*value)(const void *config, double t);
    wy_status (*check)(const void *config, wy_error *err); /* NULL: nothing to check beyond the table */
} wy_shaft_signal;

extern const wy_catalogue wy_shaft_signals;

double wy_shaft_signal_value(const wy_choice *signal, double t);
wy_status wy_shaft_signal_check(const wy_choice *signal, wy_error *err);

#endif
