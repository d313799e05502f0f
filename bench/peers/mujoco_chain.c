/* The steel cantilever of `001` as a chain of rigid links in MuJoCo: n links of length h = L/n, joint i at s_i = i h.
 *
 * Stiffness. The rod's bending energy is 1/2 int EI kappa^2 ds. A joint stands for the rod half-way to its neighbours:
 * turned by theta_i it has kappa = theta_i/h over a length h, hence the spring EI/h; the joint at the clamp stands for
 * half an element, kappa = theta_0/(h/2) over h/2, hence 2 EI/h. (The tip, without moment, needs none.) Under a weight
 * at the tip the deflection is then the trapezoidal rule for int M (L-s)/EI ds: second order. A ball joint has one
 * stiffness for all axes: torsion gets EI/h for GJ/h = 0.8 EI/h, which nothing excites here.
 *
 * Inset. With the first joint half a link away from the clamp, h = L/(n + 1/2) and joint i at (i + 1/2) h, every joint
 * stands for a whole element, EI/h each, and the rule is the midpoint one: half the error, with the other sign.
 *
 * Inertia. A link is a rigid cylinder: mass rho A h, centre in its middle, rho A h^3/12 + rho I h about the axes
 * across, rho J h about its own. That is the best choice, not only the natural one: with kh the phase advance per link
 * the springs give k^4 (1 - (kh)^2/6 + ...) and the links' inertia 1 - (kh)^2/6 + ..., so that frequencies are off by
 * (kh)^4 only but for the ends. (Masses in the joints would leave the (kh)^2/6.)
 *
 * Start. The chain's own equilibrium under its weight and the 20 g at its tip, then the weight is gone. Euler's method
 * in MuJoCo is the leapfrog, with velocities half a step early: it gets the velocity -dt/2 times the acceleration to
 * begin with, which makes it second order; without that it would be first order.
 *
 * Everything that costs time and does nothing here is switched off: contacts, constraints, sensors, actuators. There is
 * nothing to draw: links are inertias without shape. */
#include "mujoco_chain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#include "study/cantilever.h"

enum { MOST_LINKS = 400 };

static const double L = 0.5, radius = 1e-3, E = 200e9, rho = 8000.0, g = 9.81, weight = 0.02,
                    pi = 3.14159265358979323846;

double chain_step(const chain_run *run) {
    return 2e-3 / run->per_sample;
}

const char *chain_version(void) {
    return mj_versionString();
}

/* Length of a link, place of the first joint, spring of joint i. */
static double link_length(const chain_run *run) {
    return L / (run->links + (run->inset ? 0.5 : 0.0));
}

static double first_joint(const chain_run *run) {
    return run->inset ? 0.5 * link_length(run) : 0.0;
}

static double spring(const chain_run *run, int i) {
    const double EI = E * 0.25 * pi * radius * radius * radius * radius;
    return (i == 0 && !run->inset ? 2.0 : 1.0) * EI / link_length(run);
}

/* Joint angles in equilibrium, turning e3 towards gravity (-x): k_i theta_i = moment about joint i of all that hangs
 * beyond. The angles determine the moments and those the angles; the map contracts, since the tip comes down by an
 * eighth of L only. */
static wy_status equilibrium(double *theta, const chain_run *run, wy_error *err) {
    const int n = run->links;
    const double h = link_length(run), m = rho * pi * radius * radius * h;
    double change = HUGE_VAL, z[MOST_LINKS + 1];
    memset(theta, 0, (size_t)n * sizeof *theta);
    for (int it = 0; it < 500 && change > 1e-15; it++) {
        double angle = 0.0;
        z[0] = first_joint(run);
        for (int i = 0; i < n; i++) {
            angle += theta[i];
            z[i + 1] = z[i] + h * cos(angle);
        }
        /* moment about joint i = sum of weights times their z beyond z_i */
        double force = weight * g, moment = force * z[n];
        change = 0.0;
        for (int i = n - 1; i >= 0; i--) {
            force += m * g;
            moment += m * g * 0.5 * (z[i] + z[i + 1]);
            const double t = (moment - force * z[i]) / spring(run, i);
            change = fmax(change, fabs(t - theta[i]));
            theta[i] = t;
        }
    }
    if (!(change <= 1e-13))
        return wy_fail(err, WY_NO_CONVERGENCE, "equilibrium of a chain of %d links: the angles still change by %.3g", n,
                       change);
    return WY_OK;
}

