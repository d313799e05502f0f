/* What the ports of a rod show, differentiated by what acts on them: the mobility of a force-driven end, the
 * impedance of a motion-driven one. The method carries one direction for each input through the steps; here inputs
 * become changes of pushes and paths, and changes of the ends become those of outputs.
 *
 * A driven end goes to p1 = p + dt v, R1 = exp(dt omega) R. With psi the turn (space) of a frame that changes, dR =
 * [psi] R:
 *
 *   dp1 = dp + dt dv,     psi1 = J(dt omega) dt domega + exp(dt omega) psi,     dphi = J(phi)^-1 (psi1 - exp(phi) psi0)
 *
 * for the rotation vector phi of the way from R0 to R1; J is the left Jacobian of exp (wy_motion_spin_of). Where the
 * pose of the inputs is the one of the step before, (p, R) is where the end is; then those inputs act only in the
 * first step, and only if the end is where they say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include "motion/motion_internal.h"
#include "motion/motion_ports.h"

struct wy_motion_port_tangent {
    wy_motion_tangent all;
    double (*velocity)[2][3]; /* at the beginning of the last step */
    double dt;
    bool fresh; /* no step yet */
};

bool wy_motion_port_tangent_is_available(const wy_motion *rod) {
    return rod->method->tangent && rod->method->tangent_size(rod) > 0;
}

/* Of what input `n` is: an end and the place among its own; false: there are no more. */
static bool input_of(int *end, int *component, const wy_motion *rod, size_t n) {
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < WY_PORT_INPUTS; i++) {
            const bool there =
                rod->ends[e]->carry ||
                (i < 6 && !(rod->constrains[e] & (i < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION)));
            if (there && n-- == 0) {
                *end = e;
                *component = i;
                return true;
            }
        }
    return false;
}

wy_status wy_motion_port_tangent_create(wy_motion_port_tangent **out, const wy_motion *rod, wy_error *err) {
    int e, i;
    size_t count = 0;
    while (input_of(&e, &i, rod, count))
        count++;
    const size_t size = rod->method->tangent_size(rod), scratch = rod->method->tangent_scratch(rod);
    wy_motion_port_tangent *t = *out = calloc(1, sizeof *t);
    if (t) {
        t->all.count = count;
        t->all.size = size;
        t->all.x = calloc(2 * count * size + scratch + 1, sizeof(double));
        t->all.scratch = t->all.x + count * size;
        t->all.push = calloc(count + 1, sizeof *t->all.push);
        t->all.path_change = calloc(count + 1, sizeof *t->all.path_change);
        t->all.reaction = calloc(count + 1, sizeof *t->all.reaction);
        t->velocity = calloc(count + 1, sizeof *t->velocity);
    }
    if (t && t->all.x && t->all.push && t->all.path_change && t->all.reaction && t->velocity)
        return WY_OK;
    wy_motion_port_tangent_free(t);
    *out = NULL;
    return wy_fail(err, WY_NO_MEMORY, "no memory for the derivatives of a rod by %zu inputs", count);
}

void wy_motion_port_tangent_free(wy_motion_port_tangent *t) {
    if (!t)
        return;
    free(t->all.x);
    free(t->all.push);
    free(t->all.path_change);
    free(t->all.reaction);
    free(t->velocity);
    free(t);
}

void wy_motion_port_tangent_begin(wy_motion_port_tangent *t) {
    memset(t->all.x, 0, t->all.count * t->all.size * sizeof *t->all.x);
    memset(t->all.reaction, 0, t->all.count * sizeof *t->all.reaction);
    memset(t->velocity, 0, t->all.count * sizeof *t->velocity);
    t->dt = 0.0;
    t->fresh = true;
}

/* ---- inputs ---- */

/* Where a driven end was asked to be before the step, and whether its pose counts. */
typedef struct driven {
    bool same, there;
} driven;

static bool is_there(const wy_motion_port *p, const wy_motion *rod, const double *x, const double *q) {
    double off[3], align = 0.0;
    v3_sub(off, p->value + WY_PORT_POSITION, x);
    for (int i = 0; i < 4; i++)
        align += p->value[WY_PORT_ORIENTATION + i] * q[i];
    return v3_norm(off) <= 1e-12 * rod->def.length && fabs(align) >= 1.0 - 1e-12;
}

/* The turn that a change of component c of a quaternion is. */
static void turn_by_component(double psi[3], const double q[4], int c) {
    double one[4] = {0.0}, back[4], product[4], norm = 0.0;
    one[c] = 1.0;
    for (int i = 0; i < 4; i++)
        norm += q[i] * q[i];
    wy_quat_conjugate(back, q);
    wy_quat_product(product, one, back);
    v3_scale(psi, 2.0 / norm, product + 1);
}

/* How input `component` of the end (or another one's: -1) changes the path, of which the end's own change so far is
 * `now`. */
