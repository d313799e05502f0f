/* Coarser runs beside an assembly: A and B of elements twice as long, in steps two and four times as long, C of
 * elements four times as long in steps of A. They meet the run every four steps.
 *
 *   d = |x - x_A|,  d_t = |x_A - x_B|,  d_h = |x_A - x_C|
 *   errors that fall as their orders say:  d = d_t / 2^q + d_h / r^p                               (12.22)
 *   where d is larger, by f, both rates are smaller by f:  R_t = 2^q / f,  R_h = r^p / f
 *   e = d_t / (R_t (R_t - 1)) + d_h / (R_h (R_h - 1))                                              (12.23) */
#include "motion/assembly_estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/richardson.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum {
    LEVEL_WINDOW = 4,
    POINTS_OF_A_ROD = 5,
    LEVEL_RUNS = WY_ASSEMBLY_LEVELS + 1,
    LEVEL_DIFFERENCES = 3,
    REACTION_NUMBERS = 6
};
/* The running numbers: their head, then for each point its start and the sums of d^2, d_t^2, d_h^2, then for each held
 * end the same sums and the mean reactions of the four runs in this window. */
enum { HEAD_WINDOWS, HEAD_LARGEST, HEAD_LARGEST_REACTION, HEAD_FAILED, HEAD_NUMBERS };
enum { OF_A_POINT = 3 + LEVEL_DIFFERENCES, OF_A_REACTION = LEVEL_DIFFERENCES + LEVEL_RUNS * REACTION_NUMBERS };

static const int64_t coarser_elements[WY_ASSEMBLY_LEVELS] = {2, 2, 4}, coarser_steps[WY_ASSEMBLY_LEVELS] = {2, 4, 2};

static double *point_numbers(const wy_assembly_estimate *e, size_t point) {
    return e->numbers + HEAD_NUMBERS + OF_A_POINT * point;
}

static double *reaction_numbers(const wy_assembly_estimate *e, size_t i) {
    return e->numbers + HEAD_NUMBERS + OF_A_POINT * e->points + OF_A_REACTION * i;
}

static void position_of_point(double x[3], const wy_assembly_motion *m, size_t point) {
    const size_t rod = point / POINTS_OF_A_ROD;
    double q[4], velocity[6];
    if (rod < m->rod_count) {
        const wy_motion *of = m->rod[rod];
        of->method->position_at(x, of, m->state[rod]->x,
                                of->def.length * (double)(point % POINTS_OF_A_ROD) / (POINTS_OF_A_ROD - 1));
    } else {
        wy_assembly_body_read(x, q, velocity, m, point - POINTS_OF_A_ROD * m->rod_count);
    }
}

/* Force, and moment over the length. */
static void reaction_of_end(double f[REACTION_NUMBERS], const wy_assembly_motion *m, wy_rod_end at) {
    const wy_motion *rod = m->rod[at.rod];
    rod->method->reaction(f, f + 3, rod, m->state[at.rod]->x, at.end);
    v3_scale(f + 3, 1.0 / rod->def.length, f + 3);
}

/* ---- making ---- */

static void find_level_ratio(wy_assembly_estimate *e, const wy_assembly_motion *m) {
    e->ratio = INFINITY;
    for (size_t i = 0; i < m->rod_count; i++) {
        const double fine = (double)m->rod[i]->elements, coarse = (double)e->level[0].rod[i]->elements,
                     coarsest = (double)e->level[2].rod[i]->elements;
        e->ratio = fmin(e->ratio, fmin(fine / coarse, coarse / coarsest));
    }
}

wy_status wy_assembly_estimate_open(wy_assembly_estimate *e, const wy_assembly *a, const wy_assembly_motion *m,
                                    const wy_choice *method, wy_error *err) {
    *e = (wy_assembly_estimate){.points = POINTS_OF_A_ROD * m->rod_count + m->body_count,
                                .shape = 1.0,
                                .space = 1.0,
                                .time = 1.0,
                                .reaction = 0.0};
    wy_status s = WY_OK;
    for (int k = 0; k < WY_ASSEMBLY_LEVELS && !s; k++)
        s = wy_assembly_motion_open(&e->level[k], a, method, coarser_elements[k], err);
    if (s)
        return s;
    find_level_ratio(e, m);
    m->rod[0]->method->order(&e->space_order, &e->time_order, m->rod[0]);
    e->held = calloc(2 * m->rod_count, sizeof *e->held);
    for (size_t i = 0; e->held && i < m->rod_count; i++)
        for (int end = 0; end < 2; end++)
            if (m->rod[i]->constraint[end].components && m->rod[i]->method->reaction)
                e->held[e->reactions++] = (wy_rod_end){i, end};
    e->count = HEAD_NUMBERS + OF_A_POINT * e->points + OF_A_REACTION * e->reactions;
    e->numbers = calloc(e->count, sizeof *e->numbers);
    if (!e->held || !e->numbers)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the error estimate of %zu rods", m->rod_count);
    e->reaction = e->reactions ? 1.0 : 0.0;
    for (size_t k = 0; k < e->points; k++)
        position_of_point(point_numbers(e, k), m, k);
    return WY_OK;
}

