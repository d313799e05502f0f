/* A labelled solution of an archive of branches. */
#ifndef WITHY_LABELLED_SOLUTION_H
#define WITHY_LABELLED_SOLUTION_H

#include <withy/branches.h>
#include <withy/io.h>
#include <withy/release.h>

typedef struct labelled_solution {
    wy_source source;
    wy_arena *arena;
    wy_rod_definition rod;
    double parameter;
    wy_equilibrium *solver; /* holds the solution, corrected where Newton can */
    bool corrected;
} labelled_solution;

/* Close it in any case. */
wy_status labelled_solution_open(labelled_solution *point, const char *path, const char *label, wy_error *err);
void labelled_solution_close(labelled_solution *point);

/* Which of the archive's solutions at the parameter of a point a released rod is most like. */
typedef struct nearest_solution {
    wy_solution_match like;  /* distance INFINITY: there is none */
    double branch, negative; /* what the archive says of it */
    size_t compared;         /* how many solutions there are at this parameter */
} nearest_solution;
wy_status find_nearest_solution(nearest_solution *nearest, const wy_recording *recording, double parameter,
                                const wy_release *release, wy_error *err);

#endif
