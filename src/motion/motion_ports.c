/* The ends of a moving rod as ports. An end that nothing holds takes a force and a moment (space components, the
 * mean over the step: value + rate dt/2). A driven end takes a pose and goes on with a velocity and an angular
 * velocity:
 *   p1 = p + dt v,   R1 = exp(dt omega) R,
 * where (p, R) is the pose of the inputs, or, where that has not changed since it was last looked at, where the end
 * is. With a velocity of 0 the end is at the pose of the inputs when the step is over. In between it goes as
 * `driven` ends do. */
#include "motion/motion_ports.h"

#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"

#define THREE(e, word) #e "." word ".x", #e "." word ".y", #e "." word ".z"
#define FOUR(e, word) #e "." word ".0", #e "." word ".1", #e "." word ".2", #e "." word ".3"
#define PORT(e)                                                                                           \
    {                                                                                                     \
        THREE(e, "position"), FOUR(e, "orientation"), THREE(e, "velocity"), THREE(e, "angular_velocity"), \
            THREE(e, "acceleration"), THREE(e, "force"), THREE(e, "moment")                               \
    }
static const char *const out_names[2][WY_PORT_OUTPUTS] = {PORT(first_end), PORT(last_end)};

#define PUSH(e) \
    { THREE(e, "push.force"), THREE(e, "push.moment") }
static const char *const push_names[2][6] = {PUSH(first_end), PUSH(last_end)};

#define DRIVE(e)                                                                              \
    {                                                                                         \
        THREE(e, "drive.position"), FOUR(e, "drive.orientation"), THREE(e, "drive.velocity"), \
            THREE(e, "drive.angular_velocity")                                                \
    }
static const char *const drive_names[2][WY_PORT_INPUTS] = {DRIVE(first_end), DRIVE(last_end)};

typedef struct port_row {
    int count;
    const char *doc, *unit;
} port_row;

static const port_row out_rows[] = {
    {3, "Where the end is, in space.", "m"},
    {4, "Quaternion of the end, scalar first, body to space.", "1"},
    {3, "Velocity of the end, in space.", "m/s"},
    {3, "Angular velocity of the end, in space.", "rad/s"},
    {3, "Mean acceleration of the end over the last step, in space.", "m/s^2"},
    {3, "Force of what holds the end on the rod, mean over the last step, in space.", "N"},
    {3, "Moment of what holds the end on the rod, mean over the last step, in space.", "N m"},
    {0, NULL, NULL},
};

static const port_row push_rows[] = {
    {3, "Force on the end, in space, besides what the scenario says.", "N"},
    {3, "Moment on the end, in space, besides what the scenario says.", "N m"},
    {0, NULL, NULL},
};

static const port_row drive_rows[] = {
    {3, "Where the end is asked to be, in space.", "m"},
    {4, "Quaternion that the end is asked to have, scalar first, body to space; its length is set to 1.", "1"},
    {3, "Velocity with which it goes on from there, in space.", "m/s"},
    {3, "Angular velocity with which it goes on from there, in space.", "rad/s"},
    {0, NULL, NULL},
};

static void offer_inputs(wy_march *march, wy_motion_port *port, const char *const *names, const port_row *rows,
                         int from, int until) {
    int i = 0;
    for (; rows->count; rows++)
        for (int k = 0; k < rows->count; k++, i++)
            if (i >= from && i < until && march->input_count < WY_MARCH_INPUTS)
                march->inputs[march->input_count++] =
                    (wy_march_input){names[i], rows->doc, rows->unit, &port->value[i], &port->rate[i]};
}

static void offer_outputs(wy_march *march, wy_motion_port *port, const char *const *names, int count) {
    int i = 0;
    for (const port_row *row = out_rows; row->count; row++)
        for (int k = 0; k < row->count; k++, i++)
            if (i < count && march->output_count < WY_MARCH_OUTPUTS)
                march->outputs[march->output_count++] = (wy_march_output){names[i], row->doc, row->unit, &port->out[i]};
}

