/* The two ends of a moving rod as ports: what acts on them from outside, and what is seen of them. Internal to
 * src/motion. */
#ifndef WY_MOTION_PORTS_H
#define WY_MOTION_PORTS_H

#include <withy/march.h>
#include <withy/motion.h>
#include <withy/rod.h>

enum { WY_PORT_INPUTS = 13, WY_PORT_OUTPUTS = 22 };
enum { WY_PORT_FORCE, WY_PORT_MOMENT = 3 }; /* inputs of a loose end */
enum {
    WY_PORT_POSITION,
    WY_PORT_ORIENTATION = 3,
    WY_PORT_VELOCITY = 7,
    WY_PORT_ANGULAR_VELOCITY = 10
};                                                                  /* inputs of a driven one */
enum { WY_PORT_OUT_V = 7, WY_PORT_OUT_A = 13, WY_PORT_OUT_F = 16 }; /* outputs: position and orientation come first */
enum { WY_PORT_KEPT_POSE, WY_PORT_KEPT_V = 7, WY_PORT_KEPT_DT = 10 };

/* One end. Inputs of an end that is not held: force and moment; of a driven one: pose (7), velocity and angular
 * velocity. */
typedef struct wy_motion_port {
    double value[WY_PORT_INPUTS], rate[WY_PORT_INPUTS];
    double out[WY_PORT_OUTPUTS]; /* position, orientation, velocity, angular velocity, acceleration, force, moment */
    /* what a state keeps: the pose that was last asked for, the velocity before the last step, and its length */
    double kept[11];
} wy_motion_port;

/* Offers the inputs and outputs of both ends to the caller that steps the rod; the rod is at its start. */
void wy_motion_ports_offer(wy_march *march, wy_motion_port port[2], const wy_motion *rod, const wy_motion_view *view);

/* Puts the inputs to work for the next step, of dt; `view` is what is seen at its beginning. */
wy_status wy_motion_ports_apply(wy_motion_port port[2], const wy_motion *rod, wy_motion_state *state,
                                const wy_motion_view *view, double dt, wy_error *err);

/* Changes of the inputs, in the order in which they are offered, that move or turn an end in a step of dt by about
 * an element's length or a radian. */
void wy_motion_ports_scales(const wy_motion *rod, double dt, double *scale);

/* Whether anything acts on the ends from outside. */
bool wy_motion_ports_are_active(const wy_motion_port port[2], const wy_motion *rod);

/* Whether a driven end's pose is the one that was last looked at. */
bool wy_motion_port_is_same(const wy_motion_port *port);

/* ---- motion_port_tangent.c: outputs by inputs, exact ---- */

typedef struct wy_motion_port_tangent wy_motion_port_tangent;

/* Whether the rod's method has it, for a rod of this length. */
bool wy_motion_port_tangent_is_available(const wy_motion *rod);

/* For the inputs that were offered, in their order. */
wy_status wy_motion_port_tangent_create(wy_motion_port_tangent **out, const wy_motion *rod, wy_error *err);
void wy_motion_port_tangent_free(wy_motion_port_tangent *t);

/* From nothing; then each step is wy_motion_ports_apply and wy_motion_step, with the derivative. */
void wy_motion_port_tangent_begin(wy_motion_port_tangent *t);
wy_status wy_motion_port_tangent_step(wy_motion_port_tangent *t, wy_motion_port port[2], const wy_motion *rod,
                                      wy_motion_state *state, wy_motion_work *work, const wy_motion_view *view,
                                      double dt, wy_error *err);

/* Outputs by inputs, row by row, over all steps since the beginning; `port` has been looked at. */
void wy_motion_port_tangent_read(double *matrix, const wy_motion_port_tangent *t, const wy_motion_port port[2],
                                 const wy_motion *rod, const wy_motion_state *state);

/* The outputs, from what is seen. */
void wy_motion_ports_read(wy_motion_port port[2], const wy_motion *rod, const wy_motion_state *state,
                          const wy_motion_view *view);

#endif
