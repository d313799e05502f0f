/* What is said where an answer is unsure: one sentence, with the place, and a mesh and a step that would do.
 * docs/math/certificate.md, "The warning". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate/remedy.h"
#include "estimate/signal_features.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/estimate/certificate.h"
#include "motion/motion_layers.h"

/* ---- what is narrower than an element ---- */

/* The turn of a shape between a and b: int |kappa| ds, from jump to jump. */
static double turn_between(const wy_choice *choice, double a, double b, double length) {
    enum { POINTS = 4 };
    const wy_shape *shape = (const wy_shape *)(const void *)choice->entry;
    double sum = 0.0;
    while (a < b) {
        const double next = shape->next_break ? fmin(b, shape->next_break(choice->config, a)) : b;
        const double d = (next - a) / POINTS;
        for (int i = 0; i < POINTS; i++) {
            double xi[6];
            shape->strain(xi, choice->config, a + (i + 0.5) * d, 0, length);
            sum += d * v3_norm(xi);
        }
        a = next;
    }
    return sum;
}

/* An element of degree P carries a smooth turn; one that happens within a quarter of it, it does not. */
static bool corner(char *text, size_t size, const wy_choice *choice, const char *what, const wy_motion *rod) {
    enum { CUTS = 4, MOST_ELEMENTS = 10000 };
    if (!choice->entry || rod->elements > MOST_ELEMENTS)
        return false;
    double worst = 0.4, worst_s = 0.0, length = 0.0;
    for (size_t e = 0; e < rod->elements; e++) {
        const double h = wy_motion_element(rod, e);
        double turn[CUTS], sum = 0.0, most = 0.0;
        for (int k = 0; k < CUTS; k++) {
            const double a = rod->element_boundary[e] + h * ((double)k / CUTS);
            turn[k] = turn_between(choice, a, a + h / CUTS, rod->def.length);
            sum += turn[k];
            most = fmax(most, turn[k]);
        }
        if (most > worst && most > 0.55 * sum) {
            worst = most;
            worst_s = wy_motion_middle(rod, e);
            length = h;
        }
    }
    if (worst <= 0.4)
        return false;
    snprintf(
        text, size,
        "%s turns by %.2g rad within a quarter of an element near s = %.3g m: the corner is rounded to the length of "
        "an "
        "element, %.3g m; elements a quarter as wide as the corner would show it",
        what, worst, worst_s, length);
    return true;
}

bool wy_narrow_feature(char *text, size_t size, const wy_motion *rod) {
    const wy_rod_start *start = &rod->start;
    if (rod->unresolved_breaks.lost > 0.0) {
        snprintf(
            text, size,
            "the part of the rod from s = %.10g m to %.10g m is only %.2g m wide, too narrow for elements, and is "
            "taken "
            "for what lies beside it: that leaves out %.2g of the rod's compliance or mass, or rad; make it at least "
            "%.2g m "
            "wide",
            rod->unresolved_breaks.lost_at, rod->unresolved_breaks.lost_at + rod->unresolved_breaks.lost_width,
            rod->unresolved_breaks.lost_width, rod->unresolved_breaks.lost, WY_SHORTEST_PIECE * rod->def.length);
        return true;
    }
    if (rod->jump_inside_element >= 0.0) {
        snprintf(
            text, size,
            "section, reference or loads jump at s = %.6g m, inside an element: the method '%s' has elements of one "
            "length, "
            "and what it makes of a jump inside is not judged; use elements that meet there, or 'gauss-director'",
            rod->jump_inside_element, rod->method->entry.name);
        return true;
    }
    wy_rod_unseen unseen;
    wy_rod_unseen_find(&unseen, &rod->def, rod->element_boundary, rod->elements);
    if (unseen.part > WY_WARNING_LEVEL) {
        char cure[80] = "give it rows, or breaks, on which elements end";
        if (unseen.elements > 0.0)
            snprintf(cure, sizeof cure, "about %.0f elements would do", unseen.elements);
        snprintf(
            text, size,
            "'%s' has a part of about %.2g m near s = %.4g m between the points of elements, which do not see %.2g "
            "%% of it all: %s",
            unseen.what, unseen.width, unseen.at, 100.0 * unseen.part, cure);
        return true;
    }
    return corner(text, size, &rod->def.reference, "the reference", rod) ||
           (!start->poses.rows && corner(text, size, &start->shape, "the shape at the start", rod));
}

/* ---- the sentence ---- */

/* A scheme as its source prints it has no order: shorter steps or more elements may break it down. */
static bool refines(const wy_motion *rod) {
    return rod->method->order != NULL;
}

