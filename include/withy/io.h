/* Everything beyond libm: scenario files (libwithy-scenario: libfyaml), archives, other formats and pictures
 * (libwithy-io: HDF5, and gnuplot to draw). */
#ifndef WITHY_IO_H
#define WITHY_IO_H

#include <withy/archive.h>
#include <withy/draw.h>
#include <withy/new_file.h>
#include <withy/report.h>
#include <withy/scenario.h>
#include <withy/scene.h>
#include <withy/sweep.h>
#include <withy/withy.h>
#include <withy/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The catalogues of this library, ended by NULL, for `withy list`. */
extern WY_API const wy_catalogue *const wy_io_catalogues[];

/* Writes every table (the keys of scenarios, every catalogue with its entries and their parameters: names, units,
 * limits, defaults, docs) as one JSON object: the source of bindings, forms and completions. `more`: catalogues of
 * another library, ended by NULL; may be NULL. */
WY_API void wy_tables_json(wy_output *output, const wy_catalogue *const *more);

/* Writes the summary of an archive (outcome, warnings, certificate, channels) as one JSON object. */
WY_API wy_status wy_recording_json(wy_output *output, const wy_recording *recording, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
