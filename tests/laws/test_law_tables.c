/* Walks the tables of loads, ends and dampings; a row without a line here fails the test. For every law: its
 * derivatives agree with differences, its force is the derivative of its potential, a bad number gets an error, and
 * the moving rod settles at the static equilibrium. For every damping: the first mode of a rod, straight or tapered,
 * decays at the stated rate. */
#include <withy/equilibrium.h>
#include <withy/sea.h>

#include "motion/gauss_director/gauss_director.h"
#include "rod/joint.h"
#include "support/rods.h"

/* ---- what is put into each law ---- */

static const wy_load_gravity gravity = {{-6.1, 2.3, -1.7}};
static const wy_load_drag drag = {.linear = 0.4, .angular = 1e-5};
static const wy_load_distributed force = {.density = {-0.9, 0.3, 0.2}, .from = 0.02, .until = 0.07};
static const wy_load_distributed couple = {
    .density = {2e-3, -4e-3, 3e-3}, .following = true, .from = NAN, .until = NAN};
static const wy_load_point_force point = {.force = {0.03, -0.05, 0.02}, .at = 0.06};
static const double load_rows_[] = {0.0,  -0.5, 0,     0.1, 0,   2e-3, 0, 0.04, -1.1, 0.4, 0,
                                    1e-3, 0.0,  -1e-3, 0.1, 0.2, 0.3,  0, 0,    0,    0};
static const wy_load_rows load_rows = {.rows = {3, load_rows_}, .following = true};
static const wy_load_foundation foundation = {.stiffness = {35.0, 60.0, 11.0},
                                              .origin = {0.004, -0.007, 0.001},
                                              .direction = {0.0, 0.1, 2.0},
                                              .from = NAN,
                                              .until = NAN};
static const wy_load_sea_bed bed = {.normal = {1.5, 0.3, 0.1}, .height = 0.006, .stiffness = 900.0, .damping = 2.0};
static const double profile_[] = {-1.0, 0.6, 0.4, 1.4, 2.0, 2.0};
static const wy_load_fluid fluid = {.density = 900.0,
                                    .diameter = NAN,
                                    .normal = 1.1,
                                    .tangential = 0.2,
                                    .added_mass = 0.8,
                                    .velocity = {-0.5, 0.35, 0.2},
                                    .profile = {3, profile_},
                                    .up = {0.2, 0.1, 1.0}};
/* At rest there are no waves: the table is walked with those of no height in water above the rod, `derivatives` with
 * these at the surface. */
static const double waves_[] = {0.004, 0.3, 0.7, 0.4, 0.002, 0.21, -1.9, 5.0}, still_[] = {0.0, 0.3, 0.7, 0.4};
static const wy_load_sea sea = {.fluid = {.density = 1020.0,
                                          .diameter = NAN,
                                          .normal = 1.2,
                                          .tangential = 0.1,
                                          .added_mass = 0.9,
                                          .velocity = {0.3, -0.45, 0.1},
                                          .profile = {3, profile_},
                                          .up = {0.1, 0.2, 1.5}},
                                .waves = {1, still_},
                                .surface = 0.5,
                                .depth = 0.6,
                                .towards = {1.0, 0.3, 0.2}};
static const wy_load_buoyancy buoyancy = {
    .density = 1700.0, .area = NAN, .acceleration = {-6.0, 1.0, 2.0}, .surface = NAN};

static const struct {
    const char *name;
    const void *config;
} loads[] = {
    {"gravity", &gravity},   {"drag", &drag},      {"distributed-force", &force}, {"distributed-couple", &couple},
    {"point-force", &point}, {"rows", &load_rows}, {"foundation", &foundation},   {"sea-bed", &bed},
    {"fluid", &fluid},       {"sea", &sea},        {"buoyancy", &buoyancy}};
enum { LOADS = sizeof loads / sizeof *loads };

static const wy_end_clamped clamped = {.position = {NAN, NAN, NAN}, .orientation = {NAN, NAN, NAN, NAN}};
static const wy_end_coaxial coaxial = {.shortening = 0.0, .twist = 0.0};
static const wy_end_pinned pinned = {.position = {NAN, NAN, NAN}};
static const wy_end_held slider = {.translations = {1, 0, 1},
                                   .rotations = {1, 0, 1},
                                   .frame = {0.9, 0.1, -0.3, 0.2},
                                   .position = {NAN, NAN, NAN},
                                   .orientation = {NAN, NAN, NAN, NAN},
                                   .force = {0.05, -0.02, 0.03},
                                   .moment = {2e-4, 5e-4, 0.0}};
