/* A mooring line in a current and waves, its upper end carried by a vessel that surges, sways, heaves, rolls, pitches
 * and yaws; quadratic drag, added mass, buoyancy, a sea bed. The same line by lumped masses and springs, a code that
 * shares nothing with the library: tension at the vessel and place of the line's middle, over two wave periods. */
#include <withy/sea.h>

#include "motion/gauss_director/gauss_director.h"
#include "support/rods.h"

/* ---- the line ---- */

static const double LENGTH = 100.0, EA = 2e6, MASS = 50.0, DIAMETER = 0.15, WATER = 1025.0, CN = 1.2, CT = 0.05,
                    CA = 1.0, G = 9.81, LAG = 0.01, CURRENT = 0.8, DEPTH = 40.0, BED = 4000.0, BED_DAMPING = 300.0,
                    FAR = 85.0, SURFACE = 44.0, PERIOD = 9.0, FROM = 15.0, UNTIL = 25.0;

/* Vessel: amplitudes (m, rad) and phases of surge, sway, heave, roll, pitch, yaw; the fairlead is `ARM` from its
 * centre. */
static const double amplitude[6] = {0.9, 0.4, 1.1, 0.03, 0.05, 0.02}, phase[6] = {0.0, 0.7, 1.9, 2.5, 0.4, 1.1},
                    ARM[3] = {-20.0, 3.0, -5.0};

/* How much of each of the six motions a component of the fairlead's path has: x + theta x arm. */
static double part(int component, int motion) {
    if (motion < 3)
        return component == motion ? amplitude[motion] : 0.0;
    double theta[3] = {0, 0, 0}, move[3];
    theta[motion - 3] = amplitude[motion];
    v3_cross(move, theta, ARM);
    return move[component];
}

static double ramp(double t) {
    const double x = fmin(fmax((t - FROM) / (UNTIL - FROM), 0.0), 1.0);
    return x * x * (3.0 - 2.0 * x);
}

/* Two waves in `SURFACE` m of water, the fairlead (at `DEPTH`) below it: amplitude, period, phase, heading from e1
 * towards e2. The second is there to be no multiple of the first. */
static const double waves[] = {1.6, PERIOD, 0.9, 0.5, 0.5, 5.3, 2.2, -0.8};
enum { WAVES = 2 };

static double numbers[WAVES]; /* k of each */

/* o^2 = g k tanh(k h) by halving. */
static void number_waves(void) {
    for (int q = 0; q < WAVES; q++) {
        const double o = 2.0 * PI / waves[4 * q + 1];
        double low = 1e-6, high = 10.0;
        for (int i = 0; i < 60; i++) {
            const double middle = 0.5 * (low + high);
            *(9.80665 * middle * tanh(middle * SURFACE) < o * o ? &low : &high) = middle;
        }
        numbers[q] = low;
    }
}

/* Velocity and acceleration of the water, as a text book has them; from 0 at the bed. */
static void water_moves(double w[3], double a[3], const double x[3], double t) {
    const double f = ramp(t), d = 1e-5, rate = (ramp(t + d) - ramp(t - d)) / (2.0 * d);
    v3_set(w, 0, 0, 0);
    v3_set(a, 0, 0, 0);
    for (int q = 0; q < WAVES; q++) {
        const double *row = waves + 4 * q, o = 2.0 * PI / row[1];
        const double k = numbers[q], z = fmin(fmax(x[2], 0.0), SURFACE), C = cosh(k * z) / sinh(k * SURFACE),
                     S = sinh(k * z) / sinh(k * SURFACE), e[3] = {cos(row[3]), sin(row[3]), 0.0},
                     theta = k * (e[0] * x[0] + e[1] * x[1]) - o * t + row[2];
        for (int i = 0; i < 3; i++) {
            const double up = i == 2, u = row[0] * o * (C * cos(theta) * e[i] + S * sin(theta) * up);
            w[i] += f * u;
            a[i] += f * row[0] * o * o * (C * sin(theta) * e[i] - S * cos(theta) * up) + rate * u;
        }
    }
}

