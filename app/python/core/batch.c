/* Many states of one rod: stepped in parts, each with a scratch of its own, so that several threads can share the
 * work. */
#include <stdatomic.h>

#include <withy/batch.h>
#include <withy/live.h>

#include "core.h"

enum { CHUNK = 64 }; /* steps between two looks at the clock and at `stop` */

typedef struct part {
    wy_motion_work *work;
    size_t first, last; /* its states */
    bool busy;
} part;

typedef struct batch_object {
    PyObject_HEAD wy_live *live; /* what the rod belongs to; NULL: closed */
    PyObject *laws;
    const wy_motion *rod;
    wy_motion_state *start;
    wy_motion_state **states;
    wy_status *status; /* how the last steps of each ended */
    size_t count, part_count;
    part *parts;
    PyObject *views[FOLLOWS];
    double *data[FOLLOWS];
    atomic_bool stop;
} batch_object;

/* ---- whether it may be used ---- */

static batch_object *open_batch(PyObject *self) {
    batch_object *o = (batch_object *)self;
    if (!o->live)
        PyErr_SetString(PyExc_RuntimeError, "this batch is closed");
    return o->live ? o : NULL;
}

/* For what concerns all states: no part may be on its way. */
static batch_object *usable(PyObject *self) {
    batch_object *o = open_batch(self);
    for (size_t i = 0; o && i < o->part_count; i++)
        if (o->parts[i].busy) {
            PyErr_SetString(PyExc_RuntimeError, "another thread is stepping this batch");
            return NULL;
        }
    return o;
}

/* ---- stepping ---- */

static size_t follow_size(const batch_object *o, int which) {
    size_t dims[2] = {1, 1};
    const int rank = follow_shape(dims, which, o->rod);
    return rank == 1 ? dims[0] : dims[0] * dims[1];
}

static void refresh(const batch_object *o, size_t first, size_t last) {
    size_t size[FOLLOWS];
    for (int k = 0; k < FOLLOWS; k++)
        size[k] = o->data[k] ? follow_size(o, k) : 0;
    for (size_t i = first; i < last; i++) {
        double *data[FOLLOWS];
        for (int k = 0; k < FOLLOWS; k++)
            data[k] = o->data[k] ? o->data[k] + i * size[k] : NULL;
        follow_refresh(data, o->rod, o->states[i]);
    }
}

/* All steps of one state before the next. The first failure is answered; the others go on. */
static wy_status step_part(batch_object *o, const part *p, int64_t steps, watcher *watch, wy_error *err) {
    const double dt = wy_live_dt(o->live);
    wy_status first = WY_OK;
    for (size_t i = p->first; i < p->last; i++) {
        wy_status s = WY_OK;
        wy_error why;
        for (int64_t done = 0; done < steps && !s; done += CHUNK) {
            const int64_t n = steps - done < CHUNK ? steps - done : CHUNK;
            s = wy_motion_steps(o->rod, &o->states[i], 1, p->work, dt, n, NULL, &why);
            if (atomic_load(&o->stop) || watcher_progress(watch, 0.0))
                return wy_fail(err, WY_CANCELLED, "stopped at state %zu of %zu", i, o->count);
        }
        o->status[i] = s;
        if (s && !first) {
            const char *text = strncmp(why.text, "state 0 of 1: ", 14) == 0 ? why.text + 14 : why.text;
            first = wy_fail(err, s, "state %zu of %zu: %.900s", i, o->count, text);
        }
    }
    refresh(o, p->first, p->last);
    return first;
}

/* States of a thread whose factors are kept; some 50 MB. */
enum { MOST_KEPT = 256 };

static PyObject *batch_step(PyObject *self, PyObject *args) {
    Py_ssize_t which;
    long long steps;
    if (!PyArg_ParseTuple(args, "nL:_step", &which, &steps))
        return NULL;
    batch_object *o = open_batch(self);
    if (!o)
        return NULL;
    if (which < 0 || (size_t)which >= o->part_count || steps < 0) {
        PyErr_Format(PyExc_ValueError, "part %zd of %zu, %lld steps: expected none or more", which, o->part_count,
                     steps);
        return NULL;
    }
    part *p = &o->parts[which];
    if (p->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is stepping this batch");
        return NULL;
    }
    wy_error err = {0};
    watcher watch;
    watcher_init(&watch, Py_None, NULL);
    wy_status s;
    p->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    s = step_part(o, p, steps, &watch, &err);
    PyEval_RestoreThread(others);
    p->busy = false;
    if (!s)
        Py_RETURN_NONE;
    watcher_raise(&watch, &err);
    watcher_clear(&watch);
    return NULL;
}

