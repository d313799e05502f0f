/* How sure a run of a moving rod is of its answer. docs/math/certificate.md. */
#ifndef WY_CERTIFICATE_H
#define WY_CERTIFICATE_H

#include <withy/kind.h>

#include "estimate/resolution.h"
#include "motion/estimate/balance.h"
#include "motion/estimate/coarse_runs.h"

/* Running values; plain data. */
typedef struct wy_certificate_numbers {
    double shape, reaction, moment, space, time, trusted; /* see wy_estimated_error */
    wy_error_parts moments;
    double reaction_step;
    double layer[2]; /* the shortest bending layer so far on each end that holds turns, m; 0: none */
    wy_resolution resolution;
    double stabilisation, stabilisation_at; /* largest share of the energy in stabilising strains, and where, m */
    double unresolved;                      /* share of the kinetic energy that the steps do not follow, mean */
    double steps_per_period;                /* of the fastest motion that carries energy; 0: not known */
    double local;                           /* largest error of a step as its stages show it, relative to the length */
    double nearest, near_at[2],
        near_time;                  /* smallest distance of the rod from itself, m (its length: none), where and when */
    double missed_kinetic, kinetic; /* sums over the steps */
    double step, order;             /* of the run, s; with which finer levels lower the errors */
    wy_balance balance;
} wy_certificate_numbers;

typedef struct wy_certificate {
    wy_coarse_runs *coarse_runs; /* NULL: errors are not estimated */
    wy_certificate_numbers now;
    char unresolved_feature[400]; /* what is narrower than an element from the beginning, in words; "": nothing */
} wy_certificate;

enum { WY_CERTIFICATE_BLOCKS = 1 + WY_COARSE_BLOCKS };

/* Its rows in a table of channels; `member`: the certificate in the run; `estimates`: the option of the rows that need
 * coarse runs. */
#define WY_CERTIFICATE_CHANNEL(run, member, ...) WY_CHANNEL(run, member, .group = "certificate", __VA_ARGS__)
#define WY_ESTIMATE_CHANNEL(run, member, estimates, ...) \
    { .channel = {.group = "certificate", __VA_ARGS__}, .offset = offsetof(run, member), .option = (estimates) }