static const wy_end_loaded loaded = {.force = {0.02, 0.03, -0.04}, .moment = {4e-4, 0.0, 3e-4}, .following = true};
static const wy_end_spring spring = {.stiffness = {3e-3, 2e-3, 4e-3, 3.0, 5.0, 2.0},
                                     .damping = {1e-5, 1e-5, 1e-5, 1e-2, 1e-2, 1e-2},
                                     .position = {0.004, -0.003, 0.097},
                                     .orientation = {0.9, 0.1, -0.2, 0.15}};
static const wy_end_moved moved = {.displacement = {0, 0, 0}};
static const wy_end_carried carried = {.turns_freely = false};

static const struct {
    const char *name;
    const void *config;
} ends[] = {{"clamped", &clamped}, {"coaxial", &coaxial}, {"pinned", &pinned}, {"held", &slider},     {"free", NULL},
            {"loaded", &loaded},   {"spring", &spring},   {"moved", &moved},   {"carried", &carried}, {"driven", NULL}};
enum { ENDS = sizeof ends / sizeof *ends };

START_TEST(every_row_is_here) {
    for (int which = 0; which < 2; which++) {
        const wy_catalogue *table = which ? &wy_ends : &wy_loads;
        for (const wy_entry *const *e = table->entries; *e; e++) {
            bool found = false;
            for (int i = 0; i < (which ? ENDS : LOADS); i++)
                found = found || strcmp((*e)->name, which ? ends[i].name : loads[i].name) == 0;
            ck_assert_msg(found, "the %s '%s' is not tested here", table->singular, (*e)->name);
        }
    }
}
END_TEST

/* ---- derivatives ---- */

typedef struct stand {
    double x[3], D[9], v[3], omega[3], a[3], t;
    wy_section section;
} stand;

typedef void law(wy_wrench *wrench, const void *config, const wy_material_point *at);
typedef double store(const void *config, const wy_material_point *at);

static wy_material_point point_of(const stand *s) {
    return (wy_material_point){.s = 0.043,
                               .length = 0.1,
                               .t = s->t,
                               .section = &s->section,
                               .x = s->x,
                               .D = s->D,
                               .v = s->v,
                               .omega = s->omega,
                               .a = s->a};
}

/* [moment; force] in space. */
static void total(double W[6], law *wrench, const void *config, const stand *s) {
    wy_wrench w = {.K = NULL};
    const wy_material_point at = point_of(s);
    wrench(&w, config, &at);
    for (int i = 0; i < 6; i++) {
        W[i] = w.space[i];
        for (int k = 0; k < 3; k++)
            W[i] += s->D[3 * k + i % 3] * w.body[i / 3 * 3 + k];
    }
}

static stand moved_by(const stand *s, int j, double d) {
    stand out = *s;
    if (j < 3) {
        double phi[3] = {0, 0, 0}, q[4];
        phi[j] = d;
        wy_quat_exp(q, phi);
        for (int k = 0; k < 3; k++)
            wy_quat_rotate(out.D + 3 * k, q, s->D + 3 * k);
    } else {
        out.x[j - 3] += d;
    }
    return out;
}

