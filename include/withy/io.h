/* Everything beyond libm: scenario files (libwithy-scenario: libfyaml), archives, other formats and pictures (libwithy-io: HDF5,
 * and gnuplot to draw). */
#ifndef WITHY_IO_H
#define WITHY_IO_H

#include <withy/archive.h>
#include <withy/draw.h>
#include <withy/scenario.h>
#include <withy/withy.h>
#include <withy/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The catalogues of this library, ended by NULL, for `withy list`. */
extern WY_API const wy_catalogue *const wy_io_catalogues[];

#ifdef __cplusplus
}
#endif

#endif