static PyObject *batch_stop(PyObject *self, PyObject *on) {
    atomic_store(&((batch_object *)self)->stop, PyObject_IsTrue(on) == 1);
    Py_RETURN_NONE;
}

static PyObject *batch_raise_laws(PyObject *self, PyObject *none) {
    (void)none;
    if (laws_raise(((batch_object *)self)->laws))
        return NULL;
    Py_RETURN_NONE;
}

/* ---- pushing and looking ---- */

/* Numbers of a contiguous array of doubles, `each` for a state (0: as many as a state has); Python has seen to the
 * type. The batch, if it may be used after that: asking for a buffer may run any Python. */
static batch_object *array_open(Py_buffer *buffer, PyObject *self, PyObject *from, size_t each, const char *what) {
    if (PyObject_GetBuffer(from, buffer, PyBUF_CONTIG_RO) < 0)
        return NULL;
    batch_object *o = usable(self);
    const size_t count = o ? o->count * (each ? each : wy_motion_state_size(o->start)) : 0;
    if (o && (size_t)buffer->len == count * sizeof(double))
        return o;
    if (o)
        PyErr_Format(PyExc_ValueError, "%s: %zd bytes, expected %zu numbers", what, buffer->len, count);
    PyBuffer_Release(buffer);
    return NULL;
}

/* Something done to each state with its own numbers, `each` of them. */
typedef wy_status apply_one(batch_object *o, wy_motion_state *state, int end, const double *numbers, wy_error *err);

static PyObject *apply_each(PyObject *self, PyObject *args, size_t each, apply_one *apply, const char *what) {
    PyObject *rows;
    int end;
    if (!PyArg_ParseTuple(args, "Oi", &rows, &end))
        return NULL;
    Py_buffer all;
    batch_object *o = array_open(&all, self, rows, each, what);
    if (!o)
        return NULL;
    const double *numbers = all.buf;
    wy_error err;
    wy_status s = WY_OK;
    size_t i = 0;
    for (; i < o->count && !s; i++)
        s = apply(o, o->states[i], end, numbers + each * i, &err);
    PyBuffer_Release(&all);
    if (!s)
        Py_RETURN_NONE;
    wy_error with_number;
    wy_fail(&with_number, s, "state %zu of %zu: %.900s", i - 1, o->count, err.text);
    return raise_error(&with_number);
}

static wy_status push_one(batch_object *o, wy_motion_state *state, int end, const double *numbers, wy_error *err) {
    return wy_motion_push(o->rod, state, end, numbers, numbers + 3, err); /* [force; moment] */
}

static wy_status carry_one(batch_object *o, wy_motion_state *state, int end, const double *numbers, wy_error *err) {
    return wy_motion_carry(o->rod, state, end, numbers, numbers + 3, wy_live_dt(o->live), err);
}

static PyObject *batch_push(PyObject *self, PyObject *args) {
    return apply_each(self, args, 6, push_one, "push");
}

static PyObject *batch_carry(PyObject *self, PyObject *args) {
    return apply_each(self, args, 7, carry_one, "carry");
}

static PyObject *batch_follow(PyObject *self, PyObject *name) {
    batch_object *o = usable(self);
    const char *text = o ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (!text)
        return NULL;
    const int which = follow_find(text);
    if (which == FOLLOWS) {
        PyErr_Format(PyExc_KeyError, "%R follows no step", name);
        return NULL;
    }
    if (!o->views[which]) {
        size_t dims[VIEW_RANK] = {o->count};
        const int rank = 1 + follow_shape(dims + 1, which, o->rod);
        o->views[which] = view_alloc(&o->data[which], rank, dims);
        if (!o->views[which])
            return NULL;
        refresh(o, 0, o->count);
    }
    Py_INCREF(o->views[which]);
    return o->views[which];
}

/* ---- states ---- */

static PyObject *batch_save(PyObject *self, PyObject *none) {
    (void)none;
    batch_object *o = usable(self);
    if (!o)
        return NULL;
    const size_t dims[2] = {o->count, wy_motion_state_size(o->start)};
    double *data;
    PyObject *view = view_alloc(&data, 2, dims);
    for (size_t i = 0; view && i < o->count; i++)
        memcpy(data + i * dims[1], wy_motion_state_numbers(o->states[i]), dims[1] * sizeof *data);
    return view;
}