/* A mesh and a step that would do. */
static void advise(char *text, size_t size, const wy_error_parts *error, const wy_certificate_numbers *n,
                   const wy_motion *rod) {
    const wy_remedy r = wy_remedy_for(error, refines(rod));
    if (r.cause == WY_CAUSE_MODEL) {
        snprintf(text, size, "the scheme '%s' is not one to refine, 'gauss-director' is", rod->method->entry.name);
        return;
    }
    const bool fast = n->steps_per_period > 0.0 && n->steps_per_period < 4.0 && error->time > 0.4 * WY_WARNING_LEVEL;
    if (fast) {
        snprintf(text, size,
                 "shorter steps, or damping, are needed; how short is not known: these do not follow the motion");
        return;
    }
    if (!r.known) {
        snprintf(text, size, "%s needed; how much finer is not known: the coarser runs do not converge",
                 r.cause == WY_CAUSE_BOTH   ? "more elements and shorter steps, or damping, are"
                 : r.cause == WY_CAUSE_MESH ? "more elements are"
                                            : "shorter steps, or damping, are");
        return;
    }
    char a[64] = "", b[64] = ""; /* together with what joins them below 160 */
    if (r.mesh > 1.0)
        snprintf(a, sizeof a, "about %.0f elements", ceil((double)rod->elements * r.mesh));
    if (r.step > 1.0)
        snprintf(b, sizeof b, "a step of about %.2g s", n->step / r.step);
    snprintf(text, size, "%s%s%s would do", a, *a && *b ? " and " : "", b);
}

/* A mesh with elements of half the layer at the ends where elements are longer than it, each 1.4 times as long as
 * its neighbour (motion_layers.c); nothing where there is one, or no room. */
static void grade(char *text, size_t size, const double by[2], const wy_motion *rod) {
    const double L = rod->def.length, h = L / (double)rod->elements, growth = WY_LAYER_GROWTH;
    char rows[2][80] = {"", ""};
    double graded = 0.0, count = (double)rod->elements;
    for (int end = 0; end < 2; end++) {
        const double tip = 0.5 / by[end], transition = (h - tip * h) / growth; /* tip: by the others */
        if (!(by[end] > 1.0))
            continue;
        graded += transition;
        count += wy_log(1.0 / tip) / growth - transition / h;
        if (end == 0)
            snprintf(rows[0], sizeof rows[0], "[0, %.2g], [%.4g, 1]", tip, transition);
        else
            snprintf(rows[1], sizeof rows[1], "[%.4g, 1], [%.10g, %.2g]", L - transition, L, tip);
    }
    if (!rod->def.mesh.rows && graded < 0.9 * L)
        snprintf(text, size, " (mesh: [%s%s%s] with %.0f elements)", rows[0], rows[0][0] && rows[1][0] ? ", " : "",
                 rows[1], ceil(count));
}

/* Of moments alone: mostly a clamp of a rod in tension, which turns it within sqrt(EI/T), a part of an element. */
static void moments(char *text, size_t size, const wy_certificate_numbers *n, const wy_motion *rod) {
    double by[2] = {0.0, 0.0}; /* elements by the layers there */
    for (int end = 0; end < 2; end++)
        if (n->layer[end] > 0.0)
            by[end] = wy_motion_element(rod, end ? rod->elements - 1 : 0) / n->layer[end];
    const int end = by[1] > by[0];
    char off[40], cure[320] = "";
    wy_error_in_words(off, sizeof off, n->moment);
    if (by[end] > 1.0 && n->moments.space >= n->moments.time) {
        snprintf(
            cure, sizeof cure,
            "it bends within %.2g m of the end at s = %.4g m, where elements are %.2g m long; some of %.2g m would do",
            n->layer[end], end ? rod->def.length : 0.0, by[end] * n->layer[end], 0.5 * n->layer[end]);
        grade(cure + strlen(cure), sizeof cure - strlen(cure), by, rod);
    } else {
        advise(cure, sizeof cure, &n->moments, n, rod);
    }
    snprintf(text, size,
             "the moments that hold the rod are off %s, as coarser runs beside this one show (shape and forces by %.2g "
             "%%): %s",
             off, 100.0 * fmax(n->shape, n->reaction), cure);
}

