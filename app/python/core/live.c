/* Things that live: a rod, a shaft, a body, stepped and pushed from Python, looked at without a copy.
 *
 * What Python sees are arrays that belong to themselves (`shelf`): they stay valid when the thing is gone. Those of a
 * rod's view follow each step; the other channels are brought up to date when they are asked for. One thread at a time
 * for each: another one is refused. */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include <math.h>
#include <unistd.h>

#include <withy/march.h>

#include "core.h"

typedef struct shelf {
    PyObject *view; /* NULL: not asked for yet */
    double *data;
} shelf;

typedef struct live_object {
    PyObject_HEAD wy_live *live; /* NULL: closed */
    const wy_scenario *scenario; /* belongs to `live` */
    PyObject *laws;
    const wy_motion *rod; /* NULL: no rod */
    wy_motion_state *state;
    shelf follow[FOLLOWS], channels[WY_MARCH_CHANNELS];
    pushed *push_points;
    size_t push_point_count;
    wy_archive *archive;
    locked_sink to_archive;
    int64_t done, every,
        recorded; /* steps; a frame of the archive each so many; the last one that is in it, -1: none */
    bool busy;
    pid_t process; /* that made it */
} live_object;

/* ---- whether it may be used ---- */

static live_object *usable(PyObject *self) {
    live_object *o = (live_object *)self;
    if (!o->live)
        PyErr_SetString(PyExc_RuntimeError, "this motion is closed");
    else if (o->busy)
        PyErr_SetString(PyExc_RuntimeError, "another thread is stepping this motion: give each thread its own");
    return o->live && !o->busy ? o : NULL;
}

/* For what changes it: a motion with an archive belongs to the process that claimed the archive. A process that was
 * forked may look at its copy. */
static live_object *movable(PyObject *self) {
    live_object *o = usable(self);
    if (!o || !o->archive || o->process == getpid())
        return o;
    PyErr_SetString(
        PyExc_RuntimeError,
        "this motion writes an archive and belongs to the process that made it: a forked one may look, not step; "
        "make a motion of its own there, or leave out the archive");
    return NULL;
}

/* ---- looking ---- */

static void refresh(live_object *o) {
    double *data[FOLLOWS];
    for (int i = 0; i < FOLLOWS; i++)
        data[i] = o->follow[i].data;
    if (o->rod)
        follow_refresh(data, o->rod, o->state);
}

static PyObject *shelf_view(shelf *s, int rank, const size_t *dims) {
    if (!s->view)
        s->view = view_alloc(&s->data, rank, dims);
    Py_XINCREF(s->view);
    return s->view;
}

static PyObject *live_follow(PyObject *self, PyObject *name) {
    live_object *o = usable(self);
    const char *text = o ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (!text)
        return NULL;
    const int which = o->rod ? follow_find(text) : FOLLOWS;
    if (which == FOLLOWS) {
        PyErr_Format(PyExc_KeyError, "%R follows no step", name);
        return NULL;
    }
    size_t dims[2];
    const int rank = follow_shape(dims, which, o->rod);
    PyObject *view = shelf_view(&o->follow[which], rank, dims);
    if (view)
        refresh(o);
    return view;
}

static PyObject *live_values(PyObject *self, PyObject *name) {
    live_object *o = usable(self);
    const char *text = o ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (!text)
        return NULL;
    const wy_channel *channels;
    const double *values;
    size_t which, size;
    wy_error err;
    const size_t count = wy_live_channels(&channels, o->live);
    wy_status s = wy_channel_find(&which, channels, count, text, &err);
    if (!s)
        s = wy_live_values(&values, &size, o->live, text, &err);
    if (s)
        return raise_error(&err);
    PyObject *view = shelf_view(&o->channels[which], (int)channels[which].rank, channels[which].dims);
    if (view)
        memcpy(o->channels[which].data, values, size * sizeof *values);
    return view;
}

static PyObject *live_channels(PyObject *self, PyObject *none) {
    (void)none;
    live_object *o = usable(self);
    if (!o)
        return NULL;
    const wy_channel *channels;
    const size_t count = wy_live_channels(&channels, o->live);
    return channels_list(channels, count);
}

/* ---- recording ---- */

