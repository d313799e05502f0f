/* In place of the solver of rods at rest in an FMU's one-file source, which has the moving rod only: a start from
 * equilibrium is solved for on the elements of the motion, as from a given shape. The binary for Linux asks the
 * solver. */
bool wy_motion_needs_statics(const wy_motion *rod) {
    (void)rod;
    return false;
}

wy_status wy_motion_solve_statics(wy_motion *rod, wy_error *err) {
    (void)rod;
    return wy_fail(err, WY_UNSUPPORTED, "this FMU has no solver of rods at rest");
}

void wy_motion_statics_at(double p[3], double q[4], double wrench[6], const wy_motion *rod, double s) {
    (void)p, (void)q, (void)wrench, (void)rod, (void)s;
}

wy_status wy_equilibrium_check_at_start(const wy_rod_definition *rod, wy_error *err) {
    (void)rod, (void)err;
    return WY_OK; /* `withy fmu` has checked it */
}

bool wy_motion_starts_unstable(char *text, size_t size, const wy_motion *rod, const wy_motion_state *state) {
    (void)text, (void)size, (void)rod, (void)state;
    return false; /* an FMU has no warnings; `withy run` gives this one */
}
