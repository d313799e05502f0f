/* Loads and ends on the static rod: their laws evaluated at the solver's points, in rod units. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_model.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "rod/joint.h"

/* Directors of R(q), for any |q|. */
static void directors_of(double D[9], const double q[4]) {
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_equilibrium_rotate(D + 3 * k, q, e);
    }
}

static const wy_load *load_of(const equilibrium_rod *rod, size_t i) {
    return (const wy_load *)(const void *)rod->def.loads.items[i].entry;
}

static unsigned load_varies(const equilibrium_rod *rod, size_t i) {
    const wy_load *load = load_of(rod, i);
    return load->varies ? load->varies(rod->def.loads.items[i].config) : 0;
}

/* The middle of an element's piece decides which loads act on it. */
static bool acts_on_piece(const equilibrium_load_span *span, double middle) {
    return span->end < 0 && middle > span->from && middle < span->until;
}

/* Converts derivatives by a displacement in m to derivatives by one in units of the rod. */
static void add_scaled_derivative(double *K, const double *from, double moment, double force, double L, double factor) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            K[6 * i + j] += factor * from[6 * i + j] / (i < 3 ? moment : force) * (j < 3 ? 1.0 : L);
}

void wy_equilibrium_model_add_loads(equilibrium_coefficients *p, const equilibrium_model *m, double s, size_t element,
                                    const double *y) {
    const equilibrium_loads *l = &m->control.load;
    const double middle = 0.5 * (m->breaks[m->piece[element]] + m->breaks[m->piece[element] + 1]);
    double x[3], D[9];
    bool ready = false;
    wy_section section;
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; l->of[a] && l->weight[a] != 0.0 && i < l->of[a]->def.loads.count; i++) {
            const equilibrium_rod *rod = l->of[a];
            const equilibrium_load_span *span = &rod->span[i];
            if (!acts_on_piece(span, middle))
                continue;
            if (!ready) {
                v3_scale(x, m->L, y + WY_STATIC_X);
                directors_of(D, y + WY_STATIC_Q);
                section = wy_equilibrium_model_section(m, s, element);
                ready = true;
            }
            const bool varies = load_varies(rod, i) & (WY_VARIES_POSITION | WY_VARIES_ROTATION);
            const wy_material_point at = wy_rod_point_at_rest(&rod->def, s * rod->def.length, &section, x, D);
            double K[36] = {0};
            wy_wrench w = {.K = varies ? K : NULL};
            load_of(rod, i)->wrench(&w, rod->def.loads.items[i].config, &at);
            const double factor = l->weight[a] * span->per, force = m->force / m->L, moment = m->force;
            for (int k = 0; k < 3; k++) {
                p->c[k] += factor * w.space[k] / moment;
                p->f[k] += factor * w.space[3 + k] / force;
                p->c_body[k] += factor * w.body[k] / moment;
                p->f_body[k] += factor * w.body[3 + k] / force;
            }
            if (varies) {
                p->varies = true;
                add_scaled_derivative(p->K, K, moment, force, m->L, factor);
            }
        }
}

/* The viscosity varies along the rod as the rigidities do. */
void wy_equilibrium_model_damping(double viscosity[6], double C[36], const equilibrium_model *m, double s,
                                  size_t element, const double *y) {
    const double middle = 0.5 * (m->breaks[m->piece[element]] + m->breaks[m->piece[element] + 1]);
    const wy_section here = wy_equilibrium_model_section(m, s, element),
                     first = wy_equilibrium_model_section(m, 0.0, 0);
    double K[6], K0[6], x[3], D[9];
    wy_section_diagonals(K, NULL, &here);
    wy_section_diagonals(K0, NULL, &first);
    for (int i = 0; i < 6; i++)
        viscosity[i] = m->rod->def.viscosity[i] * K[i] / K0[i] / (i < 3 ? m->moment * m->L : m->force);
    memset(C, 0, sizeof(double[36]));
    v3_scale(x, m->L, y + WY_STATIC_X);
    directors_of(D, y + WY_STATIC_Q);
    for (size_t i = 0; i < m->rod->def.loads.count; i++) {
        const equilibrium_load_span *span = &m->rod->span[i];
        if (!acts_on_piece(span, middle) || !(load_varies(m->rod, i) & WY_VARIES_VELOCITY))
            continue;
        double slope[36] = {0};
        wy_wrench w = {.C = slope};
        const wy_material_point at = wy_rod_point_at_rest(&m->rod->def, s * m->rod->def.length, &here, x, D);
        load_of(m->rod, i)->wrench(&w, m->rod->def.loads.items[i].config, &at);
        add_scaled_derivative(C, slope, m->force, m->force / m->L, m->L, span->per);
    }
}

