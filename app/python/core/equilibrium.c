/* An equilibrium that is held: taken up again from its numbers, asked for its vibrations and how sure it is, let go. */
#include <math.h>

#include <withy/modes.h>
#include <withy/release.h>

#include "core.h"

typedef struct equilibrium_object {
    PyObject_HEAD wy_equilibrium *solver;
    wy_rod_definition rod;
    wy_arena *arena;
    PyObject *laws;
    bool corrected, busy;
} equilibrium_object;

static equilibrium_object *usable(PyObject *self) {
    equilibrium_object *o = (equilibrium_object *)self;
    if (o->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread uses this equilibrium: give each thread its own");
        return NULL;
    }
    return o;
}

/* Stability is asked of rods without mass too; what is counted does not depend on the mass. */
static void give_mass(wy_rod_definition *rod) {
    wy_section *s = &rod->section;
    if (rod->stations.rows || s->rhoA > 0.0)
        return;
    rod->profile = (wy_choice){0}; /* the numbers of the section count */
    s->rhoA = 1.0;
    s->rhoI1 = s->rhoI2 = 1e-4 * rod->length * rod->length;
    s->rhoJ = 2.0 * s->rhoI1;
}

static wy_status take_up(equilibrium_object *o, const wy_scenario *scenario, double parameter, const double *states,
                         size_t numbers, bool massive, wy_error *err) {
    wy_equilibrium_request request;
    wy_status s = wy_scenario_equilibrium(&request, scenario, parameter, NULL, o->arena, err);
    if (!s && massive)
        give_mass(&request.rod);
    if (!s) {
        o->rod = request.rod;
        s = wy_equilibrium_create(&o->solver, &o->rod, NULL, err);
    }
    if (!s && wy_equilibrium_nodes(o->solver) * WY_STATIC_DIM != numbers)
        s = wy_fail(err, WY_BAD_INPUT, "%zu numbers for an equilibrium of %zu nodes, expected %d for each", numbers,
                    wy_equilibrium_nodes(o->solver), WY_STATIC_DIM);
    return s ? s : wy_equilibrium_take_up(o->solver, states, &o->corrected, err);
}

static PyObject *equilibrium_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"scenario", "states", "parameter", "massive", NULL};
    PyObject *from, *states;
    double parameter = 0.0;
    int massive = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|dp:Held", names, &from, &states, &parameter, &massive))
        return NULL;
    Py_buffer buffer;
    if (PyObject_GetBuffer(states, &buffer, PyBUF_CONTIG_RO) < 0)
        return NULL;
    const wy_scenario *scenario = scenario_of(from);
    if (!scenario) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    equilibrium_object *o = (equilibrium_object *)alloc(type, 0);
    if (!o) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    scenario_object *owner = (scenario_object *)from;
    Py_INCREF(owner->laws);
    o->laws = owner->laws;
    o->arena = wy_arena_create();
    wy_error err;
    wy_status s = o->arena ? WY_OK : wy_fail(&err, WY_NO_MEMORY, "no memory for an equilibrium");
    if (!s) {
        owner->busy = true;
        PyThreadState *others = PyEval_SaveThread();
        s = take_up(o, scenario, parameter, buffer.buf, (size_t)buffer.len / sizeof(double), massive, &err);
        PyEval_RestoreThread(others);
        owner->busy = false;
    }
    PyBuffer_Release(&buffer);
    if (s) {
        if (!laws_raise(o->laws))
            raise_error(&err);
        Py_DECREF(o);
        return NULL;
    }
    return (PyObject *)o;
}

static int held_traverse(PyObject *self, visitproc visit, void *arg) {
    return laws_traverse(self, ((equilibrium_object *)self)->laws, visit, arg);
}

static int held_clear(PyObject *self) {
    equilibrium_object *o = (equilibrium_object *)self;
    wy_equilibrium_free(o->solver); /* it asks the laws */
    o->solver = NULL;
    Py_CLEAR(o->laws);
    return 0;
}

static void equilibrium_dealloc(PyObject *self) {
    equilibrium_object *o = (equilibrium_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    held_clear(self);
    wy_arena_free(o->arena);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *equilibrium_refine(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"tolerance", "most", NULL};
    double tolerance, error = NAN;
    long long most = 1024;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "d|L:refine", names, &tolerance, &most))
        return NULL;
    equilibrium_object *o = usable(self);
    if (!o)
        return NULL;
    if (most < 1 || !(tolerance >= 0.0)) {
        PyErr_SetString(PyExc_ValueError, "refine: expected a tolerance of 0 or more and at least 1 element");
        return NULL;
    }
    wy_error err;
    wy_status s;
    o->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    s = wy_equilibrium_refine(o->solver, tolerance, (size_t)most, &error, &err);
    PyEval_RestoreThread(others);
    o->busy = false;
    if (s)
        return laws_raise(o->laws) ? NULL : raise_error(&err);
    return PyFloat_FromDouble(error);
}

