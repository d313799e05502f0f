/* Whether the start fits itself: frames against the curve, neighbours against each other, ends against their
 * neighbours, velocities against what a rod can do. An impossible start is refused, with its arc length; an
 * impulsive start, which may be meant, gets a warning. docs/math/motion.md, "Consistent starts". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"

static const double DEGREES = 57.29577951308232;

/* nu at point g of element e. */
static void nu_at(double nu[3], const wy_gauss *m, const double *eps, size_t e, int g) {
    for (size_t c = 0; c < 3; c++)
        nu[c] = eps[wy_gauss_strain_index(m, e, (size_t)g, 3 + c)];
}

static double angle_between_vectors(const double a[3], const double b[3]) {
    double c[3];
    v3_cross(c, a, b);
    return wy_atan2(v3_norm(c), v3_dot(a, b));
}

typedef struct misfit {
    double lean, lean_at;       /* largest angle between the curve and where the reference has it in its section, rad */
    double along[3];            /* the curve there, in the section's frame */
    double stretch, stretch_at; /* length of the curve per length of the reference, farthest from 1 */
    double turn, turn_at;       /* largest turn within an element beyond that of the reference, rad */
} misfit;

/* Turn between the frames of two neighbouring nodes. */
static double twist_of_node(const wy_gauss *m, const double *X, size_t j) {
    double D[2][9], a[3];
    wy_gauss_get(D[0], X + 3 * m->row, m, 9, j);
    wy_gauss_get(D[1], X + 3 * m->row, m, 9, j + 1);
    wy_gauss_turn_between(a, D[1], D[0]);
    return v3_norm(a);
}

static wy_status measure_start_misfit(misfit *found, const wy_gauss *m, const double *unstressed, wy_error *err) {
    const size_t P = (size_t)m->space.P;
    double *eps = wy_memory_take(m->elements * m->block, sizeof *eps, err, "the start of %zu elements", m->elements);
    if (!eps)
        return WY_NO_MEMORY;
    *found = (misfit){.stretch = 1.0};
    wy_gauss_loops_of(m)->strains(eps, m, m->start, false);
    for (size_t e = 0; e < m->elements; e++) {
        double turn = 0.0, natural = 0.0;
        for (size_t i = 0; i < P; i++) {
            turn += twist_of_node(m, m->start, e * P + i);
            natural += twist_of_node(m, unstressed, e * P + i);
        }
        if (turn - natural > found->turn) {
            found->turn = turn - natural;
            found->turn_at = wy_gauss_arc_length(m, e, 0.5);
        }
        for (int g = 0; g < m->space.P; g++) {
            double nu[3], ref[3];
            const double s = wy_gauss_arc_length(m, e, m->space.point[g]);
            nu_at(nu, m, eps, e, g);
            nu_at(ref, m, m->ref, e, g);
            const double lean = angle_between_vectors(nu, ref);
            if (lean > found->lean) {
                found->lean = lean;
                found->lean_at = s;
                v3_copy(found->along, nu);
            }
            /* of the curve itself: frames that do not follow it shorten what they see of it */
            double slope[3] = {0.0, 0.0, 0.0};
            for (size_t j = 0; j <= P; j++) {
                double p[3];
                wy_gauss_get(p, m->start, m, 3, e * P + j);
                v3_axpy(slope, slope, m->space.D[g / 4][j][g % 4], p);
            }
            const double stretch = v3_norm(slope) / v3_norm(ref);
            if (fabs(stretch - 1.0) > fabs(found->stretch - 1.0)) {
                found->stretch = stretch;
                found->stretch_at = s;
            }
        }
    }
    free(eps);
    return WY_OK;
}

wy_status wy_gauss_check_start(const wy_motion *rod, const wy_gauss *m, const double *unstressed, wy_error *err) {
    const bool rows = rod->start.poses.rows > 0;
    misfit found;
    wy_status s = measure_start_misfit(&found, m, unstressed, err);
    if (s)
        return s;
    if (rows && found.lean * DEGREES > 45.0) {
        const double size = v3_norm(found.along);
        const int axis = fabs(found.along[0]) > 0.9 * size ? 1 : fabs(found.along[1]) > 0.9 * size ? 2 : 3;
        const bool back = axis < 3 ? found.along[axis - 1] < 0.0 : found.along[2] < -0.9 * size;
        char hint[80] = "";
        if (axis < 3 || back)
            snprintf(hint, sizeof hint, "; %sd%d lies along it", back ? "-" : "", axis);
        return wy_fail(
            err, WY_BAD_INPUT,
            "poses at the start: the frames do not follow the curve, most of all near s = %.4g m, where d3 is "
            "%.0f degrees off its tangent%s (a quaternion, scalar first, must turn e3 into the tangent)",
            found.lean_at, found.lean * DEGREES, hint);
    }
    if (rows && (found.stretch > 2.0 || found.stretch < 0.5))
        return wy_fail(
            err, WY_BAD_INPUT,
            "poses at the start: near s = %.4g m a metre of the rod lies on %.3g m of the curve: s is the length "
            "along the unstressed rod",
            found.stretch_at, found.stretch);
    if (found.turn * DEGREES > 180.0)
        return wy_fail(
            err, WY_BAD_INPUT,
            "the start turns by %.0f degrees more than the unstressed rod within one element, near s = %.4g m; an "
            "element takes 90 degrees well: use at least %.0f elements",
            found.turn * DEGREES, found.turn_at, ceil((double)m->elements * found.turn * DEGREES / 90.0));
    return WY_OK;
}

