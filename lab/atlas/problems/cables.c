/* Lines whose weight is much larger than their bending stiffness, solved without an initial guess. The reference is
 * a string, n' = -f, x' = (1 + |n|/EA) n/|n|, with bending layers of length sqrt(EI/T). Cases: threads that hang
 * from a clamp, with the moment 2 sqrt(EI T) sin(theta/2) at the clamp; a wire with a weight; a rope on a bed, each
 * leg a catenary whose tension grows by w for each metre of height; lines in a current; and lines by the solver
 * `energy`. */
#include <math.h>
#include <string.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

#define THREAD(r) "length=0.62; section={name: circle, radius: " r ", E: 3e6, nu: 0.3, density: 1500}; "
#define FALLS(up) "loads=[{name: gravity, acceleration: [9.81*sin(" up "), 0, 9.81*cos(" up ")]}]; "
#define PULLED(up)                                                       \
    "{name: loaded, force: [0.7*1500*pi*6.2e-5*6.2e-5*9.81*0.62*sin(" up \
    "), 0, 0.7*1500*pi*6.2e-5*6.2e-5*9.81*0.62*cos(" up ")]}"
#define WIRE(length, r, span, at, weight)                                                                   \
    "length=" length "; section={name: circle, radius: " r ", E: 200e9, nu: 0.3, density: 7800}; "          \
    "last_end={name: clamped, position: [0, 0, " span "]}; "                                                \
    "loads=[{name: gravity, acceleration: [-9.81, 0, 0]}, {name: point-force, at: " at ", force: [-" weight \
    ", 0, 0]}]"
#define CURRENT(length, r, E, rho, end, normal, tangential, flow)                                                  \
    "length=" length "; section={name: circle, radius: " r ", E: " E ", nu: 0.3, density: " rho "}; "              \
    "first_end={name: pinned, position: [0, 0, 0]}; last_end={name: pinned, position: [" end "]}; "                \
    "loads=[{name: gravity, acceleration: [0, 0, -9.81]}, "                                                        \
    "{name: buoyancy, density: 1025, acceleration: [0, 0, -9.81]}, "                                               \
    "{name: fluid, density: 1025, normal: " normal ", tangential: " tangential ", added_mass: 1, velocity: [" flow \
    "], profile: [[-" length ", 0.2], [0, 0.7], [" length ", 1.4]]}]"
#define LINE(length, r, span, rise)                                                                               \
    "length=" length "; section={name: circle, radius: " r ", E: 200e9, nu: 0.3, density: 7800}; "                \
    "first_end={name: pinned, position: [0, 0, 0]}; last_end={name: pinned, position: [" rise ", 0, " span "]}; " \
    "loads=[{name: gravity, acceleration: [-9.81, 0, 0]}]; solver=energy"

static const char cables_scenario[] =
    "# A thread of 0.62 m that hangs from its clamp, 1.9 rad away from where the clamp points.\n"
    "kind: static\n"
    "title: lines from cold\n"
    "length: 0.62\n"
    "elements: 240\n"
    "section: {name: circle, radius: 1.24e-5, E: 3e6, nu: 0.3, density: 1500}\n"
    "loads: [{name: gravity, acceleration: [9.81*sin(1.9), 0, 9.81*cos(1.9)]}]\n";

enum { THREADS = 4, WIRES = 3, BEDS = 1, CURRENTS = 4 };