void wy_assembly_estimate_close(wy_assembly_estimate *e) {
    for (int k = 0; k < WY_ASSEMBLY_LEVELS; k++)
        wy_assembly_motion_close(&e->level[k]);
    free(e->held);
    free(e->numbers);
    *e = (wy_assembly_estimate){0};
}

enum { LEVEL_RESULTS = 4 };

size_t wy_assembly_estimate_blocks(const wy_assembly_estimate *e) {
    return e->numbers ? 1 + LEVEL_RESULTS + WY_ASSEMBLY_LEVELS * (e->level[0].rod_count + e->level[0].body_count) : 0;
}

void wy_assembly_estimate_list(wy_checkpoint_block *blocks, wy_assembly_estimate *e) {
    if (!e->numbers)
        return;
    size_t n = 0;
    double *const results[LEVEL_RESULTS] = {&e->shape, &e->reaction, &e->space, &e->time};
    blocks[n++] = (wy_checkpoint_block){e->numbers, e->count * sizeof *e->numbers};
    for (int k = 0; k < LEVEL_RESULTS; k++)
        blocks[n++] = (wy_checkpoint_block){results[k], sizeof(double)};
    for (int k = 0; k < WY_ASSEMBLY_LEVELS; k++)
        for (size_t i = 0; i < e->level[k].rod_count + e->level[k].body_count; i++)
            blocks[n++] = (wy_checkpoint_block){wy_motion_state_numbers(e->level[k].state[i]),
                                                wy_motion_state_size(e->level[k].state[i]) * sizeof(double)};
}

/* ---- along the run ---- */

/* Adds the squares of the differences of the four runs: (12.22). */
static void add_differences(double sum[LEVEL_DIFFERENCES], const double *run[LEVEL_RUNS], size_t size) {
    for (size_t i = 0; i < size; i++) {
        const double d = run[0][i] - run[1][i], dt = run[1][i] - run[2][i], dh = run[1][i] - run[3][i];
        sum[0] += d * d;
        sum[1] += dt * dt;
        sum[2] += dh * dh;
    }
}

/* (12.23), relative to `scale`: the part of the elements, and that of the step. */
static void error_of_levels(double *space, double *time, const wy_assembly_estimate *e,
                            const double sum[LEVEL_DIFFERENCES], double scale) {
    const double n = e->numbers[HEAD_WINDOWS], d = sqrt(sum[0] / n), dt = sqrt(sum[1] / n), dh = sqrt(sum[2] / n);
    const double least = 1.25; /* below this nothing converges: the errors are several times the differences */
    const double in_time = wy_pow(2.0, e->time_order), in_space = wy_pow(e->ratio, e->space_order);
    const double expected = dt / in_time + dh / in_space, f = d > expected ? d / expected : 1.0;
    const double rate_t = fmax(in_time / f, least), rate_h = fmax(in_space / f, least);
    *time = dt > 0.0 ? dt / (rate_t * (rate_t - 1.0)) / scale : 0.0;
    *space = dh > 0.0 ? dh / (rate_h * (rate_h - 1.0)) / scale : 0.0;
    if (d > 0.0 && !(expected > 0.0))
        *time = 1.0;
}

static void update_level_errors(wy_assembly_estimate *e) {
    const double largest = e->numbers[HEAD_LARGEST], strongest = e->numbers[HEAD_LARGEST_REACTION];
    double space = 0.0, time = 0.0;
    e->shape = e->space = e->time = e->reaction = 0.0;
    for (size_t k = 0; k < e->points && largest > 0.0; k++) {
        error_of_levels(&space, &time, e, point_numbers(e, k) + 3, largest);
        e->shape = fmax(e->shape, space + time);
        e->space = fmax(e->space, space);
        e->time = fmax(e->time, time);
    }
    for (size_t i = 0; i < e->reactions && strongest > 0.0; i++) {
        error_of_levels(&space, &time, e, reaction_numbers(e, i), strongest);
        e->reaction = fmax(e->reaction, space + time);
        e->space = fmax(e->space, space);
        e->time = fmax(e->time, time);
    }
    if (e->numbers[HEAD_FAILED] > 0.0 || !(e->ratio >= 1.3)) {
        e->shape = e->space = e->time = WY_ERROR_UNKNOWN;
        e->reaction = e->reactions ? WY_ERROR_UNKNOWN : 0.0;
    }
    e->shape = fmin(e->shape, WY_ERROR_UNKNOWN);
    e->reaction = fmin(e->reaction, WY_ERROR_UNKNOWN);
    e->space = fmin(e->space, WY_ERROR_UNKNOWN);
    e->time = fmin(e->time, WY_ERROR_UNKNOWN);
}