/* ---- what is said ---- */

/* Stress that poses bring along, where it is more than a rod bears. */
static wy_status strained(bool *said, char *text, size_t size, const wy_motion *rod, const wy_gauss *m, wy_error *err) {
    misfit found;
    *said = false;
    if (!rod->start.poses.rows || rod->start.equilibrium)
        return WY_OK;
    const wy_status status = measure_start_misfit(&found, m, m->start, err);
    if (status)
        return status;
    if (found.lean * DEGREES > 3.0) {
        snprintf(
            text, size,
            "poses at the start: near s = %.4g m the frames lean by %.2g degrees against the curve, which is shear "
            "of a "
            "force of %.3g N: the rod starts with a blow",
            found.lean_at, found.lean * DEGREES, found.lean * fmin(rod->def.section.GA1, rod->def.section.GA2));
        *said = true;
    } else if (fabs(found.stretch - 1.0) > 0.03) {
        snprintf(
            text, size,
            "poses at the start: near s = %.4g m the curve is %.3g times as long as the rod, a force of %.3g N: the "
            "rod starts with a blow",
            found.stretch_at, found.stretch, (found.stretch - 1.0) * rod->def.section.EA);
        *said = true;
    }
    return WY_OK;
}

/* A held end goes where it must from the first moment, whatever the rod beside it does: does it start with
 * velocities of its own (`given`, against those of the rod, `asked`)? */
static bool starts_apart(double given[6], double asked[6], const wy_motion *rod, const wy_gauss *m, int e, double dt) {
    if (!m->constrains[e])
        return false;
    const size_t j = e ? m->nodes - 1 : 0;
    double p0[3], arm[3], soon[6] = {0.0}, largest = 0.0;
    memset(given, 0, 6 * sizeof *given);
    wy_gauss_get(p0, m->start, m, 3, 0);
    wy_gauss_get(arm, m->start, m, 3, j);
    v3_sub(arm, arm, p0);
    wy_motion_start_rates(asked, asked + 3, rod, wy_gauss_node_arc_length(m, j), arm);
    if (rod->ends[e]->pose) { /* at once, and after a step */
        wy_gauss_end_rates(given, given + 3, rod, m, NULL, e, 0.0, 1e-4 * dt);
        wy_gauss_end_rates(soon, soon + 3, rod, m, NULL, e, 0.0, dt);
    }
    double jump[6];
    for (int c = 0; c < 6; c++)
        jump[c] =
            m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION) ? given[c] - asked[c] : 0.0;
    for (size_t i = 0; i < m->nodes; i++) {
        double v[3];
        wy_gauss_get(v, m->start + 12 * m->row, m, 3, i);
        largest = fmax(largest, v3_norm(v));
    }
    largest = fmax(largest, fmax(v3_norm(given), m->length * v3_norm(given + 3)));
    largest = fmax(largest, fmax(v3_norm(soon), m->length * v3_norm(soon + 3)));
    return fmax(v3_norm(jump), v3_norm(jump + 3) * m->length) > 1e-3 * largest && largest > 0.0;
}

static bool jerked(char *text, size_t size, const wy_motion *rod, const wy_gauss *m, int e, double dt) {
    double given[6], asked[6];
    if (!starts_apart(given, asked, rod, m, e, dt))
        return false;
    snprintf(
        text, size,
        "the end at s = %.4g m starts with %.3g m/s and %.3g rad/s, the rod beside it with %.3g m/s and %.3g rad/s: "
        "this jump sends a wave front along the rod that elements and step do not resolve at first",
        wy_gauss_node_arc_length(m, e ? m->nodes - 1 : 0), v3_norm(given), v3_norm(given + 3), v3_norm(asked),
        v3_norm(asked + 3));
    return true;
}

/* Damping takes what has omega dt = 2, which a step of dt shows just badly, at the rate lag omega^2/2 + alpha/2. */
static double front_lasts(const wy_gauss *m, double dt) {
    enum { MOST = 20 }; /* steps: without damping it lasts for ever */
    const double rate = 2.0 * m->viscous_time / (dt * dt) + 0.5 * m->mass_damping;
    return fmax(dt, rate > 0.0 ? fmin(1.0 / rate, MOST * dt) : MOST * dt);
}