static wy_status record(live_object *o, const wy_sink *const *sinks, size_t sink_count, bool begin, wy_error *err) {
    const wy_channel *channels;
    const double *values[WY_MARCH_CHANNELS];
    const size_t count = wy_live_channels(&channels, o->live), size = wy_live_state_size(o->live);
    wy_status s = WY_OK;
    for (size_t i = 0; i < count && !s; i++)
        s = wy_live_values(&values[i], NULL, o->live, channels[i].name, err);
    void *bytes = s ? NULL : malloc(size);
    if (!s && !bytes)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu bytes to go on from", size);
    if (!s)
        wy_live_save(bytes, o->live);
    const wy_checkpoint_block part = {bytes, size};
    for (size_t i = 0; i < sink_count && !s; i++) {
        if (begin)
            s = wy_sink_begin(sinks[i], channels, count, err);
        if (!s)
            s = wy_sink_checkpoint(sinks[i], &part, 1, err);
        if (!s)
            s = wy_sink_frame(sinks[i], channels, count, values, err);
    }
    free(bytes);
    return s;
}

/* Steps with the GIL released; frames into the archive, and into `frames`, each `every` steps, the first and the last
 * too. */
static wy_status advance(live_object *o, int64_t steps, wy_frames *frames, int64_t every, watcher *watch,
                         wy_error *err) {
    const wy_sink *archive = o->archive ? &o->to_archive.sink : NULL, *memory = frames ? wy_frames_sink(frames) : NULL;
    wy_status s = memory ? record(o, &memory, 1, true, err) : WY_OK;
    for (int64_t k = 1; k <= steps && !s; k++) {
        s = wy_live_step(o->live, 1, err);
        if (s)
            break;
        o->done++;
        const wy_sink *sinks[2];
        size_t count = 0;
        if (archive && o->done % o->every == 0) {
            sinks[count++] = archive;
            o->recorded = o->done;
        }
        if (memory && (k % every == 0 || k == steps))
            sinks[count++] = memory;
        if (count)
            s = record(o, sinks, count, false, err);
        if (!s && watch && watcher_progress(watch, (double)k / (double)steps))
            s = wy_fail(err, WY_CANCELLED, "stopped after %lld of %lld steps", (long long)k, (long long)steps);
    }
    refresh(o);
    return s;
}

/* Arguments are converted before the motion is looked at, here and below: they may run any Python, which may close
 * it. */
static PyObject *live_step(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    long long steps = 1;
    if (count > 1) {
        PyErr_Format(PyExc_TypeError, "step takes the number of steps, got %zd arguments", count);
        return NULL;
    }
    if (count == 1) {
        steps = PyLong_AsLongLong(args[0]);
        if (steps == -1 && PyErr_Occurred())
            return NULL;
        if (steps < 0) {
            PyErr_Format(PyExc_ValueError, "%lld steps, expected none or more", steps);
            return NULL;
        }
    }
    live_object *o = movable(self);
    if (!o)
        return NULL;
    wy_error err = {0};
    wy_status s;
    watcher watch;
    if (steps > 1)
        watcher_init(&watch, Py_None, NULL);
    o->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    s = advance(o, steps, NULL, 1, steps > 1 ? &watch : NULL, &err);
    PyEval_RestoreThread(others);
    o->busy = false;
    if (s)
        return laws_raise(o->laws) ? NULL : steps > 1 ? watcher_raise(&watch, &err) : raise_error(&err);
    Py_RETURN_NONE;
}

static PyObject *live_run(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"steps", "every", "progress", NULL};
    long long steps, every = 1;
    PyObject *progress = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "L|LO:run", names, &steps, &every, &progress))
        return NULL;
    live_object *o = movable(self);
    if (!o)
        return NULL;
    if (steps < 0 || every < 1) {
        PyErr_Format(PyExc_ValueError, "%lld steps, a frame each %lld: expected 0 or more, and 1 or more", steps,
                     every);
        return NULL;
    }
    wy_frames *frames;
    wy_error err = {0};
    if (wy_frames_create(&frames, NULL, NULL, NULL, &err))
        return raise_error(&err);
    watcher watch;
    watcher_init(&watch, progress, NULL);
    wy_status s;
    o->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    s = advance(o, steps, frames, every, &watch, &err);
    PyEval_RestoreThread(others);
    o->busy = false;
    if (!s)
        return frames_new(frames, NULL);
    wy_frames_free(frames);
    return laws_raise(o->laws) ? NULL : watcher_raise(&watch, &err);
}

