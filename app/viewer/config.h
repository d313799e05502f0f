/* A scenario's configuration as JSON, which the viewer's page needs to draw ends and loads. */
#ifndef WITHY_VIEWER_CONFIG_H
#define WITHY_VIEWER_CONFIG_H

#include <stdio.h>

#include <withy/io.h>

/* Writes every number of a scenario, as read against the tables, as a JSON object with the keys of the scenario file. A
 * choice becomes an object with its `name`; a function of time gets `values` at the `count` given times. */
void config_write(FILE *out, const wy_scenario *scenario, const double *times, size_t count);

#endif