static void fairlead(double p[3], double t) {
    const double w = 2.0 * PI / PERIOD, home[3] = {FAR, 0.0, DEPTH};
    for (int c = 0; c < 3; c++) {
        p[c] = home[c];
        for (int k = 0; k < 6; k++)
            p[c] += ramp(t) * part(c, k) * sin(w * t + phase[k]);
    }
}

/* ---- lumped masses and springs ---- */

enum { NODES = 61 };

static void accelerations(double (*a)[3], const double (*x)[3], const double (*v)[3], double time, double *top) {
    const double l = LENGTH / (NODES - 1), area = 0.25 * PI * DIAMETER * DIAMETER;
    double force[NODES][3] = {{0}}, t[NODES][3];
    for (int i = 0; i + 1 < NODES; i++) {
        double e[3], u[3];
        v3_sub(e, x[i + 1], x[i]);
        v3_sub(u, v[i + 1], v[i]);
        const double r = v3_norm(e), T = EA * (r / l - 1.0) + LAG * EA * v3_dot(e, u) / (r * l);
        for (int c = 0; c < 3; c++) {
            force[i][c] += T * e[c] / r;
            force[i + 1][c] -= T * e[c] / r;
        }
        if (i + 3 >= NODES) /* at the end, from the middles of the last two springs */
            *top = i + 3 == NODES ? -0.5 * T : *top + 1.5 * T;
    }
    for (int i = 0; i < NODES; i++) {
        v3_sub(t[i], x[i + 1 < NODES ? i + 1 : i], x[i > 0 ? i - 1 : 0]);
        v3_scale(t[i], 1.0 / v3_norm(t[i]), t[i]);
        const double tributary = i == 0 || i + 1 == NODES ? 0.5 * l : l,
                     flow[3] = {CURRENT * fmin(fmax(x[i][2] / DEPTH, 0.0), 1.0), 0, 0};
        double u[3], n[3], swell[3], push_of_water[3];
        water_moves(swell, push_of_water, x[i], time);
        v3_sub(u, v[i], flow);
        v3_sub(u, u, swell);
        const double along = v3_dot(u, t[i]);
        v3_axpy(n, u, -along, t[i]);
        const double across = v3_norm(n);
        for (int c = 0; c < 3; c++)
            force[i][c] -= tributary * (0.5 * WATER * CN * DIAMETER * across * n[c] +
                                        0.5 * WATER * CT * PI * DIAMETER * fabs(along) * along * t[i][c]);
        force[i][2] -= tributary * G * (MASS - WATER * area);
        const double ahead = v3_dot(push_of_water, t[i]);
        for (int c = 0; c < 3; c++)
            force[i][c] += tributary * WATER * area * ((1.0 + CA) * push_of_water[c] - CA * ahead * t[i][c]);
        const double push = -BED * x[i][2] - BED_DAMPING * v[i][2];
        if (x[i][2] < 0.0 && push > 0.0)
            force[i][2] += tributary * push;
        /* (m + m_a) a - m_a (a.t) t = f: along t the mass m, across it m + m_a */
        const double m = tributary * MASS, added = tributary * CA * WATER * area, f = v3_dot(force[i], t[i]);
        for (int c = 0; c < 3; c++)
            a[i][c] = (force[i][c] - f * t[i][c]) / (m + added) + f * t[i][c] / m;
    }
}

typedef struct line {
    double x[NODES][3], v[NODES][3];
} line;

/* The first node is fixed, the last one on its path. */
static void rates(line *out, const line *y, double t, double *top) {
    const double d = 1e-4;
    line s = *y;
    double before[3], after[3];
    fairlead(before, t - d);
    fairlead(after, t + d);
    fairlead(s.x[NODES - 1], t);
    v3_sub(s.v[NODES - 1], after, before);
    v3_scale(s.v[NODES - 1], 0.5 / d, s.v[NODES - 1]);
    memset(s.x[0], 0, sizeof s.x[0]);
    memset(s.v[0], 0, sizeof s.v[0]);
    memcpy(out->x, s.v, sizeof s.v);
    accelerations(out->v, (const double(*)[3])s.x, (const double(*)[3])s.v, t, top);
}