static const wy_atlas_case cables_cases[] = {
    {"thread", ""},
    {"thread, pulled", THREAD("6.2e-5") FALLS("1.2") "last_end=" PULLED("1.2")},
    {"thread from its last end",
     THREAD("1.24e-5")
         FALLS("1.9") "first_end=free; last_end={name: clamped, position: [0, 0, 0], orientation: [0, 1, 0, 0]}"},
    {"thread from its last end, pulled",
     THREAD("6.2e-5") FALLS("2.2") "first_end=" PULLED(
         "2.2") "; last_end={name: clamped, position: [0, 0, 0], orientation: [0, 1, 0, 0]}"},
    {"wire with a weight", WIRE("300", "0.004", "300/1.02", "102.3", "0.3*7800*pi*0.004*0.004*9.81*300")},
    {"taut wire with a speck", WIRE("64", "0.0023", "64", "21.824", "1e-7*7800*pi*0.0023*0.0023*9.81*64")},
    {"slack wire with a weight", WIRE("1200", "0.02", "1000", "600", "1.5*7800*pi*0.02*0.02*9.81*1200")},
    {"rope on a bed",
     "length=640; section={name: rigidities, EI1: 800, EI2: 800, GJ: 600, GA1: 1e8, GA2: 1e8, EA: 3.3e8, rhoA: 21.4}; "
     "first_end={name: pinned, position: [0, 0, 0]}; "
     "last_end={name: pinned, position: [520, 0, 80]}; loads=[{name: gravity, acceleration: [0, 0, -9.81]}, "
     "{name: sea-bed, height: -60, stiffness: 8000}]"},
    {"steel in a current", CURRENT("131.9396039191522", "0.007230600341734288", "2e11", "7800",
                                   "-101.43047421955154, 66.81117890379717, 43.23709396308508", "0.8767743345371053",
                                   "0.02352817625911237", "0.7787995133697196, -0.1487884013382562, 0")},
    {"polyester in a current",
     CURRENT("112.70522343471134", "0.03364299946370478", "3e9", "1380",
             "-105.95367334977324, -36.1155525898494, -9.982858516501055", "0.978815451986762", "0.02856326385173334",
             "-0.12142152695173834, -0.1527377093294118, 0")},
    {"thin steel in a current",
     CURRENT("122.74904389586702", "0.0017267738766016888", "2e11", "7800",
             "111.83368653180085, 43.88028097691789, -20.526154706291468", "0.8810344755823165", "0.016828860268100286",
             "-0.5189077297131391, -0.2525854287421827, 0")},
    {"thick polyester in a current",
     CURRENT("3018.621968064799", "0.708166446694921", "3e9", "1380",
             "1747.7214078183363, 2218.6414990352832, 957.1795862274835", "1.3705191856756918", "0.01705474119883542",
             "0.3584955962584142, 1.4406516309140789, 0")},
    {"slack line, downhill", LINE("822", "1.9e-3", "822/1.114*cos(0.79)", "-822/1.114*sin(0.79)")},
    {"taut line, downhill", LINE("170", "2.4e-3", "170/1.0005*cos(0.78)", "170/1.0005*sin(0.78)")},
    {0}};

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* ---- threads: force and moment of the clamp ---- */

static wy_status thread(wy_case_run *case_run, wy_error *err) {
    static const double radius[THREADS] = {1.24e-5, 6.2e-5, 1.24e-5, 6.2e-5}, angle[THREADS] = {1.9, 1.2, 1.9, 2.2},
                        pull[THREADS] = {0.0, 0.7, 0.0, 0.7};
    const size_t n = case_run->number;
    const double area = WY_PI * radius[n] * radius[n], EI = 0.25 * 3e6 * area * radius[n] * radius[n],
                 T = (1.0 + pull[n]) * 1500.0 * area * 9.81 * 0.62,
                 moment = 2.0 * sqrt(EI * T) * wy_sin(0.5 * angle[n]);
    const bool last = n >= 2;
    WY_READ(F0, "space_force", 0);
    WY_READ_LAST(F1, "space_force", 0, 3);
    WY_READ(M0, "moment", 0);
    WY_READ_LAST(M1, "moment", 0, 3);
    wy_check_value(case_run, "force of the clamp", length(last ? F1 : F0), T, 0.0, "N; what hangs there and pulls");
    wy_check_printed(case_run, "moment of the clamp", length(last ? M1 : M0), moment,
                     moment * (2.0 * sqrt(EI / T) / 0.62 + T / (3e6 * area)),
                     "N m; 2 sqrt(EI T) sin(theta/2), to layer over length, stretch and shear");
    return WY_OK;
}

/* ---- strings ---- */

typedef struct string {
    double EA, weight[3];                          /* N/m */
    double flow[3], height, normal, tangential, d; /* of water; height 0: none */
} string;