/* ---- pushing ---- */

static pushed *find_push_point(live_object *o, double s) {
    for (size_t i = 0; i < o->push_point_count; i++)
        if (fabs(o->push_points[i].s - s) <= 1e-9 * wy_motion_arc_length(o->rod, wy_motion_nodes(o->rod) - 1))
            return &o->push_points[i];
    char text[200];
    snprintf(text, sizeof text,
             "nothing can push at s = %g m: say so when the motion is made, motion(push_at=[...]), or push_at=True for "
             "every node",
             s);
    raise_text(WY_BAD_INPUT, text);
    return NULL;
}

static PyObject *live_push(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    PyObject *given[5] = {0}; /* force, moment, end, at, node */
    static const char *const words[5] = {"force", "moment", "end", "at", "node"};
    const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    if (count > 3) {
        PyErr_Format(PyExc_TypeError, "push takes force, moment and end in this order, got %zd arguments", count);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        given[i] = args[i];
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *word = PyTuple_GetItem(keywords, i);
        int k = 0;
        while (k < 5 && PyUnicode_CompareWithASCIIString(word, words[k]) != 0)
            k++;
        if (k == 5 || given[k]) {
            PyErr_Format(PyExc_TypeError, "push: %R is %s; it takes force, moment, end, at, node", word,
                         k == 5 ? "unknown" : "given twice");
            return NULL;
        }
        given[k] = args[count + i];
    }
    double force[3] = {0}, moment[3] = {0};
    if ((given[0] && !numbers_read(force, 3, given[0], "force")) ||
        (given[1] && given[1] != Py_None && !numbers_read(moment, 3, given[1], "moment")))
        return NULL;
    if ((given[2] != NULL) + (given[3] != NULL) + (given[4] != NULL) > 1) {
        PyErr_SetString(PyExc_TypeError, "push: one of end, at and node says where");
        return NULL;
    }
    long end = given[2] ? PyLong_AsLong(given[2]) : 1;
    double s = given[3] ? PyFloat_AsDouble(given[3]) : NAN;
    const long node = given[4] ? PyLong_AsLong(given[4]) : 0;
    if (PyErr_Occurred())
        return NULL;
    live_object *o = movable(self);
    if (!o)
        return NULL;
    if (!o->rod)
        return raise_text(WY_UNSUPPORTED, "only a rod can be pushed");
    const size_t last = wy_motion_nodes(o->rod) - 1;
    if (given[4]) {
        const long from_start = node < 0 ? node + (long)last + 1 : node;
        if (from_start < 0 || (size_t)from_start > last) {
            PyErr_Format(PyExc_IndexError, "node %ld, expected 0 to %zu", node, last);
            return NULL;
        }
        s = wy_motion_arc_length(o->rod, (size_t)from_start);
    }
    if (s == 0.0 || s == wy_motion_arc_length(o->rod, last))
        end = s > 0.0;
    else if (!isnan(s) || given[3]) {
        pushed *point = find_push_point(o, s);
        if (!point)
            return NULL;
        for (int i = 0; i < 3; i++)
            if (!isfinite(force[i]) || !isfinite(moment[i]))
                return raise_text(WY_BAD_INPUT, "a push with a component that is no number");
        memcpy(point->wrench, moment, sizeof moment);
        memcpy(point->wrench + 3, force, sizeof force);
        Py_RETURN_NONE;
    }
    wy_error err;
    if (wy_motion_push(o->rod, o->state, (int)end, force, moment, &err))
        return raise_error(&err);
    Py_RETURN_NONE;
}

/* The pose that a driven end reaches at the end of the next step. */
static PyObject *live_carry(PyObject *self, PyObject *args) {
    PyObject *given[2];
    double position[3], orientation[4];
    int end;
    wy_error err;
    if (!PyArg_ParseTuple(args, "OOi:_carry", &given[0], &given[1], &end) ||
        !numbers_read(position, 3, given[0], "position") || !numbers_read(orientation, 4, given[1], "orientation"))
        return NULL;
    live_object *o = movable(self);
    if (!o)
        return NULL;
    if (!o->rod)
        return raise_text(WY_UNSUPPORTED, "only a rod has ends that can be carried");
    if (wy_motion_carry(o->rod, o->state, end, position, orientation, wy_live_dt(o->live), &err))
        return raise_error(&err);
    Py_RETURN_NONE;
}