static void derivatives(const char *name, law *wrench, store *potential, unsigned varies, const void *config) {
    uint64_t seed = 5;
    for (int round = 0; round < 20; round++) {
        stand s = {.section = round_section(0.005, 1e6, 1e6 / 3.0, 1000.0)};
        double q[4], K[36] = {0}, C[36] = {0}, W[6], scale = 1e-6;
        for (int i = 0; i < 4; i++)
            q[i] = random_normal(&seed) + (i == 0 ? 2.0 : 0.0);
        wy_quat_normalize(q, q);
        for (int k = 0; k < 3; k++) {
            s.x[k] = random_in(&seed, -0.05, 0.05);
            s.v[k] = random_in(&seed, -1.0, 1.0);
            s.omega[k] = random_in(&seed, -3.0, 3.0);
            s.a[k] = random_in(&seed, -5.0, 5.0);
            wy_quat_rotate(s.D + 3 * k, q, (const double[]){k == 0, k == 1, k == 2});
        }
        wy_wrench w = {.K = K, .C = C};
        const wy_material_point at = point_of(&s);
        wrench(&w, config, &at);
        total(W, wrench, config, &s);
        for (int i = 0; i < 6; i++)
            scale = fmax(scale, fabs(W[i]));
        const double U = potential ? potential(config, &at) : NAN;
        for (int j = 0; j < 6; j++) {
            const double d = 1e-6;
            double up[6], down[6];
            const stand a = moved_by(&s, j, d), b = moved_by(&s, j, -d);
            wy_wrench wa = {.K = NULL}, wb = {.K = NULL};
            const wy_material_point pa = point_of(&a), pb = point_of(&b);
            wrench(&wa, config, &pa);
            wrench(&wb, config, &pb);
            for (int i = 0; i < 6; i++) {
                const double slope = (wa.space[i] - wb.space[i]) / (2 * d), size = fabs(slope) + scale;
                if (!(varies & (WY_VARIES_POSITION | WY_VARIES_ROTATION)))
                    ck_assert_msg(slope == 0.0, "%s varies with place or turn and does not say so", name);
                else
                    ck_assert_msg(fabs(slope - K[6 * i + j]) < 2e-5 * size, "%s: K(%d, %d) is %g, differences say %g",
                                  name, i, j, K[6 * i + j], slope);
            }
            if (!isnan(U)) { /* minus its slope is the force, and the moment, of a rod that stands still */
                stand still = s;
                memset(still.v, 0, sizeof still.v);
                memset(still.omega, 0, sizeof still.omega);
                total(W, wrench, config, &still);
                const double slope = (potential(config, &pa) - potential(config, &pb)) / (2 * d);
                ck_assert_msg(fabs(slope + W[j]) < 1e-5 * scale, "%s: the potential gives %g, the law %g", name, -slope,
                              W[j]);
            }
            stand f = s, g = s;
            (j < 3 ? f.omega : f.v)[j % 3] += d;
            (j < 3 ? g.omega : g.v)[j % 3] -= d;
            total(up, wrench, config, &f);
            total(down, wrench, config, &g);
            for (int i = 0; i < 6; i++) {
                const double slope = (up[i] - down[i]) / (2 * d);
                if (!(varies & WY_VARIES_VELOCITY))
                    ck_assert_msg(slope == 0.0, "%s varies with the velocity and does not say so", name);
                else
                    ck_assert_msg(fabs(slope - C[6 * i + j]) < 2e-5 * (fabs(slope) + scale),
                                  "%s: C(%d, %d) is %g, differences say %g", name, i, j, C[6 * i + j], slope);
            }
        }
    }
}

START_TEST(derivatives_are_derivatives) {
    for (int i = 0; i < LOADS; i++) {
        const wy_load *l = (const wy_load *)(const void *)wy_catalogue_find(&wy_loads, loads[i].name);
        derivatives(loads[i].name, l->wrench, l->potential, l->varies ? l->varies(loads[i].config) : 0,
                    loads[i].config);
    }
    wy_load_buoyancy floating = buoyancy;
    floating.surface = 0.01;
    const wy_load *l = (const wy_load *)(const void *)wy_catalogue_find(&wy_loads, "buoyancy");
    derivatives("floating", l->wrench, l->potential, l->varies(&floating), &floating);
    const wy_signal_ramp grows = {.from = -1.0, .until = 2.0, .high = 1.0};
    l = (const wy_load *)(const void *)wy_catalogue_find(&wy_loads, "sea");
    for (int deep = 0; deep < 2; deep++) { /* the surface and the bed are among the places where it is asked */
        wy_load_sea rough = sea;
        rough.waves = (wy_samples){2, waves_};
        rough.surface = 0.02;
        rough.depth = 0.06;
        rough.waves_in_time = choose(&wy_signals, "ramp", &grows);
        if (deep)
            rough.depth = NAN;
        derivatives(deep ? "deep waves" : "waves", l->wrench, l->potential, l->varies(&rough), &rough);
    }
    wy_load_rows dead = load_rows;
    dead.following = false;
    l = (const wy_load *)(const void *)wy_catalogue_find(&wy_loads, "rows");
    derivatives("dead rows", l->wrench, l->potential, l->varies(&dead), &dead);
    for (int i = 0; i < ENDS; i++) {
        const wy_joint *e = (const wy_joint *)(const void *)wy_catalogue_find(&wy_ends, ends[i].name);
        if (e->wrench)
            derivatives(ends[i].name, e->wrench, e->potential, e->varies ? e->varies(ends[i].config) : 0,
                        ends[i].config);
    }
    static double full[36]; /* a symmetric positive matrix with every entry */
    uint64_t seed = 9;
    double B[36];
    for (int i = 0; i < 36; i++)
        B[i] = random_in(&seed, -1, 1);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 6; k++)
                full[6 * i + j] += B[6 * i + k] * B[6 * j + k];
    wy_end_spring all = spring;
    all.matrix = (wy_samples){6, full};
    const wy_joint *e = (const wy_joint *)(const void *)wy_catalogue_find(&wy_ends, "spring");
    derivatives("spring with a matrix", e->wrench, e->potential, e->varies(&all), &all);
}
END_TEST