static void along_string(double *dy, double s, const double *y, const void *context) {
    const string *c = context;
    const double T = length(y + 3), t[3] = {y[3] / T, y[4] / T, y[5] / T};
    double f[3] = {c->weight[0], c->weight[1], c->weight[2]};
    (void)s;
    if (c->height > 0.0) {
        const double z = fmin(1.0, fmax(-1.0, y[2] / c->height)), fraction = z < 0.0 ? 0.7 + 0.5 * z : 0.7 + 0.7 * z;
        const double u[3] = {fraction * c->flow[0], fraction * c->flow[1], fraction * c->flow[2]};
        const double go = u[0] * t[0] + u[1] * t[1] + u[2] * t[2],
                     v[3] = {u[0] - go * t[0], u[1] - go * t[1], u[2] - go * t[2]};
        for (int i = 0; i < 3; i++)
            f[i] += 0.5 * 1025.0 * c->d * (c->normal * length(v) * v[i] + c->tangential * WY_PI * fabs(go) * go * t[i]);
    }
    for (int i = 0; i < 3; i++) {
        dy[i] = (1.0 + T / c->EA) * t[i];
        dy[3 + i] = -f[i];
    }
}

static wy_status wire(wy_case_run *case_run, wy_error *err) {
    static const double L[WIRES] = {300.0, 64.0, 1200.0}, r[WIRES] = {0.004, 0.0023, 0.02},
                        at[WIRES] = {102.3, 21.824, 600.0}, fraction[WIRES] = {0.3, 1e-7, 1.5},
                        span[WIRES] = {300.0 / 1.02, 64.0, 1000.0};
    const size_t n = case_run->number - THREADS;
    const double area = WY_PI * r[n] * r[n], w = 7800.0 * area * 9.81, weight = fraction[n] * w * L[n];
    const string c = {.EA = 200e9 * area, .weight = {-w, 0.0, 0.0}};
    WY_READ(F0, "space_force", 0);
    WY_READ_LAST(F1, "space_force", 0, 3);
    const double T = length(F0), layer = sqrt(0.25 * 200e9 * area * r[n] * r[n] / T);
    double y[6] = {0.0, 0.0, 0.0, F0[0], F0[1], F0[2]};
    wy_atlas_march(y, 6, along_string, &c, 0.0, at[n]);
    y[3] += weight;
    wy_atlas_march(y, 6, along_string, &c, at[n], L[n]);
    wy_check_value(case_run, "carried by both clamps", F0[0] - F1[0], -(w * L[n] + weight), T, "N, of the tension");
    wy_check_printed(case_run, "end of the string", y[2], span[n], 6.0 * layer, "m; to six layers");
    wy_check_printed(case_run, "its height", y[0], 0.0, 6.0 * layer, "m");
    return WY_OK;
}

static wy_status current(wy_case_run *case_run, wy_error *err) {
    static const double L[CURRENTS] = {131.9396039191522, 112.70522343471134, 122.74904389586702, 3018.621968064799},
                        r[CURRENTS] = {0.007230600341734288, 0.03364299946370478, 0.0017267738766016888,
                                       0.708166446694921},
                        E[CURRENTS] = {2e11, 3e9, 2e11, 3e9}, rho[CURRENTS] = {7800.0, 1380.0, 7800.0, 1380.0},
                        normal[CURRENTS] = {0.8767743345371053, 0.978815451986762, 0.8810344755823165,
                                            1.3705191856756918},
                        tangential[CURRENTS] = {0.02352817625911237, 0.02856326385173334, 0.016828860268100286,
                                                0.01705474119883542},
                        flow[CURRENTS][3] = {{0.7787995133697196, -0.1487884013382562, 0.0},
                                             {-0.12142152695173834, -0.1527377093294118, 0.0},
                                             {-0.5189077297131391, -0.2525854287421827, 0.0},
                                             {0.3584955962584142, 1.4406516309140789, 0.0}},
                        end[CURRENTS][3] = {{-101.43047421955154, 66.81117890379717, 43.23709396308508},
                                            {-105.95367334977324, -36.1155525898494, -9.982858516501055},
                                            {111.83368653180085, 43.88028097691789, -20.526154706291468},
                                            {1747.7214078183363, 2218.6414990352832, 957.1795862274835}};
    static const char *const names[3] = {"x of the string's end", "y of the string's end", "z of the string's end"};
    const size_t n = case_run->number - THREADS - WIRES - BEDS;
    const double area = WY_PI * r[n] * r[n];
    string c = {.EA = E[n] * area,
                .weight = {0.0, 0.0, -9.81 * area * (rho[n] - 1025.0)},
                .height = L[n],
                .normal = normal[n],
                .tangential = tangential[n],
                .d = 2.0 * r[n]};
    memcpy(c.flow, flow[n], sizeof c.flow);
    WY_READ(F, "space_force", 0);
    double y[6] = {0.0, 0.0, 0.0, F[0], F[1], F[2]};
    wy_atlas_march(y, 6, along_string, &c, 0.0, L[n]);
    const double layer = sqrt(0.25 * E[n] * area * r[n] * r[n] / length(F)) / L[n];
    for (int i = 0; i < 3; i++)
        wy_check_printed(case_run, names[i], y[i], end[n][i], L[n] * (40.0 * layer * layer + 1e-6),
                         "m; to forty squares of layer over length, %.2g", layer);
    /* what nothing holds: of a round line between joints in a current only its turn about itself */
    wy_equilibrium_stats stats;
    const wy_status s = wy_case_statistics(&stats, case_run, err);
    if (s)
        return s;
    wy_check_law(case_run, "ways to move without a force", (double)stats.symmetries, 1.0, 1.0,
                 "a round line turns about itself");
    return WY_OK;
}