/* ---- the state: the thing's own bytes, then the pushes at points and the count of steps ---- */

static size_t state_numbers(const live_object *o) {
    return wy_live_state_size(o->live) / sizeof(double) + 6 * o->push_point_count + 1;
}

static PyObject *live_save(PyObject *self, PyObject *none) {
    (void)none;
    live_object *o = usable(self);
    if (!o)
        return NULL;
    double *data;
    const size_t n = state_numbers(o);
    PyObject *view = view_alloc(&data, 1, &n);
    if (!view)
        return NULL;
    wy_live_save(data, o->live);
    double *at = data + wy_live_state_size(o->live) / sizeof(double);
    for (size_t i = 0; i < o->push_point_count; i++, at += 6)
        memcpy(at, o->push_points[i].wrench, 6 * sizeof *at);
    *at = (double)o->done;
    return view;
}

/* The rod's own numbers, for a batch of the same rod. */
static PyObject *live_rod_state(PyObject *self, PyObject *none) {
    (void)none;
    live_object *o = usable(self);
    if (!o)
        return NULL;
    if (!o->rod)
        return raise_text(WY_UNSUPPORTED, "only a rod has the state of a rod");
    double *data;
    const size_t n = wy_motion_state_size(o->state);
    PyObject *view = view_alloc(&data, 1, &n);
    if (view)
        memcpy(data, wy_motion_state_numbers(o->state), n * sizeof *data);
    return view;
}

static PyObject *live_restore(PyObject *self, PyObject *from) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(from, &buffer, PyBUF_CONTIG_RO) < 0)
        return NULL;
    live_object *o = movable(self);
    if (!o) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    wy_error err;
    wy_status s;
    const size_t size = wy_live_state_size(o->live), numbers = state_numbers(o);
    if ((size_t)buffer.len != numbers * sizeof(double)) {
        s = wy_fail(&err, WY_BAD_INPUT, "this is the state of something else: %zd bytes, expected %zu", buffer.len,
                    numbers * sizeof(double));
    } else {
        const double *at = (const double *)buffer.buf + size / sizeof(double), steps = at[6 * o->push_point_count];
        s = steps >= 0.0 && steps < 0x1p53
                ? wy_live_restore(o->live, buffer.buf, size, &err)
                : wy_fail(&err, WY_BAD_INPUT, "this is no state: %g steps were taken", steps);
        for (size_t i = 0; i < o->push_point_count && !s; i++, at += 6)
            memcpy(o->push_points[i].wrench, at, 6 * sizeof *at);
        if (!s)
            o->done = (int64_t)steps;
    }
    PyBuffer_Release(&buffer);
    if (s)
        return raise_error(&err);
    refresh(o);
    Py_RETURN_NONE;
}

/* ---- making and closing ---- */

/* Ends the archive with the last state. */
static bool close_archive(live_object *o, wy_error *err) {
    if (!o->archive)
        return true;
    wy_status s = WY_OK;
    if (o->recorded != o->done && o->process == getpid()) {
        const wy_sink *sink = wy_archive_sink(o->archive);
        s = record(o, &sink, 1, false, err);
    }
    wy_error closing;
    const wy_status closed = wy_archive_close(o->archive, s, err, &closing);
    o->archive = NULL;
    if (o->process != getpid())
        return true; /* a copy in a forked process is only forgotten */
    if (!s && closed)
        *err = closing;
    return !s && !closed;
}

static void release_all(live_object *o) {
    wy_live_free(o->live);
    o->live = NULL;
    o->rod = NULL;
    free(o->push_points);
    o->push_points = NULL;
    Py_CLEAR(o->laws);
}

static PyObject *live_close(PyObject *self, PyObject *none) {
    (void)none;
    live_object *o = (live_object *)self;
    wy_error err;
    if (!o->live)
        Py_RETURN_NONE;
    if (!usable(self))
        return NULL;
    const bool good = close_archive(o, &err);
    release_all(o);
    if (!good)
        return raise_error(&err);
    Py_RETURN_NONE;
}

static int live_traverse(PyObject *self, visitproc visit, void *arg) {
    const live_object *o = (live_object *)self; /* views refer to nothing */
    return laws_traverse(self, o->laws, visit, arg);
}

