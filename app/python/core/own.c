/* Loads and ends written in Python, through the descriptors of <withy/rod.h>. A solver asks them at every point of
 * every iteration, with the GIL taken each time, and for the derivatives it asks again with the point moved a little:
 * for trying things out, not for speed. */
#include <math.h>

#include "core.h"

typedef struct own_law {
    wy_load load;
    wy_joint end;
    char *name;
    PyObject *function, *potential; /* the second may be NULL */
    double from, until;             /* NaN: all of the rod */
    double *breaks;                 /* times at which it jumps or has a kink, s, rising */
    size_t break_count;
    unsigned varies;
    PyObject *type, *value, *trace; /* what the function raised */
} own_law;

typedef struct own_config { /* what a descriptor is asked with */
    own_law *law;
} own_config;

static PyTypeObject *material_point_type;

/* ---- asking Python. With the GIL held. ---- */

static PyObject *triple(const double *v) {
    return Py_BuildValue("(ddd)", v[0], v[1], v[2]);
}

static PyObject *material_point_new(const wy_material_point *at) {
    PyObject *p = PyStructSequence_New(material_point_type);
    if (!p)
        return NULL;
    PyObject *values[] = {PyFloat_FromDouble(at->s),
                          PyFloat_FromDouble(at->length),
                          PyFloat_FromDouble(at->t),
                          triple(at->x),
                          triple(at->D),
                          triple(at->D + 3),
                          triple(at->D + 6),
                          triple(at->v),
                          triple(at->omega)};
    bool good = true;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        good = good && values[i];
        PyStructSequence_SetItem(p, (Py_ssize_t)i, values[i]);
    }
    if (!good)
        Py_CLEAR(p);
    return p;
}

/* The answer is a force, or a pair of force and moment; None is no force. */
static bool read_answer(double wrench[6], PyObject *answer) {
    memset(wrench, 0, 6 * sizeof *wrench);
    if (answer == Py_None)
        return true;
    if (PyTuple_Check(answer) && PyTuple_Size(answer) == 2)
        return numbers_read(wrench + 3, 3, PyTuple_GetItem(answer, 0), "the force of a load") &&
               numbers_read(wrench, 3, PyTuple_GetItem(answer, 1), "the moment of a load");
    return numbers_read(wrench + 3, 3, answer, "the force of a load");
}

static void remember(own_law *law) {
    if (law->type)
        PyErr_Clear();
    else
        PyErr_Fetch(&law->type, &law->value, &law->trace);
}

/* A law that answers no number where it was asked about numbers is wrong itself; what it answers about an iterate that
 * is lost already is the solver's matter. */
static bool no_number(const double wrench[6], const own_law *law, const wy_material_point *at) {
    double asked = 0.0;
    bool found = false;
    for (int i = 0; i < 3; i++)
        asked += at->x[i] + at->v[i] + at->omega[i];
    for (int i = 0; i < 6; i++)
        found = found || isnan(wrench[i]);
    if (!found || !isfinite(asked))
        return false;
    char text[200];
    snprintf(text, sizeof text, "'%.100s' answered a force or moment that is no number, at s = %g m", law->name, at->s);
    raise_text(WY_NOT_FINITE, text);
    return true;
}

/* NaN where it fails: the solver then stops, and the exception is raised when it is back. */
static void ask(double wrench[6], own_law *law, const wy_material_point *at) {
    PyObject *point = law->type ? NULL : material_point_new(at);
    PyObject *answer = point ? PyObject_CallFunctionObjArgs(law->function, point, NULL) : NULL;
    if (!answer || !read_answer(wrench, answer) || no_number(wrench, law, at)) {
        remember(law);
        for (int i = 0; i < 6; i++)
            wrench[i] = NAN;
    }
    Py_XDECREF(answer);
    Py_XDECREF(point);
}

/* ---- derivatives, by central differences ---- */