static void lumped_step(line *y, double t, double h, double *top) {
    line k[4], s;
    const double weight[4] = {1, 2, 2, 1}, at[4] = {0, 0.5, 0.5, 1};
    double *to = (double *)y, unused;
    for (int i = 0; i < 4; i++) {
        s = *y;
        double *z = (double *)&s;
        const double *from = (const double *)&k[i > 0 ? i - 1 : 0];
        for (size_t q = 0; i > 0 && q < sizeof s / sizeof *z; q++)
            z[q] += at[i] * h * from[q];
        rates(&k[i], &s, t + at[i] * h, i == 0 ? top : &unused);
    }
    for (int i = 0; i < 4; i++)
        for (size_t q = 0; q < sizeof s / sizeof *to; q++)
            to[q] += h / 6.0 * weight[i] * ((const double *)&k[i])[q];
    fairlead(y->x[NODES - 1], t + h);
}

/* ---- both from the same arc, through the settling, compared ---- */

START_TEST(against_lumped_masses) {
    const double chord = hypot(FAR, DEPTH), T = FROM + 10.0 + 3.0 * PERIOD, dt = 0.05;
    number_waves();
    double half = 0.1; /* sin(a)/a = chord/length */
    for (int i = 0; i < 60; i++)
        half -= (sin(half) / half - chord / LENGTH) / ((cos(half) * half - sin(half)) / (half * half));
    const double kappa = 2.0 * half / LENGTH, slope = atan2(DEPTH, FAR),
                 first = slope - half; /* sags: the angle grows along it */
    /* the rod: d3 in the plane x-z at the angle `first` from x, d1 up; curvature about d2 turns d3 towards d1 */
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = LENGTH;
    d.rod.elements = 20;
    d.rod.section = (wy_section){50.0, 50.0, 40.0, 1e6, 1e6, EA, 0.05, 0.05, 0.1, MASS, DIAMETER};
    for (int i = 0; i < 6; i++)
        d.rod.viscosity[i] = LAG * (i < 3 ? 50.0 : i < 5 ? 1e6 : EA);
    const double R[9] = {-sin(first), 0.0,        cos(first), 0.0,       -1.0,
                         0.0,         cos(first), 0.0,        sin(first)}; /* columns d1, d2, d3 */
    wy_quat_from_matrix(d.rod.orientation, R);
    const wy_shape_constant arc = {{0, kappa, 0, 0, 0, 1}};
    d.start.shape = choose(&wy_shapes, "constant", &arc);
    const wy_load_gravity weight = {{0, 0, -G}};
    const wy_load_buoyancy lift = {.density = WATER, .area = NAN, .acceleration = {0, 0, -G}, .surface = NAN};
    const double rows[] = {0.0, 0.0, DEPTH, 1.0};
    const wy_signal_ramp start = {.from = FROM, .until = UNTIL, .high = 1.0, .smooth = true};
    const wy_load_sea water = {.fluid = {.density = WATER,
                                         .diameter = NAN,
                                         .normal = CN,
                                         .tangential = CT,
                                         .added_mass = CA,
                                         .velocity = {CURRENT, 0, 0},
                                         .profile = {2, rows},
                                         .up = {0, 0, 1}},
                               .waves = {WAVES, waves},
                               .surface = SURFACE,
                               .depth = SURFACE,
                               .towards = {1, 0, 0},
                               .waves_in_time = choose(&wy_signals, "ramp", &start)};
    const wy_load_sea_bed bed = {.normal = {0, 0, 1}, .stiffness = BED, .damping = BED_DAMPING};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &weight), choose(&wy_loads, "buoyancy", &lift),
                               choose(&wy_loads, "sea", &water), choose(&wy_loads, "sea-bed", &bed)};
    d.rod.loads = (wy_list){4, loads};
    d.rod.ends[0] = choose(&wy_ends, "pinned", &(wy_end_pinned){{NAN, NAN, NAN}});
    wy_signal_sine sines[3][6];
    wy_choice terms[3][6], factors[3][2];
    wy_signal_sum sums[3];
    wy_signal_product products[3];
    wy_end_carried vessel = {.turns_freely = true};
    for (int c = 0; c < 3; c++) {
        size_t n = 0;
        for (int k = 0; k < 6; k++)
            if (part(c, k) != 0.0) {
                sines[c][k] = (wy_signal_sine){.amplitude = part(c, k), .frequency = 1.0 / PERIOD, .phase = phase[k]};
                terms[c][n++] = choose(&wy_signals, "sine", &sines[c][k]);
            }
        sums[c] = (wy_signal_sum){{n, terms[c]}};
        factors[c][0] = choose(&wy_signals, "ramp", &start);
        factors[c][1] = choose(&wy_signals, "sum", &sums[c]);
        products[c] = (wy_signal_product){{2, factors[c]}};
        vessel.translation[c] = choose(&wy_signals, "product", &products[c]);
    }
    d.rod.ends[1] = choose(&wy_ends, "carried", &vessel);
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    bench b = bench_open(&d);
    line y;
    memset(&y, 0, sizeof y);
    for (int i = 0; i < NODES; i++) {
        const double s = LENGTH * i / (NODES - 1);
        y.x[i][0] = (sin(first + kappa * s) - sin(first)) / kappa;
        y.x[i][2] = (cos(first) - cos(first + kappa * s)) / kappa;
    }
    const int steps = (int)lround(T / dt), inner = 20;
    double difference = 0.0, swing = 0.0, mean = 0.0, sum2 = 0.0, distance = 0.0, lowest = 1e9, highest = 0.0,
           bottom = 0.0;
    int count = 0;
    for (int n = 0; n < steps; n++) {
        double tension = 0.0, top, force[3], moment[3], p[3 * 21], off[3];
        bench_run(&b, dt, 1, 1);
        for (int q = 0; q < inner; q++) {
            lumped_step(&y, dt * n + dt / inner * q, dt / inner, &top);
            tension += top / inner;
        }
        if (dt * (n + 1) < T - 2.0 * PERIOD)
            continue;
        b.rod->method->reaction(force, moment, b.rod, wy_motion_state_numbers(b.state), 1);
        const double ours = v3_norm(force);
        wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = p});
        v3_sub(off, p + 3 * 10, y.x[(NODES - 1) / 2]);
        distance = fmax(distance, v3_norm(off));
        bottom = fmin(bottom, p[3 * 2 + 2]);
        difference += (ours - tension) * (ours - tension);
        mean += tension;
        sum2 += tension * tension;
        lowest = fmin(lowest, tension);
        highest = fmax(highest, tension);
        count++;
    }
    mean /= count;
    difference = sqrt(difference / count);
    swing = sqrt(sum2 / count - mean * mean);
    if (getenv("WITHY_LONG"))
        printf("tension %g N, from %g to %g, swing %g, difference %g N; place %g m; %g s\n", mean, lowest, highest,
               swing, difference, distance, T);
    ck_assert_msg(highest > 1.5 * lowest && bottom < -1e-3, "the line hardly moves (%g to %g N), or has no bed (%g m)",
                  lowest, highest, bottom);
    ck_assert_msg(difference < 0.01 * swing, "tension off by %g N rms of %g (swing %g)", difference, mean, swing);
    ck_assert_msg(distance < 2e-4 * LENGTH, "the middle is off by %g m", distance);
    bench_close(&b);
}
END_TEST

SUITE("a mooring line", against_lumped_masses)
