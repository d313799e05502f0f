/* Derivatives of steps by the loads and motions of the ends during them, for couplings and optimisation: closed
 * forms of rods that are stiff, at rest, or prescribed; superposition where a rod is linear; differences of whole
 * runs where it is not. */
#include <math.h>
#include <string.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char step_derivatives_scenario[] =
    "# A stiff stick that spins about e1; asked how it answers to a moment about e1 that is held.\n"
    "kind: dynamic\n"
    "title: derivatives of steps\n"
    "length: 1\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1e9, EI2: 1e9, GJ: 1e9, GA1: 1e10, GA2: 1e10, EA: 1e10, rhoA: 3, rhoI1: 0.1, "
    "rhoI2: 0.1, rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: free\n"
    "start: {spin: [2, 0, 0]}\n"
    "method: gauss-director\n"
    "duration: 1\n"
    "step: 0.00625\n";

static const wy_atlas_case step_derivatives_cases[] = {
    {"spinning stick", ""},
    {"cantilever at rest",
     "first_end=clamped; start={spin: [0, 0, 0]}; duration=16; step=0.1; damping={name: proportional, time: 0.3}; "
     "section={name: rigidities, EI1: 3, EI2: 2, GJ: 1.5, GA1: 15, GA2: 20, EA: 7, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
     "rhoJ: 0.2}"},
    {"led end",
     "first_end=driven; start={spin: [0, 0, 0]}; duration=1; "
     "section={name: rigidities, EI1: 3, EI2: 2, GJ: 1.5, GA1: 15, GA2: 20, EA: 7, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
     "rhoJ: 0.2}"},
    {"stopped bar",
     "first_end=clamped; start={velocity: [0, 0, 0.1]}; duration=1; step=0.1; "
     "section={name: rigidities, EI1: 3, EI2: 2, GJ: 1.5, GA1: 15, GA2: 20, EA: 7, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
     "rhoJ: 0.2}"},
    {"jerked cable", "length=0.7; elements=3; first_end=driven; start={spin: [0, 0, 0]}; duration=0.04; step=0.004; "
                     "section={name: ellipse, a: 0.012, b: 0.009, E: 2e6, nu: 0.4, density: 1100}; "
                     "method={name: gauss-director, degree: 2, tolerance: 1e-15}"},
    {"jerked cable in water",
     "length=0.7; elements=3; first_end=driven; start={spin: [0, 0, 0]}; duration=0.04; step=0.004; "
     "loads=[{name: fluid, density: 1000, normal: 0, added_mass: 1}]; "
     "section={name: circle, radius: 0.01, E: 2e6, nu: 0.4, density: 1100}; "
     "method={name: gauss-director, degree: 2, tolerance: 1e-15}"},
    {0}};

enum { MOST_INPUTS = WY_MARCH_INPUTS, MOST_OUTPUTS = WY_MARCH_OUTPUTS };

typedef struct given {
    const char *name;
    double value;
} given;

typedef struct asked {
    const char *output, *input;
} asked;

/* From the start, `steps` of them with inputs held: outputs, and their derivatives if they are asked for. */
static wy_status steps(double *seen, double *derivative, const wy_case_run *case_run, int count, double h,
                       const given *held, int held_count, const asked *what, int what_count, wy_error *err) {
    double matrix[MOST_INPUTS * MOST_OUTPUTS];
    wy_march march;
    size_t input, output;
    const double *unused;
    wy_status s = wy_case_open(&march, case_run, err);
    for (int i = 0; i < held_count && !s; i++) {
        s = wy_case_input(&input, &march, held[i].name, err);
        if (!s)
            *march.inputs[input].value += held[i].value;
    }
    if (!s && derivative && !march.derive)
        s = wy_fail(err, WY_UNSUPPORTED, "steps without derivatives");
    if (!s && derivative)
        s = march.derive_begin(march.run, err);
    for (int n = 0; n < count && !s; n++)
        s = derivative ? march.derive(march.run, n * h, h, err) : march.step_external(march.run, n * h, h, err);
    if (!s)
        s = wy_case_now(&unused, &march, "tip", err);
    if (!s && derivative)
        march.derive_sample(march.run, matrix);
    for (int i = 0; i < what_count && !s; i++) {
        s = wy_case_output(&output, &march, what[i].output, err);
        if (!s)
            s = wy_case_input(&input, &march, what[i].input, err);
        if (s)
            break;
        seen[i] = *march.outputs[output].value;
        if (derivative)
            derivative[i] = matrix[output * march.input_count + input];
    }
    wy_case_close(&march);
    return s;
}