/* ---- joints, seen from a partner ---- */

static const wy_joint *joint;
static wy_partner partner;

static void wrench_from_partner(wy_wrench *w, const void *config, const wy_material_point *at) {
    wy_joint_wrench(w, joint, config, &partner, at);
}

static double potential_from_partner(const void *config, const wy_material_point *at) {
    return wy_joint_potential(joint, config, &partner, at);
}

static void random_turn(double q[4], uint64_t *seed) {
    for (int i = 0; i < 4; i++)
        q[i] = random_normal(seed);
    wy_quat_normalize(q, q);
}

/* A partner anywhere within 0.1 m, at rest or moving. */
static wy_partner random_partner(uint64_t *seed, bool moves) {
    wy_partner out = {.x = {0}};
    double q[4];
    random_turn(q, seed);
    for (int k = 0; k < 3; k++) {
        out.x[k] = random_in(seed, -0.1, 0.1);
        out.v[k] = moves ? random_in(seed, -1.0, 1.0) : 0.0;
        out.omega[k] = moves ? random_in(seed, -3.0, 3.0) : 0.0;
        wy_quat_rotate(out.D + 3 * k, q, (const double[]){k == 0, k == 1, k == 2});
    }
    return out;
}

/* A rigid motion of space: x -> Q x + b with the angular velocity w of the result, its velocity c at the origin. */
typedef struct rigid {
    double q[4], b[3], w[3], c[3];
} rigid;

static void moved_along(double x[3], double D[9], double v[3], double omega[3], const rigid *g) {
    double turned[3];
    wy_quat_rotate(turned, g->q, x);
    v3_add(x, turned, g->b);
    for (int k = 0; k < 3; k++) {
        wy_quat_rotate(turned, g->q, D + 3 * k);
        v3_copy(D + 3 * k, turned);
    }
    wy_quat_rotate(turned, g->q, v);
    v3_cross(v, g->w, x);
    v3_add(v, v, turned);
    v3_add(v, v, g->c);
    wy_quat_rotate(turned, g->q, omega);
    v3_add(omega, turned, g->w);
}

