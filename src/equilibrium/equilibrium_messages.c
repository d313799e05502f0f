/* Notes and warnings about an equilibrium. */
#include "equilibrium/equilibrium_messages.h"

#include <math.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"
#include "estimate/richardson.h"
#include "math/vec3.h"
#include "rod/rod_definition.h"

/* A plot needs three digits; fewer are reported. */
void wy_equilibrium_warn_error(const equilibrium_message_context *t, const wy_equilibrium_errors *e) {
    const double worst = fmax(e->shape, fmax(e->force, e->moment));
    if (e->shape < 0.0)
        wy_sink_note(t->sink,
                     "%sthe equations are singular at this solution (a fold or a branch point): its error is unknown",
                     t->where);
    else if (worst > 1e-3)
        (worst > WY_WARNING_LEVEL ? wy_sink_warn : wy_sink_note)(
            t->sink,
            "%sestimated errors: shape within %.2g %% of the length or of a radian, force within %.2g %% of the "
            "largest force, moment within %.2g %% of the largest moment; use more elements to reduce them",
            t->where, 100.0 * e->shape, 100.0 * e->force, 100.0 * e->moment);
    /* the estimate is reliable within a factor of 3; round-off is not an imbalance */
    const double force = 3.0 * fmax(e->force, 1e-6), moment = 3.0 * fmax(worst, 1e-6);
    if (e->force_balance > force || e->moment_balance > moment)
        wy_sink_warn(
            t->sink,
            "%sthe reactions do not balance the loads: forces by %.2g %% of the largest force, moments by %.2g %% of "
            "the largest moment about the first end, more than the estimated errors; use more elements, or elements "
            "that end where the loads change",
            t->where, 100.0 * e->force_balance, 100.0 * e->moment_balance);
}

void wy_equilibrium_note_energy(const equilibrium_message_context *t, double potential) {
    const wy_equilibrium_stats *stats = wy_equilibrium_statistics(t->solver);
    if (t->solver->energy_not_converged)
        wy_sink_note(
            t->sink,
            "%sa cable, solved from the catenary under its loads; the requested energy minimisation did not converge",
            t->where);
    if (!(stats->energy_distance >= 0.0))
        return;
    if (t->solver->cable) {
        wy_sink_note(
            t->sink,
            "%sa cable: energy minimisation converged to %s, %.2g of the length from the solution from its catenary, "
            "which is the more accurate one",
            t->where, stats->stable ? "a stable equilibrium" : "an equilibrium (a load has no potential)",
            stats->energy_distance);
        return;
    }
    if (stats->escaped_negative > 0)
        wy_sink_note(
            t->sink,
            "%sthe equilibrium on the path of the branch is unstable in %ld direction%s (energy %.9g J) and was left "
            "for this stable one (%.9g J; the energy's elements and the collocation are %.2g of the length or a "
            "radian apart): 'solver: {name: auto, leave_unstable: false}' keeps the unstable one",
            t->where, stats->escaped_negative, stats->escaped_negative == 1 ? "" : "s", stats->escaped_potential,
            potential, stats->energy_distance);
    else
        wy_sink_note(t->sink,
                     "%sfound by its energy, %s; the energy's elements and the collocation are %.2g of the length or a "
                     "radian apart",
                     t->where,
                     stats->stable
                         ? "a stable equilibrium"
                         : "an equilibrium (a load has no potential: energy does not say whether it is stable)",
                     stats->energy_distance);
}

/* An unstable equilibrium is a solution, but a rod does not stay in it. */
bool wy_equilibrium_warn_stability(const equilibrium_message_context *t) {
    const long negative = wy_equilibrium_negative_directions(t->solver);
    const char *kept = wy_equilibrium_statistics(t->solver)->kept_because;
    if (negative <= 0)
        return false;
    wy_sink_note(t->sink, "%sthis equilibrium is unstable, a rod would leave it in %ld direction%s: %s", t->where,
                 negative, negative == 1 ? "" : "s",
                 kept ? kept : "'solver: auto' or 'solver: energy' finds a stable one");
    return true;
}

/* A closed rod that passed through itself on its path has two turns more or fewer than requested, which its frames
 * do not show. */
void wy_equilibrium_warn_link(const equilibrium_message_context *t) {
    const size_t nodes = wy_equilibrium_count(t->solver);
    const double *y = wy_equilibrium_states(t->solver), *z = y + (nodes - 1) * WY_STATIC_DIM, e3[3] = {0.0, 0.0, 1.0};
    double a[3], b[3], gap[3];
    v3_sub(gap, z + WY_STATIC_X, y + WY_STATIC_X);
    wy_quat_rotate(a, y + WY_STATIC_Q, e3);
    wy_quat_rotate(b, z + WY_STATIC_Q, e3);
    if (v3_norm(gap) > 1e-9 * t->rod->length || v3_dot(a, b) < 1.0 - 1e-9 || nodes > 2001)
        return;
    wy_pose_target held[2];
    const char *part;
    wy_error ignored;
    if (wy_rod_pose_targets(held, t->rod, &part, &ignored) || !isfinite(held[0].twist) || !isfinite(held[1].twist))
        return;
    const ring_link turns = wy_equilibrium_ring_link(t->solver, held[1].twist - held[0].twist);
    const double whole = 6.283185307179586;
    if (!turns.right)
        wy_sink_warn(
            t->sink,
            "%sthe closed rod is twisted by %.4g rad, %+.0f turns from the requested %.4g rad: it passed through "
            "itself on its path; use fewer turns, a sweep of the twist, or 'solver: auto'",
            t->where, turns.link, turns.off, turns.asked);
    else if (turns.crossings > 1.0)
        wy_sink_note(
            t->sink,
            "%sthe closed rod crosses itself %.0f times (contact is not modelled): its twist is between %.4g and %.4g "
            "turns, in steps of two",
            t->where, turns.crossings, turns.link / whole - turns.crossings, turns.link / whole + turns.crossings);
    else if (turns.crossings > 0.0)
        wy_sink_note(t->sink,
                     "%sthe closed rod crosses itself (contact is not modelled): it is twisted by %.4g or %.4g turns",
                     t->where, turns.link / whole + 1.0, turns.link / whole - 1.0);
}
