/* A moving rod written as a scenario and read again: every part of it comes back; what no scenario can say is
 * refused. */
#include "support/suite.h"

#include <withy/io.h>

static wy_motion_definition everything(wy_choice loads[3]) {
    static const double taper[4] = {0.0, 1.0, 1.3, 0.61},
                        strain[14] = {0, 0.1, 0.2, 0.3, 0, 0, 1, 1.3, -0.4, 0.5, 0.6, 0.01, 0, 1.02},
                        speeds[7] = {0.4, 1, 2, 3, 4, 5, 6};
    static const wy_shape_sampled reference = {.strain = {.rows = 2, .values = strain}};
    static const wy_signal_sine sine = {.amplitude = 0.7, .frequency = 3.1, .phase = 0.2, .offset = 1.0 / 3.0};
    static wy_end_loaded end = {.force = {1e-7, -2.5, 3.0}, .moment = {0.1, 0.2, 1.0 / 7.0}, .following = true};
    static const wy_load_gravity gravity = {.acceleration = {0, 0.3, -9.81}};
    static wy_load_distributed along = {.density = {1, 2, 3}, .from = 0.2, .until = NAN};
    static const wy_load_drag drag = {.linear = 0.3, .angular = 0.01};
    static const wy_motion_gauss_director method = {.newton = {.tolerance = 1e-11, .max_iterations = 25, .halvings = 9},
                                                    .degree = 4,
                                                    .stages = 3,
                                                    .stabiliser = 7.5,
                                                    .portable = true,
                                                    .exact_only = true};
    end.in_time = (wy_choice){.entry = wy_catalogue_find(&wy_signals, "sine"), .config = &sine};
    loads[0] = (wy_choice){wy_catalogue_find(&wy_loads, "gravity"), &gravity};
    loads[1] = (wy_choice){wy_catalogue_find(&wy_loads, "distributed-force"), &along};
    loads[2] = (wy_choice){wy_catalogue_find(&wy_loads, "drag"), &drag};
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 1.3;
    d.rod.elements = 17;
    d.rod.section = (wy_section){1.7, 1.2, 0.9, 300.0, 280.0, 700.0, 2e-3, 1.5e-3, 3e-3, 0.8, 0.1};
    d.rod.taper = (wy_samples){.rows = 2, .values = taper};
    wy_section_diagonals(d.rod.viscosity, NULL, &d.rod.section);
    for (int i = 0; i < 6; i++)
        d.rod.viscosity[i] *= 0.0123;
    d.rod.mass_damping = 0.4;
    d.rod.reference = (wy_choice){wy_catalogue_find(&wy_shapes, "sampled"), &reference};
    d.start.shape = (wy_choice){wy_catalogue_find(&wy_shapes, "straight"), NULL};
    d.rod.ends[0].entry = wy_catalogue_find(&wy_ends, "pinned");
    d.rod.ends[1] = (wy_choice){wy_catalogue_find(&wy_ends, "loaded"), &end};
    d.rod.loads = (wy_list){.count = 3, .items = loads};
    d.method = (wy_choice){wy_catalogue_find(&wy_motion_methods, "gauss-director"), &method};
    d.rod.position[1] = -0.3;
    d.rod.orientation[2] = 0.5;
    d.start.spin[0] = 1.0 / 3.0;
    d.start.velocities = (wy_samples){.rows = 1, .values = speeds};
    return d;
}

/* What the run of the text says first: its start, and a little of its motion. */
typedef struct tip {
    double x[3], t;
    size_t frames, position;
    size_t nodes;
} tip;

static wy_status begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    tip *t = context;
    (void)err;
    for (size_t i = 0; i < count; i++)
        if (strcmp(channels[i].name, "tip") == 0)
            t->position = i;
        else if (strcmp(channels[i].name, "position") == 0)
            t->nodes = channels[i].dims[0];
    return WY_OK;
}
static wy_status frame(void *context, const double *const *values, wy_error *err) {
    tip *t = context;
    (void)err;
    t->t = values[0][0];
    memcpy(t->x, values[t->position], sizeof t->x);
    t->frames++;
    return WY_OK;
}