/* The directors turned by the angle h about the axis j of space. */
static void turn(double D[9], const double *from, int j, double h) {
    const int a = (j + 1) % 3, b = (j + 2) % 3;
    const double c = cos(h), s = sin(h);
    for (int d = 0; d < 3; d++) {
        D[3 * d + j] = from[3 * d + j];
        D[3 * d + a] = c * from[3 * d + a] - s * from[3 * d + b];
        D[3 * d + b] = s * from[3 * d + a] + c * from[3 * d + b];
    }
}

static void add_column(double *K, int column, const double plus[6], const double minus[6], double h) {
    for (int i = 0; i < 6; i++)
        K[6 * i + column] += (plus[i] - minus[i]) / (2.0 * h);
}

static void by_position(double *K, own_law *law, const wy_material_point *at) {
    const double h = 1e-6, move = h * at->length;
    double w[2][6], x[3], D[9];
    for (int j = 0; j < 3 && law->varies & WY_VARIES_ROTATION; j++) {
        for (int side = 0; side < 2; side++) {
            wy_material_point moved = *at;
            turn(D, at->D, j, side ? -h : h);
            moved.D = D;
            ask(w[side], law, &moved);
        }
        add_column(K, j, w[0], w[1], h);
    }
    for (int j = 0; j < 3 && law->varies & WY_VARIES_POSITION; j++) {
        for (int side = 0; side < 2; side++) {
            wy_material_point moved = *at;
            memcpy(x, at->x, sizeof x);
            x[j] += side ? -move : move;
            moved.x = x;
            ask(w[side], law, &moved);
        }
        add_column(K, 3 + j, w[0], w[1], move);
    }
}

static void by_velocity(double *C, own_law *law, const wy_material_point *at) {
    for (int j = 0; j < 6; j++) {
        const double *v = j < 3 ? at->omega : at->v;
        const double h = 1e-6 * fmax(1.0, fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))));
        double w[2][6], moved_v[3];
        for (int side = 0; side < 2; side++) {
            wy_material_point moved = *at;
            memcpy(moved_v, v, sizeof moved_v);
            moved_v[j % 3] += side ? -h : h;
            if (j < 3)
                moved.omega = moved_v;
            else
                moved.v = moved_v;
            ask(w[side], law, &moved);
        }
        add_column(C, j, w[0], w[1], h);
    }
}

/* ---- the descriptors' callbacks ---- */

static unsigned own_varies(const void *config) {
    return ((const own_config *)config)->law->varies;
}

static wy_status own_check(const void *config, double length, wy_error *err) {
    const own_law *law = ((const own_config *)config)->law;
    if (!isnan(law->from) && !(law->from >= 0.0 && law->until <= length && law->from <= law->until))
        return wy_fail(err, WY_BAD_INPUT,
                       "the load '%s' acts from %g m until %g m, expected a part of the rod, 0 to %g m", law->name,
                       law->from, law->until, length);
    return WY_OK;
}

/* The times given; they rise. */
static double own_next_break(const void *config, double t) {
    const own_law *law = ((const own_config *)config)->law;
    for (size_t i = 0; i < law->break_count; i++)
        if (law->breaks[i] > t)
            return law->breaks[i];
    return INFINITY;
}

static void own_span(double *from, double *until, const void *config, double length) {
    const own_law *law = ((const own_config *)config)->law;
    *from = isnan(law->from) ? 0.0 : law->from;
    *until = isnan(law->until) ? length : law->until;
}

static void own_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    own_law *law = ((const own_config *)config)->law;
    double w[6];
    const PyGILState_STATE gil = PyGILState_Ensure();
    ask(w, law, at);
    for (int i = 0; i < 6; i++)
        out->space[i] += w[i];
    if (out->K && law->varies & (WY_VARIES_POSITION | WY_VARIES_ROTATION))
        by_position(out->K, law, at);
    if (out->C && law->varies & WY_VARIES_VELOCITY)
        by_velocity(out->C, law, at);
    PyGILState_Release(gil);
}