static PyObject *batch_restore(PyObject *self, PyObject *from) {
    Py_buffer all;
    batch_object *o = array_open(&all, self, from, 0, "the states of a batch");
    if (!o)
        return NULL;
    const size_t size = wy_motion_state_size(o->start);
    const double *numbers = all.buf;
    for (size_t i = 0; i < o->count; i++) {
        memcpy(wy_motion_state_numbers(o->states[i]), numbers + i * size, size * sizeof *numbers);
        o->status[i] = WY_OK;
    }
    PyBuffer_Release(&all);
    refresh(o, 0, o->count);
    Py_RETURN_NONE;
}

/* Puts the states with a nonzero byte back to the start. */
static PyObject *batch_reset(PyObject *self, PyObject *from) {
    Py_buffer mask;
    if (PyObject_GetBuffer(from, &mask, PyBUF_CONTIG_RO) < 0)
        return NULL;
    batch_object *o = usable(self);
    wy_error err;
    wy_status s = WY_OK;
    if (o && (size_t)mask.len != o->count) {
        PyErr_Format(PyExc_ValueError, "reset: a mask of %zd states, expected %zu", mask.len, o->count);
        o = NULL;
    }
    for (size_t i = 0; o && i < o->count && !s; i++)
        if (((const char *)mask.buf)[i]) {
            s = wy_motion_state_copy(o->states[i], o->start, &err);
            o->status[i] = WY_OK;
            refresh(o, i, i + 1);
        }
    PyBuffer_Release(&mask);
    if (s)
        return raise_error(&err);
    if (!o)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *batch_times(PyObject *self, void *unused) {
    (void)unused;
    batch_object *o = usable(self);
    double *data;
    PyObject *view = o ? view_alloc(&data, 1, &o->count) : NULL;
    for (size_t i = 0; view && i < o->count; i++)
        data[i] = wy_motion_time(o->states[i]);
    return view;
}

static PyObject *batch_statuses(PyObject *self, void *unused) {
    (void)unused;
    batch_object *o = usable(self);
    PyObject *list = o ? PyList_New((Py_ssize_t)o->count) : NULL;
    for (size_t i = 0; list && i < o->count; i++)
        if (PyList_SetItem(list, (Py_ssize_t)i, PyLong_FromLong(o->status[i])) < 0)
            Py_CLEAR(list);
    return list;
}

static PyObject *get_dt(PyObject *self, void *unused) {
    (void)unused;
    const batch_object *o = open_batch(self);
    return o ? PyFloat_FromDouble(wy_live_dt(o->live)) : NULL;
}

static PyObject *get_parts(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t(((batch_object *)self)->part_count);
}

static PyObject *get_count(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t(((batch_object *)self)->count);
}

static PyObject *get_closed(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((batch_object *)self)->live == NULL);
}

/* ---- making and closing ---- */

static void release_all(batch_object *o) {
    for (size_t i = 0; o->states && i < o->count; i++)
        wy_motion_state_free(o->states[i]);
    for (size_t i = 0; o->parts && i < o->part_count; i++)
        wy_motion_work_free(o->parts[i].work);
    free(o->states);
    free(o->status);
    free(o->parts);
    o->states = NULL;
    o->status = NULL;
    o->parts = NULL;
    o->part_count = 0;
    wy_live_free(o->live);
    o->live = NULL;
    Py_CLEAR(o->laws);
}

static PyObject *batch_close(PyObject *self, PyObject *none) {
    (void)none;
    batch_object *o = (batch_object *)self;
    if (o->live) {
        if (!usable(self))
            return NULL;
        release_all(o);
    }
    Py_RETURN_NONE;
}

static int batch_traverse(PyObject *self, visitproc visit, void *arg) {
    return laws_traverse(self, ((batch_object *)self)->laws, visit, arg);
}

static int batch_clear(PyObject *self) {
    release_all((batch_object *)self);
    return 0;
}

