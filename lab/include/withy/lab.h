/* libwithy-lab: the studies of the source documents, the atlas of problems with a known answer, benchmarks, and the
 * historical methods: literal schemes of the sources, the multi-symplectic box scheme and the multi-symplectic form of
 * the static rod. Needs libwithy-io. A program calls wy_lab_register to choose these by name. */
#ifndef WITHY_LAB_H
#define WITHY_LAB_H

#include <withy/atlas.h>
#include <withy/bench.h>
#include <withy/lab_methods.h>
#include <withy/multisymplectic.h>
#include <withy/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the library's methods to wy_motion_methods and its solver to wy_equilibrium_solvers. Call it before other
 * threads use the library; a second call does nothing. */
WY_API void wy_lab_register(void);

/* The catalogues of this library, ended by NULL, for `withy list`. */
extern WY_API const wy_catalogue *const wy_lab_catalogues[];

#ifdef __cplusplus
}
#endif

#endif