/* The text of a rod read back and run, against the rod itself. */
static void same_rod(const wy_motion_definition *rod_) {
    wy_error err = {0};
    const wy_motion_definition d = *rod_;
    const wy_motion_plan plan = {.duration = 0.2, .step = 0.01, .every = 5, .rest_below = 1e-7, .rest_after = 0.1};
    wy_arena *arena = wy_arena_create();
    char *text;
    wy_scenario *scenario;
    ck_assert_msg(wy_motion_scenario_text(&text, "a \"quoted\" \\ title\n", &d, &plan, arena, &err) == WY_OK, "%s",
                  err.text);
    ck_assert_msg(wy_scenario_read_text(&scenario, "text", text, strlen(text), NULL, &err) == WY_OK, "%s\n%s", err.text,
                  text);
    ck_assert_str_eq(wy_scenario_title(scenario), "a \"quoted\" \\ title ");
    tip run = {0};
    const wy_sink sink = {.context = &run, .begin = begin, .frame = frame};
    ck_assert_msg(wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), &sink, &err) == WY_OK, "%s", err.text);
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    double x[3 * 24];
    ck_assert_msg(wy_motion_create(&rod, &d, &err) == WY_OK, "%s", err.text);
    ck_assert_int_eq(wy_motion_state_create(&state, rod, &err), WY_OK);
    ck_assert_int_eq(wy_motion_work_create(&work, rod, &err), WY_OK);
    ck_assert_int_eq(wy_motion_start(rod, state, work, &err), WY_OK);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(wy_motion_step(rod, state, work, 0.01, &err), WY_OK);
    const size_t nodes = wy_motion_nodes(rod); /* 17 elements, and more where pieces between jumps ask for them */
    ck_assert_uint_ge(nodes, 18);
    ck_assert_uint_le(3 * nodes, sizeof x / sizeof *x);
    wy_motion_read(rod, state, &(wy_motion_view){.position = x});
    ck_assert_uint_eq(run.nodes, nodes);
    ck_assert_uint_eq(run.frames, 5);
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(run.x[k], x[3 * (nodes - 1) + (size_t)k], 1e-11);
    wy_motion_state_free(state);
    wy_motion_work_free(work);
    wy_motion_free(rod);
    wy_scenario_free(scenario);
    wy_arena_free(arena);
}

START_TEST(the_text_gives_the_same_rod) {
    wy_choice loads[3];
    const wy_motion_definition d = everything(loads);
    same_rod(&d);
}
END_TEST

/* Lists within choices, driven strains, bodies, springs with a matrix, water with a profile. */
START_TEST(driven_rods_too) {
    wy_choice loads[3];
    wy_motion_definition d = everything(loads);
    const wy_signal_sine sine = {.amplitude = 0.7, .frequency = 3.1};
    const wy_signal_ramp ramp = {.until = 0.1, .high = 1.0, .smooth = true};
    const wy_choice factors[] = {{wy_catalogue_find(&wy_signals, "sine"), &sine},
                                 {wy_catalogue_find(&wy_signals, "ramp"), &ramp}};
    const wy_signal_product product = {{2, factors}};
    const wy_choice terms[] = {{wy_catalogue_find(&wy_signals, "product"), &product}, factors[1]};
    const wy_signal_sum sum = {{2, terms}};
    const wy_actuation_uniform drive = {.strain = {0.3, 1.0 / 3.0, 0.1, 0, 0, 0.01},
                                        .from = 0.3,
                                        .until = NAN,
                                        .in_time = {wy_catalogue_find(&wy_signals, "sum"), &sum}};
    const wy_choice drives[] = {{wy_catalogue_find(&wy_actuations, "uniform"), &drive}};
    const double bodies[] = {1.3, 0.2, 1e-3, 1e-3, 1e-3}, profile[] = {0.0, 0.0, 2.0, 1.0 / 3.0};
    double matrix[36] = {0};
    for (int i = 0; i < 6; i++)
        matrix[7 * i] = 0.3 + i;
    matrix[3] = matrix[18] = 0.01;
    const wy_end_spring spring = {
        .matrix = {6, matrix}, .position = {NAN, NAN, NAN}, .orientation = {NAN, NAN, NAN, NAN}};
    const wy_load_fluid fluid = {.density = 3.0,
                                 .diameter = NAN,
                                 .normal = 1.1,
                                 .added_mass = 0.5,
                                 .velocity = {0.2, 0, 0},
                                 .profile = {2, profile},
                                 .up = {0, 0, 1}};
    loads[2] = (wy_choice){wy_catalogue_find(&wy_loads, "fluid"), &fluid};
    d.rod.ends[1] = (wy_choice){wy_catalogue_find(&wy_ends, "spring"), &spring};
    d.rod.actuation = (wy_list){1, drives};
    d.rod.bodies = (wy_samples){1, bodies};
    d.method = (wy_choice){wy_catalogue_find(&wy_motion_methods, "gauss-director"), NULL};
    same_rod(&d);
}
END_TEST

START_TEST(viscosities) {
    wy_error err = {0};
    wy_choice loads[3];
    wy_motion_definition d = everything(loads);
    const wy_motion_plan plan = {.duration = 1.0, .step = 0.01, .every = 1};
    wy_arena *arena = wy_arena_create();
    char *text;
    const double B[6] = {0.2, 0.2, 0.3, 4.0, 4.0, 5.0};
    memcpy(d.rod.viscosity, B, sizeof B);
    ck_assert_int_eq(wy_motion_scenario_text(&text, "", &d, &plan, arena, &err), WY_OK);
    ck_assert(strstr(text, "{name: coefficients, Bb: 0.2, Bt: 0.3, Bs: 4, Be: 5}") && !strstr(text, "rest"));
    d.rod.viscosity[1] = 0.21;
    ck_assert_int_eq(wy_motion_scenario_text(&text, "", &d, &plan, arena, &err), WY_UNSUPPORTED);
    ck_assert(strstr(err.text, "0.21") && !text);
    memset(d.rod.viscosity, 0, sizeof d.rod.viscosity);
    ck_assert_int_eq(wy_motion_scenario_text(&text, "", &d, &plan, arena, &err), WY_OK);
    ck_assert(!strstr(text, "\ndamping"));
    wy_arena_free(arena);
}
END_TEST

SUITE("rod as a scenario", the_text_gives_the_same_rod, driven_rods_too, viscosities)