void wy_motion_ports_offer(wy_march *march, wy_motion_port port[2], const wy_motion *rod, const wy_motion_view *view) {
    for (int e = 0; e < 2; e++) {
        const unsigned constrains = rod->constrains[e];
        const size_t j = e ? rod->nodes - 1 : 0;
        if (rod->ends[e]->carry) {
            memcpy(port[e].value + WY_PORT_POSITION, view->position + 3 * j, 3 * sizeof(double));
            memcpy(port[e].value + WY_PORT_ORIENTATION, view->orientation + 4 * j, 4 * sizeof(double));
            memcpy(port[e].kept + WY_PORT_KEPT_POSE, port[e].value, 7 * sizeof(double));
            offer_inputs(march, &port[e], drive_names[e], drive_rows, 0, WY_PORT_INPUTS);
        } else {
            if (!(constrains & WY_CONSTRAINS_POSITION))
                offer_inputs(march, &port[e], push_names[e], push_rows, WY_PORT_FORCE, WY_PORT_MOMENT);
            if (!(constrains & WY_CONSTRAINS_ROTATION))
                offer_inputs(march, &port[e], push_names[e], push_rows, WY_PORT_MOMENT, WY_PORT_MOMENT + 3);
        }
        offer_outputs(march, &port[e], out_names[e],
                      rod->constraint[e].components && rod->method->reaction
                          ? WY_PORT_OUTPUTS
                          : WY_PORT_OUT_F); /* what holds nothing has no reaction */
    }
}

static wy_status push_end(const wy_motion_port *p, const wy_motion *rod, wy_motion_state *state, int e, double dt,
                          wy_error *err) {
    double wrench[6];
    for (int i = 0; i < 6; i++)
        wrench[i] = p->value[i] + 0.5 * dt * p->rate[i];
    return wy_motion_push(rod, state, e, wrench + WY_PORT_FORCE, wrench + WY_PORT_MOMENT, err);
}

bool wy_motion_port_is_same(const wy_motion_port *p) {
    return memcmp(p->kept + WY_PORT_KEPT_POSE, p->value, 7 * sizeof(double)) == 0;
}

static wy_status carry(wy_motion_port *p, const wy_motion *rod, wy_motion_state *state, int e, const double *x,
                       const double *q, double dt, wy_error *err) {
    const bool same = wy_motion_port_is_same(p);
    double position[3], phi[3], turn[4], turned[4], norm;
    for (int i = 0; i < WY_PORT_INPUTS; i++)
        if (!isfinite(p->value[i]))
            return wy_fail(err, WY_BAD_INPUT, "a driven end is asked for %g in one of its inputs, expected numbers",
                           p->value[i]);
    norm = wy_hypot(wy_hypot(p->value[WY_PORT_ORIENTATION], p->value[WY_PORT_ORIENTATION + 1]),
                    wy_hypot(p->value[WY_PORT_ORIENTATION + 2], p->value[WY_PORT_ORIENTATION + 3]));
    if (!(norm > 0.5 && norm < 2.0))
        return wy_fail(err, WY_BAD_INPUT, "a driven end is asked for a quaternion of length %g, expected 1", norm);
    memcpy(p->kept + WY_PORT_KEPT_POSE, p->value, 7 * sizeof(double));
    v3_axpy(position, same ? x : p->value + WY_PORT_POSITION, dt, p->value + WY_PORT_VELOCITY);
    v3_scale(phi, dt, p->value + WY_PORT_ANGULAR_VELOCITY);
    wy_quat_exp(turn, phi);
    wy_quat_product(turned, turn, same ? q : p->value + WY_PORT_ORIENTATION);
    wy_quat_normalize(turned, turned);
    return wy_motion_carry(rod, state, e, position, turned, dt, err);
}

wy_status wy_motion_ports_apply(wy_motion_port port[2], const wy_motion *rod, wy_motion_state *state,
                                const wy_motion_view *view, double dt, wy_error *err) {
    wy_status s = WY_OK;
    for (int e = 0; e < 2 && !s; e++) {
        const size_t j = e ? rod->nodes - 1 : 0;
        const double *q = view->orientation + 4 * j;
        wy_quat_rotate(port[e].kept + WY_PORT_KEPT_V, q, view->velocity + 6 * j + 3);
        port[e].kept[WY_PORT_KEPT_DT] = dt;
        if (rod->ends[e]->carry)
            s = carry(&port[e], rod, state, e, view->position + 3 * j, q, dt, err);
        else if (rod->constrains[e] != (WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION))
            s = push_end(&port[e], rod, state, e, dt, err);
    }
    return s;
}

