/* A moving rod as the text of a scenario: whatever made the rod, its archive says in words that `withy run` reads what
 * it was. Choices are written from the same parameter tables that read them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/scenario.h>

#include "base/given.h"

typedef struct text {
    char *at;
    size_t length, capacity;
    bool full; /* no memory */
} text;

static void add(text *t, const char *words) {
    const size_t n = strlen(words);
    if (t->full)
        return;
    if (t->length + n + 1 > t->capacity) {
        const size_t capacity = 2 * (t->capacity + n + 256);
        char *more = realloc(t->at, capacity);
        if (!more) {
            t->full = true;
            return;
        }
        t->at = more;
        t->capacity = capacity;
    }
    memcpy(t->at + t->length, words, n + 1);
    t->length += n;
}

static void add_number(text *t, double x) {
    char buffer[32];
    add(t, wy_number_text(buffer, x));
}

static void add_numbers(text *t, const double *x, size_t count) {
    add(t, "[");
    for (size_t i = 0; i < count; i++) {
        add(t, i ? ", " : "");
        add_number(t, x[i]);
    }
    add(t, "]");
}

/* Text between double quotes. */
static void add_quoted(text *t, const char *words) {
    add(t, "\"");
    for (; *words; words++) {
        const char one[3] = {*words == '"' || *words == '\\' ? '\\' : *words,
                             *words == '"' || *words == '\\' ? *words : 0, 0};
        add(t, (unsigned char)*words < 32 ? " " : one);
    }
    add(t, "\"");
}

static void add_rows(text *t, const wy_samples *v, size_t columns, const char *indent) {
    for (size_t i = 0; i < v->rows; i++) {
        add(t, "\n");
        add(t, indent);
        add(t, "- ");
        add_numbers(t, v->values + columns * i, columns);
    }
    add(t, "\n");
}

static void add_choice(text *t, const wy_choice *choice);

/* One value in the flow style; false where it is left out. */
static bool add_value(text *t, const wy_param *p, const void *where, bool dry) {
    const double *x = where;
    const wy_samples *v = where;
    const wy_choice *c = where;
    switch (p->type) {
    case WY_TYPE_REAL:
        if (isnan(*x))
            return false;
        if (!dry)
            add_number(t, *x);
        return true;
    case WY_TYPE_INTEGER:
        if (!dry) {
            char buffer[32];
            snprintf(buffer, sizeof buffer, "%lld", (long long)*(const int64_t *)where);
            add(t, buffer);
        }
        return true;
    case WY_TYPE_BOOL:
        if (!dry)
            add(t, *(const bool *)where ? "true" : "false");
        return true;
    case WY_TYPE_TEXT:
        if (!*(const char *const *)where)
            return false;
        if (!dry)
            add_quoted(t, *(const char *const *)where);
        return true;
    case WY_TYPE_NAME:
        if (!dry)
            add(t, p->names[*(const int *)where]);
        return true;
    case WY_TYPE_VECTOR:
        if (isnan(*x))
            return false;
        if (!dry)
            add_numbers(t, x, p->count);
        return true;
    case WY_TYPE_SAMPLES:
        if (v->rows == 0)
            return false;
        if (!dry) {
            add(t, "[");
            for (size_t i = 0; i < v->rows; i++) {
                add(t, i ? ", " : "");
                add_numbers(t, v->values + p->count * i, p->count);
            }
            add(t, "]");
        }
        return true;
    case WY_TYPE_CHOICE:
        if (!c->entry)
            return false;
        if (!dry)
            add_choice(t, c);
        return true;
    case WY_TYPE_LIST:
        if (((const wy_list *)where)->count == 0)
            return false;
        if (!dry) {
            const wy_list *list = where;
            for (size_t i = 0; i < list->count; i++) {
                add(t, i ? ", " : "[");
                add_choice(t, &list->items[i]);
            }
            add(t, "]");
        }
        return true;
    default: return false; /* groups do not occur inside the choices of a rod */
    }
}

static void add_choice(text *t, const wy_choice *choice) {
    if (!choice->config || !choice->entry->params) {
        add(t, choice->entry->name);
        return;
    }
    add(t, "{name: ");
    add(t, choice->entry->name);
    for (const wy_param *p = choice->entry->params; p->key; p++) {
        const void *where = (const char *)choice->config + p->offset;
        if (!add_value(t, p, where, true))
            continue;
        add(t, ", ");
        add(t, p->key);
        add(t, ": ");
        add_value(t, p, where, false);
    }
    add(t, "}");
}

static void key_number(text *t, const char *key, double x) {
    add(t, key);
    add(t, ": ");
    add_number(t, x);
    add(t, "\n");
}

static void key_list(text *t, const char *key, const wy_list *list) {
    if (!list->count)
        return;
    add(t, key);
    add(t, ":\n");
    for (size_t i = 0; i < list->count; i++) {
        add(t, "  - ");
        add_choice(t, &list->items[i]);
        add(t, "\n");
    }
}

static void key_choice(text *t, const char *key, const wy_choice *choice) {
    if (!choice->entry)
        return;
    add(t, key);
    add(t, ": ");
    add_choice(t, choice);
    add(t, "\n");
}

