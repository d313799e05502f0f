/* Scenarios: read from text (YAML or JSON), checked, run from beginning to end. */
#include "core.h"

PyTypeObject *scenario_type;

/* ---- texts, overrides and errors ---- */

/* A list of "path=value" texts; an exception and false where it is none. Free *set (not the texts). */
static bool overrides_read(const char ***set, size_t *count, PyObject *from) {
    *set = NULL;
    *count = 0;
    if (!from || from == Py_None)
        return true;
    if (!PyList_Check(from) && !PyTuple_Check(from)) {
        PyErr_Format(PyExc_TypeError, "overrides: expected a list of texts such as 'section.radius=0.004', got %R",
                     from);
        return false;
    }
    const Py_ssize_t n = PySequence_Size(from);
    *set = calloc((size_t)n + 1, sizeof **set);
    if (!*set) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyList_Check(from) ? PyList_GetItem(from, i) : PyTuple_GetItem(from, i); /* borrowed */
        const char *text = item ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        if (!text) {
            free(*set);
            *set = NULL;
            return false;
        }
        (*set)[(*count)++] = text;
    }
    return true;
}

static void add_error(void *context, const char *text) {
    source *from = context;
    const size_t there = strlen(from->errors);
    snprintf(from->errors + there, sizeof from->errors - there, "%s%s", there ? "\n" : "", text);
}

bool source_open(source *from, PyObject *args, PyObject *keywords) {
    static char *names[] = {"text", "name", "overrides", "files", NULL};
    Py_ssize_t length;
    int files = 0;
    PyObject *overrides = NULL;
    *from = (source){.name = "text", .options = {.report_error = add_error, .context = from}};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "s#|sOp", names, &from->text, &length, &from->name, &overrides,
                                     &files))
        return false;
    from->options.files = files;
    from->length = (size_t)length;
    return overrides_read((const char ***)&from->options.set, &from->options.set_count, overrides);
}

PyObject *source_close(source *from, PyTypeObject *type, wy_status s, const wy_error *err) {
    free((void *)from->options.set);
    if (s == WY_BAD_INPUT && *from->errors)
        return raise_text(s, from->errors);
    if (s)
        return raise_error(err);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return alloc(type, 0);
}

/* ---- the object ---- */

static PyObject *scenario_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    source from;
    if (!source_open(&from, args, keywords))
        return NULL;
    wy_scenario *scenario = NULL;
    wy_error err;
    const wy_status s = wy_scenario_read_text(&scenario, from.name, from.text, from.length, &from.options, &err);
    scenario_object *o = (scenario_object *)source_close(&from, type, s, &err);
    if (!o) {
        wy_scenario_free(scenario);
        return NULL;
    }
    o->scenario = scenario;
    o->laws = PyList_New(0);
    if (!o->laws) {
        Py_DECREF(o);
        return NULL;
    }
    return (PyObject *)o;
}

int laws_traverse(PyObject *self, PyObject *laws, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(laws);
    return 0;
}

static int scenario_traverse(PyObject *self, visitproc visit, void *arg) {
    return laws_traverse(self, ((scenario_object *)self)->laws, visit, arg);
}

static int scenario_clear(PyObject *self) {
    scenario_object *o = (scenario_object *)self;
    wy_scenario_free(o->scenario); /* it asks the laws */
    o->scenario = NULL;
    Py_CLEAR(o->laws);
    return 0;
}

