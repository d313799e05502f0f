/* The arrays that follow a rod in motion: what they are called, their shapes, and how they are brought up to date. */
#include "core.h"

static const struct {
    const char *name;
    size_t columns;
    bool along_elements;
} rows[FOLLOWS] = {[FOLLOW_POSITION] = {"position", 3, false}, [FOLLOW_ORIENTATION] = {"orientation", 4, false},
                   [FOLLOW_VELOCITY] = {"velocity", 6, false}, [FOLLOW_STRAIN] = {"strain", 6, true},
                   [FOLLOW_WRENCH] = {"wrench", 6, true},      [FOLLOW_ENERGY] = {"energy", ENERGIES, false},
                   [FOLLOW_ENDS] = {"end_forces", 6, false}};

int follow_find(const char *name) {
    int i = 0;
    while (i < FOLLOWS && strcmp(name, rows[i].name) != 0)
        i++;
    return i;
}

int follow_shape(size_t dims[2], int which, const wy_motion *rod) {
    if (which == FOLLOW_ENERGY) {
        dims[0] = ENERGIES;
        return 1;
    }
    if (which == FOLLOW_ENDS) {
        dims[0] = 2;
        dims[1] = 6;
        return 2;
    }
    dims[0] = wy_motion_nodes(rod) - rows[which].along_elements;
    dims[1] = rows[which].columns;
    return 2;
}

void follow_refresh(double *const data[FOLLOWS], const wy_motion *rod, const wy_motion_state *state) {
    const wy_motion_view view = {.position = data[FOLLOW_POSITION],
                                 .orientation = data[FOLLOW_ORIENTATION],
                                 .velocity = data[FOLLOW_VELOCITY],
                                 .strain = data[FOLLOW_STRAIN],
                                 .wrench = data[FOLLOW_WRENCH]};
    if (view.position || view.orientation || view.velocity || view.strain || view.wrench)
        wy_motion_read(rod, state, &view);
    if (data[FOLLOW_ENDS] && view.position && view.orientation && view.velocity) {
        double forces[2][6];
        wy_motion_end_forces(forces, rod, state, &view);
        memcpy(data[FOLLOW_ENDS], forces, sizeof forces);
    }
    if (data[FOLLOW_ENERGY]) {
        wy_motion_energy e;
        wy_motion_energies(&e, rod, state);
        const double all[ENERGIES] = {e.kinetic, e.strain,  e.gravity, e.dissipated,
                                      e.work,    e.balance, e.largest, e.numerical};
        memcpy(data[FOLLOW_ENERGY], all, sizeof all);
    }
}
