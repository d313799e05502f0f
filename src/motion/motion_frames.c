/* The frames of a moving rod: its channels, and the worst values so far. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/motion_run_state.h"

/* Rows that only some runs have. */
enum { ESTIMATES = 1, GRADED = 2, WRENCH_AT_END = 4, MEAN_WRENCH = 8 };
#define WRENCH                                            \
    .group = "state", .name = "wrench", .unit = "N m, N", \
    .doc = "[moment; force] inside the elements, in the body frame.", .rank = 2, .dims = {0, 6}
#define HERE(member, ...) WY_CHANNEL(rod_run, member, __VA_ARGS__)
static const wy_channel_row rod_rows[] = {
    HERE(time, .name = "time", .unit = "s", .doc = "Time."),
    WY_NODE_CHANNEL(rod_run, position, .group = "state", .name = "position", .unit = "m",
                    .doc = "Nodes along the rod, in space.", .panel = "shape", .rank = 2, .dims = {0, 3}),
    WY_NODE_CHANNEL(rod_run, orientation, .group = "state", .name = "orientation", .unit = "1",
                    .doc = "Quaternions of the nodes, scalar first, body to space.", .rank = 2, .dims = {0, 4}),
    WY_NODE_CHANNEL(rod_run, velocity, .group = "state", .name = "velocity", .unit = "rad/s, m/s",
                    .doc = "[omega; v] of the nodes in the body frame.", .rank = 2, .dims = {0, 6}),
    WY_ELEMENT_CHANNEL(
        rod_run, strain, .group = "state", .name = "strain", .unit = "rad/m, 1",
        .doc = "[kappa; nu] of the elements in the body frame, constant over each: its integral is the poses.",
        .rank = 2, .dims = {0, 6}),
    {.channel = {WRENCH}, .offset = offsetof(rod_run, wrench), .per = WY_PER_ELEMENT, .option = WRENCH_AT_END},
    /* what acted between the ends of the step */
    {.channel = {WRENCH, .meaning = "mean over the step"},
     .offset = offsetof(rod_run, wrench),
     .per = WY_PER_ELEMENT,
     .option = MEAN_WRENCH},
    HERE(tip, .group = "state", .name = "tip", .unit = "m", .doc = "Position of the end at s = L, in space.", .rank = 1,
         .dims = {3}, .panel = "tip position"),
    WY_END_FORCE_ROWS(rod_run, ends, MEAN_WRENCH, "; reactions are means over the step"),
    HERE(energy.kinetic, .group = "energy", .name = "kinetic", .unit = "J", .doc = "Kinetic energy.",
         .panel = "energy"),
    HERE(energy.strain, .group = "energy", .name = "strain_energy", .unit = "J", .doc = "Elastic energy.",
         .panel = "energy"),
    HERE(energy.gravity, .group = "energy", .name = "gravity", .unit = "J",
         .doc = "Potential of gravity, 0 at the origin.", .panel = "energy"),
    HERE(energy.dissipated, .group = "energy", .name = "dissipated", .unit = "J",
         .doc = "Taken by viscosity and drag so far.", .panel = "energy"),
    HERE(energy.numerical, .group = "energy", .name = "numerical_dissipation", .unit = "J",
         .doc = "Lost by the method itself so far, not by the rod; negative: it made energy.", .panel = "energy"),
    HERE(energy.work, .group = "energy", .name = "work", .unit = "J", .doc = "Done by loads and moved ends so far.",
         .panel = "energy"),
    HERE(balance_now, .group = "invariants", .name = "balance", .unit = "J",
         .doc = "kinetic + strain + gravity + dissipated + numerical_dissipation - work.", .panel = "energy balance"),
    HERE(P, .group = "momentum", .name = "linear_momentum", .unit = "kg m/s", .doc = "In space.", .rank = 1,
         .dims = {3}),
    HERE(L, .group = "momentum", .name = "angular_momentum", .unit = "kg m^2/s", .doc = "About the origin, in space.",
         .rank = 1, .dims = {3}),
    HERE(counts[0], .group = "solver", .name = "iterations", .unit = "1",
         .doc = "Newton iterations since the last frame.", .whole = true),
    HERE(counts[1], .group = "solver", .name = "retries", .unit = "1",
         .doc = "Attempts made again since the last frame.", .whole = true),
    HERE(counts[2], .group = "solver", .name = "halvings", .unit = "1", .doc = "Steps cut in two since the last frame.",
         .whole = true),
    WY_CERTIFICATE_ROWS(rod_run, certificate, ESTIMATES),
    HERE(drift, .group = "certificate", .name = "energy_drift", .unit = "1",
         .doc = "Largest change of the balance so far, relative to the largest kinetic or strain energy; of steps that "
                "lose energy by themselves (bdf-alpha, dissipative) round-off by construction: see "
                "numerical_dissipation."),
    HERE(momentum_drift, .group = "certificate", .name = "momentum_drift", .unit = "1",
         .doc = "Largest change of the momenta so far, relative; 0 where ends or loads change them."),
    HERE(gap, .group = "certificate", .name = "kinematic_residual", .unit = "1",
         .doc = "Largest distance so far of the poses from the integral of the strains, relative to the length."),
    HERE(counts[3], .group = "certificate", .name = "newton_iterations", .unit = "1",
         .doc = "Newton iterations so far.", .whole = true),
    HERE(counts[4], .group = "certificate", .name = "newton_retries", .unit = "1", .doc = "Attempts made again so far.",
         .whole = true),
    HERE(counts[5], .group = "certificate", .name = "steps_halved", .unit = "1", .doc = "Steps cut in two so far.",
         .whole = true),
    HERE(counts[6], .group = "certificate", .name = "fallback_steps", .unit = "1",
         .doc = "Steps too violent for stages that keep the energy, taken with dissipative ones so far.",
         .whole = true),
    HERE(counts[7], .group = "certificate", .name = "fallback_energy", .unit = "1",
         .doc = "Energy that those took so far, relative to the largest kinetic or strain energy."),
    {.channel = {.group = "state",
                 .name = "arc_length",
                 .unit = "m",
                 .doc = "Nodes of a graded mesh.",
                 .rank = 1,
                 .dims = {0}},
     .offset = offsetof(rod_run, arc_length),
     .per = WY_PER_NODE,
     .option = GRADED},
};