/* ---- ends ---- */

static wy_material_point end_material_point(const equilibrium_rod *rod, int end, const wy_section *section,
                                            const double *x, const double *D) {
    return wy_rod_point_at_rest(&rod->def, end ? rod->def.length : 0.0, section, x, D);
}

/* The wrench on an end by laws that do not vary, as numbers; a law that varies is stored. */
static void set_end_load(equilibrium_end *out, const equilibrium_model *m, const equilibrium_rod *rod, int e) {
    static const double origin[3] = {0.0, 0.0, 0.0}, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    wy_section section;
    wy_rod_section_at(&section, &rod->def, e ? rod->def.length : 0.0, e ? -1 : 1);
    const wy_material_point at = end_material_point(rod, e, &section, origin, frame);
    const wy_joint *end = (const wy_joint *)(const void *)rod->def.ends[e].entry;
    wy_wrench w = {0};
    const unsigned pose_bits = WY_VARIES_POSITION | WY_VARIES_ROTATION;
    if (end->wrench && end->varies && end->varies(rod->def.ends[e].config) & pose_bits)
        out->law[0] = (equilibrium_end_law){end, rod->def.ends[e].config, 1.0};
    else
        wy_joint_wrench(&w, end, rod->def.ends[e].config, NULL, &at);
    for (size_t i = 0; i < rod->def.loads.count; i++)
        if (rod->span[i].end == e) /* a load on this end */
            load_of(rod, i)->wrench(&w, rod->def.loads.items[i].config, &at);
    for (int k = 0; k < 3; k++) {
        out->moment[k] = w.space[k] / m->moment;
        out->force[k] = w.space[3 + k] / m->force;
        out->body_moment[k] = w.body[k] / m->moment;
        out->body_force[k] = w.body[3 + k] / m->force;
    }
}

equilibrium_end wy_equilibrium_model_end(const equilibrium_model *m, const equilibrium_rod *rod, int e) {
    const wy_pose_target *at = &rod->pose_target[e];
    wy_constraint_mask mask;
    wy_rod_constraint_mask(&mask, &rod->def, e);
    equilibrium_end out = {.constrains = wy_constraint_mask_whole(&mask),
                           .constraint = mask,
                           .twist = at->twist,
                           .orientation = {1.0, 0.0, 0.0, 0.0}};
    const bool anchored =
        ((const wy_joint *)(const void *)rod->def.ends[e].entry)->anchor != NULL; /* pose of its unstressed spring */
    if (mask.components & 7U || anchored)
        v3_scale(out.position, 1.0 / m->L, at->x);
    if (mask.components & 56U || anchored)
        memcpy(out.orientation, at->q, sizeof at->q);
    else
        out.twist = 0.0;
    set_end_load(&out, m, rod, e);
    return out;
}

void wy_equilibrium_end_damping(double C[36], const equilibrium_model *m, int e, const double *y) {
    const equilibrium_rod *rod = m->rod;
    const wy_joint *end = (const wy_joint *)(const void *)rod->def.ends[e].entry;
    double x[3], D[9], slope[36] = {0};
    wy_section section;
    v3_scale(x, m->L, y + WY_STATIC_X);
    directors_of(D, y + WY_STATIC_Q);
    wy_rod_section_at(&section, &rod->def, e ? rod->def.length : 0.0, e ? -1 : 1);
    const wy_material_point at = end_material_point(rod, e, &section, x, D);
    wy_wrench w = {.C = slope};
    memset(C, 0, sizeof(double[36]));
    if (end->varies && end->varies(rod->def.ends[e].config) & WY_VARIES_VELOCITY)
        wy_joint_wrench(&w, end, rod->def.ends[e].config, NULL, &at);
    for (size_t i = 0; i < rod->def.loads.count; i++)
        if (rod->span[i].end == e && load_varies(rod, i) & WY_VARIES_VELOCITY)
            load_of(rod, i)->wrench(&w, rod->def.loads.items[i].config, &at);
    add_scaled_derivative(C, slope, m->moment, m->force, m->L, 1.0);
}