/* ---- a rope on a bed: it sinks by w/k, lifts off after a layer sqrt(H/k) with V = w sqrt(H/k) ---- */

static double asinh_of(double x) {
    return wy_log(x + sqrt(1.0 + x * x));
}

static wy_status bed(wy_case_run *case_run, wy_error *err) {
    const double L = 640.0, w = 9.81 * 21.4, k = 8000.0, EA = 3.3e8, high[2] = {60.0, 140.0};
    static const char *const names[2] = {"tension at the first end", "tension at the last end"};
    WY_READ(F0, "space_force", 0);
    WY_READ_LAST(F1, "space_force", 0, 3);
    const double H = F0[0], V[2] = {fabs(F0[2]), fabs(F1[2])}, lift = w * sqrt(H / k);
    double on = 520.0, legs = 0.0;
    for (int i = 0; i < 2; i++) {
        const double T = sqrt(H * H + lift * lift) + w * high[i];
        wy_check_printed(case_run, names[i], sqrt(H * H + V[i] * V[i]), T, 2e-4 * T, "N; that of the lift-off and w h");
        on -= H / w * (asinh_of(V[i] / H) - asinh_of(lift / H));
        legs += (V[i] - lift) / w - (H + 0.5 * V[i]) * high[i] / EA;
    }
    wy_check_printed(case_run, "length", legs + on * (1.0 - H / EA), L, 2e-5 * L,
                     "m, of its legs and what lies on the bed");
    return WY_OK;
}

/* ---- what the energy's own elements find ---- */

static wy_status downhill(wy_case_run *case_run, wy_error *err) {
    wy_equilibrium_stats stats;
    const wy_status s = wy_case_statistics(&stats, case_run, err);
    if (s)
        return s;
    wy_check_printed(case_run, "energy's elements from the line", stats.energy_distance, 0.0, 1e-5, "of its length");
    wy_check_law(case_run, "it is stable", stats.stable ? 1.0 : 0.0, 1.0, 0.0, "a line that hangs between pins is");
    return WY_OK;
}

static wy_status cables_evaluate(wy_case_run *case_run, wy_error *err) {
    const size_t n = case_run->number;
    wy_figure *figure =
        n == 4 || n == 6
            ? wy_case_figure(case_run,
                             &(wy_figure){.title = "Wires with a weight", .x_label = "z / m", .y_label = "x / m"})
            : NULL;
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_LINES, 0, 2, 0, -1);
    if (n < THREADS)
        return thread(case_run, err);
    if (n < THREADS + WIRES)
        return wire(case_run, err);
    if (n < THREADS + WIRES + BEDS)
        return bed(case_run, err);
    return n < THREADS + WIRES + BEDS + CURRENTS ? current(case_run, err) : downhill(case_run, err);
}

const wy_problem wy_problem_cables = {
    .entry = {.name = "cables", .doc = "Threads, wires with weights, a rope on a bed, lines in a current, from cold."},
    .group = "statics",
    .source = "strings, marched and in closed form; bending layers in closed form",
    .scenario = cables_scenario,
    .levels = {"elements=60", "elements=120", "elements=240"},
    .order = 6.0,
    .cases = cables_cases,
    .evaluate = cables_evaluate,
};