/* Keeps the certificate's worst values up to date; called after every step. */
void wy_rod_run_watch(rod_run *run, bool start) {
    wy_motion_energies(&run->energy, run->rod, run->state);
    wy_motion_momenta(run->P, run->L, run->rod, run->state);
    run->balance_now = run->energy.balance;
    if (start) {
        run->balance = run->energy.balance;
        v3_copy(run->linear, run->P);
        v3_copy(run->angular, run->L);
    }
    const double change = fabs(run->energy.balance - run->balance), largest = run->energy.largest;
    if (change > 0.0)
        run->drift = fmax(run->drift, largest > 0.0 ? change / largest : 0.0);
    if (run->energy.numerical < 0.0 && largest > 0.0)
        run->gained = fmax(run->gained, -run->energy.numerical / largest);
    if (run->momentum_free) {
        double a[3], b[3];
        v3_sub(a, run->P, run->linear);
        v3_sub(b, run->L, run->angular);
        /* a rod at rest has no momentum to compare with: its mass moving at the speed of its energy has */
        const double M = run->rod->def.section.rhoA * run->length, speed = sqrt(2.0 * largest / M);
        const double scale = fmax(v3_norm(run->linear), M * speed);
        const double scale2 = fmax(v3_norm(run->angular), M * speed * run->length);
        if (scale > 0.0)
            run->momentum_drift = fmax(run->momentum_drift, fmax(v3_norm(a) / scale, v3_norm(b) / scale2));
    }
}

wy_motion_view wy_rod_run_view(rod_run *run, const wy_motion_state *state) {
    const wy_motion_view view = {run->position, run->orientation, run->velocity, run->strain, run->wrench};
    wy_motion_read(run->rod, state, &view);
    return view;
}

void wy_rod_run_sample(void *context, const double **values) {
    rod_run *run = context;
    wy_motion_stats now;
    wy_motion_statistics(&now, run->state);
    const wy_motion_view view = wy_rod_run_view(run, run->seen);
    wy_motion_ports_read(run->port, run->rod, run->seen, &view);
    wy_motion_end_forces(run->ends, run->rod, run->seen, &view);
    wy_motion_energies(&run->energy, run->rod, run->seen);
    wy_motion_momenta(run->P, run->L, run->rod, run->seen);
    run->gap = fmax(run->gap, wy_motion_kinematic_residual(run->rod, run->state) / run->length);
    const double largest = run->state->x[WY_STATE_LARGEST];
    const double counts[8] = {(double)now.iterations - (double)run->before.iterations,
                              (double)now.retries - (double)run->before.retries,
                              (double)now.halvings - (double)run->before.halvings,
                              (double)now.iterations,
                              (double)now.retries,
                              (double)now.halvings,
                              (double)now.fallback_steps,
                              largest > 0.0 ? run->state->x[WY_STATE_FALLBACK_ENERGY] / largest : 0.0};
    memcpy(run->counts, counts, sizeof counts);
    run->before = now;
    v3_copy(run->tip, run->position + 3 * (wy_motion_nodes(run->rod) - 1));
    wy_certificate_sample(&run->certificate, run->rod, run->seen, run->strain, run->wrench);
    memcpy(values + 1, run->table.values + 1, (run->table.count - 1) * sizeof *values);
}

wy_status wy_rod_run_table_open(rod_run *run, size_t nodes, wy_error *err) {
    const size_t counts[WY_PERS] = {[WY_PER_NODE] = nodes, [WY_PER_ELEMENT] = nodes - 1};
    const unsigned options = (run->certificate.coarse_runs ? ESTIMATES : 0U) | (run->rod->graded ? GRADED : 0U) |
                             (run->rod->method->reaction ? MEAN_WRENCH : WRENCH_AT_END);
    return wy_channel_table_open(&run->table, rod_rows, sizeof rod_rows / sizeof *rod_rows, run, counts, options, err);
}