void wy_equilibrium_end_wrench(double space[6], double body[6], double *K, const equilibrium_model *m,
                               const equilibrium_end *end, const double *y) {
    for (int i = 0; i < 3; i++) {
        space[i] = end->moment[i];
        space[3 + i] = end->force[i];
        body[i] = end->body_moment[i];
        body[3 + i] = end->body_force[i];
    }
    for (int a = 0; a < 2; a++) {
        const equilibrium_end_law *law = &end->law[a];
        if (!law->end || law->weight == 0.0)
            continue;
        const int e = end == &m->control.right;
        double x[3], D[9], k[36] = {0};
        wy_section section;
        v3_scale(x, m->L, y + WY_STATIC_X);
        directors_of(D, y + WY_STATIC_Q);
        wy_rod_section_at(&section, &m->rod->def, e ? m->rod->def.length : 0.0, e ? -1 : 1);
        const wy_material_point at = end_material_point(m->rod, e, &section, x, D);
        wy_wrench w = {.K = K ? k : NULL};
        wy_joint_wrench(&w, law->end, law->config, NULL, &at);
        for (int i = 0; i < 6; i++) {
            const double unit = law->weight / (i < 3 ? m->moment : m->force);
            space[i] += unit * w.space[i];
            body[i] += unit * w.body[i];
        }
        if (K)
            add_scaled_derivative(K, k, m->moment, m->force, m->L, law->weight);
    }
}

/* ---- potentials ---- */

static bool is_zero(const double v[3]) {
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

bool wy_equilibrium_control_loaded(const equilibrium_control *c) {
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; c->load.of[a] && c->load.weight[a] != 0.0 && i < c->load.of[a]->def.loads.count; i++)
            if (c->load.of[a]->span[i].end < 0)
                return true;
    return false;
}

/* Following forces and moments have no potential, nor has a dead moment on an end that may rotate freely. */
bool wy_equilibrium_is_conservative(const equilibrium_model *m) {
    static const double origin[3] = {0.0, 0.0, 0.0}, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const equilibrium_end *ends[2] = {&m->control.left, &m->control.right};
    for (int e = 0; e < 2; e++) {
        const equilibrium_end *end = ends[e];
        if (!equilibrium_end_constrains(end, WY_CONSTRAINS_POSITION) && !is_zero(end->body_force))
            return false;
        if (!equilibrium_end_constrains(end, WY_CONSTRAINS_ROTATION) &&
            (!is_zero(end->moment) || !is_zero(end->body_moment)))
            return false;
        for (int a = 0; a < 2; a++)
            if (end->law[a].end && end->law[a].weight != 0.0) {
                const wy_material_point at = end_material_point(m->rod, e, &m->rod->def.section, origin, frame);
                if (isnan(wy_joint_potential(end->law[a].end, end->law[a].config, NULL, &at)))
                    return false;
            }
    }
    const equilibrium_loads *l = &m->control.load;
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; l->of[a] && l->weight[a] != 0.0 && i < l->of[a]->def.loads.count; i++) {
            const wy_material_point at =
                wy_rod_point_at_rest(&l->of[a]->def, 0.0, &l->of[a]->def.section, origin, frame);
            const wy_load *load = load_of(l->of[a], i);
            wy_wrench w = {0};
            load->wrench(&w, l->of[a]->def.loads.items[i].config, &at);
            const bool nothing =
                is_zero(w.space) && is_zero(w.space + 3) && is_zero(w.body) && is_zero(w.body + 3) &&
                !(load_varies(l->of[a], i) & (WY_VARIES_POSITION | WY_VARIES_ROTATION | WY_VARIES_ARC_LENGTH));
            if (!nothing && l->of[a]->span[i].end < 0 &&
                (!load->potential || isnan(load->potential(l->of[a]->def.loads.items[i].config, &at))))
                return false;
        }
    return true;
}

double wy_equilibrium_model_load_potential(const equilibrium_model *m, size_t element, double s, const double *y) {
    const equilibrium_loads *l = &m->control.load;
    const double middle = 0.5 * (m->breaks[m->piece[element]] + m->breaks[m->piece[element] + 1]);
    double sum = 0.0;
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; l->of[a] && l->weight[a] != 0.0 && i < l->of[a]->def.loads.count; i++) {
            const equilibrium_rod *rod = l->of[a];
            const wy_load *load = load_of(rod, i);
            if (!acts_on_piece(&rod->span[i], middle) || !load->potential)
                continue;
            const wy_section section = wy_equilibrium_model_section(m, s, element);
            double x[3], D[9];
            v3_scale(x, m->L, y + WY_STATIC_X);
            directors_of(D, y + WY_STATIC_Q);
            const wy_material_point at = wy_rod_point_at_rest(&rod->def, s * rod->def.length, &section, x, D);
            const double U = load->potential(rod->def.loads.items[i].config, &at);
            sum += isnan(U) ? 0.0 : l->weight[a] * rod->span[i].per * U / m->force;
        }
    return sum;
}