/* A stick of A = rho I L + rho A L^3/12 about its middle: the moment turns it on by t^2/(2 A). */
static wy_status spinning(wy_case_run *case_run, wy_error *err) {
    static const asked what[] = {{"last_end.position.y", "last_end.push.moment.x"},
                                 {"last_end.position.z", "last_end.push.moment.x"}};
    static const char *const names[] = {"y by the moment", "z by the moment"};
    const double A = 0.1 + 3.0 / 12.0, w = 2.0, t = 1.0, y = -0.5 * wy_sin(w * t), z = 0.5 * wy_cos(w * t);
    const double turn = 0.5 * t * t / A, right[] = {-turn * z, turn * y};
    const int count = 40 << case_run->level;
    double seen[2], d[2];
    const wy_status s = steps(seen, d, case_run, count, t / count, NULL, 0, what, 2, err);
    for (int i = 0; i < 2 && !s; i++)
        wy_check_value(case_run, names[i], d[i], right[i], 1.0, "1/N after 1 s; the stick turned on by t^2/(2 A)");
    return s;
}

/* Compliances of a cantilever. */
static wy_status at_rest(wy_case_run *case_run, wy_error *err) {
    static const asked what[] = {
        {"last_end.position.x", "last_end.push.force.x"},     {"last_end.position.y", "last_end.push.force.y"},
        {"last_end.position.z", "last_end.push.force.z"},     {"last_end.position.x", "last_end.push.moment.y"},
        {"last_end.orientation.3", "last_end.push.moment.z"}, {"first_end.force.x", "last_end.push.force.x"},
        {"first_end.moment.y", "last_end.push.force.x"}};
    static const char *const names[] = {"x by a force", "y by a force", "z by a force",       "x by a moment",
                                        "turn by it",   "reaction",     "moment of the clamp"};
    const double right[] = {
        1.0 / 6.0 + 1.0 / 15.0, 1.0 / 9.0 + 1.0 / 20.0, 1.0 / 7.0, 1.0 / 4.0, 0.5 / 1.5, -1.0, -1.0};
    const int count = 80 << case_run->level;
    double seen[7], d[7];
    const wy_status s = steps(seen, d, case_run, count, 16.0 / count, NULL, 0, what, 7, err);
    for (int i = 0; i < 7 && !s; i++)
        wy_check_value(case_run, names[i], d[i], right[i], 0.0,
                       "at rest: L^3/(3 EI) + L/GA, L/EA, L^2/(2 EI), L/(2 GJ), -1, -L");
    return s;
}

/* An end led on by exp(t w): its quaternion is (cos, sin w/|w|) of t |w|/2. */
static wy_status led(wy_case_run *case_run, wy_error *err) {
    static const given held[] = {{"first_end.drive.angular_velocity.x", 1.2},
                                 {"first_end.drive.angular_velocity.y", 0.7}};
    static const asked what[] = {{"first_end.orientation.0", "first_end.drive.angular_velocity.x"},
                                 {"first_end.orientation.2", "first_end.drive.angular_velocity.x"},
                                 {"first_end.orientation.1", "first_end.drive.angular_velocity.y"},
                                 {"first_end.orientation.3", "first_end.drive.angular_velocity.z"}};
    static const char *const names[] = {"q0 by w1", "q2 by w1", "q1 by w2", "q3 by w3"};
    const double a = 1.2, b = 0.7, w = sqrt(a * a + b * b), c = wy_cos(0.5 * w), s1 = wy_sin(0.5 * w) / w;
    const double bent = (0.5 * c - s1) / (w * w); /* of s1, by w1 over w1 */
    const double right[] = {-0.5 * s1 * a, bent * a * b, bent * a * b, s1};
    const int count = 20 << case_run->level;
    double seen[4], d[4];
    const wy_status s = steps(seen, d, case_run, count, 1.0 / count, held, 2, what, 4, err);
    for (int i = 0; i < 4 && !s; i++)
        wy_check_value(case_run, names[i], d[i], right[i], 1.0, "s after 1 s, of the end that is led");
    return s;
}

