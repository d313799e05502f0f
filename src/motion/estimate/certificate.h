/* How sure a run of a moving rod is of its answer. docs/math/certificate.md. */
#ifndef WY_CERTIFICATE_H
#define WY_CERTIFICATE_H

#include <withy/kind.h>

#include "motion/estimate/balance.h"
#include "motion/estimate/coarse_runs.h"

/* Running values; plain data. */
typedef struct wy_certificate_numbers {
    double shape, reaction, moment, space, time, trusted; /* see wy_estimated_error */
    double moment_space, moment_time, moment_rate;
    double layer[2];      /* the shortest bending layer so far on each end that holds turns, m; 0: none */
    double turn, turn_at; /* largest turn within an element, rad, and the middle of that element, m */
    double element_to_layer,
        element_to_layer_at; /* largest ratio of an element to its bending layer sqrt(EI/T), and where, m */
    double stabilisation, stabilisation_at; /* largest share of the energy in stabilising strains, and where, m */
    double unresolved;                      /* share of the kinetic energy that the steps do not follow, mean */
    double steps_per_period;                /* of the fastest motion that carries energy; 0: not known */
    double local;                           /* largest error of a step as its stages show it, relative to the length */
    double nearest, near_at[2],
        near_time;                  /* smallest distance of the rod from itself, m (its length: none), where and when */
    double missed_kinetic, kinetic; /* sums over the steps */
    double step, rate;              /* of the run, s; by which a finer level lowers the errors */
    wy_balance balance;
} wy_certificate_numbers;

typedef struct wy_certificate {
    wy_coarse_runs *coarse_runs; /* NULL: errors are not estimated */
    wy_certificate_numbers now;
    char unresolved_feature[400]; /* what is narrower than an element from the beginning, in words; "": nothing */
} wy_certificate;

enum {
    WY_CERTIFICATE_ESTIMATES = 6, /* channels that need coarse runs */
    WY_CERTIFICATE_LOCAL = 11,    /* and those that do not */
    WY_CERTIFICATE_BLOCKS = 1 + WY_COARSE_BLOCKS
};

/* The channels, estimates first, and where their values are. */
extern const wy_channel wy_certificate_channels[WY_CERTIFICATE_ESTIMATES + WY_CERTIFICATE_LOCAL];
void wy_certificate_values(const double *values[WY_CERTIFICATE_ESTIMATES + WY_CERTIFICATE_LOCAL],
                           const wy_certificate *certificate);

/* For a rod that has been started and will take `steps` steps, the first of them of the length `step`, s. */
wy_status wy_certificate_open(wy_certificate *certificate, const wy_motion_definition *definition, const wy_motion *rod,
                              const wy_motion_state *state, int64_t steps, double step, bool estimate, wy_error *err);
void wy_certificate_close(wy_certificate *certificate);
/* Fills parts and answers how many. */
size_t wy_certificate_blocks(wy_checkpoint_block parts[WY_CERTIFICATE_BLOCKS], wy_certificate *certificate);

/* After each step, with the kinetic energy then; `last`: no other follows. */
void wy_certificate_step(wy_certificate *certificate, const wy_motion *rod, const wy_motion_state *state, double dt,
                         double kinetic, bool last);
/* At each frame, with the strains and wrenches of the elements. */
void wy_certificate_sample(wy_certificate *certificate, const wy_motion *rod, const wy_motion_state *state,
                           const double *strain, const double *wrench);

/* One sentence where the answer is unsure, or false. */
bool wy_certificate_warning(char *text, size_t size, const wy_certificate *certificate, const wy_motion *rod,
                            const wy_motion_state *state);

/* A sentence about a feature of the rod or its start that the mesh cannot show, or false. */
bool wy_narrow_feature(char *text, size_t size, const wy_motion *rod);

#endif