static double own_potential(const void *config, const wy_material_point *at) {
    own_law *law = ((const own_config *)config)->law;
    double energy = NAN;
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *point = law->type ? NULL : material_point_new(at);
    PyObject *answer = point ? PyObject_CallFunctionObjArgs(law->potential, point, NULL) : NULL;
    if (answer)
        energy = PyFloat_AsDouble(answer);
    if (!answer || PyErr_Occurred()) {
        remember(law);
        energy = NAN;
    }
    Py_XDECREF(answer);
    Py_XDECREF(point);
    PyGILState_Release(gil);
    return energy;
}

/* ---- making them ---- */

/* A law in Python's hands: the garbage collector sees its functions, which may refer to the motion that they act on. */
typedef struct law_object {
    PyObject_HEAD own_law *law;
} law_object;

static PyTypeObject *law_type;

static int law_traverse(PyObject *self, visitproc visit, void *arg) {
    const own_law *law = ((law_object *)self)->law;
    Py_VISIT(Py_TYPE(self));
    if (law) {
        Py_VISIT(law->function);
        Py_VISIT(law->potential);
        Py_VISIT(law->type);
        Py_VISIT(law->value);
        Py_VISIT(law->trace);
    }
    return 0;
}

static void law_dealloc(PyObject *self) {
    own_law *law = ((law_object *)self)->law;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (law) {
        Py_XDECREF(law->function);
        Py_XDECREF(law->potential);
        Py_XDECREF(law->type);
        Py_XDECREF(law->value);
        Py_XDECREF(law->trace);
        free(law->name);
        PyMem_Free(law->breaks);
        free(law);
    }
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyType_Slot law_slots[] = {{Py_tp_dealloc, law_dealloc},
                                  {Py_tp_traverse, law_traverse},
                                  {Py_tp_doc, "A load or an end written in Python."},
                                  {0, NULL}};
static PyType_Spec law_spec = {.name = "withy._core.Law",
                               .basicsize = sizeof(law_object),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = law_slots};

bool laws_raise(PyObject *laws) {
    bool raised = false;
    for (Py_ssize_t i = 0; laws && i < PyList_Size(laws); i++) {
        own_law *law = ((law_object *)PyList_GetItem(laws, i))->law;
        if (!law || !law->type)
            continue;
        if (raised) {
            Py_CLEAR(law->type);
            Py_CLEAR(law->value);
            Py_CLEAR(law->trace);
        } else
            PyErr_Restore(law->type, law->value, law->trace);
        law->type = law->value = law->trace = NULL;
        raised = true;
    }
    return raised;
}

static const struct {
    const char *word;
    unsigned bit;
} variations[] = {{"time", WY_VARIES_TIME},
                  {"velocity", WY_VARIES_VELOCITY},
                  {"place", WY_VARIES_POSITION},
                  {"turn", WY_VARIES_ROTATION},
                  {"along", WY_VARIES_ARC_LENGTH}};

static bool read_varies(unsigned *varies, PyObject *words) {
    *varies = 0;
    const Py_ssize_t n = PyTuple_Check(words) || PyList_Check(words) ? PySequence_Size(words) : -1;
    if (n < 0) {
        PyErr_SetString(PyExc_TypeError, "varies: expected a tuple of 'time', 'velocity', 'place', 'turn', 'along'");
        return false;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *word = PySequence_GetItem(words, i);
        const char *text = word ? PyUnicode_AsUTF8AndSize(word, NULL) : NULL;
        unsigned bit = 0;
        for (size_t k = 0; text && k < sizeof variations / sizeof *variations; k++)
            if (strcmp(variations[k].word, text) == 0)
                bit = variations[k].bit;
        if (!bit)
            PyErr_Format(PyExc_ValueError, "varies: %R, expected 'time', 'velocity', 'place', 'turn' or 'along'", word);
        Py_XDECREF(word);
        if (!bit)
            return false;
        *varies |= bit;
    }
    return true;
}

/* A law with its function, in the scenario's list. */
static own_law *law_new(scenario_object *o, const char *name, PyObject *function, PyObject *potential, unsigned bits) {
    if (!PyCallable_Check(function) || (potential != Py_None && !PyCallable_Check(potential))) {
        PyErr_Format(PyExc_TypeError, "%s: expected a function of a point", name);
        return NULL;
    }
    own_law *law = calloc(1, sizeof *law);
    if (law)
        law->name = malloc(strlen(name) + 1);
    if (!law || !law->name) {
        free(law);
        PyErr_NoMemory();
        return NULL;
    }
    strcpy(law->name, name);
    law->varies = bits;
    Py_INCREF(function);
    law->function = function;
    if (potential != Py_None) {
        Py_INCREF(potential);
        law->potential = potential;
    }
    law_object *object = PyObject_GC_New(law_object, law_type);
    if (!object) {
        Py_DECREF(function);
        Py_XDECREF(law->potential);
        free(law->name);
        free(law);
        return NULL;
    }
    object->law = law;
    PyObject_GC_Track((PyObject *)object);
    const int kept = PyList_Append(o->laws, (PyObject *)object);
    Py_DECREF(object); /* the list keeps it; without a list it frees the law */
    return kept < 0 ? NULL : law;
}

/* The times at which a law breaks, numbers that rise; to be freed with PyMem_Free. False: an exception is set. */
static bool read_breaks(double **times, size_t *number, PyObject *breaks) {
    *times = NULL;
    *number = 0;
    if (!breaks)
        return true;
    PyObject *list = PySequence_Tuple(breaks); /* a tuple cannot change meanwhile */
    if (!list)
        return false;
    const size_t count = (size_t)PyTuple_Size(list);
    double *t = count ? PyMem_Malloc(count * sizeof *t) : NULL;
    bool good = !count || t;
    if (!good)
        PyErr_NoMemory();
    for (size_t i = 0; i < count && good; i++) {
        t[i] = PyFloat_AsDouble(PyTuple_GetItem(list, (Py_ssize_t)i));
        good = !PyErr_Occurred();
        if (good && (!isfinite(t[i]) || (i > 0 && !(t[i] > t[i - 1])))) {
            PyErr_SetString(PyExc_ValueError, "breaks: expected times in s that rise");
            good = false;
        }
    }
    Py_DECREF(list);
    if (good) {
        *times = t;
        *number = count;
    } else {
        PyMem_Free(t);
    }
    return good;
}

PyObject *own_add_load(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"name", "function", "varies", "from_", "until", "potential", "breaks", NULL};
    const char *name;
    PyObject *function, *varies, *potential = Py_None, *breaks = NULL;
    double from = NAN, until = NAN;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "sOO|ddOO:add_load", names, &name, &function, &varies, &from,
                                     &until, &potential, &breaks))
        return NULL;
    unsigned bits; /* arguments are read before the scenario is looked at: they may run any Python */
    double *times;
    size_t count;
    if (!read_varies(&bits, varies) || !read_breaks(&times, &count, breaks))
        return NULL;
    wy_scenario *scenario = scenario_of(self);
    own_law *law = scenario ? law_new((scenario_object *)self, name, function, potential, bits) : NULL;
    if (!law) {
        PyMem_Free(times);
        return NULL;
    }
    law->breaks = times;
    law->break_count = count;
    law->from = from;
    law->until = until;
    law->load = (wy_load){.entry = {.name = law->name, .doc = "Written in Python.", .config_size = sizeof(own_config)},
                          .account = WY_ACCOUNT_WORK,
                          .varies = own_varies,
                          .check = own_check,
                          .span = own_span,
                          .wrench = own_wrench,
                          .potential = law->potential ? own_potential : NULL,
                          .next_break_in_time = own_next_break};
    const own_config config = {law};
    wy_error err;
    if (wy_scenario_add_load(scenario, &law->load, &config, &err))
        return laws_raise(((scenario_object *)self)->laws) ? NULL : raise_error(&err);
    Py_RETURN_NONE;
}

