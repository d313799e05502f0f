/* What the files of a run share: its state, its frames, its steps and what drives it from outside. Internal to
 * src/motion. */
#ifndef WY_MOTION_RUN_STATE_H
#define WY_MOTION_RUN_STATE_H

#include "base/march.h"
#include "motion/estimate/certificate.h"
#include "motion/motion_internal.h"
#include "motion/motion_ports.h"
#include "motion/motion_run.h"
#include "motion/motion_step_control.h"
#include "rod/end_forces.h"

enum { MOST_PARTS = 16 + WY_CERTIFICATE_BLOCKS };

typedef struct rod_run {
    wy_motion_plan plan;
    double length;
    wy_motion *rod;
    wy_motion_state *state, *seen;   /* seen: what a look shows, the state or `dense` */
    wy_motion_state *behind, *dense; /* at the beginning of the last step, and between; NULL: frames fall on steps */
    int64_t shown;
    wy_motion_work *work;
    wy_channel_table table;
    double time; /* of the channel; the loop in time has its own */
    double *position, *orientation, *velocity, *strain, *wrench, tip[3];
    wy_end_forces ends;
    double *arc_length; /* of the model, for graded meshes */
    int64_t done;       /* steps */
    wy_motion_stats before;
    double balance_now, balance, linear[3], angular[3], drift, momentum_drift,
        gap;            /* at the start, and the worst so far */
    double gained;      /* most energy that the method made by itself so far, relative to the largest then */
    bool momentum_free; /* nothing changes the momenta */
    bool at_rest;
    wy_certificate certificate;
    wy_step_control step_control;
    int64_t steps; /* in all */
    wy_checkpoint_block parts[MOST_PARTS];
    wy_motion_port port[2];
    wy_motion_port_tangent *tangent; /* NULL: no derivatives were asked for */
    /* of the frame */
    wy_motion_energy energy;
    double P[3], L[3], counts[8];
} rod_run;

/* motion_frames.c: the channels; the worst values so far, after every step; the present ones in the frame. */
wy_status wy_rod_run_table_open(rod_run *run, size_t nodes, wy_error *err);
void wy_rod_run_watch(rod_run *run, bool start);
wy_motion_view wy_rod_run_view(rod_run *run, const wy_motion_state *state);
void wy_rod_run_sample(void *run, const double **values);

/* motion_drive.c: what a program that steps the run can do to its ends. */
void wy_rod_run_offer(wy_march *march, rod_run *run);

/* motion_run.c: the rod must be made and started; it stays the caller's. */
wy_status wy_rod_run_open(wy_march *march, const wy_motion_instance *instance, const wy_motion_definition *definition,
                          const wy_motion_plan *plan, wy_error *err);
void wy_rod_run_close(void *run);

#endif