/* Stretch is linear: the derivative by the force is half of the difference between a pull and a push of 1 N. */
static wy_status stopped(wy_case_run *case_run, wy_error *err) {
    static const asked what[] = {{"last_end.position.z", "last_end.push.force.z"},
                                 {"last_end.velocity.z", "last_end.push.force.z"},
                                 {"first_end.force.z", "last_end.push.force.z"}};
    static const char *const names[] = {"place by a force", "velocity", "force of the clamp"};
    static const given one[] = {{"last_end.push.force.z", 1e-3}}, other[] = {{"last_end.push.force.z", -1e-3}};
    const int count = 4 << case_run->level; /* fewer than are taken in parts */
    const double h = 0.4 / count;
    double seen[3], d[3], more[3], less[3];
    wy_status s = steps(seen, d, case_run, count, h, NULL, 0, what, 3, err);
    if (!s)
        s = steps(more, NULL, case_run, count, h, one, 1, what, 3, err);
    if (!s)
        s = steps(less, NULL, case_run, count, h, other, 1, what, 3, err);
    for (int i = 0; i < 3 && !s; i++)
        wy_check_law(case_run, names[i], d[i], (more[i] - less[i]) / 2e-3, 1.0,
                     "superposition; its steps are taken in parts");
    return s;
}

/* Differences of fourth order between whole runs. */
static wy_status jerked(wy_case_run *case_run, wy_error *err) {
    static const given base[] = {{"first_end.drive.velocity.x", 6.0}, {"first_end.drive.angular_velocity.y", 9.0}};
    static const asked what[] = {{"last_end.position.x", "first_end.drive.velocity.x"},
                                 {"last_end.velocity.x", "first_end.drive.velocity.x"},
                                 {"last_end.velocity.z", "first_end.drive.velocity.x"},
                                 {"first_end.force.x", "first_end.drive.velocity.x"}};
    static const char *const names[] = {"far end's x", "its velocity along x", "its velocity along z", "force"};
    static const double shift[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0}, size = 2e-3;
    const int count = 5 << case_run->level;
    const double h = 0.04 / count;
    double seen[4], d[4], right[4] = {0.0};
    wy_status s = steps(seen, d, case_run, count, h, base, 2, what, 4, err);
    for (int k = 0; k < 4 && !s; k++) {
        given moved[2];
        memcpy(moved, base, sizeof base);
        moved[0].value += shift[k] * size;
        s = steps(seen, NULL, case_run, count, h, moved, 2, what, 4, err);
        for (int i = 0; i < 4; i++)
            right[i] += weight[k] * seen[i] / (12.0 * size);
    }
    for (int i = 0; i < 4 && !s; i++)
        wy_check_value(case_run, names[i], d[i], right[i], 0.0,
                       "by the velocity of the led end; differences between whole runs");
    return s;
}

static wy_status step_derivatives_evaluate(wy_case_run *case_run, wy_error *err) {
    static wy_status (*const of[])(wy_case_run *, wy_error *) = {spinning, at_rest, led, stopped, jerked, jerked};
    return of[case_run->number](case_run, err);
}

const wy_problem wy_problem_step_derivatives = {
    .entry = {.name = "step-derivatives", .doc = "Derivatives of steps by what acts on the ends."},
    .group = "waves and decay",
    .source = "closed forms; superposition; differences between runs",
    .scenario = step_derivatives_scenario,
    .levels = {"step=0.1", "step=0.1", "step=0.1"},
    .order = 4.0,
    .cases = step_derivatives_cases,
    .evaluate = step_derivatives_evaluate,
};
