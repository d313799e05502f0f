/* examples/fmu/: rods and bodies joined by a master. Halves of a rod against the rod in one piece; a rod between two
 * rigid bodies against a rod that carries them; and the same as an SSP, whose connections are read from its
 * SystemStructure.ssd. */
#include "support/importer.h"

#include <withy/rotation.h>

#include "linalg/lu.h"

#define EXAMPLE(name) TEST_SOURCE "/examples/fmu/" name

static sim *begin(fmu *f) {
    sim *s = sim_create(f, "x", NULL, false);
    ck_assert_msg(s->c != NULL, "%s", s->log);
    return s;
}

static double get(sim *s, const char *stem, const char *end, int i) {
    char name[100];
    snprintf(name, sizeof name, "%s%s.%c", stem, end, strstr(end, "orientation") || *end == 'q' ? "0123"[i] : "xyz"[i]);
    return sim_get(s, name);
}

/* Twice the vector part of conj(a) b. */
static void turn_of(double r[3], const double a[4], const double b[4]) {
    double back[4], c[4];
    wy_quat_conjugate(back, a);
    wy_quat_product(c, back, b);
    for (int i = 0; i < 3; i++)
        r[i] = 2.0 * c[1 + i];
}

/* A partner's quaternion may have the other sign. */
static void same_side(double q[4], const double of[4]) {
    if (q[0] * of[0] + q[1] * of[1] + q[2] * of[2] + q[3] * of[3] < 0.0)
        for (int i = 0; i < 4; i++)
            q[i] = -q[i];
}

/* ---- two rods ---- */

static const char *const push_left[6] = {"last_end.push.force.x",  "last_end.push.force.y",  "last_end.push.force.z",
                                         "last_end.push.moment.x", "last_end.push.moment.y", "last_end.push.moment.z"},
                         *const push_right[6] = {"first_end.push.force.x",  "first_end.push.force.y",
                                                 "first_end.push.force.z",  "first_end.push.moment.x",
                                                 "first_end.push.moment.y", "first_end.push.moment.z"};

static void pose(double p[3], double q[4], sim *s, const char *stem) {
    for (int i = 0; i < 3; i++)
        p[i] = get(s, stem, "position", i);
    for (int i = 0; i < 4; i++)
        q[i] = get(s, stem, "orientation", i);
}

static void pose_change(double p[3], double q[4], sim *s, const char *stem, const char *by) {
    char name[100];
    for (int i = 0; i < 7; i++) {
        snprintf(name, sizeof name, i < 3 ? "%sposition.%c" : "%sorientation.%c", stem,
                 i < 3 ? "xyz"[i] : "0123"[i - 3]);
        *(i < 3 ? p + i : q + i - 3) = sim_derivative(s, name, by);
    }
}

/* The wrench that keeps the joint together over a step: Newton with the mobilities, from the states before it. */
static double join_halves(sim *left, sim *right, double wrench[6], double t, double H) {
    void *before[2] = {NULL, NULL};
    double gap[6], pa[3], qa[4], pb[3], qb[4], size = INFINITY;
    sim_save(left, &before[0]);
    sim_save(right, &before[1]);
    for (int pass = 0; pass < 8; pass++) {
        sim_load(left, before[0]);
        sim_load(right, before[1]);
        for (int i = 0; i < 6; i++) {
            sim_set(left, push_left[i], wrench[i]);
            sim_set(right, push_right[i], -wrench[i]);
        }
        sim_step(left, t, H);
        sim_step(right, t, H);
        pose(pa, qa, left, "last_end.");
        pose(pb, qb, right, "first_end.");
        same_side(qb, qa);
        for (int i = 0; i < 3; i++)
            gap[i] = pa[i] - pb[i];
        turn_of(gap + 3, qa, qb);
        size = 0.0;
        for (int i = 0; i < 6; i++)
            size = fmax(size, fabs(gap[i]));
        if (size < 1e-13)
            break;
        double A[36];
        size_t pivots[6];
        for (int c = 0; c < 6; c++) {
            double dpa[3], dqa[4], dpb[3], dqb[4], one[3], two[3];
            pose_change(dpa, dqa, left, "last_end.", push_left[c]);
            pose_change(dpb, dqb, right, "first_end.", push_right[c]);
            turn_of(one, dqa, qb);
            turn_of(two, qa, dqb);
            for (int i = 0; i < 3; i++) {
                A[6 * i + c] = dpa[i] + dpb[i];
                A[6 * (3 + i) + c] = one[i] - two[i];
            }
        }
        ck_assert(wy_lu_factor(A, pivots, 6));
        wy_lu_solve(gap, A, pivots, 6);
        for (int i = 0; i < 6; i++)
            wrench[i] -= gap[i];
    }
    sim_forget(left, &before[0]);
    sim_forget(right, &before[1]);
    return size;
}