/* A copy of numbers as an array. */
static PyObject *array_of(const double *numbers, int rank, const size_t *dims) {
    double *to;
    PyObject *array = view_alloc(&to, rank, dims);
    size_t count = 1;
    for (int i = 0; i < rank; i++)
        count *= dims[i];
    if (array)
        memcpy(to, numbers, count * sizeof *to);
    return array;
}

/* The lowest modes of the numbers as they are, without errors: at a fold, or where only their signs matter. */
static wy_status stored_modes(wy_equilibrium_modes *modes, size_t count, wy_equilibrium *solver, wy_error *err) {
    modes->eigenvalues = malloc((1 + 6 * wy_equilibrium_count(solver)) * count * sizeof(double));
    if (!modes->eigenvalues)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu modes", count);
    modes->shapes = modes->eigenvalues + count;
    return wy_equilibrium_vibrations(modes, count, solver, err);
}

static PyObject *equilibrium_vibrations(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"count", "stored", NULL};
    long long count = 6;
    int stored = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|Lp:vibrations", names, &count, &stored))
        return NULL;
    equilibrium_object *o = usable(self);
    if (!o)
        return NULL;
    if (count < 1 || count > WY_MODES_MOST) {
        PyErr_Format(PyExc_ValueError, "%lld modes, expected 1 to %d", count, WY_MODES_MOST);
        return NULL;
    }
    wy_error err;
    wy_modes found = {0};
    wy_modes_config config;
    wy_equilibrium_modes rough = {0};
    wy_status s;
    o->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    if (stored || !o->corrected) {
        s = stored_modes(&rough, (size_t)count, o->solver, &err);
    } else {
        s = wy_params_defaults(wy_kind_modes.entry.params, &config, o->arena, &err);
        config.count = count;
        wy_modes_open_solution(&found, &config, o->solver, &o->rod);
        if (!s)
            s = wy_modes_find(&found, &err);
    }
    PyEval_RestoreThread(others);
    o->busy = false;
    PyObject *result = NULL;
    const bool sure = found.table;
    const size_t n = sure ? found.count : (size_t)count, nodes = wy_equilibrium_count(o->solver),
                 dims[3] = {n, nodes, 6};
    if (s && !laws_raise(o->laws))
        raise_error(&err);
    if (!s)
        result = Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:l,s:n}", "eigenvalues",
                               array_of(sure ? found.eigenvalues : rough.eigenvalues, 1, &n), "shapes",
                               array_of(sure ? found.table->shapes + 6 * nodes * found.rigid : rough.shapes, 3, dims),
                               "arc_length", array_of(wy_equilibrium_s(o->solver), 1, &nodes), "errors",
                               sure ? array_of(found.errors, 1, &n) : Py_NewRef(Py_None), "damping",
                               sure ? array_of(found.damping, 1, &n) : Py_NewRef(Py_None), "negative",
                               sure ? found.table->negative : rough.negative, "symmetries",
                               (Py_ssize_t)(sure ? found.table->symmetries : rough.symmetries));
    wy_modes_close(&found);
    free(rough.eigenvalues);
    return result;
}

/* ---- letting go ---- */

static PyObject *number_or_none(double x) {
    if (isnan(x))
        Py_RETURN_NONE;
    return PyFloat_FromDouble(x);
}

static PyObject *landing_dict(const wy_release_result *l) {
    PyObject *levels = PyList_New(0);
    for (size_t i = 0; levels && i < l->level_count; i++) {
        const wy_release_level *v = &l->levels[i];
        PyObject *one =
            Py_BuildValue("{s:L,s:d,s:d,s:d,s:d,s:N,s:N,s:N,s:L}", "elements", (long long)v->elements, "force",
                          v->force[l->end], "moment", v->moment[l->end], "middle", v->middle, "energy", v->energy,
                          "off_force", number_or_none(v->force_error), "off_moment", number_or_none(v->moment_error),
                          "off_middle", number_or_none(v->middle_error), "steps", (long long)v->steps);
        if (!one || PyList_Append(levels, one) < 0)
            Py_CLEAR(levels);
        Py_XDECREF(one);
    }
    const double *F = l->force[l->end], *M = l->moment[l->end], *G = l->solved_force;
    return levels ? Py_BuildValue("{s:l,s:d,s:O,s:O,s:d,s:d,s:d,s:N,s:(ddd),s:(ddd),s:i,s:d,s:N,s:O,s:O,s:l,s:(ddd)}",
                                  "negative", l->negative, "rate", l->rate, "unstable",
                                  l->unstable ? Py_True : Py_False, "rest", l->rest ? Py_True : Py_False, "time",
                                  l->time, "kinetic", l->kinetic, "strain", l->strain, "levels", levels, "force", F[0],
                                  F[1], F[2], "moment", M[0], M[1], M[2], "end", l->end, "extrapolated",
                                  l->extrapolated, "extrapolated_estimate", number_or_none(l->extrapolated_estimate),
                                  "reached", l->reached ? Py_True : Py_False, "solved", l->solved ? Py_True : Py_False,
                                  "solved_negative", l->solved_negative, "solved_force", G[0], G[1], G[2])
                  : NULL;
}