/* A viscosity that is one time times the rigidities, or the coefficients of `001`. */
static wy_status add_damping(text *t, const wy_rod_definition *d, wy_error *err) {
    double K[6];
    const double *V = d->viscosity;
    wy_section_diagonals(K, NULL, &d->section);
    bool proportional = true, any = false;
    for (int i = 0; i < 6; i++) {
        any = any || V[i] != 0.0;
        proportional = proportional && fabs(V[i] * K[0] - V[0] * K[i]) <= 1e-14 * V[0] * K[i];
    }
    if (!any)
        return WY_OK;
    if (proportional) {
        add(t, "damping: {name: proportional, time: ");
        add_number(t, V[0] / K[0]);
        add(t, "}\n");
        return WY_OK;
    }
    if (V[0] != V[1] || V[3] != V[4])
        return wy_fail(
            err, WY_UNSUPPORTED,
            "a viscosity of (%g, %g, %g, %g, %g, %g) is neither proportional to the rigidities nor one of bending, "
            "twist, shear and extension: no scenario has it",
            V[0], V[1], V[2], V[3], V[4], V[5]);
    add(t, "damping: {name: coefficients, Bb: ");
    add_number(t, V[0]);
    add(t, ", Bt: ");
    add_number(t, V[2]);
    add(t, ", Bs: ");
    add_number(t, V[3]);
    add(t, ", Be: ");
    add_number(t, V[5]);
    add(t, "}\n");
    return WY_OK;
}

static void add_start(text *t, const wy_motion_definition *moving) {
    const wy_rod_start *d = &moving->start;
    add(t, "start:\n");
    if (d->shape.entry && !d->poses.rows) {
        add(t, "  ");
        key_choice(t, "shape", &d->shape);
    }
    const struct {
        const char *key;
        const double *x;
        size_t count;
    } vectors[] = {{"position", moving->rod.position, 3},
                   {"orientation", moving->rod.orientation, 4},
                   {"release", d->release, 3},
                   {"velocity", d->velocity, 3},
                   {"spin", d->spin, 3}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        add(t, "  ");
        add(t, vectors[i].key);
        add(t, ": ");
        add_numbers(t, vectors[i].x, vectors[i].count);
        add(t, "\n");
    }
    add(t, d->equilibrium ? "  equilibrium: true\n" : "");
    if (d->poses.rows) {
        add(t, "  poses:                                   # s, position, quaternion");
        add_rows(t, &d->poses, 8, "    ");
    }
    if (d->velocities.rows) {
        add(t, "  velocities:                              # s, velocity, angular velocity");
        add_rows(t, &d->velocities, 7, "    ");
    }
}

wy_status wy_motion_scenario_text(char **out, const char *title, const wy_motion_definition *moving,
                                  const wy_motion_plan *plan, wy_arena *arena, wy_error *err) {
    WY_GIVEN(out && moving && plan && arena, err);
    const wy_rod_definition *d = &moving->rod;
    text t = {0};
    char buffer[64];
    *out = NULL;
    add(&t, "kind: dynamic\ntitle: ");
    add_quoted(&t, title);
    add(&t, "\n");
    key_number(&t, "length", d->length);
    snprintf(buffer, sizeof buffer, "elements: %lld\n", (long long)d->elements);
    add(&t, buffer);
    const wy_choice section = {.entry = wy_catalogue_find(&wy_section_shapes, "rigidities"), .config = &d->section};
    key_choice(&t, "section", &section);
    if (d->taper.rows) {
        add(&t, "taper:");
        add_rows(&t, &d->taper, 2, "  ");
    }
    if (d->stations.rows) {
        add(&t, "stations:");
        add_rows(&t, &d->stations, 11, "  ");
    }
    const wy_status s = add_damping(&t, d, err);
    key_number(&t, "mass_damping", d->mass_damping);
    key_choice(&t, "reference", &d->reference);
    key_choice(&t, "first_end", &d->ends[0]);
    key_choice(&t, "last_end", &d->ends[1]);
    key_list(&t, "loads", &d->loads);
    key_list(&t, "actuation", &d->actuation);
    if (d->bodies.rows) {
        add(&t, "bodies:                                    # s, mass, moments of inertia");
        add_rows(&t, &d->bodies, 5, "  ");
    }
    if (d->mesh.rows) {
        add(&t, "mesh:");
        add_rows(&t, &d->mesh, 2, "  ");
    }
    key_choice(&t, "method", &moving->method);
    key_number(&t, "step", plan->step);
    key_number(&t, "duration", plan->duration);
    snprintf(buffer, sizeof buffer, "every: %lld\n", (long long)plan->every);
    add(&t, buffer);
    if (plan->rest_below > 0.0) {
        add(&t, "rest: {below: ");
        add_number(&t, plan->rest_below);
        add(&t, ", after: ");
        add_number(&t, plan->rest_after);
        add(&t, "}\n");
    }
    add_start(&t, moving);
    if (!s && !t.full)
        *out = wy_arena_text(arena, t.at, t.length);
    free(t.at);
    return s ? s : *out ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for the text of a scenario");
}
