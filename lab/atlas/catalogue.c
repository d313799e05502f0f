/* The table of the atlas' problems. To add one, write its file in problems/ and add its row here. */
#include <withy/atlas.h>

#define PROBLEMS(ROW)           \
    ROW(elastica_tip_force)     \
    ROW(roll_up)                \
    ROW(timoshenko_cantilever)  \
    ROW(taut_cantilever)        \
    ROW(bathe_bend)             \
    ROW(geradin_cardona)        \
    ROW(nachbagauer)            \
    ROW(princeton_beam)         \
    ROW(clamped_elastica)       \
    ROW(pinned_elastica)        \
    ROW(twist_shortening)       \
    ROW(heavy_cantilever)       \
    ROW(follower_force)         \
    ROW(pushed_along)           \
    ROW(helix_wrench)           \
    ROW(spring_rate)            \
    ROW(springs)                \
    ROW(near_itself)            \
    ROW(closed_rings)           \
    ROW(quarter_ring)           \
    ROW(tapered_cantilever)     \
    ROW(sections)               \
    ROW(point_load)             \
    ROW(surroundings)           \
    ROW(sprung_end)             \
    ROW(hanging_rod)            \
    ROW(catenary)               \
    ROW(cables)                 \
    ROW(strips)                 \
    ROW(joint_and_clamp)        \
    ROW(pressed_hose)           \
    ROW(euler_column)           \
    ROW(thin_strips)            \
    ROW(heavy_column)           \
    ROW(greenhill)              \
    ROW(lateral_buckling)       \
    ROW(riser_branches)         \
    ROW(buckled_column)         \
    ROW(leaning_column)         \
    ROW(said_stable)            \
    ROW(cantilever_frequencies) \
    ROW(pinned_frequencies)     \
    ROW(stretched_wire)         \
    ROW(rod_frequencies)        \
    ROW(wet_frequencies)        \
    ROW(shaken_rod)             \
    ROW(axial_wave)             \
    ROW(torsional_wave)         \
    ROW(accuracy)               \
    ROW(moved_end)              \
    ROW(muscles)                \
    ROW(jumped_sections)        \
    ROW(part_actuation)         \
    ROW(drawn_rod)              \
    ROW(struck_rod)             \
    ROW(pushed_rod)             \
    ROW(step_derivatives)       \
    ROW(boxes)                  \
    ROW(drag)                   \
    ROW(torsional_decay)        \
    ROW(settling)               \
    ROW(starts_at_rest)         \
    ROW(flat_cable)             \
    ROW(elbow_cantilever)       \
    ROW(rigid_flight)           \
    ROW(slow_flight)            \
    ROW(uneven_steps)           \
    ROW(pendulum)               \
    ROW(spinning_rod)           \
    ROW(free_flight)            \
    ROW(thin_flight)            \
    ROW(section_inertia)        \
    ROW(no_answer)              \
    ROW(energy_balance)         \
    ROW(signals)                \
    ROW(waves)                  \
    ROW(short_pulse)            \
    ROW(flying_spaghetti)       \
    ROW(euler_top)              \
    ROW(integrators)            \
    ROW(tangents)               \
    ROW(shaft_modes)            \
    ROW(shaft_windup)           \
    ROW(shaft_ringing)          \
    ROW(shaft_driver)           \
    ROW(shaft_ramps)            \
    ROW(shaft_pulse)

#define DECLARE(problem) extern const wy_problem wy_problem_##problem;
PROBLEMS(DECLARE)

#define ENTRY(problem) &wy_problem_##problem.entry,
static const wy_entry *const problem_rows[] = {PROBLEMS(ENTRY) NULL};

const wy_catalogue wy_problems = {
    .name = "problems",
    .singular = "problem",
    .doc = "Problems whose answer is known (`withy validate`).",
    .entries = problem_rows,
};
