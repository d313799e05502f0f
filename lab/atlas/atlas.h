/* Access of a problem of the atlas to its runs, and the checks that it reports. Private to the atlas. */
#ifndef WY_ATLAS_ATLAS_H
#define WY_ATLAS_ATLAS_H

#include <withy/atlas.h>
#include <withy/branches.h>
#include <withy/frames.h>
#include <withy/march.h>

#include "math/constants.h"

typedef struct wy_case_run wy_case_run;
struct wy_case_run {
    const wy_problem *problem;
    const wy_atlas_case *at;
    size_t number; /* index of the case */
    int level;     /* 0, 1, 2: from coarse to fine */
    const wy_scenario *scenario;
    const wy_frames *frames;
    size_t count; /* frames */
    struct wy_atlas_store *store;
};

/* The numbers of a channel in a frame (0: the first, -1: the last); `size` may be NULL. NULL after a failure. */
const double *wy_case_frame(const wy_case_run *case_run, const char *channel, long frame, size_t *size, wy_error *err);

/* The last `width` of these numbers: the values at the end s = L. */
const double *wy_case_last(const wy_case_run *case_run, const char *channel, long frame, size_t width, wy_error *err);

/* For an `evaluate` function: declares `name` as the numbers of a channel, or returns the error. */
#define WY_READ(name, channel, frame)                                        \
    const double *name = wy_case_frame(case_run, channel, frame, NULL, err); \
    if (!name)                                                               \
    return err->status
#define WY_READ_LAST(name, channel, frame, width)                            \
    const double *name = wy_case_last(case_run, channel, frame, width, err); \
    if (!name)                                                               \
    return err->status

/* The frame whose axis value is nearest to `at`; fails if none is within 1e-9 of it, relative. */
wy_status wy_case_frame_at(size_t *frame, const wy_case_run *case_run, double at, wy_error *err);

/* The frame of the n-th branch point (from 1) of a continuation. */
wy_status wy_case_branch_point(size_t *frame, const wy_case_run *case_run, int n, wy_error *err);

/* The frame of the n-th crossing (from 1) of a requested value of the parameter. */
wy_status wy_case_asked_value(size_t *frame, const wy_case_run *case_run, int n, wy_error *err);

/* ---- Checks: the same ones in the same order at every level. `name` follows the label of the case. ---- */

/* Six digits of a closed form or a converged reference. The tolerance is relative to `size` (0: to the reference). */
void wy_check_value(wy_case_run *case_run, const char *name, double measured, double reference, double size,
                    const char *note, ...) WY_PRINTF(6, 7);
/* A printed number; `unit` is one unit of its last digit. Or a reference that is known to `unit` only, as the note
 * states. */
void wy_check_printed(wy_case_run *case_run, const char *name, double measured, double printed, double unit,
                      const char *note, ...) WY_PRINTF(6, 7);
/* A quantity that a law makes exactly equal to `reference`. */
void wy_check_law(wy_case_run *case_run, const char *name, double measured, double reference, double size,
                  const char *note, ...) WY_PRINTF(6, 7);
/* Shown, not judged; the reference may be NaN. */
void wy_show_value(wy_case_run *case_run, const char *name, double measured, double reference, const char *note, ...)
    WY_PRINTF(5, 6);

/* The error that the program itself states for the last check: the estimate is at least this. */
void wy_check_stated_error(wy_case_run *case_run, double error);

/* ---- Figures: drawn at the finest level only; at the others these calls do nothing. ---- */

/* The figure of the problem, created by the first case that asks for it. NULL at coarse levels; every call accepts
 * NULL. */
wy_figure *wy_case_figure(wy_case_run *case_run, const wy_figure *head);
/* Draws the rod at a frame: components a, b, c (0 x, 1 y, 2 z) of its nodes; c < 0: a plane figure. */
void wy_case_draw_shape(wy_case_run *case_run, wy_figure *figure, const char *label, wy_style style, long frame, int a,
                        int b, int c);
/* Draws a component of a channel against the axis, each multiplied by its scale. */
void wy_case_draw_channel(wy_case_run *case_run, wy_figure *figure, const char *label, wy_style style,
                          const char *channel, size_t component, double scale_x, double scale_y);

/* ---- Frequencies (lab/atlas/frequencies.c): the lowest vibrations about the equilibrium at which a continuation
 * starts, Hz, ascending, with their stated errors. ---- */
wy_status wy_case_frequencies(double *frequencies, double *errors, size_t count, const wy_case_run *case_run,
                              wy_error *err);
/* The same with the damping x.C x/x.M x of each mode, 1/s; and the response (displacement, real and imaginary parts; an
 * error of each component) to a harmonic excitation at a frequency (Hz). */
wy_status wy_case_damped_frequencies(double *frequencies, double *errors, double *dampings, size_t count,
                                     const wy_case_run *case_run, wy_error *err);
wy_status wy_case_frequency_response(double answer[6], double errors[3], double frequency,
                                     const wy_equilibrium_excitation *shake, const wy_case_run *case_run,
                                     wy_error *err);

/* ---- Statics (lab/atlas/statics.c): solves the equilibrium of a static scenario again, for quantities of its solver.
 * ---- */
wy_status wy_case_statistics(wy_equilibrium_stats *stats, const wy_case_run *case_run, wy_error *err);
/* The number of directions in which the energy falls, -1 if it is not available; and for a closed rod its link Tw + Wr
 * in turns. */
wy_status wy_case_negative_directions(double *directions, const wy_case_run *case_run, wy_error *err);
wy_status wy_case_link(double *turns, const wy_case_run *case_run, wy_error *err);

/* ---- Steps (lab/atlas/steps.c): the scenario again, stepped by the problem itself, as a program or an FMU does.
 * ---- */

/* Opens the scenario at its start. Call wy_case_close also after a failure. */
wy_status wy_case_open(wy_march *march, const wy_case_run *case_run, wy_error *err);
void wy_case_close(wy_march *march);
/* The index of the input or output with this name. */
wy_status wy_case_input(size_t *number, const wy_march *march, const char *name, wy_error *err);
wy_status wy_case_output(size_t *number, const wy_march *march, const char *name, wy_error *err);
/* Points to the present numbers of a channel, and updates the outputs. Not for the time. */
wy_status wy_case_now(const double **value, const wy_march *march, const char *channel, wy_error *err);

/* ---- References (lab/atlas/reference.c): computed by methods that the solvers do not use. ---- */

/* The root of f between a and b, where f changes sign, to round-off. */
double wy_atlas_root(double (*f)(double x, const void *context), const void *context, double a, double b);
/* The integral of f from a to b by Gauss-Legendre with `pieces` pieces of 5 points. */
double wy_atlas_integral(double (*f)(double x, const void *context), const void *context, double a, double b,
                         int pieces);
/* Integrates y' = f(s, y) of at most 16 components from a to b by Richardson-extrapolated midpoint steps (Gragg), to
 * about 1e-13. */
void wy_atlas_march(double *y, int count, void (*f)(double *dy, double s, const double *y, const void *context),
                    const void *context, double a, double b);
/* Solves A x = b in place, A of n x n numbers in rows, n at most 8; A is overwritten. */
void wy_atlas_solve(double *b, double *A, int n);
/* Newton's iteration from a near guess with derivatives by differences: n unknowns u, at most 8, for n equations `miss`
 * = 0. u is NaN if it does not converge. */
void wy_atlas_shoot(double *u, int n, void (*miss)(double *off, const double *u, const void *context),
                    const void *context);
/* Bessel function J of any order at moderate x, by its series. */
double wy_atlas_bessel(double order, double x);

#endif