double wy_gauss_impulsive_start_duration(const wy_motion *rod, const wy_gauss *m, double dt) {
    double given[6], asked[6];
    for (int e = 0; e < 2; e++)
        if (!rod->ends[e]->carry && starts_apart(given, asked, rod, m, e, dt))
            return front_lasts(m, dt);
    return 0.0;
}

double wy_gauss_velocity_jump_duration(const wy_motion *rod, const wy_gauss *m, double t, double dt) {
    const double soon = 1e-4 * dt;
    for (int e = 0; e < 2; e++) {
        double before[6], after[6], later[6], jump[6];
        if (!m->constrains[e] || !rod->ends[e]->pose || rod->ends[e]->carry || !(t > soon))
            continue;
        wy_gauss_end_rates(before, before + 3, rod, m, NULL, e, t - soon, soon);
        wy_gauss_end_rates(after, after + 3, rod, m, NULL, e, t, soon);
        wy_gauss_end_rates(later, later + 3, rod, m, NULL, e, t, dt);
        for (int c = 0; c < 6; c++)
            jump[c] = m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION)
                          ? after[c] - before[c]
                          : 0.0;
        double largest = fmax(v3_norm(later), m->length * v3_norm(later + 3));
        largest = fmax(largest, fmax(v3_norm(before), m->length * v3_norm(before + 3)));
        largest = fmax(largest, fmax(v3_norm(after), m->length * v3_norm(after + 3)));
        if (fmax(v3_norm(jump), m->length * v3_norm(jump + 3)) > 0.05 * largest)
            return front_lasts(m, dt);
    }
    return 0.0;
}

/* Rate of the axial strain at point g of element e, from the velocities at the start. */
static double axial_rate(const wy_gauss *m, size_t e, int g) {
    const size_t P = (size_t)m->space.P;
    double slope[3] = {0.0, 0.0, 0.0}, rate[3] = {0.0, 0.0, 0.0};
    for (size_t j = 0; j <= P; j++) {
        double p[3], v[3];
        wy_gauss_get(p, m->start, m, 3, e * P + j);
        wy_gauss_get(v, m->start + 12 * m->row, m, 3, e * P + j);
        v3_axpy(slope, slope, m->space.D[g / 4][j][g % 4], p);
        v3_axpy(rate, rate, m->space.D[g / 4][j][g % 4], v);
    }
    return v3_dot(slope, rate) / v3_norm(slope);
}

/* Velocities that stretch the rod: u(s), the integral of the rate of its length, less what one end or the mean has
 * of it, is the motion along itself that becomes waves. */
static bool stretching(char *text, size_t size, const wy_motion *rod, const wy_gauss *m) {
    if (rod->start.velocities.rows == 0)
        return false;
    double all = 0.0, waves = 0.0, u = 0.0, sum = 0.0, squares = 0.0, mass = 0.0, most = 0.0, where = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        double v[3];
        wy_gauss_get(v, m->start + 12 * m->row, m, 3, j);
        all += 0.5 * m->tributary_length[j] * m->inertia[3 * m->row + j] * v3_dot(v, v);
    }
    for (size_t e = 0; e < m->elements; e++)
        for (int g = 0; g < m->space.P; g++) {
            const double stretch = wy_gauss_stretch(m, e), rate = axial_rate(m, e, g) / stretch,
                         W = m->space.W[g / 4][g % 4] * stretch, before = u;
            u += W * rate;
            const double mean = 0.5 * (before + u), rhoA = m->inertia[3 * m->row + e * (size_t)m->space.P];
            sum += W * rhoA * mean;
            squares += W * rhoA * mean * mean;
            mass += W * rhoA;
            if (fabs(rate) > most) {
                most = fabs(rate);
                where = wy_gauss_arc_length(m, e, m->space.point[g]);
            }
        }
    waves = 0.5 * (squares - sum * sum / mass);
    if (!(waves > 0.01 * all))
        return false;
    const double c = sqrt(rod->def.section.EA / rod->def.section.rhoA);
    snprintf(
        text, size,
        "the velocities at the start stretch the rod, by up to %.3g a second near s = %.4g m: %.2g of their energy "
        "goes "
        "into waves along it, which run through it in %.3g s",
        most, where, waves / all, m->length / c);
    return true;
}

static bool elsewhere(char *text, size_t size, const wy_gauss *m) {
    if (m->start_off_statics)
        snprintf(text, size,
                 "the start is not the equilibrium that kind: static finds, beside which %zu elements have none: it is "
                 "the one that loads and ends lead "
                 "the rod to from its reference, which need not be stable; more elements may have the other",
                 m->elements);
    return m->start_off_statics;
}

wy_status wy_gauss_start_warning(bool *said, char *text, size_t size, const wy_motion *rod, double dt, int which,
                                 wy_error *err) {
    const wy_gauss *m = rod->method_data;
    if (which == 0)
        return strained(said, text, size, rod, m, err);
    *said = which < 3    ? jerked(text, size, rod, m, which - 1, dt)
            : which == 3 ? stretching(text, size, rod, m)
                         : elsewhere(text, size, m);
    return WY_OK;
}