static double rod_energy(sim *s) {
    return sim_get(s, "kinetic") + sim_get(s, "strain_energy") + sim_get(s, "gravity");
}

START_TEST(halves_of_a_rod) {
    fmu *files[3] = {fmu_open_with(EXAMPLE("left-half.yaml"), 2, ""), fmu_open_with(EXAMPLE("right-half.yaml"), 2, ""),
                     fmu_open_with(EXAMPLE("whole-rod.yaml"), 2, "")};
    sim *s[3];
    const double H = 0.00390625;
    double wrench[6] = {0.0}, gap = 0.0, energy = 0.0, off = 0.0, most = 0.0;
    for (int i = 0; i < 3; i++) {
        s[i] = begin(files[i]);
        sim_start(s[i]);
    }
    for (int k = 0; k < 64; k++) {
        gap = fmax(gap, join_halves(s[0], s[1], wrench, H * k, H));
        sim_step(s[2], H * k, H);
        most = fmax(most, sim_get(s[2], "kinetic"));
        energy = fmax(energy, fabs(rod_energy(s[0]) + rod_energy(s[1]) - rod_energy(s[2])));
        for (int i = 0; i < 3; i++)
            off = fmax(off, fabs(get(s[1], "last_end.", "position", i) - get(s[2], "last_end.", "position", i)));
    }
    printf("halves: gap %.1e, energy off by %.1e of %.2g J, tip by %.1e m\n", gap, energy, most, off);
    ck_assert_double_lt(gap, 1e-10 * 0.7);
    ck_assert_double_lt(energy, 1e-9 * most);
    ck_assert_double_lt(off, 1e-9);
    for (int i = 0; i < 3; i++) {
        sim_free(s[i]);
        fmu_close(files[i]);
    }
}
END_TEST

/* ---- a rod between two bodies ---- */

static const double inertia[2][3] = {{0.002, 0.0015, 0.001}, {0.0015, 0.003, 0.002}};
static const char *const ends[2] = {"first_end.", "last_end."};

static sim *body(fmu *f, int which) {
    sim *s = begin(f);
    sim_set(s, "inertia.x", inertia[which][0]);
    sim_set(s, "inertia.y", inertia[which][1]);
    sim_set(s, "inertia.z", inertia[which][2]);
    sim_set(s, "step", 0.0);
    sim_start(s);
    return s;
}

static void name_of(char name[100], const char *stem, const char *what, int i) {
    snprintf(name, 100, "%s%s.%c", stem, what, "xyz"[i]);
}

/* Moments on the ends of the rod, and turned round on the bodies, that keep them turned alike over a step. */
static double join_bodies(sim *rod, sim *const body_of[2], double moment[6], double t, double H) {
    void *before[3] = {NULL, NULL, NULL};
    double gap[6], size = INFINITY, qa[2][4], qb[2][4];
    char name[100], component[100];
    sim_save(rod, &before[2]);
    for (int e = 0; e < 2; e++)
        sim_save(body_of[e], &before[e]);
    for (int pass = 0; pass < 10; pass++) {
        sim_load(rod, before[2]);
        for (int e = 0; e < 2; e++) {
            sim_load(body_of[e], before[e]);
            for (int i = 0; i < 3; i++) {
                name_of(name, ends[e], "push.moment", i);
                sim_set(rod, name, moment[3 * e + i]);
                name_of(name, "", "moment", i);
                sim_set(body_of[e], name, -moment[3 * e + i]);
            }
            sim_step(body_of[e], t, H);
        }
        sim_step(rod, t, H);
        size = 0.0;
        for (int e = 0; e < 2; e++) {
            for (int i = 0; i < 4; i++) {
                qa[e][i] = get(rod, ends[e], "orientation", i);
                qb[e][i] = get(body_of[e], "", "q", i);
            }
            same_side(qb[e], qa[e]);
            turn_of(gap + 3 * e, qa[e], qb[e]);
        }
        for (int i = 0; i < 6; i++)
            size = fmax(size, fabs(gap[i]));
        if (size < 1e-13)
            break;
        double A[36];
        size_t pivots[6];
        for (int c = 0; c < 6; c++)
            for (int e = 0; e < 2; e++) {
                double da[4], db[4], one[3], two[3] = {0.0};
                name_of(name, ends[c / 3], "push.moment", c % 3);
                for (int i = 0; i < 4; i++) {
                    snprintf(component, sizeof component, "%sorientation.%d", ends[e], i);
                    da[i] = sim_derivative(rod, component, name);
                }
                turn_of(one, da, qb[e]);
                name_of(name, "", "moment", c % 3);
                for (int i = 0; i < 4 && c / 3 == e; i++) {
                    snprintf(component, sizeof component, "q.%d", i);
                    db[i] = sim_derivative(body_of[e], component, name);
                }
                if (c / 3 == e)
                    turn_of(two, qa[e], db);
                for (int i = 0; i < 3; i++)
                    A[6 * (3 * e + i) + c] = one[i] - two[i];
            }
        ck_assert(wy_lu_factor(A, pivots, 6));
        wy_lu_solve(gap, A, pivots, 6);
        for (int i = 0; i < 6; i++)
            moment[i] -= gap[i];
    }
    sim_forget(rod, &before[2]);
    for (int e = 0; e < 2; e++)
        sim_forget(body_of[e], &before[e]);
    return size;
}