PyObject *own_set_end(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"which", "name", "function", "varies", "potential", "breaks", NULL};
    const char *name;
    int which;
    PyObject *function, *varies, *potential = Py_None, *breaks = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "isOO|OO:set_end", names, &which, &name, &function, &varies,
                                     &potential, &breaks))
        return NULL;
    unsigned bits; /* arguments are read before the scenario is looked at: they may run any Python */
    double *times;
    size_t count;
    if (!read_varies(&bits, varies) || !read_breaks(&times, &count, breaks))
        return NULL;
    wy_scenario *scenario = scenario_of(self);
    own_law *law = scenario ? law_new((scenario_object *)self, name, function, potential, bits) : NULL;
    if (!law) {
        PyMem_Free(times);
        return NULL;
    }
    law->breaks = times;
    law->break_count = count;
    law->end = (wy_joint){.entry = {.name = law->name, .doc = "Written in Python.", .config_size = sizeof(own_config)},
                          .varies = own_varies,
                          .wrench = own_wrench,
                          .potential = law->potential ? own_potential : NULL,
                          .next_break_in_time = own_next_break};
    const own_config config = {law};
    wy_error err;
    if (wy_scenario_set_end(scenario, which, &law->end, &config, &err))
        return laws_raise(((scenario_object *)self)->laws) ? NULL : raise_error(&err);
    Py_RETURN_NONE;
}