static void batch_dealloc(PyObject *self) {
    batch_object *o = (batch_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    release_all(o);
    for (int i = 0; i < FOLLOWS; i++)
        Py_XDECREF(o->views[i]);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static wy_status fill(batch_object *o, size_t count, size_t parts, wy_error *err) {
    const wy_status fits = wy_motion_batch_fits(o->start, count, err);
    if (fits)
        return fits;
    o->states = calloc(count, sizeof(wy_motion_state *));
    o->status = calloc(count, sizeof *o->status);
    o->parts = calloc(parts, sizeof *o->parts);
    if (!o->states || !o->status || !o->parts)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu states", count);
    o->count = count;
    o->part_count = parts;
    wy_status s = WY_OK;
    for (size_t i = 0; i < count && !s; i++) {
        s = wy_motion_state_create(&o->states[i], o->rod, err);
        if (!s)
            s = wy_motion_state_copy(o->states[i], o->start, err);
    }
    for (size_t i = 0; i < parts && !s; i++) {
        o->parts[i] = (part){.first = count * i / parts, .last = count * (i + 1) / parts};
        const size_t states = o->parts[i].last - o->parts[i].first;
        s = wy_motion_work_create_for(&o->parts[i].work, o->rod, states < MOST_KEPT ? states : MOST_KEPT, err);
    }
    return s;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"scenario", "count", "parts", NULL};
    PyObject *from;
    Py_ssize_t count, parts;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "Onn:Batch", names, &from, &count, &parts))
        return NULL;
    wy_scenario *scenario = scenario_of(from);
    if (!scenario)
        return NULL;
    const Py_ssize_t most = 1 << 28; /* nothing of what is counted below wraps around */
    if (count < 1 || parts < 1 || count > most || parts > count) {
        PyErr_Format(PyExc_ValueError,
                     "%zd states in %zd parts: expected 1 state or more, at most %zd, and no more parts", count, parts,
                     most);
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    batch_object *o = (batch_object *)alloc(type, 0);
    if (!o)
        return NULL;
    scenario_object *taken = (scenario_object *)from;
    wy_error err;
    wy_status s;
    taken->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    s = wy_scenario_live(&o->live, scenario, &err);
    PyEval_RestoreThread(others);
    taken->busy = false;
    if (!s) {
        taken->scenario = NULL; /* it belongs to `live` now */
        Py_INCREF(taken->laws);
        o->laws = taken->laws;
        o->rod = wy_live_motion(o->live, &o->start, NULL);
        s = o->rod ? fill(o, (size_t)count, (size_t)parts, &err)
                   : wy_fail(&err, WY_UNSUPPORTED, "only a rod in motion has a batch of states");
    }
    if (!s)
        return (PyObject *)o;
    if (!laws_raise(o->laws ? o->laws : taken->laws))
        raise_error(&err);
    Py_DECREF(o);
    return NULL;
}

static PyMethodDef methods[] = {
    {"_step", batch_step, METH_VARARGS, "_step(part, n): n steps with each state of a part. The GIL is released."},
    {"_stop", batch_stop, METH_O, "Whether parts that are on their way shall stop."},
    {"_raise_laws", batch_raise_laws, METH_NOARGS, "Raises what a load or end written in Python has raised."},
    {"_push", batch_push, METH_VARARGS, "_push([force; moment] of each state, end)."},
    {"_carry", batch_carry, METH_VARARGS, "_carry([position; quaternion] of each state, end)."},
    {"_reset", batch_reset, METH_O, "_reset(mask): puts the states with a nonzero byte back to the start."},
    {"_follow", batch_follow, METH_O, "An array that follows each step, a row for each state."},
    {"_save", batch_save, METH_NOARGS, "All states as one array."},
    {"_restore", batch_restore, METH_O, "Puts back what was saved."},
    {"close", batch_close, METH_NOARGS, "Frees the memory; arrays that were handed out stay."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {{"dt", get_dt, NULL, "The length of a step, s.", NULL},
                                {"_times", batch_times, NULL, "The time of each state, s.", NULL},
                                {"_statuses", batch_statuses, NULL, "How the last steps of each ended; 0: well.", NULL},
                                {"_parts", get_parts, NULL, "How many parts there are.", NULL},
                                {"_count", get_count, NULL, "How many states there are.", NULL},
                                {"closed", get_closed, NULL, "Whether it is closed.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, batch_new},
                              {Py_tp_dealloc, batch_dealloc},
                              {Py_tp_traverse, batch_traverse},
                              {Py_tp_clear, batch_clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {Py_tp_doc, "Many states of one rod: takes a Scenario over."},
                              {0, NULL}};
static PyType_Spec spec = {.name = "withy._core.Batch",
                           .basicsize = sizeof(batch_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};

int batch_add(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    const int r = type ? PyModule_AddObjectRef(module, "Batch", type) : -1;
    Py_XDECREF(type);
    return r;
}