static double body_energy(sim *s, int which) {
    double T = 0.0;
    for (int i = 0; i < 3; i++) {
        const double w = get(s, "", "w", i);
        T += 0.5 * inertia[which][i] * w * w;
    }
    return T;
}

/* The whole 0.4 s with a communication step of H; the orientations of both bodies at the end. */
static void run_bodies(double out[8], double H, double *gap, double *energy) {
    char step[40];
    snprintf(step, sizeof step, "--set step=%.17g", H);
    fmu *rod_file = fmu_open_with(EXAMPLE("between-bodies.yaml"), 2, step), *body_file = fmu_open("rigid_body", 2);
    sim *rod = begin(rod_file), *bodies[2] = {body(body_file, 0), body(body_file, 1)};
    sim_start(rod);
    double moment[6] = {0.0}, first = rod_energy(rod), most = 0.0;
    *gap = *energy = 0.0;
    const int steps = (int)floor(0.4 / H + 0.5);
    for (int k = 0; k < steps; k++) {
        *gap = fmax(*gap, join_bodies(rod, bodies, moment, H * k, H));
        const double turning = body_energy(bodies[0], 0) + body_energy(bodies[1], 1);
        most = fmax(most, turning);
        *energy = fmax(*energy, fabs(rod_energy(rod) + turning - first));
    }
    *energy /= most;
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 4; i++)
            out[4 * e + i] = get(bodies[e], "", "q", i);
    for (int e = 0; e < 2; e++)
        sim_free(bodies[e]);
    sim_free(rod);
    fmu_close(rod_file);
    fmu_close(body_file);
}

/* The rod that carries the bodies at its pinned ends, in fine steps. */
static void run_whole(double out[8]) {
    fmu *f = fmu_open_with(
        EXAMPLE("between-bodies.yaml"), 2,
        "--set step=0.0005 --set bodies='[[0, 1, 0.002, 0.0015, 0.001], [0.4, 1, 0.0015, 0.003, 0.002]]'");
    sim *s = begin(f);
    sim_start(s);
    sim_step(s, 0.0, 0.4);
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 4; i++)
            out[4 * e + i] = get(s, ends[e], "orientation", i);
    sim_free(s);
    fmu_close(f);
}

static double apart(const double a[8], const double b[8]) {
    double most = 0.0;
    for (int e = 0; e < 2; e++) {
        double r[3], q[4];
        memcpy(q, a + 4 * e, sizeof q);
        same_side(q, b + 4 * e);
        turn_of(r, q, b + 4 * e);
        for (int i = 0; i < 3; i++)
            most = fmax(most, fabs(r[i]));
    }
    return most;
}

START_TEST(a_rod_between_two_bodies) {
    double whole[8], turned = 0.0, off[2], gap, energy[2];
    run_whole(whole);
    for (int i = 1; i < 4; i++)
        turned = fmax(turned, fabs(whole[i]));
    ck_assert_double_gt(turned, 0.05);
    for (int k = 0; k < 2; k++) {
        double q[8];
        run_bodies(q, k ? 0.0025 : 0.005, &gap, &energy[k]);
        off[k] = apart(q, whole);
        ck_assert_double_lt(gap, 1e-11);
    }
    printf("between bodies: turned by %.2g, off by %.2e, %.2e rad (order %.2f), energy %.1e, %.1e of the bodies'\n",
           2.0 * turned, off[0], off[1], log2(off[0] / off[1]), energy[0], energy[1]);
    ck_assert_double_lt(off[1], 1e-3);
    ck_assert_double_gt(log2(off[0] / off[1]), 1.7); /* forces that are constant over a step: second order */
}
END_TEST