START_TEST(joints_serve_any_partner) {
    uint64_t seed = 17;
    for (int i = 0; i < ENDS; i++) {
        static const wy_end_driven path = {.lasts = 0.7,
                                           .from = {0.1, 0.2, -0.3},
                                           .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                           .displacement = {0.02, -0.01, 0.03},
                                           .turn = {0.3, 0.2, -0.4}};
        const void *config = ends[i].config ? ends[i].config : &path;
        joint = (const wy_joint *)(const void *)wy_catalogue_find(&wy_ends, ends[i].name);
        for (int round = 0; round < 3 && joint->wrench; round++) { /* a potential does not know of dampers */
            partner = random_partner(&seed, round > 0);
            derivatives(ends[i].name, wrench_from_partner, round > 0 ? NULL : potential_from_partner,
                        joint->varies ? joint->varies(config) : 0, config);
        }
        for (int round = 0; round < 20; round++) {
            stand s = {.t = 0.3, .section = round_section(0.005, 1e6, 1e6 / 3.0, 1000.0)};
            rigid g;
            double q[4], before[6], after[6], scale = 1e-6;
            random_turn(q, &seed);
            random_turn(g.q, &seed);
            for (int k = 0; k < 3; k++) {
                s.x[k] = random_in(&seed, -0.05, 0.05);
                s.v[k] = random_in(&seed, -1.0, 1.0);
                s.omega[k] = random_in(&seed, -3.0, 3.0);
                g.b[k] = random_in(&seed, -1.0, 1.0);
                g.w[k] = random_in(&seed, -2.0, 2.0);
                g.c[k] = random_in(&seed, -1.0, 1.0);
                wy_quat_rotate(s.D + 3 * k, q, (const double[]){k == 0, k == 1, k == 2});
            }
            partner = random_partner(&seed, true);
            const wy_material_point at = point_of(&s);
            const wy_partner space = {.D = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
            wy_wrench of_ground = {.K = NULL}, of_space = {.K = NULL};
            wy_joint_wrench(&of_ground, joint, config, NULL, &at);
            wy_joint_wrench(&of_space, joint, config, &space, &at);
            for (int k = 0; k < 6; k++) {
                ck_assert_double_eq(of_ground.space[k], of_space.space[k]);
                ck_assert_double_eq(of_ground.body[k], of_space.body[k]);
            }
            const double p0[3] = {0.01, -0.02, 0.05}, t = 0.4;
            double p[3], D[9], D0[9], pg[3], Dg[9], turned[3], arm[3];
            wy_constraint_mask mask, mask_g;
            memcpy(D0, s.D, sizeof D0);
            total(before, wrench_from_partner, config, &s);
            wy_joint_pose(p, D, joint, config, &partner, t, p0, D0);
            wy_joint_mask(&mask, joint, config, &partner);
            moved_along(s.x, s.D, s.v, s.omega, &g);
            moved_along(partner.x, partner.D, partner.v, partner.omega, &g);
            total(after, wrench_from_partner, config, &s);
            wy_joint_pose(pg, Dg, joint, config, &partner, t, p0, D0);
            wy_joint_mask(&mask_g, joint, config, &partner);
            for (int k = 0; k < 6; k++)
                scale = fmax(scale, fabs(before[k]));
            for (int half = 0; half < 6; half += 3) {
                wy_quat_rotate(turned, g.q, before + half);
                v3_sub(turned, turned, after + half);
                ck_assert_msg(v3_norm(turned) < 1e-12 * scale, "%s: not the same in a frame that moves: %g off",
                              ends[i].name, v3_norm(turned));
            }
            wy_quat_rotate(arm, g.q, p);
            v3_add(arm, arm, g.b);
            v3_sub(arm, arm, pg);
            ck_assert_msg(v3_norm(arm) < 1e-14, "%s: its pose does not go with the partner", ends[i].name);
            ck_assert_uint_eq(mask.components, mask_g.components);
            for (int k = 0; k < 3; k++) {
                wy_quat_rotate(turned, g.q, D + 3 * k);
                v3_sub(turned, turned, Dg + 3 * k);
                ck_assert_double_lt(v3_norm(turned), 1e-14);
                wy_quat_rotate(turned, g.q, mask.frame + 3 * k);
                v3_sub(turned, turned, mask_g.frame + 3 * k);
                ck_assert_double_lt(v3_norm(turned), 1e-14);
            }
        }
    }
}
END_TEST

/* ---- at rest, moving and not ---- */

static void rest(double tip[3], const wy_motion_definition *d) {
    wy_equilibrium_method how;
    wy_equilibrium_method_init(&how);
    how.elements = 60;
    wy_equilibrium *solver;
    wy_error err;
    ck_assert_msg(!wy_equilibrium_create(&solver, &d->rod, &how, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    v3_copy(tip, wy_equilibrium_states(solver) + WY_STATIC_DIM * (wy_equilibrium_count(solver) - 1) + WY_STATIC_X);
    wy_equilibrium_free(solver);
}

/* Also a point inside, so that a rod held at both ends tells something. */
static void compare(const char *name, const wy_motion_definition *d, double tolerance, double at_least) {
    double still[3], tip[3], before[3], p[3 * 41];
    rest(still, d);
    wy_motion_definition m = *d;
    const wy_gauss_config c = {.newton = {.tolerance = 1e-16, .max_iterations = 60, .halvings = 10},
                               .degree = 4,
                               .stages = 2,
                               .stabiliser = 10.0};
    m.method = choose(&wy_motion_methods, "gauss-director", &c);
    m.rod.elements = 20;
    m.start.equilibrium = true;
    m.rod.mass_damping = 20.0;
    if (strcmp(name, "coaxial") == 0) /* in motion a last end is where the start puts it: the same place */
        m.rod.ends[1] = choose(&wy_ends, "clamped", &clamped);
    bench b = bench_open(&m);
    bench_tip(before, &b);
    ck_assert_msg(fabs(before[0] - still[0]) + fabs(before[1] - still[1]) + fabs(before[2] - still[2]) < tolerance,
                  "%s: the moving rod starts at (%.9g, %.9g, %.9g), the static one is at (%.9g, %.9g, %.9g)", name,
                  before[0], before[1], before[2], still[0], still[1], still[2]);
    bench_run(&b, 5e-3, 40, 1); /* an equilibrium stays, and the energy balance closes */
    bench_tip(tip, &b);
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = p});
    double away = 0.0;
    for (int i = 0; i <= 20; i++)
        away = fmax(away, fmax(fabs(p[3 * i]), fabs(p[3 * i + 1])));
    ck_assert_msg(away > at_least, "%s: moved by %g m: the test tests nothing", name, away);
    v3_sub(tip, tip, before);
    ck_assert_msg(v3_norm(tip) < 1e-9, "%s: went away from rest by %g m", name, v3_norm(tip));
    bench_close(&b);
}

START_TEST(every_load_at_rest) {
    for (int i = 0; i < LOADS; i++) {
        const wy_load *l = (const wy_load *)(const void *)wy_catalogue_find(&wy_loads, loads[i].name);
        wy_motion_definition d = soft_rod(20);
        const wy_choice both[] = {choose(&wy_loads, loads[i].name, loads[i].config),
                                  choose(&wy_loads, "gravity", &gravity)};
        const bool alone = strcmp(loads[i].name, "gravity") == 0;
        d.rod.loads = (wy_list){alone ? 1 : 2, both};
        const wy_end_clamped base = {.position = {0.003, -0.002, 0.001}, .orientation = {1, 0.02, -0.03, 0.05}};
        d.rod.ends[0] = choose(&wy_ends, "clamped", &base); /* not at the origin */
        /* a load on a part of an element, and a bed with its edge inside one, are of second order in its length */
        compare(loads[i].name, &d, l->span || i == 7 ? 2e-6 : 2e-8, 1e-3);
    }
}
END_TEST

START_TEST(every_end_at_rest) {
    const wy_choice load = choose(&wy_loads, "gravity", &gravity);
    for (int i = 0; i < ENDS; i++) {
        wy_motion_definition d = soft_rod(20);
        d.rod.loads = (wy_list){1, &load};
        d.rod.ends[1] = choose(&wy_ends, ends[i].name, ends[i].config);
        compare(ends[i].name, &d, 2e-8, 1e-4);
    }
    wy_motion_definition d = soft_rod(20); /* on springs at both ends: nothing is held */
    d.rod.loads = (wy_list){1, &load};
    const wy_end_spring first = {.stiffness = {5e-3, 6e-3, 7e-3, 4.0, 6.0, 5.0},
                                 .position = {NAN, NAN, NAN},
                                 .orientation = {NAN, NAN, NAN, NAN}};
    wy_end_spring last = first;
    last.stiffness[3] = 9.0;
    d.rod.ends[0] = choose(&wy_ends, "spring", &first);
    d.rod.ends[1] = choose(&wy_ends, "spring", &last);
    compare("springs at both ends", &d, 2e-8, 1e-3);
}
END_TEST

/* `held` with all six, or the first three, is `clamped`, or `pinned`, to the last digits. */
START_TEST(held_is_clamped_and_pinned) {
    const wy_choice load = choose(&wy_loads, "gravity", &gravity);
    for (int pin = 0; pin < 2; pin++) {
        double tips[2][3], middle[2][3 * 11];
        for (int which = 0; which < 2; which++) {
            wy_motion_definition d = soft_rod(10);
            d.rod.loads = (wy_list){1, &load};
            const double r = pin ? 0.0 : 1.0;
            const wy_end_held six = {.translations = {1, 1, 1},
                                     .rotations = {r, r, r},
                                     .frame = {0.3, -0.2, 0.9, 0.5},
                                     .position = {NAN, NAN, NAN},
                                     .orientation = {NAN, NAN, NAN, NAN}};
            const wy_gauss_config c = {.newton = {.tolerance = 1e-16, .max_iterations = 60, .halvings = 10},
                                       .degree = 3,
                                       .stages = 2,
                                       .stabiliser = 10.0};
            d.method = choose(&wy_motion_methods, "gauss-director", &c);
            d.rod.ends[1] = which
                                ? choose(&wy_ends, "held", &six)
                                : choose(&wy_ends, pin ? "pinned" : "clamped", pin ? (const void *)&pinned : &clamped);
            bench b = bench_open(&d);
            bench_run(&b, 2e-3, 50, 10);
            bench_tip(tips[which], &b);
            wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = middle[which]});
            ck_assert_double_lt(b.drift, 1e-11);
            bench_close(&b);
        }
        for (int k = 0; k < 33; k++)
            ck_assert_double_eq_tol(middle[0][k], middle[1][k], 1e-13);
    }
}
END_TEST