static wy_status build(mjModel **model, const chain_run *run, wy_error *err) {
    const int n = run->links;
    const double h = link_length(run), A = pi * radius * radius, I = 0.25 * A * radius * radius, m = rho * A * h;
    const size_t capacity = 1000 + 400 * (size_t)n;
    char *xml = malloc(capacity);
    mjVFS *vfs = malloc(sizeof *vfs);
    *model = NULL;
    if (!xml || !vfs) {
        free(xml);
        free(vfs);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a chain of %d links", n);
    }
    size_t used = (size_t)snprintf(
        xml, capacity,
        "<mujoco><compiler angle='radian'/><size nstack='1000000'/>"
        "<option timestep='%.17g' integrator='%s' gravity='%.17g 0 0'><flag constraint='disable' equality='disable' "
        "frictionloss='disable' limit='disable' contact='disable' clampctrl='disable' warmstart='disable' "
        "actuation='disable' sensor='disable'/></option><worldbody>",
        chain_step(run), run->integrator, -g);
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(
            xml + used, capacity - used,
            "<body pos='0 0 %.17g'><inertial pos='0 0 %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>"
            "<joint type='%s' axis='0 1 0' stiffness='%.17g'/>",
            i == 0 ? first_joint(run) : h, 0.5 * h, m, m * h * h / 12.0 + rho * I * h, m * h * h / 12.0 + rho * I * h,
            2.0 * rho * I * h, run->joint == CHAIN_BALL ? "ball" : "hinge", spring(run, i));
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(xml + used, capacity - used, "</body>");
    used += (size_t)snprintf(xml + used, capacity - used, "</worldbody></mujoco>");
    char said[500] = "";
    mj_defaultVFS(vfs);
    if (mj_makeEmptyFileVFS(vfs, "chain.xml", (int)used) == 0) {
        memcpy(vfs->filedata[0], xml, used);
        *model = mj_loadXML("chain.xml", vfs, said, sizeof said);
    }
    mj_deleteFileVFS(vfs, "chain.xml");
    free(vfs);
    free(xml);
    return *model ? WY_OK : wy_fail(err, WY_BAD_INPUT, "MuJoCo refuses a chain of %d links: %s", n, said);
}

static void start(const mjModel *model, mjData *data, const chain_run *run, const double *theta) {
    mj_resetData(model, data);
    for (int i = 0; i < run->links; i++)
        if (run->joint == CHAIN_BALL) { /* a turn by -theta about y takes e3 towards -x */
            const double q[4] = {cos(0.5 * theta[i]), 0.0, -sin(0.5 * theta[i]), 0.0};
            memcpy(data->qpos + 4 * i, q, sizeof q);
        } else {
            data->qpos[i] = -theta[i];
        }
    if (strcmp(run->integrator, "RK4") != 0) {
        mj_forward(model, data);
        for (int k = 0; k < model->nv; k++)
            data->qvel[k] = -0.5 * chain_step(run) * data->qacc[k];
    }
}

/* The pose of a body in `data` is that of the step's beginning: this makes it that of now. */
static void tip_of(double tip[3], const mjModel *model, mjData *data, const chain_run *run) {
    mj_kinematics(model, data);
    const double *p = data->xpos + 3 * run->links, *R = data->xmat + 9 * run->links; /* body 0 is the world */
    for (int k = 0; k < 3; k++)
        tip[k] = p[k] + link_length(run) * R[3 * k + 2];
}

/* MuJoCo would print it and write MUJOCO_LOG.TXT; chain_second looks at the counts instead. */
static void be_silent(const char *said) {
    (void)said;
}

wy_status chain_second(double *cpu, double *rms, const chain_run *run, wy_error *err) {
    if (run->links < 1 || run->links > MOST_LINKS)
        return wy_fail(err, WY_BAD_INPUT, "a chain of %d links, expected 1 to %d", run->links, MOST_LINKS);
    double theta[MOST_LINKS];
    mjModel *model = NULL;
    wy_status s = equilibrium(theta, run, err);
    if (!s)
        s = build(&model, run, err);
    if (s)
        return s;
    mjData *data = mj_makeData(model);
    if (!data) {
        mj_deleteModel(model);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a chain of %d links", run->links);
    }
    mju_user_warning = be_silent;
    start(model, data, run, theta);
    clock_t spent = 0;
    double sum = 0.0;
    for (int n = 1; n < WY_CANTILEVER_ROWS; n++) {
        const clock_t from = clock();
        for (int k = 0; k < run->per_sample; k++)
            mj_step(model, data);
        spent += clock() - from;
        if (rms) {
            double tip[3];
            tip_of(tip, model, data, run);
            const double x = tip[0] - wy_cantilever_converged[n][0], z = tip[2] - wy_cantilever_converged[n][1];
            sum += x * x + tip[1] * tip[1] + z * z;
        }
        if (data->warning[mjWARN_BADQACC].number || data->warning[mjWARN_BADQPOS].number ||
            data->warning[mjWARN_BADQVEL].number) {
            sum = HUGE_VAL; /* it blew up, and MuJoCo has put it back to its start */
            break;
        }
    }
    *cpu = (double)spent / CLOCKS_PER_SEC;
    if (rms)
        *rms = sqrt(sum / (WY_CANTILEVER_ROWS - 1)) / L;
    mj_deleteData(data);
    mj_deleteModel(model);
    return WY_OK;
}