bool wy_certificate_warning(char *text, size_t size, const wy_certificate *c, const wy_motion *rod,
                            const wy_motion_state *state) {
    const wy_certificate_numbers *n = &c->now;
    const double end = wy_motion_time(state), most_turn = 3.0;
    const wy_error_parts worst = {fmax(n->shape, n->reaction), n->space, n->time, n->order};
    char what[120], cure[160], off[40];
    if (c->unresolved_feature[0]) {
        snprintf(text, size, "%s", c->unresolved_feature);
        return true;
    }
    if (fmax(n->balance.force, n->balance.moment) > WY_WARNING_LEVEL) {
        const bool force = n->balance.force >= n->balance.moment;
        snprintf(
            text, size,
            "the reactions do not balance the loads and the inertia: %s by %.2g %% of the largest; loads are "
            "integrated anew for this, with "
            "more points: elements of %.2g m miss a part of them; elements that end where the loads change would do",
            force ? "forces" : "moments", 100.0 * fmax(n->balance.force, n->balance.moment), rod->h);
        return true;
    }
    if (c->coarse_runs && wy_coarse_runs_failed(c->coarse_runs)) {
        const bool path = n->trusted > 0.25 * end;
        char until[80] = "";
        if (path)
            snprintf(until, sizeof until, " beyond t = %.3g s, up to which it can be trusted", n->trusted);
        if (refines(rod))
            snprintf(cure, sizeof cure, "shorter steps, or damping, may help");
        else
            advise(cure, sizeof cure, &worst, n, rod);
        snprintf(text, size,
                 "how far the motion is off is not known%s: the runs beside this one that would tell were given up, "
                 "because their steps "
                 "could not be taken or took longer than the run itself; %s",
                 until, cure);
        return true;
    }
    const bool unsure = c->coarse_runs && worst.all > WY_WARNING_LEVEL;
    if (unsure) {
        char space[20], time[20];
        wy_error_in_words(off, sizeof off, worst.all);
        wy_error_part_in_words(space, sizeof space, n->space);
        wy_error_part_in_words(time, sizeof time, n->time);
        advise(cure, sizeof cure, &worst, n, rod);
        if (n->reaction > n->shape)
            snprintf(what, sizeof what, "the reactions are off %s", off);
        else if (n->trusted > 0.25 * end)
            snprintf(what, sizeof what, "the path can be trusted up to t = %.3g s only and is off %s in the end",
                     n->trusted, off);
        else
            snprintf(what, sizeof what, "the motion is off %s", off);
        const double s = n->stabilisation > 0.01        ? n->stabilisation_at
                         : n->resolution.by_layer > 1.0 ? n->resolution.by_layer_at
                                                        : n->resolution.turn_at;
        snprintf(text, size,
                 "%s, as coarser runs beside this one show (elements %s, step %s; worst near s = %.3g m): %s", what,
                 space, time, s, cure);
        return true;
    }
    if (c->coarse_runs && n->moment > WY_WARNING_LEVEL) {
        moments(text, size, n, rod);
        return true;
    }
    if (n->resolution.turn > most_turn) {
        snprintf(
            text, size,
            "an element turns by %.2g rad near s = %.3g m, which is more than it can show: about %.0f elements would "
            "do",
            n->resolution.turn, n->resolution.turn_at,
            ceil((double)rod->elements * n->resolution.turn / (0.5 * most_turn)));
        return true;
    }
    /* energy that moves too fast for the steps, by the largest energy: at rest there is always some round-off that
     * does */
    const double steps = state->x[WY_STATE_STEPS], largest = state->x[WY_STATE_LARGEST];
    const double ringing = steps > 0.0 && largest > 0.0 ? n->missed_kinetic / (steps * largest) : 0.0;
    const bool right = c->coarse_runs && worst.all < WY_TARGET_LEVEL; /* measured to be, as a mean */
    if (ringing > WY_WARNING_LEVEL && !right) {
        snprintf(
            text, size,
            "%.2g %% of the energy is in motion too fast for the step (%.2g steps a period): forces are means over a "
            "step, and what rings within it is not shown; shorter steps show more of it, and damping makes it less",
            100.0 * ringing, n->steps_per_period);
        return true;
    }
    const double fallback_fraction = largest > 0.0 ? state->x[WY_STATE_FALLBACK_ENERGY] / largest : 0.0;
    if (fallback_fraction > 0.01) {
        snprintf(
            text, size,
            "%.0f steps were too violent for stages that keep the energy; the dissipative ones that took their place "
            "took %.2g %% of it: shorter steps, or damping, make that less",
            state->x[WY_STATE_FALLBACK_STEPS], 100.0 * fallback_fraction);
        return true;
    }
    if (c->coarse_runs && n->shape < WY_TARGET_LEVEL) /* what is measured to be right is not doubted */
        return false;
    return rod->method->resolution_warning && rod->method->resolution_warning(text, size, rod, state->x);
}

/* ---- all that is said of a run ---- */

/* By how many points a step sees what acts on the rod: two where its order is four or more. */
static int points_of(const wy_motion *rod) {
    int space = 2, time = 2;
    if (rod->method->order)
        rod->method->order(&space, &time, rod);
    return time >= 4 ? 2 : 1;
}

void wy_certificate_say(const wy_sink *sink, const wy_certificate *c, const wy_motion *rod,
                        const wy_motion_state *state, const wy_motion_plan *plan) {
    char text[WY_ERROR_TEXT];
    const wy_certificate_numbers *sure = &c->now;
    if (sure->near_at[1] > sure->near_at[0] && sure->nearest < rod->def.section.diameter)
        wy_sink_warn(
            sink,
            "the rod passes through itself at s = %.4g m, s = %.4g m: %.3g m apart at t = %.4g s, diameter %.3g m",
            sure->near_at[0], sure->near_at[1], sure->nearest, sure->near_time, rod->def.section.diameter);
    for (size_t i = 0; i < rod->signal_count; i++) {
        const wy_signal_use *use = &rod->signals[i];
        if (wy_signal_too_short(text, sizeof text, use, plan->duration, plan->step) ||
            wy_signal_unseen(text, sizeof text, use, plan->duration, plan->step, points_of(rod)))
            wy_sink_warn(sink, "%s", text);
    }
    if (wy_certificate_warning(text, sizeof text, c, rod, state))
        wy_sink_warn(sink, "%s", text);
}