/* The end's share of the mass and its element's stiffness resist, whichever is stronger. */
void wy_motion_ports_scales(const wy_motion *rod, double dt, double *scale) {
    for (int e = 0; e < 2; e++) {
        const wy_section *at = &rod->section[e ? rod->nodes - 1 : 0];
        const unsigned constrains = rod->constrains[e];
        const double h = rod->h, EI = fmin(at->EI1, at->EI2), rhoI = fmin(at->rhoI1, at->rhoI2);
        if (rod->ends[e]->carry) {
            for (int i = 0; i < WY_PORT_INPUTS; i++)
                *scale++ = i < WY_PORT_ORIENTATION        ? h
                           : i < WY_PORT_VELOCITY         ? 1.0
                           : i < WY_PORT_ANGULAR_VELOCITY ? h / dt
                                                          : 1.0 / dt;
            continue;
        }
        const double force = fmax(at->rhoA * h * h / (dt * dt), EI / (h * h));
        const double moment = fmax(rhoI * h / (dt * dt), fmin(EI, at->GJ) / h);
        for (int i = 0; i < 6; i++)
            if (!(constrains & (i < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION)))
                *scale++ = i < 3 ? force : moment;
    }
}

bool wy_motion_ports_are_active(const wy_motion_port port[2], const wy_motion *rod) {
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 6; i++)
            if (rod->ends[e]->carry || port[e].value[i] != 0.0 || port[e].rate[i] != 0.0)
                return true;
    return false;
}

void wy_motion_ports_read(wy_motion_port port[2], const wy_motion *rod, const wy_motion_state *state,
                          const wy_motion_view *view) {
    for (int e = 0; e < 2; e++) {
        const size_t j = e ? rod->nodes - 1 : 0;
        double *out = port[e].out;
        const double *kept = port[e].kept, *q = view->orientation + 4 * j;
        memcpy(out, view->position + 3 * j, 3 * sizeof *out);
        memcpy(out + 3, q, 4 * sizeof *out);
        wy_quat_rotate(out + WY_PORT_OUT_V, q, view->velocity + 6 * j + 3);
        wy_quat_rotate(out + WY_PORT_OUT_V + 3, q, view->velocity + 6 * j);
        for (int i = 0; i < 3; i++)
            out[WY_PORT_OUT_A + i] = kept[WY_PORT_KEPT_DT] > 0.0
                                         ? (out[WY_PORT_OUT_V + i] - kept[WY_PORT_KEPT_V + i]) / kept[WY_PORT_KEPT_DT]
                                         : 0.0;
        if (rod->method->reaction) /* 0 for an end that nothing holds or joins */
            rod->method->reaction(out + WY_PORT_OUT_F, out + WY_PORT_OUT_F + 3, rod, state->x, e);
    }
}

void wy_motion_end_forces(double forces[2][6], const wy_motion *rod, const wy_motion_state *state,
                          const wy_motion_view *view) {
    for (int e = 0; e < 2; e++) {
        const size_t j = e ? rod->nodes - 1 : 0;
        const double *q = view->orientation + 4 * j, *push = state->x + WY_STATE_PUSH + 6 * e;
        double D[9], v[3], omega[3], held[6] = {0};
        wy_directors_from_quat(D, q);
        wy_quat_rotate(omega, q, view->velocity + 6 * j);
        wy_quat_rotate(v, q, view->velocity + 6 * j + 3);
        wy_node_load n = {.t = wy_motion_time(state),
                          .inverse_dt = 1.0, /* so that u and theta are velocities */
                          .half = 1.0,
                          .p = view->position + 3 * j,
                          .D = D,
                          .D1 = D,
                          .u = v,
                          .theta = omega};
        wy_node_add_end(&n, rod, state->x, e);
        if (rod->method->reaction) /* 0 for an end that nothing holds or joins */
            rod->method->reaction(held, held + 3, rod, state->x, e);
        for (int i = 0; i < 3; i++) {
            forces[e][i] = held[i] + n.force[i] + push[i];
            forces[e][3 + i] = held[3 + i] + n.moment[i] + push[3 + i];
        }
    }
}