#define WY_BY_COARSE_RUNS "; estimated by three coarser runs beside this one; 1: unknown"
#define WY_CERTIFICATE_ROWS(run, member, estimates)                                                                    \
    WY_ESTIMATE_CHANNEL(run, member.now.shape, estimates, .name = "error_shape", .unit = "1",                          \
                        .doc = "Error of the displacements of tip, middle and quarters so far, relative to the"        \
                               " largest" WY_BY_COARSE_RUNS "."),                                                      \
        WY_ESTIMATE_CHANNEL(run, member.now.reaction, estimates, .name = "error_reaction", .unit = "1",                \
                            .doc =                                                                                     \
                                "Error of the forces (and moments over the length) that hold the ends (means "         \
                                "over four steps), root of the mean square, relative to the largest" WY_BY_COARSE_RUNS \
                                "; 0: not estimated: nothing holds the rod, its reactions are 0, or the method "       \
                                "does not tell them."),                                                                \
        WY_ESTIMATE_CHANNEL(run, member.now.moment, estimates, .name = "error_moment", .unit = "1",                    \
                            .doc = "Error of the moments that hold the ends alone, relative to the largest of "        \
                                   "them; 1: unknown; 0: not estimated, nothing holds the rod's rotations."),          \
        WY_ESTIMATE_CHANNEL(run, member.now.reaction_step, estimates, .name = "error_reaction_step", .unit = "1",      \
                            .doc = "Error of these forces and moments from step to step, not as means: with what "     \
                                   "rings faster than the steps follow; 0: not estimated."),                           \
        WY_ESTIMATE_CHANNEL(run, member.now.space, estimates, .name = "error_space", .unit = "1",                      \
                            .doc = "Part of error_shape and error_reaction that is due to the elements; 1: "           \
                                   "unknown."),                                                                        \
        WY_ESTIMATE_CHANNEL(run, member.now.time, estimates, .name = "error_time", .unit = "1",                        \
                            .doc = "Part of error_shape and error_reaction that is due to the step; 1: unknown."),     \
        WY_ESTIMATE_CHANNEL(run, member.now.trusted, estimates, .name = "trusted_until", .unit = "s",                  \
                            .doc = "The path can be trusted up to here: error_shape is below 5 %."),                   \
        WY_RESOLUTION_ROWS(run, member.now.resolution),                                                                \
        WY_CERTIFICATE_CHANNEL(run, member.now.stabilisation, .name = "stabilisation_energy", .unit = "1",             \
                               .doc = "Largest share of the energy in the strains that hold an element's inside; the " \
                                      "error is 1 to 4 times that."),                                                  \
        WY_CERTIFICATE_CHANNEL(run, member.now.stabilisation_at, .name = "stabilisation_at", .unit = "m",              \
                               .doc = "The element with most of it."),                                                 \
        WY_CERTIFICATE_CHANNEL(run, member.now.unresolved, .name = "unresolved_energy", .unit = "1",                   \
                               .doc = "Share of the kinetic energy in motion too fast for the steps, mean so far."),   \
        WY_CERTIFICATE_CHANNEL(run, member.now.steps_per_period, .name = "steps_per_period", .unit = "1",              \
                               .doc = "Steps in a period of the fastest motion that carries energy; 0: nothing moves," \
                                      " or the method does not tell."),                                                \
        WY_CERTIFICATE_CHANNEL(run, member.now.local, .name = "local_error", .unit = "1",                              \
                               .doc = "Largest error of one step as its stages show it, relative to the length."),     \
        WY_CERTIFICATE_CHANNEL(run, member.now.nearest, .name = "self_distance", .unit = "m",                          \
                               .doc = "Smallest distance of the rod's axis from another part of it in the frames so "  \
                                      "far; its length: none."),                                                       \
        WY_CERTIFICATE_CHANNEL(run, member.now.balance.force, .name = "force_balance", .unit = "1",                    \
                               .doc = "By how much the forces that hold the ends, the loads (integrated anew, more "   \
                                      "finely) and the rate of momentum miss their balance, root of the mean square, " \
                                      "in parts of the largest force; 0: not checked."),                               \
        WY_CERTIFICATE_CHANNEL(run, member.now.balance.moment, .name = "moment_balance", .unit = "1",                  \
                               .doc = "The same for moments about the first end, in parts of the largest moment (at "  \
                                      "least the largest force times a tenth of the length).")

/* For a rod that has been started and will take `steps` steps, the first of them of the length `step`, s. */
wy_status wy_certificate_open(wy_certificate *certificate, const wy_motion_definition *definition, const wy_motion *rod,
                              const wy_motion_state *state, int64_t steps, double step, bool estimate, wy_error *err);
void wy_certificate_close(wy_certificate *certificate);
/* Fills parts and answers how many. */
size_t wy_certificate_blocks(wy_checkpoint_block parts[WY_CERTIFICATE_BLOCKS], wy_certificate *certificate);

/* After each step, with the kinetic energy then; `last`: no other follows. */
void wy_certificate_step(wy_certificate *certificate, const wy_motion *rod, const wy_motion_state *state, double dt,
                         double kinetic, bool last);
/* At each frame, with the strains and wrenches of the elements: what the coarse runs show is in `now` from here on. */
void wy_certificate_sample(wy_certificate *certificate, const wy_motion *rod, const wy_motion_state *state,
                           const double *strain, const double *wrench);

/* One sentence where the answer is unsure, or false. */
bool wy_certificate_warning(char *text, size_t size, const wy_certificate *certificate, const wy_motion *rod,
                            const wy_motion_state *state);

/* All warnings of a run that went through. */
void wy_certificate_say(const wy_sink *sink, const wy_certificate *certificate, const wy_motion *rod,
                        const wy_motion_state *state, const wy_motion_plan *plan);

/* A sentence about a feature of the rod or its start that the mesh cannot show, or false. */
bool wy_narrow_feature(char *text, size_t size, const wy_motion *rod);

#endif