/* Before anything of a cycle is taken apart: the last frame may ask its laws. */
static void live_finalize(PyObject *self) {
    PyObject *type, *value, *trace;
    wy_error err;
    PyErr_Fetch(&type, &value, &trace);
    close_archive((live_object *)self, &err);
    PyErr_Restore(type, value, trace);
}

static int live_clear(PyObject *self) {
    release_all((live_object *)self);
    return 0;
}

static void live_dealloc(PyObject *self) {
    live_object *o = (live_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    live_finalize(self);
    release_all(o);
    for (int i = 0; i < FOLLOWS; i++)
        Py_XDECREF(o->follow[i].view);
    for (int i = 0; i < WY_MARCH_CHANNELS; i++)
        Py_XDECREF(o->channels[i].view);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* The points that can be pushed; *count is 0 and *push_points NULL where there are none. */
static bool read_push_points(pushed **push_points, size_t *count, PyObject *from) {
    *push_points = NULL;
    *count = 0;
    const Py_ssize_t n = from == Py_None ? 0 : PySequence_Size(from);
    if (n <= 0)
        return n == 0;
    double *s = calloc((size_t)n, sizeof *s);
    *push_points = calloc((size_t)n, sizeof **push_points);
    if (!s || !*push_points)
        PyErr_NoMemory();
    const bool good = s && *push_points && numbers_read(s, (size_t)n, from, "push_at");
    for (Py_ssize_t i = 0; good && i < n; i++)
        (*push_points)[i].s = s[i];
    free(s);
    *count = good ? (size_t)n : 0;
    if (!good) {
        free(*push_points);
        *push_points = NULL;
    }
    return good;
}

static bool add_push_points(live_object *o, wy_scenario *scenario) {
    for (size_t i = 0; i < o->push_point_count; i++) {
        wy_error err;
        if (pushed_add(scenario, &o->push_points[i], &err)) {
            raise_error(&err);
            return false;
        }
    }
    return true;
}

static bool open_archive(live_object *o, const char *path, bool force, double flush) {
    const wy_archive_options options = {.flush_seconds = flush, .force = force};
    wy_error err;
    if (wy_archive_create(&o->archive, path, o->scenario, &options, &err)) {
        raise_error(&err);
        return false;
    }
    locked_sink_init(&o->to_archive, wy_archive_sink(o->archive));
    const wy_sink *sink = wy_archive_sink(o->archive);
    if (record(o, &sink, 1, true, &err)) {
        wy_error closing;
        wy_archive_close(o->archive, err.status, &err, &closing);
        o->archive = NULL;
        raise_error(&err);
        return false;
    }
    o->recorded = 0;
    return true;
}

static PyObject *live_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"scenario", "archive", "every", "force", "flush", "push_at", NULL};
    PyObject *from, *path = Py_None, *bytes = NULL, *push_points = Py_None;
    int force = 0;
    long long every = 1;
    double flush = -1.0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|OLpdO:Live", names, &from, &path, &every, &force, &flush,
                                     &push_points))
        return NULL;
    if (every < 1) {
        PyErr_Format(PyExc_ValueError, "a frame each %lld steps, expected 1 or more", every);
        return NULL;
    }
    pushed *pushes;
    size_t push_count;
    if ((path != Py_None && !PyUnicode_FSConverter(path, &bytes)) ||
        !read_push_points(&pushes, &push_count, push_points)) {
        Py_XDECREF(bytes);
        return NULL;
    }
    wy_scenario *scenario = scenario_of(from);
    if (!scenario) {
        Py_XDECREF(bytes);
        free(pushes);
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    live_object *o = (live_object *)alloc(type, 0);
    if (!o) {
        Py_XDECREF(bytes);
        free(pushes);
        return NULL;
    }
    o->process = getpid();
    o->push_points = pushes;
    o->push_point_count = push_count;
    scenario_object *taken = (scenario_object *)from;
    o->every = every;
    o->recorded = -1;
    bool good = add_push_points(o, scenario);
    if (good) {
        wy_error err;
        wy_status s;
        taken->busy = true;
        PyThreadState *others = PyEval_SaveThread();
        s = wy_scenario_live(&o->live, scenario, &err);
        PyEval_RestoreThread(others);
        taken->busy = false;
        good = !s;
        if (s && !laws_raise(taken->laws))
            raise_error(&err);
    }
    if (good) {
        taken->scenario = NULL;
        o->scenario = scenario;
        Py_INCREF(taken->laws);
        o->laws = taken->laws;
        o->rod = wy_live_motion(o->live, &o->state, NULL);
        good = !bytes || open_archive(o, PyBytes_AsString(bytes), force, flush);
    } else if (o->push_point_count || o->push_points) {
        taken->scenario = NULL; /* it points to push points that go with this object */
        wy_scenario_free(scenario);
    }
    Py_XDECREF(bytes);
    if (!good) {
        Py_DECREF(o);
        return NULL;
    }
    return (PyObject *)o;
}