/* ---- dampings ---- */

static const wy_damping *damping_of(const char *name) {
    return (const wy_damping *)(const void *)wy_catalogue_find(&wy_dampings, name);
}

/* A mode of the frequency w with V = tau K dies by exp(-tau w^2/2 t), whatever the rod: straight, and tapered. Kelvin
 * and Voigt. */
START_TEST(a_mode_dies_as_it_should) {
    static const char *const known[] = {"none", "viscosity", "coefficients", "proportional"};
    int rows = 0;
    for (const wy_entry *const *e = wy_dampings.entries; *e; e++, rows++)
        ck_assert_msg(strcmp((*e)->name, rows < 4 ? known[rows] : "") == 0, "the damping '%s' is not tested here",
                      (*e)->name);
    ck_assert_int_eq(rows, 4);
    const wy_section c = round_section(0.002, 1e7, 4e6, 1200.0);
    const double taper[] = {0.0, 1.0, 0.3, 0.55};
    /* the section's V of each law: K times a time in bending */
    for (int which = 0; which < 4; which++)
        for (int tapered = 0; tapered < 2; tapered++) {
            double V[6], period = 0.0, rate[2];
            wy_error err;
            double config[8] = {0};
            const double tau = 0.02;
            if (which == 1) { /* 3 mu I with K = E I: the time is 3 mu/E */
                config[0] = tau * 1e7 / 3.0;
                config[1] = NAN;
            }
            if (which == 2)
                for (int i = 0; i < 6; i++)
                    config[i] = tau * c.EI1;
            if (which == 3)
                config[0] = tau;
            ck_assert(!damping_of(known[which])->viscosity(V, config, &c, 1200.0, &err));
            const double time = V[0] / c.EI1;
            ck_assert_msg(fabs(time - (which ? tau : 0.0)) < 1e-12, "%s: V = %g", known[which], V[0]);
            for (int damped = 0; damped < 2; damped++) {
                wy_motion_definition d;
                wy_motion_definition_init(&d);
                d.rod.length = 0.3;
                d.rod.elements = 5;
                d.rod.section = c;
                if (tapered)
                    d.rod.taper = (wy_samples){2, taper};
                const wy_gauss_config how = {.newton = {.tolerance = 1e-14, .max_iterations = 60, .halvings = 10},
                                             .degree = 3,
                                             .stages = 2,
                                             .stabiliser = 10.0};
                d.method = choose(&wy_motion_methods, "gauss-director", &how);
                d.start.equilibrium = true;
                d.start.release[0] = 1e-6;
                if (damped)
                    memcpy(d.rod.viscosity, V, sizeof V);
                bench b = bench_open(&d);
                double p[3], was, peak[2] = {0, 0};
                bench_tip(p, &b);
                was = p[0];
                int crossings = 0;
                const double dt = 0.02; /* a hundredth of a period */
                double times[24] = {0};
                for (int n = 1; crossings < 22 && n < 20000; n++) {
                    bench_run(&b, dt, 1, 1);
                    bench_tip(p, &b);
                    if (p[0] * was < 0.0)
                        times[crossings++] = dt * (n - 1 + was / (was - p[0]));
                    if (crossings == 1 || crossings == 21) { /* extreme of two half-periods, ten periods apart */
                        const int k = crossings == 21;
                        peak[k] = fmax(peak[k], fabs(p[0]));
                    }
                    was = p[0];
                }
                if (!damped)
                    period = (times[20] - times[0]) / 10.0;
                rate[damped] = log(peak[0] / peak[1]) / (10.0 * period);
                bench_close(&b);
            }
            const double w = 6.283185307179586 / period, wanted = 0.5 * time * w * w;
            ck_assert_msg(fabs(rate[0]) < 5e-3, "undamped, but dies by %g 1/s", rate[0]); /* other modes, 2.5 % */
            ck_assert_msg(fabs(rate[1] - wanted) < 0.02 * wanted + (which ? 0.0 : 5e-3),
                          "%s%s: dies by %g 1/s, expected %g (period %g s)", known[which], tapered ? ", tapered" : "",
                          rate[1], wanted, period);
        }
}
END_TEST

