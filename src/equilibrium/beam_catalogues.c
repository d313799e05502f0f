/* What a static scenario can choose from: ends, distributed loads, solvers. To add one, write it here and add its row.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/beam.h>
#include <withy/rotation.h>

#include "math/vec3.h"

static const char *const frames[] = {[0] = "space", [1] = "body", NULL};

/* ---- ends ---- */

typedef struct clamped_config {
    double position[3], orientation[4], twist;
} clamped_config;

static const wy_param clamped_params[] = {
    {.key = "position",
     .doc = "Where the end is held.",
     .unit = "m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = offsetof(clamped_config, position)},
    {.key = "orientation",
     .doc = "Quaternion, scalar first, body to space; its length is set to 1.",
     .unit = "1",
     .type = WY_TYPE_VECTOR,
     .count = 4,
     .fallback = "[1, 0, 0, 0]",
     .offset = offsetof(clamped_config, orientation)},
    {.key = "twist",
     .doc = "A further turn about d3, any number of whole turns.",
     .unit = "rad",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(clamped_config, twist)},
    {0},
};

static wy_status make_clamped(wy_beam_end *end, const void *config, const wy_beam *beam, wy_error *err) {
    const clamped_config *c = config;
    (void)beam;
    (void)err;
    *end = (wy_beam_end){.translation = WY_HELD, .rotation = WY_HELD, .twist = c->twist};
    v3_copy(end->position, c->position);
    memcpy(end->orientation, c->orientation, sizeof c->orientation);
    return WY_OK;
}

typedef struct coaxial_config {
    double shortening, twist;
} coaxial_config;

static const wy_param coaxial_params[] = {
    {.key = "shortening",
     .doc = "How much nearer the end is than the unstressed rod is long, as a fraction; negative: stretched.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(coaxial_config, shortening)},
    {.key = "twist",
     .doc = "Turn about the axis against the left end, any number of whole turns.",
     .unit = "rad",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(coaxial_config, twist)},
    {0},
};

static wy_status make_coaxial(wy_beam_end *end, const void *config, const wy_beam *beam, wy_error *err) {
    const coaxial_config *c = config;
    if (end != &beam->right || beam->left.translation != WY_HELD || beam->left.rotation != WY_HELD)
        return wy_fail(err, WY_BAD_INPUT, "'coaxial' is a right end whose left end is clamped");
    if (c->shortening > 1.0)
        return wy_fail(err, WY_BAD_INPUT,
                       "a shortening of %g puts the right clamp behind the left one: at most 1, where the ends "
                       "meet",
                       c->shortening);
    *end = beam->left;
    end->twist = beam->left.twist + c->twist;
    double q[4], axis[3], length = 0.0;
    for (size_t i = 0; i < beam->station_count; i++) { /* trapezoids of nu3* */
        const wy_beam_station *a = &beam->stations[i], *b = i + 1 < beam->station_count ? a + 1 : a;
        length += 0.5 * (b->s - a->s) * (a->stretch[2] + b->stretch[2]);
    }
    if (beam->station_count == 1)
        length = beam->length * beam->stations[0].stretch[2];
    wy_quat_normalize(q, beam->left.orientation);
    wy_quat_rotate(axis, q, (const double[3]){0.0, 0.0, 1.0});
    v3_axpy(end->position, beam->left.position, (1.0 - c->shortening) * length, axis);
    return WY_OK;
}

static const wy_param pinned_params[] = {
    {.key = "position",
     .doc = "Where the joint is.",
     .unit = "m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = 0},
    {0},
};

static wy_status make_pinned(wy_beam_end *end, const void *config, const wy_beam *beam, wy_error *err) {
    (void)beam;
    (void)err;
    *end = (wy_beam_end){.translation = WY_HELD, .rotation = WY_DEAD, .orientation = {1.0, 0.0, 0.0, 0.0}};
    v3_copy(end->position, config);
    return WY_OK;
}

static wy_status make_free(wy_beam_end *end, const void *config, const wy_beam *beam, wy_error *err) {
    (void)config;
    (void)beam;
    (void)err;
    *end = (wy_beam_end){.translation = WY_DEAD, .rotation = WY_DEAD, .orientation = {1.0, 0.0, 0.0, 0.0}};
    return WY_OK;
}

typedef struct loaded_config {
    double force[3], moment[3];
    int frame;
} loaded_config;

static const wy_param loaded_params[] = {
    {.key = "force",
     .doc = "Force on the end.",
     .unit = "N",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = offsetof(loaded_config, force)},
    {.key = "moment",
     .doc = "Moment on the end.",
     .unit = "N m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = offsetof(loaded_config, moment)},
    {.key = "frame",
     .doc = "Components in space (a dead load) or in the body (a load that follows the end).",
     .type = WY_TYPE_NAME,
     .names = frames,
     .fallback = "space",
     .offset = offsetof(loaded_config, frame)},
    {0},
};

static wy_status make_loaded(wy_beam_end *end, const void *config, const wy_beam *beam, wy_error *err) {
    const loaded_config *c = config;
    (void)beam;
    (void)err;
    const int hold = c->frame ? WY_FOLLOWING : WY_DEAD;
    *end = (wy_beam_end){.translation = hold, .rotation = hold, .orientation = {1.0, 0.0, 0.0, 0.0}};
    v3_copy(end->force, c->force);
    v3_copy(end->moment, c->moment);
    return WY_OK;
}

#define END(name_, text, params_, size_)          \
    static const wy_beam_end_sort end_##name_ = { \
        .entry = {.name = #name_, .doc = text, .params = params_, .config_size = size_}, .make = make_##name_}
END(clamped, "Position and orientation are held.", clamped_params, sizeof(clamped_config));
END(coaxial, "Clamped on the axis of the left end: twist and shortening of the thesis.", coaxial_params,
    sizeof(coaxial_config));
END(pinned, "A ball joint: the position is held, there is no moment.", pinned_params, sizeof(double[3]));
END(free, "No force, no moment.", NULL, 0);
END(loaded, "A force and a moment, dead or following.", loaded_params, sizeof(loaded_config));
static const wy_entry *const ends[] = {&end_clamped.entry, &end_coaxial.entry, &end_pinned.entry,
                                       &end_free.entry,    &end_loaded.entry,  NULL};
const wy_catalogue wy_beam_ends = {
    .name = "static-ends", .singular = "end", .doc = "Ends of a rod in equilibrium.", .entries = ends};

/* ---- distributed loads ---- */

typedef struct load_config {
    double value[3];
    int frame;
} load_config;

#define LOAD_PARAMS(key_, text, unit_)                     \
    {                                                      \
        {.key = key_,                                      \
         .doc = text,                                      \
         .unit = unit_,                                    \
         .type = WY_TYPE_VECTOR,                           \
         .count = 3,                                       \
         .offset = offsetof(load_config, value)},          \
            {.key = "frame",                               \
             .doc = "Components in space or in the body.", \
             .type = WY_TYPE_NAME,                         \
             .names = frames,                              \
             .fallback = "space",                          \
             .offset = offsetof(load_config, frame)},      \
        {                                                  \
            0                                              \
        }                                                  \
    }
static const wy_param force_params[] = LOAD_PARAMS("force", "Force per unit length.", "N/m");
static const wy_param couple_params[] = LOAD_PARAMS("couple", "Moment per unit length.", "N");
static const wy_param gravity_params[] = {
    {.key = "acceleration",
     .doc = "Acceleration in space; the force is this times the section's mass per unit length.",
     .unit = "m/s^2",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, -9.80665]",
     .offset = offsetof(load_config, value)},
    {0},
};

static void add_gravity(wy_beam_load *load, const void *config) {
    v3_add(load->gravity, load->gravity, ((const load_config *)config)->value);
}
static void add_force(wy_beam_load *load, const void *config) {
    const load_config *c = config;
    double *to = c->frame ? load->body_force : load->force;
    v3_add(to, to, c->value);
}
static void add_couple(wy_beam_load *load, const void *config) {
    const load_config *c = config;
    double *to = c->frame ? load->body_couple : load->couple;
    v3_add(to, to, c->value);
}

#define LOAD(name_, text)                                                                                     \
    static const wy_beam_load_sort load_##name_ = {                                                           \
        .entry = {.name = #name_, .doc = text, .params = name_##_params, .config_size = sizeof(load_config)}, \
        .add = add_##name_}
LOAD(gravity, "The rod's own weight.");
LOAD(force, "A constant force per unit length.");
LOAD(couple, "A constant moment per unit length.");
static const wy_entry *const loads[] = {&load_gravity.entry, &load_force.entry, &load_couple.entry, NULL};
const wy_catalogue wy_beam_loads = {
    .name = "static-loads", .singular = "load", .doc = "Distributed loads on a rod in equilibrium.", .entries = loads};

/* ---- solvers ---- */

typedef struct solver_config {
    int order;
    wy_choice integrator;
    bool project;
    int64_t elements, max_iterations;
    double tolerance, least_step;
} solver_config;

static const char *const orders[] = {"2", "4", "6", NULL};

#define COMMON_PARAMS(key_, text)                                                                           \
    {.key = key_,                                                                                           \
     .doc = text,                                                                                           \
     .unit = "1",                                                                                           \
     .type = WY_TYPE_INTEGER,                                                                               \
     .rule = WY_RULE_BETWEEN,                                                                               \
     .low = 1,                                                                                              \
     .high = 1e6,                                                                                           \
     .fallback = "100",                                                                                     \
     .offset = offsetof(solver_config, elements)},                                                          \
        {.key = "tolerance",                                                                                \
         .doc = "Largest Newton step in units of the rod (L, EI/L, EI/L^2); 0 = down to round-off.",        \
         .unit = "1",                                                                                       \
         .type = WY_TYPE_REAL,                                                                              \
         .rule = WY_RULE_BETWEEN,                                                                           \
         .low = 0,                                                                                          \
         .high = 0.1,                                                                                       \
         .fallback = "0",                                                                                   \
         .offset = offsetof(solver_config, tolerance)},                                                     \
        {.key = "max_iterations",                                                                           \
         .doc = "Newton iterations at one point of the path.",                                              \
         .unit = "1",                                                                                       \
         .type = WY_TYPE_INTEGER,                                                                           \
         .rule = WY_RULE_BETWEEN,                                                                           \
         .low = 1,                                                                                          \
         .high = 1000,                                                                                      \
         .fallback = "30",                                                                                  \
         .offset = offsetof(solver_config, max_iterations)},                                                \
    {                                                                                                       \
        .key = "least_step", .doc = "The continuation gives up below this fraction of a leg.", .unit = "1", \
        .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = 1e-12, .high = 0.1, .fallback = "1e-5",       \
        .offset = offsetof(solver_config, least_step)                                                       \
    }

static const wy_param collocation_params[] = {
    {.key = "order",
     .doc = "Order of the Gauss-Legendre collocation.",
     .type = WY_TYPE_NAME,
     .names = orders,
     .fallback = "6",
     .offset = offsetof(solver_config, order)},
    COMMON_PARAMS("elements", "Elements over the length."),
    {0},
};
static const wy_param shooting_params[] = {
    {.key = "integrator",
     .doc = "The method that marches along the rod.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_integrators,
     .fallback = "gauss-legendre-4",
     .offset = offsetof(solver_config, integrator)},
    {.key = "project",
     .doc = "Normalise the quaternion after each step.",
     .type = WY_TYPE_BOOL,
     .fallback = "false",
     .offset = offsetof(solver_config, project)},
    COMMON_PARAMS("steps", "Steps over the length."),
    {0},
};

static void make_common(wy_beam_method *m, const solver_config *c) {
    *m = wy_beam_method_default();
    m->elements = (size_t)c->elements;
    m->tolerance = c->tolerance;
    m->max_iterations = c->max_iterations;
    m->least_step = c->least_step;
}
static void make_collocation(wy_beam_method *m, const void *config) {
    const solver_config *c = config;
    make_common(m, c);
    m->order = 2 * (c->order + 1);
}
static void make_shooting(wy_beam_method *m, const void *config) {
    const solver_config *c = config;
    make_common(m, c);
    m->solver = WY_SHOOTING;
    m->integrator = (const wy_integrator *)(const void *)c->integrator.entry;
    m->config = c->integrator.config;
    m->project = c->project;
}

#define SOLVER(name_, text)                                                                                     \
    static const wy_beam_solver_sort solver_##name_ = {                                                         \
        .entry = {.name = #name_, .doc = text, .params = name_##_params, .config_size = sizeof(solver_config)}, \
        .make = make_##name_}
SOLVER(collocation, "A global Newton iteration on all nodes: robust.");
SOLVER(shooting, "Marches from the left end with any integrator, Newton on what is unknown there.");
static const wy_entry *const solvers[] = {&solver_collocation.entry, &solver_shooting.entry, NULL};
const wy_catalogue wy_beam_solvers = {
    .name = "static-solvers", .singular = "solver", .doc = "Solvers for a rod in equilibrium.", .entries = solvers};