/* Where all runs have come to the same time. */
static void compare_levels(wy_assembly_estimate *e, const wy_assembly_motion *m) {
    const wy_assembly_motion *run[LEVEL_RUNS] = {m, &e->level[0], &e->level[1], &e->level[2]};
    e->numbers[HEAD_WINDOWS] += 1.0;
    for (size_t k = 0; k < e->points; k++) {
        double x[LEVEL_RUNS][3], moved[3], *of = point_numbers(e, k);
        const double *all[LEVEL_RUNS] = {x[0], x[1], x[2], x[3]};
        for (int r = 0; r < LEVEL_RUNS; r++)
            position_of_point(x[r], run[r], k);
        add_differences(of + 3, all, 3);
        v3_sub(moved, x[0], of);
        e->numbers[HEAD_LARGEST] = fmax(e->numbers[HEAD_LARGEST], v3_norm(moved));
    }
    for (size_t i = 0; i < e->reactions; i++) {
        double *of = reaction_numbers(e, i), *mean = of + LEVEL_DIFFERENCES;
        const double *all[LEVEL_RUNS] = {mean, mean + REACTION_NUMBERS, mean + 2 * REACTION_NUMBERS,
                                         mean + 3 * REACTION_NUMBERS};
        add_differences(of, all, REACTION_NUMBERS);
        e->numbers[HEAD_LARGEST_REACTION] = fmax(e->numbers[HEAD_LARGEST_REACTION], v3_norm(mean));
        e->numbers[HEAD_LARGEST_REACTION] = fmax(e->numbers[HEAD_LARGEST_REACTION], v3_norm(mean + 3));
        memset(mean, 0, LEVEL_RUNS * REACTION_NUMBERS * sizeof *mean);
    }
    update_level_errors(e);
}

/* Adds the reactions of a run, means over `steps` of the window's steps, to its mean over the window. */
static void add_level_reactions(wy_assembly_estimate *e, const wy_assembly_motion *m, int run, int64_t steps) {
    for (size_t i = 0; i < e->reactions; i++) {
        double f[REACTION_NUMBERS], *mean = reaction_numbers(e, i) + LEVEL_DIFFERENCES + REACTION_NUMBERS * (size_t)run;
        reaction_of_end(f, m, e->held[i]);
        for (int c = 0; c < REACTION_NUMBERS; c++)
            mean[c] += f[c] * (double)steps / LEVEL_WINDOW;
    }
}

void wy_assembly_estimate_step(wy_assembly_estimate *e, const wy_assembly_motion *m, int64_t n, double dt) {
    if (!e->numbers || e->numbers[HEAD_FAILED] > 0.0)
        return;
    add_level_reactions(e, m, 0, 1);
    for (int k = 0; k < WY_ASSEMBLY_LEVELS; k++) {
        wy_assembly_motion *level = &e->level[k];
        if (n % coarser_steps[k] != 0)
            continue;
        if (wy_assembly_motion_step(level, dt * (double)coarser_steps[k], NULL)) {
            e->numbers[HEAD_FAILED] = 1.0;
            update_level_errors(e);
            return;
        }
        add_level_reactions(e, level, k + 1, coarser_steps[k]);
    }
    if (n % LEVEL_WINDOW == 0)
        compare_levels(e, m);
}

bool wy_assembly_estimate_warning(char *text, size_t size, const wy_assembly_estimate *e) {
    char off[40], space[20], time[20];
    wy_error_in_words(off, sizeof off, fmax(e->shape, e->reaction));
    wy_error_part_in_words(space, sizeof space, e->space);
    wy_error_part_in_words(time, sizeof time, e->time);
    if (!e->numbers)
        return false;
    if (e->numbers[HEAD_FAILED] > 0.0)
        snprintf(text, size,
                 "how far the motion is off is not known: the coarser runs beside this one could not take "
                 "their steps; shorter steps may help");
    else if (!(e->ratio >= 1.3))
        snprintf(text, size,
                 "how far the motion is off is not known: a rod of one or two elements cannot be compared "
                 "with a coarser one; use 4 elements or more");
    else if (!(e->numbers[HEAD_WINDOWS] > 0.0))
        snprintf(text, size, "how far the motion is off is not known: the run has fewer than %d steps", LEVEL_WINDOW);
    else if (!(fmax(e->shape, e->reaction) > WY_WARNING_LEVEL))
        return false;
    else
        snprintf(text, size, "the %s off %s, as coarser runs beside this one show (elements %s, step %s): %s",
                 e->shape >= e->reaction ? "motion is" : "reactions are", off, space, time,
                 e->time >= e->space ? "use a shorter step" : "use more elements");
    return true;
}