static void scenario_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    scenario_clear(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

wy_scenario *scenario_of(PyObject *object) {
    if (!PyObject_TypeCheck(object, scenario_type)) {
        PyErr_Format(PyExc_TypeError, "expected a withy._core.Scenario, got %R", object);
        return NULL;
    }
    scenario_object *o = (scenario_object *)object;
    if (!o->scenario)
        PyErr_SetString(PyExc_RuntimeError, "this scenario has become a motion: read it again for another");
    else if (o->busy)
        PyErr_SetString(PyExc_RuntimeError, "this scenario is being run by another thread: give each thread its own");
    return o->scenario && !o->busy ? o->scenario : NULL;
}

static PyObject *kind(PyObject *self, void *unused) {
    (void)unused;
    const wy_scenario *s = scenario_of(self);
    return s ? PyUnicode_FromString(wy_scenario_kind(s)->entry.name) : NULL;
}

static PyObject *title(PyObject *self, void *unused) {
    (void)unused;
    const wy_scenario *s = scenario_of(self);
    return s ? PyUnicode_FromString(wy_scenario_title(s)) : NULL;
}

PyObject *overrides_list(wy_overrides from) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < from.count; i++) {
        PyObject *text = PyUnicode_DecodeUTF8(from.items[i], (Py_ssize_t)strlen(from.items[i]), "replace");
        if (!text || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *overrides(PyObject *self, void *unused) {
    (void)unused;
    const wy_scenario *s = scenario_of(self);
    return s ? overrides_list(wy_scenario_overrides(s)) : NULL;
}

/* ---- a whole run ---- */

typedef struct whole_run {
    wy_scenario *scenario;
    wy_frames *frames;
    wy_archive *archive;
    watcher watch;
} whole_run;

static wy_status run_it(whole_run *run, const wy_sink *sink, wy_error *err) {
    wy_status s;
    PyThreadState *others = PyEval_SaveThread();
    s = wy_scenario_kind(run->scenario)->run(wy_scenario_config(run->scenario), sink, err);
    PyEval_RestoreThread(others);
    return s;
}

static wy_status to_memory(whole_run *run, wy_error *err) {
    const wy_status s = wy_frames_create(&run->frames, watcher_progress, watcher_note, &run->watch, err);
    if (!s)
        wy_frames_on_warning(run->frames, watcher_warning);
    return s ? s : run_it(run, wy_frames_sink(run->frames), err);
}

static wy_status to_archive(whole_run *run, const char *path, bool resume, bool force, double flush, wy_error *err) {
    const wy_archive_options options = {.flush_seconds = flush,
                                        .progress = watcher_progress,
                                        .note = watcher_note,
                                        .warning = watcher_warning,
                                        .context = &run->watch,
                                        .force = force};
    bool finished = false;
    wy_error closing;
    wy_status s = resume ? wy_archive_resume(&run->archive, &finished, path, run->scenario, &options, err)
                         : wy_archive_create(&run->archive, path, run->scenario, &options, err);
    if (s || finished)
        return s;
    locked_sink held;
    locked_sink_init(&held, wy_archive_sink(run->archive));
    s = run_it(run, &held.sink, err);
    const wy_status closed = wy_archive_close(run->archive, s, err, &closing);
    if (!s && closed) {
        *err = closing;
        return closed;
    }
    return s;
}

static PyObject *scenario_run(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"archive", "resume", "force", "flush", "progress", "notes", "warnings", NULL};
    PyObject *path = Py_None, *bytes = NULL, *progress = Py_None, *notes = Py_None, *warnings = Py_None;
    int resume = 0, force = 0;
    double flush = -1.0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OppdOOO:run", names, &path, &resume, &force, &flush, &progress,
                                     &notes, &warnings))
        return NULL;
    scenario_object *o = (scenario_object *)self;
    whole_run run = {.scenario = scenario_of(self)};
    if (!run.scenario || (path != Py_None && !PyUnicode_FSConverter(path, &bytes)))
        return NULL;
    watcher_init(&run.watch, progress, PyList_Check(notes) ? notes : NULL);
    run.watch.warnings = PyList_Check(warnings) ? warnings : NULL;
    wy_error err = {0};
    o->busy = true;
    const wy_status s =
        bytes ? to_archive(&run, PyBytes_AsString(bytes), resume, force, flush, &err) : to_memory(&run, &err);
    o->busy = false;
    Py_XDECREF(bytes);
    PyObject *result = NULL;
    if (laws_raise(o->laws))
        wy_frames_free(run.frames);
    else if (s) {
        wy_frames_free(run.frames);
        watcher_raise(&run.watch, &err);
    } else if (run.frames) {
        result = frames_new(run.frames, self);
    } else {
        Py_INCREF(Py_None);
        result = Py_None;
    }
    watcher_clear(&run.watch);
    return result;
}