/* ---- numbers ---- */

static PyObject *get_time(PyObject *self, void *unused) {
    (void)unused;
    const live_object *o = usable(self);
    return o ? PyFloat_FromDouble(wy_live_time(o->live)) : NULL;
}

static PyObject *get_dt(PyObject *self, void *unused) {
    (void)unused;
    const live_object *o = usable(self);
    return o ? PyFloat_FromDouble(wy_live_dt(o->live)) : NULL;
}

static PyObject *get_done(PyObject *self, void *unused) {
    (void)unused;
    const live_object *o = usable(self);
    return o ? PyLong_FromLongLong(o->done) : NULL;
}

static PyObject *get_closed(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((live_object *)self)->live == NULL);
}

static PyObject *get_arc_length(PyObject *self, void *unused) {
    (void)unused;
    const live_object *o = usable(self);
    if (!o)
        return NULL;
    if (!o->rod)
        return raise_text(WY_UNSUPPORTED, "only a rod has an arc length");
    double *data;
    const size_t nodes = wy_motion_nodes(o->rod);
    PyObject *view = view_alloc(&data, 1, &nodes);
    for (size_t i = 0; view && i < nodes; i++)
        data[i] = wy_motion_arc_length(o->rod, i);
    return view;
}

#define FAST(function) ((PyCFunction)(void (*)(void))(function))
static PyMethodDef methods[] = {
    {"step", FAST(live_step), METH_FASTCALL, "step(n=1): takes n steps. The GIL is released."},
    {"_run", FAST(live_run), METH_VARARGS | METH_KEYWORDS, "Takes steps and keeps frames."},
    {"push", FAST(live_push), METH_FASTCALL | METH_KEYWORDS,
     "push(force=(0, 0, 0), moment=None, end=1, *, at=, node=): holds a force (N) and a moment (N m), in space, from "
     "now on, on an end (0 or 1), at the arc length `at` in m, or at a node."},
    {"_carry", live_carry, METH_VARARGS, "_carry(position, orientation, end): where a driven end goes."},
    {"_follow", live_follow, METH_O, "An array that follows each step."},
    {"_values", live_values, METH_O, "A channel as it is now."},
    {"_channels", live_channels, METH_NOARGS, "What there is to look at."},
    {"_save", live_save, METH_NOARGS, "Everything that the future depends on, as one array."},
    {"_restore", live_restore, METH_O, "Puts back what was saved."},
    {"_rod_state", live_rod_state, METH_NOARGS, "The state of the rod alone, as one array."},
    {"close", live_close, METH_NOARGS, "Ends the archive and frees the memory; arrays that were handed out stay."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {{"time", get_time, NULL, "The time, s.", NULL},
                                {"dt", get_dt, NULL, "The length of a step, s.", NULL},
                                {"steps", get_done, NULL, "How many steps were taken.", NULL},
                                {"closed", get_closed, NULL, "Whether it is closed.", NULL},
                                {"_arc_length", get_arc_length, NULL, "Arc length of the nodes, m.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, live_new},
                              {Py_tp_dealloc, live_dealloc},
                              {Py_tp_traverse, live_traverse},
                              {Py_tp_clear, live_clear},
                              {Py_tp_finalize, live_finalize},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {Py_tp_doc, "A thing that is stepped: takes a Scenario over."},
                              {0, NULL}};
static PyType_Spec spec = {.name = "withy._core.Live",
                           .basicsize = sizeof(live_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};

int live_add(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    const int r = type ? PyModule_AddObjectRef(module, "Live", type) : -1;
    Py_XDECREF(type);
    return r;
}