/* ---- what is read out ---- */

/* A rod stretched evenly, x = s (1 + r t), is in motion without acceleration: its force is EA r t + V r, taken as the
 * mean over a step. */
START_TEST(a_wrench_has_its_viscous_part) {
    wy_motion_definition d = soft_rod(4);
    const double r = 0.3, dt = 2e-3;
    const wy_signal_line pull = {.rate = r * d.rod.length};
    const wy_end_carried end = {.translation = {{0}, {0}, choose(&wy_signals, "line", &pull)}};
    const double rows[] = {0.0, 0, 0, 0, 0, 0, 0, d.rod.length, 0, 0, r * d.rod.length, 0, 0, 0};
    d.start.velocities = (wy_samples){2, rows};
    d.rod.ends[1] = choose(&wy_ends, "carried", &end);
    d.rod.viscosity[5] = 0.7;
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    bench b = bench_open(&d);
    bench_run(&b, dt, 20, 1);
    double wrench[6 * 4];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.wrench = wrench});
    const double wanted = d.rod.section.EA * r * (20 * dt - 0.5 * dt) + 0.7 * r;
    for (int e = 0; e < 4; e++)
        ck_assert_double_eq_tol(wrench[6 * e + 5], wanted, 1e-9 * wanted);
    bench_close(&b);
}
END_TEST