static void change_path(wy_motion_path_change *path_change, const wy_motion_port *p, const wy_end_driven *path,
                        driven was, bool fresh, int component, const double now[12], double dt) {
    const bool counts = !was.same || (fresh && was.there);
    double to[3] = {0.0, 0.0, 0.0}, psi[3] = {0.0, 0.0, 0.0}, phi[3], q[4], turned[3];
    if (was.same) {
        v3_copy(to, now);
        v3_copy(psi, now + 3);
    }
    if (component >= WY_PORT_POSITION && component < WY_PORT_ORIENTATION && counts)
        to[component] += 1.0;
    if (component >= WY_PORT_ORIENTATION && component < WY_PORT_VELOCITY && counts) {
        double by[3];
        turn_by_component(by, p->value + WY_PORT_ORIENTATION, component - WY_PORT_ORIENTATION);
        v3_add(psi, psi, by);
    }
    if (component >= WY_PORT_VELOCITY && component < WY_PORT_ANGULAR_VELOCITY)
        to[component - WY_PORT_VELOCITY] += dt;
    v3_scale(phi, dt, p->value + WY_PORT_ANGULAR_VELOCITY);
    wy_quat_exp(q, phi);
    wy_quat_rotate(turned, q, psi);
    if (component >= WY_PORT_ANGULAR_VELOCITY) {
        double one[3] = {0.0, 0.0, 0.0}, by[3];
        one[component - WY_PORT_ANGULAR_VELOCITY] = dt;
        wy_motion_spin_of(by, phi, one);
        v3_add(turned, turned, by);
    }
    v3_copy(path_change->from, now);
    v3_sub(path_change->displacement, to, now);
    v3_copy(path_change->start, now + 3);
    wy_quat_exp(q, path->turn);
    wy_quat_rotate(psi, q, now + 3);
    v3_sub(turned, turned, psi);
    wy_motion_rate_of(path_change->turn, path->turn, turned);
}

static void change_inputs(wy_motion_port_tangent *t, const wy_motion_port port[2], const wy_motion *rod,
                          const double *x, const driven was[2], double dt) {
    for (int e = 0; e < 2; e++)
        t->all.path[e] = rod->ends[e]->carry ? wy_motion_end_config(rod, x, e) : NULL;
    memset(t->all.push, 0, t->all.count * sizeof *t->all.push);
    for (size_t n = 0; n < t->all.count; n++) {
        int end = 0, component = 0;
        input_of(&end, &component, rod, n);
        for (int e = 0; e < 2; e++) {
            double now[12];
            rod->method->tangent_end(now, rod, x, t->all.x + n * t->all.size, e);
            memcpy(t->velocity[n][e], now + 6, sizeof t->velocity[n][e]);
            if (t->all.path[e])
                change_path(&t->all.path_change[n][e], &port[e], t->all.path[e], was[e], t->fresh,
                            e == end ? component : -1, now, dt);
        }
        if (!t->all.path[end])
            t->all.push[n][6 * end + component] = 1.0;
    }
}

wy_status wy_motion_port_tangent_step(wy_motion_port_tangent *t, wy_motion_port port[2], const wy_motion *rod,
                                      wy_motion_state *state, wy_motion_work *work, const wy_motion_view *view,
                                      double dt, wy_error *err) {
    driven was[2] = {{false, false}, {false, false}};
    for (int e = 0; e < 2; e++) {
        const size_t j = e ? rod->nodes - 1 : 0;
        if (rod->ends[e]->carry)
            was[e] = (driven){wy_motion_port_is_same(&port[e]),
                              is_there(&port[e], rod, view->position + 3 * j, view->orientation + 4 * j)};
    }
    wy_status s = wy_motion_ports_apply(port, rod, state, view, dt, err);
    if (s)
        return s;
    change_inputs(t, port, rod, state->x, was, dt);
    s = rod->method->tangent(rod, state->x, work->x, dt, &t->all, err);
    if (s)
        return s;
    wy_motion_energy energy = {0};
    rod->method->energies(&energy, rod, state->x);
    state->x[WY_STATE_STEPS] += 1.0;
    state->x[WY_STATE_LARGEST] = fmax(state->x[WY_STATE_LARGEST], fmax(energy.kinetic, energy.strain));
    t->dt = dt;
    t->fresh = false;
    return WY_OK;
}

/* ---- outputs ---- */

static void change_outputs(double out[WY_PORT_OUTPUTS], const wy_motion_port_tangent *t, const wy_motion_port *port,
                           const wy_motion *rod, const double *x, size_t n, int e) {
    double now[12], psi[4] = {0.0};
    rod->method->tangent_end(now, rod, x, t->all.x + n * t->all.size, e);
    memcpy(out, now, 3 * sizeof *out);
    v3_scale(psi + 1, 0.5, now + 3);
    wy_quat_product(out + 3, psi, port->out + 3);
    memcpy(out + WY_PORT_OUT_V, now + 6, 6 * sizeof *out);
    for (int c = 0; c < 3; c++)
        out[WY_PORT_OUT_A + c] = t->dt > 0.0 ? (now[6 + c] - t->velocity[n][e][c]) / t->dt : 0.0;
    memcpy(out + WY_PORT_OUT_F, t->all.reaction[n] + 6 * e, 6 * sizeof *out);
}

void wy_motion_port_tangent_read(double *matrix, const wy_motion_port_tangent *t, const wy_motion_port port[2],
                                 const wy_motion *rod, const wy_motion_state *state) {
    for (int e = 0; e < 2; e++) {
        const size_t rows = rod->constraint[e].components && rod->method->reaction ? WY_PORT_OUTPUTS : WY_PORT_OUT_F;
        for (size_t n = 0; n < t->all.count; n++) {
            double out[WY_PORT_OUTPUTS];
            change_outputs(out, t, &port[e], rod, state->x, n, e);
            for (size_t i = 0; i < rows; i++)
                matrix[i * t->all.count + n] = out[i];
        }
        matrix += rows * t->all.count;
    }
}