/* ---- points that can be pushed ---- */

typedef struct pushed_config {
    const pushed *point;
} pushed_config;

static unsigned pushed_varies(const void *config) {
    (void)config;
    return WY_VARIES_TIME;
}

static wy_status pushed_check(const void *config, double length, wy_error *err) {
    const double s = ((const pushed_config *)config)->point->s;
    return s >= 0.0 && s <= length
               ? WY_OK
               : wy_fail(err, WY_BAD_INPUT, "a push at s = %g m, expected a place on the rod, 0 to %g m", s, length);
}

static void pushed_span(double *from, double *until, const void *config, double length) {
    (void)length;
    *from = *until = ((const pushed_config *)config)->point->s;
}

static void pushed_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    (void)at;
    const pushed *point = ((const pushed_config *)config)->point;
    for (int i = 0; i < 6; i++)
        out->space[i] += point->wrench[i];
}

static const wy_load pushed_load = {
    .entry = {.name = "push",
              .doc = "A force and a moment that are set between steps.",
              .config_size = sizeof(pushed_config)},
    .account = WY_ACCOUNT_WORK,
    .varies = pushed_varies,
    .check = pushed_check,
    .span = pushed_span,
    .wrench = pushed_wrench,
};

wy_status pushed_add(wy_scenario *scenario, pushed *point, wy_error *err) {
    const pushed_config config = {point};
    return wy_scenario_add_load(scenario, &pushed_load, &config, err);
}

static PyStructSequence_Field fields[] = {{"s", "arc length of the point, m"},
                                          {"length", "of the rod, m"},
                                          {"t", "time, s; 0 in statics"},
                                          {"x", "position in space, m"},
                                          {"d1", "first director, in space"},
                                          {"d2", "second director"},
                                          {"d3", "third director: along the rod"},
                                          {"v", "velocity in space, m/s; zero in statics"},
                                          {"omega", "angular velocity in space, rad/s; zero in statics"},
                                          {NULL, NULL}};
static PyStructSequence_Desc description = {.name = "withy.MaterialPoint",
                                            .doc = "Where a load or an end is asked what it does.",
                                            .fields = fields,
                                            .n_in_sequence = 9};

int own_add(PyObject *module) {
    law_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &law_spec, NULL);
    if (!law_type)
        return -1;
    material_point_type = PyStructSequence_NewType(&description);
    return material_point_type ? PyModule_AddObjectRef(module, "MaterialPoint", (PyObject *)material_point_type) : -1;
}
