/* How far an assembly in motion is off: three coarser runs go beside it. docs/math/certificate.md, "Assemblies". */
#ifndef WY_ASSEMBLY_ESTIMATE_H
#define WY_ASSEMBLY_ESTIMATE_H

#include "motion/assembly_motion.h"

enum { WY_ASSEMBLY_LEVELS = 3 };

typedef struct wy_assembly_estimate {
    wy_assembly_motion level[WY_ASSEMBLY_LEVELS];
    size_t points, reactions; /* positions that are compared, and held ends */
    wy_rod_end *held;
    double *numbers; /* running sums: one run of plain data of `count` */
    size_t count;
    int space_order, time_order;
    double ratio; /* least ratio of the elements of a rod to those of a coarser run; below 1.3: space is unknown */
    double shape, reaction, space, time; /* relative errors so far; 1: unknown */
} wy_assembly_estimate;

/* For an assembly that has been started. */
wy_status wy_assembly_estimate_open(wy_assembly_estimate *estimate, const wy_assembly *assembly,
                                    const wy_assembly_motion *motion, const wy_choice *method, wy_error *err);
void wy_assembly_estimate_close(wy_assembly_estimate *estimate);
/* After step n, of length dt. */
void wy_assembly_estimate_step(wy_assembly_estimate *estimate, const wy_assembly_motion *motion, int64_t n, double dt);
/* Fills `blocks`, of wy_assembly_estimate_blocks of them. */
size_t wy_assembly_estimate_blocks(const wy_assembly_estimate *estimate);
void wy_assembly_estimate_list(wy_checkpoint_block *blocks, wy_assembly_estimate *estimate);
/* One sentence where the answer is unsure, or false. */
bool wy_assembly_estimate_warning(char *text, size_t size, const wy_assembly_estimate *estimate);

#endif