/* Frames that are in memory, as an archive of this scenario. */
static wy_status write_frames(wy_archive *archive, const wy_frames *frames, const double **values, PyObject *warnings,
                              wy_error *err) {
    const wy_channel *channels;
    const size_t count = wy_frames_channels(&channels, frames);
    const wy_sink *sink = wy_archive_sink(archive);
    wy_status s = wy_sink_begin(sink, channels, count, err);
    for (size_t frame = 0; frame < wy_frames_count(frames) && !s; frame++) {
        for (size_t i = 0; i < count && !s; i++) {
            s = wy_frames_values(&values[i], NULL, frames, channels[i].name, err);
            if (!s)
                values[i] += frame * wy_channel_size(&channels[i]);
        }
        if (!s)
            s = wy_sink_frame(sink, channels, count, values, err);
    }
    for (Py_ssize_t i = 0; i < PyList_Size(warnings) && !s; i++) {
        const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(warnings, i), NULL);
        if (text)
            wy_sink_warn(sink, "%s", text);
    }
    return s;
}

static PyObject *scenario_write(PyObject *self, PyObject *args) {
    PyObject *from, *path, *warnings;
    if (!PyArg_ParseTuple(args, "OO&O!:write", &from, PyUnicode_FSConverter, &path, &PyList_Type, &warnings))
        return NULL;
    const wy_scenario *scenario = scenario_of(self);
    const wy_frames *frames = scenario ? frames_of(from) : NULL;
    const wy_channel *channels;
    const size_t count = frames ? wy_frames_channels(&channels, frames) : 0;
    const double **values = calloc(count + 1, sizeof *values);
    wy_archive *archive;
    wy_error err, closing;
    const wy_archive_options options = {.flush_seconds = -1.0};
    bool good = false;
    if (!frames)
        ;
    else if (!values)
        PyErr_NoMemory();
    else if (wy_archive_create(&archive, PyBytes_AsString(path), scenario, &options, &err))
        raise_error(&err);
    else {
        const wy_status s = write_frames(archive, frames, values, warnings, &err);
        const wy_status closed = wy_archive_close(archive, s, &err, &closing);
        good = !s && !closed;
        if (!good)
            raise_error(s ? &err : &closing);
    }
    free(values);
    Py_DECREF(path);
    if (!good)
        return NULL;
    Py_RETURN_NONE;
}

#define WITH_KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))
static PyMethodDef methods[] = {
    {"run", WITH_KEYWORDS(scenario_run), METH_VARARGS | METH_KEYWORDS,
     "Runs from beginning to end; the frames, or None where an archive is written. The GIL is released."},
    {"write", scenario_write, METH_VARARGS,
     "write(frames, path, warnings): frames in memory as an archive of this scenario."},
    {"settings", scenario_settings, METH_NOARGS, "What the scenario says, defaults included, as dictionaries."},
    {"add_load", WITH_KEYWORDS(own_add_load), METH_VARARGS | METH_KEYWORDS, "Adds a load written in Python."},
    {"set_end", WITH_KEYWORDS(own_set_end), METH_VARARGS | METH_KEYWORDS, "Puts an end written in Python in place."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {
    {"kind", kind, NULL, "The kind of run.", NULL},
    {"title", title, NULL, "The title.", NULL},
    {"overrides", overrides, NULL, "What was overridden, and rows that were read from files: a list.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, scenario_new},
                              {Py_tp_dealloc, scenario_dealloc},
                              {Py_tp_traverse, scenario_traverse},
                              {Py_tp_clear, scenario_clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {Py_tp_doc, "A scenario, read and checked."},
                              {0, NULL}};
static PyType_Spec spec = {.name = "withy._core.Scenario",
                           .basicsize = sizeof(scenario_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};

int scenario_add(PyObject *module) {
    scenario_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return scenario_type ? PyModule_AddObjectRef(module, "Scenario", (PyObject *)scenario_type) : -1;
}