/* ---- the same as an SSP, numbers handed over from step to step ---- */

enum { MOST_COMPONENTS = 4, MOST_CONNECTIONS = 40 };

typedef struct ssp {
    char folder[200];
    int components, connections;
    char name[MOST_COMPONENTS][40];
    fmu *file[MOST_COMPONENTS];
    sim *of[MOST_COMPONENTS];
    struct {
        int from, to;
        char start[64], end[64];
        double factor;
    } wire[MOST_CONNECTIONS];
} ssp;

static int component_of(const ssp *p, const char *name) {
    for (int i = 0; i < p->components; i++)
        if (strcmp(p->name[i], name) == 0)
            return i;
    ck_abort_msg("no component '%s'", name);
    return -1;
}

static void read_ssp(ssp *p) {
    char path[400], value[80];
    snprintf(path, sizeof path, "%s/SystemStructure.ssd", p->folder);
    char *text = read_whole(path, NULL);
    for (const char *at = text; (at = strstr(at, "<ssd:Component ")) != NULL; at++) {
        const int i = p->components++;
        ck_assert_int_lt(i, MOST_COMPONENTS);
        xml_attribute(at, "name", p->name[i], sizeof p->name[i]);
        ck_assert(xml_attribute(at, "source", value, sizeof value));
        snprintf(path, sizeof path, "%s/%s", p->folder, value);
        p->file[i] = fmu_open_file(path, 2);
        p->of[i] = begin(p->file[i]);
        const char *until = strstr(at, "</ssd:Component>");
        for (const char *set = at; (set = strstr(set, "<ssv:Parameter ")) != NULL && set < until; set++) {
            char number[40];
            xml_attribute(set, "name", value, sizeof value);
            ck_assert(xml_attribute(strchr(set, '>') + 1, "value", number, sizeof number));
            sim_set(p->of[i], value, strtod(number, NULL));
        }
    }
    for (const char *at = text; (at = strstr(at, "<ssd:Connection ")) != NULL; at++) {
        const int i = p->connections++;
        ck_assert_int_lt(i, MOST_CONNECTIONS);
        xml_attribute(at, "startElement", value, sizeof value);
        p->wire[i].from = component_of(p, value);
        xml_attribute(at, "endElement", value, sizeof value);
        p->wire[i].to = component_of(p, value);
        xml_attribute(at, "startConnector", p->wire[i].start, sizeof p->wire[i].start);
        xml_attribute(at, "endConnector", p->wire[i].end, sizeof p->wire[i].end);
        const char *close = strchr(at, '>');
        p->wire[i].factor = 1.0;
        if (close[-1] != '/' && xml_attribute(close + 1, "factor", value, sizeof value))
            p->wire[i].factor = strtod(value, NULL);
    }
    free(text);
}

START_TEST(as_an_ssp) {
    ssp *p = calloc(1, sizeof *p);
    char command[1000], path[300];
    snprintf(p->folder, sizeof p->folder, "/tmp/withy-ssp-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(p->folder));
    snprintf(command, sizeof command, "/usr/bin/env python3 '%s' '%s' '%s'", EXAMPLE("make_ssp.py"), WITHY_COMMAND,
             p->folder);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/between-bodies.ssp", p->folder);
    unzip(path, p->folder);
    read_ssp(p);
    ck_assert_int_eq(p->components, 3);
    ck_assert_int_eq(p->connections, 14);
    const double H = 0.001;
    for (int i = 0; i < p->components; i++)
        sim_start(p->of[i]);
    for (int k = 0; k < 400; k++) {
        double value[MOST_CONNECTIONS];
        for (int i = 0; i < p->connections; i++)
            value[i] = p->wire[i].factor * sim_get(p->of[p->wire[i].from], p->wire[i].start);
        for (int i = 0; i < p->connections; i++)
            sim_set(p->of[p->wire[i].to], p->wire[i].end, value[i]);
        for (int i = 0; i < p->components; i++)
            sim_step(p->of[i], H * k, H);
    }
    double whole[8], q[8];
    run_whole(whole);
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 4; i++)
            q[4 * e + i] = get(p->of[component_of(p, e ? "body2" : "body1")], "", "q", i);
    printf("as an SSP: off by %.1e rad\n", apart(q, whole));
    ck_assert_double_lt(apart(q, whole), 0.02); /* first order */
    for (int i = 0; i < p->components; i++) {
        sim_free(p->of[i]);
        fmu_close(p->file[i]);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", p->folder);
    ck_assert_int_eq(system(command), 0);
    free(p);
}
END_TEST

SUITE("fmu examples", halves_of_a_rod, a_rod_between_two_bodies, as_an_ssp)