/* What is pushed at either end has the momentum of both pushes; about the origin too. */
START_TEST(pushes_act_where_they_are) {
    wy_motion_definition d = soft_rod(4);
    d.rod.ends[0] = choose(&wy_ends, "free", NULL);
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    d.rod.position[0] = 0.3;
    bench b = bench_open(&d);
    const double F[2][3] = {{1e-6, -3e-6, 2e-6}, {4e-6, 2e-6, -1e-6}},
                 M[2][3] = {{3e-8, 1e-8, -2e-8}, {-1e-8, 5e-8, 4e-8}}, T = 0.02;
    double linear[3], angular[3], both[3], moment[3] = {0, 0, 0};
    wy_error err;
    for (int e = 0; e < 2; e++)
        ck_assert(!wy_motion_push(b.rod, b.state, e, F[e], M[e], &err));
    bench_run(&b, 1e-3, 20, 1);
    wy_motion_momenta(linear, angular, b.rod, b.state);
    v3_add(both, F[0], F[1]);
    for (int e = 0; e < 2; e++) {
        const double at[3] = {0.3, 0.0, e ? d.rod.length : 0.0};
        double arm[3];
        v3_cross(arm, at, F[e]);
        for (int i = 0; i < 3; i++)
            moment[i] += arm[i] + M[e][i];
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(linear[i], T * both[i], 1e-11 * T * 5e-6);
        ck_assert_double_eq_tol(angular[i], T * moment[i], 1e-3 * T * 1e-6); /* the ends move by 1e-6 m */
    }
    bench_close(&b);
    d.rod.ends[0] =
        (wy_choice){0}; /* a moment on the free end of a clamped rod is the same all along it, once it has settled */
    d.rod.mass_damping = 60.0;
    b = bench_open(&d);
    ck_assert(!wy_motion_push(b.rod, b.state, 1, (const double[]){0, 0, 0}, M[1], &err));
    bench_run(&b, 5e-3, 300, 100);
    double wrench[6 * 4];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.wrench = wrench});
    for (int e = 0; e < 4; e++)
        for (int i = 0; i < 3; i++)
            ck_assert_double_eq_tol(wrench[6 * e + i], M[1][i], 5e-3 * M[1][1]);
    bench_close(&b);
}
END_TEST

SUITE("tables of laws", every_row_is_here, derivatives_are_derivatives, joints_serve_any_partner, every_load_at_rest,
      every_end_at_rest, held_is_clamped_and_pinned, a_mode_dies_as_it_should, a_wrench_has_its_viscous_part,
      pushes_act_where_they_are)