static PyObject *equilibrium_release(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"push",     "backwards", "damping",  "duration", "tolerance",
                            "elements", "title",     "progress", NULL};
    wy_release_options options;
    wy_release_options_init(&options);
    int backwards = 0;
    long long elements = options.elements;
    const char *title = "let go";
    PyObject *progress = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|dpdddLsO:release", names, &options.push, &backwards,
                                     &options.damping, &options.duration, &options.tolerance, &elements, &title,
                                     &progress))
        return NULL;
    equilibrium_object *o = usable(self);
    if (!o)
        return NULL;
    if (elements < 4 || elements > 100000) {
        PyErr_Format(PyExc_ValueError, "%lld elements, expected 4 to 100000", elements);
        return NULL;
    }
    options.backwards = backwards;
    options.elements = elements;
    if (options.most_elements < 8 * elements)
        options.most_elements = 8 * elements;
    watcher watch;
    watcher_init(&watch, progress, NULL);
    wy_release *release = NULL;
    wy_frames *frames = NULL;
    wy_arena *arena = wy_arena_create();
    char *text = NULL;
    wy_error err;
    const wy_sink quiet = {.context = &watch, .progress = watcher_progress};
    wy_status s = arena ? WY_OK : wy_fail(&err, WY_NO_MEMORY, "no memory to let it go");
    o->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    if (!s)
        s = wy_frames_create(&frames, watcher_progress, NULL, &watch, &err);
    if (!s)
        s = wy_release_create(&release, o->solver, &options, &err);
    if (!s)
        s = wy_motion_scenario_text(&text, title, wy_release_motion(release), wy_release_plan(release), arena, &err);
    if (!s)
        s = wy_release_move(release, wy_frames_sink(frames), &err);
    if (!s && wy_release_get_result(release)->rest)
        s = wy_release_settle(release, &quiet, &err);
    PyEval_RestoreThread(others);
    o->busy = false;
    PyObject *result = NULL;
    if (s) {
        wy_frames_free(frames);
        if (!laws_raise(o->laws))
            watcher_raise(&watch, &err);
    } else {
        PyObject *kept = frames_new(frames, NULL), *landing = landing_dict(wy_release_get_result(release));
        if (kept && landing)
            result = Py_BuildValue("(OOs)", landing, kept, text);
        Py_XDECREF(kept);
        Py_XDECREF(landing);
    }
    watcher_clear(&watch);
    wy_release_free(release);
    wy_arena_free(arena);
    return result;
}

static PyObject *get_corrected(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((equilibrium_object *)self)->corrected);
}

#define WITH_KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))
static PyMethodDef methods[] = {
    {"refine", WITH_KEYWORDS(equilibrium_refine), METH_VARARGS | METH_KEYWORDS,
     "Adapts the mesh; the estimated error."},
    {"vibrations", WITH_KEYWORDS(equilibrium_vibrations), METH_VARARGS | METH_KEYWORDS, "The lowest modes."},
    {"release", WITH_KEYWORDS(equilibrium_release), METH_VARARGS | METH_KEYWORDS,
     "Lets it go: landing, frames, scenario."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {
    {"corrected", get_corrected, NULL, "Whether Newton's iteration confirmed the numbers.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, equilibrium_new},    {Py_tp_dealloc, equilibrium_dealloc},
                              {Py_tp_traverse, held_traverse}, {Py_tp_clear, held_clear},
                              {Py_tp_methods, methods},        {Py_tp_getset, members},
                              {Py_tp_doc, "An equilibrium."},  {0, NULL}};
static PyType_Spec spec = {.name = "withy._core.Held",
                           .basicsize = sizeof(equilibrium_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};

int equilibrium_add(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    const int r = type ? PyModule_AddObjectRef(module, "Held", type) : -1;
    Py_XDECREF(type);
    return r;
}