double wy_equilibrium_model_end_potential(const equilibrium_model *m, int e, const double *y) {
    const equilibrium_end *end = e ? &m->control.right : &m->control.left;
    double sum = 0.0;
    if (!equilibrium_end_constrains(end, WY_CONSTRAINS_POSITION))
        sum -= v3_dot(end->force, y + WY_STATIC_X);
    for (int a = 0; a < 2; a++) {
        const equilibrium_end_law *law = &end->law[a];
        if (!law->end || law->weight == 0.0)
            continue;
        double x[3], D[9];
        v3_scale(x, m->L, y + WY_STATIC_X);
        directors_of(D, y + WY_STATIC_Q);
        const wy_material_point at = end_material_point(m->rod, e, &m->rod->def.section, x, D);
        const double U = wy_joint_potential(law->end, law->config, NULL, &at);
        sum += isnan(U) ? 0.0 : law->weight * U / (m->force * m->L);
    }
    return sum;
}

/* ---- directions that loads prefer, for the symmetries ---- */

/* Whether a law that varies with the orientation of a section does not change if the section rotates about d3, as
 * the drag of a round cable: evaluated in arbitrary frames at arbitrary positions. */
static bool is_symmetric_about_axis(const equilibrium_rod *rod, size_t i, double s, const wy_section *section) {
    static const double frames[3][4] = {{0.83, 0.31, -0.42, 0.19},
                                        {0.44, -0.71, 0.25, 0.49},
                                        {0.12, 0.55, 0.79, -0.24}},
                        positions[3][3] = {{0.17, -0.23, 0.11}, {0.61, 0.38, -0.47}, {-0.29, 0.72, 0.86}};
    const double turn[4] = {wy_cos(0.55), 0.0, 0.0, wy_sin(0.55)};
    double size = 0.0, apart = 0.0;
    for (int k = 0; k < 3; k++) {
        double x[3], q[4];
        wy_wrench w[2] = {{.K = NULL}, {.K = NULL}};
        v3_axpy(x, rod->pose_target[0].x, rod->def.length, positions[k]);
        wy_quat_normalize(q, frames[k]);
        for (int turned = 0; turned < 2; turned++) {
            double D[9];
            if (turned)
                wy_quat_product(q, q, turn);
            directors_of(D, q);
            const wy_material_point at = wy_rod_point_at_rest(&rod->def, s * rod->def.length, section, x, D);
            load_of(rod, i)->wrench(&w[turned], rod->def.loads.items[i].config, &at);
        }
        for (int c = 0; c < 6; c++) {
            size = fmax(size, fabs(w[0].space[c]));
            apart = fmax(apart, fabs(w[0].space[c] - w[1].space[c]));
        }
    }
    return size > 0.0 && apart <= 1e-12 * size;
}

size_t wy_equilibrium_load_directions(equilibrium_load_direction *out, size_t most, unsigned *depend,
                                      const equilibrium_model *m, const equilibrium_loads *l) {
    static const double origin[3] = {0.0, 0.0, 0.0}, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    size_t count = 0;
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; l->of[a] && l->weight[a] != 0.0 && i < l->of[a]->def.loads.count; i++) {
            const equilibrium_rod *rod = l->of[a];
            const equilibrium_load_span *span = &rod->span[i];
            if (span->end >= 0)
                continue;
            unsigned varies = load_varies(rod, i);
            if (varies & WY_VARIES_ROTATION) {
                wy_section section;
                const double s = 0.5 * (span->from + span->until);
                wy_rod_section_at(&section, &rod->def, s * rod->def.length, 0);
                if (is_symmetric_about_axis(rod, i, s, &section)) /* the spin is the only symmetry that remains */
                    varies = (varies & ~(unsigned)WY_VARIES_ROTATION) | WY_VARIES_POSITION;
            }
            *depend |= varies;
            const int samples = varies & WY_VARIES_ARC_LENGTH ? 9 : 1;
            for (int k = 0; k < samples && count + 2 <= most; k++) {
                const double s = span->from + (k + 0.5) / samples * (span->until - span->from);
                wy_section section;
                wy_rod_section_at(&section, &rod->def, s * rod->def.length, 0);
                const wy_material_point at =
                    wy_rod_point_at_rest(&rod->def, s * rod->def.length, &section, origin, frame);
                wy_wrench w = {0};
                load_of(rod, i)->wrench(&w, rod->def.loads.items[i].config, &at);
                const double width = rod->span[i].per == 1.0 ? 1.0 : 1.0 / (span->per * rod->def.length);
                const double force = m->force / m->L / (l->weight[a] * span->per * width);
                for (int half = 0; half < 2; half++) {
                    for (int c = 0; c < 3; c++) {
                        out[count].space[c] = w.space[3 * half + c] / (half ? force : force * m->L);
                        out[count].body[c] = w.body[3 * half + c] / (half ? force : force * m->L);
                    }
                    count++;
                }
            }
        }
    return count;
}
