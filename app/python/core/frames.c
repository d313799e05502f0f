/* Frames of a run: those in memory, and those of an archive. Both answer `channels`, `count` and `values(name)`. */
#include "core.h"

static PyObject *channel_dict(const wy_channel *c) {
    PyObject *shape = PyTuple_New((Py_ssize_t)c->rank);
    for (size_t i = 0; shape && i < c->rank; i++) {
        PyObject *n = PyLong_FromSize_t(c->dims[i]);
        if (!n || PyTuple_SetItem(shape, (Py_ssize_t)i, n) < 0)
            Py_CLEAR(shape);
    }
    return shape ? Py_BuildValue("{s:s,s:s,s:s,s:s,s:N,s:O,s:s,s:s,s:s}", "name", c->name, "group",
                                 c->group ? c->group : "", "unit", c->unit ? c->unit : "", "doc", c->doc ? c->doc : "",
                                 "shape", shape, "whole", c->whole ? Py_True : Py_False, "panel",
                                 c->panel ? c->panel : "", "meaning", c->meaning ? c->meaning : "", "object",
                                 c->object ? c->object : "")
                 : NULL;
}

PyObject *channels_list(const wy_channel *channels, size_t count) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *one = channel_dict(&channels[i]);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* ---- frames in memory ---- */

typedef struct frames_object {
    PyObject_HEAD wy_frames *frames;
    PyObject *owner; /* of names that its channels have: the number that a scenario varies, say; may be NULL */
} frames_object;

static PyTypeObject *frames_type;

PyObject *frames_new(wy_frames *frames, PyObject *owner) {
    frames_object *f = PyObject_New(frames_object, frames_type);
    if (!f) {
        wy_frames_free(frames);
        return NULL;
    }
    f->frames = frames;
    Py_XINCREF(owner);
    f->owner = owner;
    return (PyObject *)f;
}

const wy_frames *frames_of(PyObject *object) {
    if (PyObject_TypeCheck(object, frames_type))
        return ((frames_object *)object)->frames;
    PyErr_Format(PyExc_TypeError, "expected frames in memory, got %R", object);
    return NULL;
}

static void frames_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    wy_frames_free(((frames_object *)self)->frames);
    Py_XDECREF(((frames_object *)self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *frames_channels(PyObject *self, PyObject *none) {
    (void)none;
    const wy_channel *channels;
    const size_t count = wy_frames_channels(&channels, ((frames_object *)self)->frames);
    return channels_list(channels, count);
}

static PyObject *frames_count(PyObject *self, PyObject *none) {
    (void)none;
    return PyLong_FromSize_t(wy_frames_count(((frames_object *)self)->frames));
}

/* The shape of all frames of a channel. */
static int shape_of(size_t dims[VIEW_RANK], const wy_channel *c, size_t frames) {
    dims[0] = frames;
    for (size_t i = 0; i < c->rank; i++)
        dims[1 + i] = c->dims[i];
    return 1 + (int)c->rank;
}

static PyObject *frames_values(PyObject *self, PyObject *name) {
    const wy_frames *frames = ((frames_object *)self)->frames;
    const wy_channel *channels;
    const double *values;
    size_t which, dims[VIEW_RANK];
    wy_error err;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text)
        return NULL;
    const size_t count = wy_frames_channels(&channels, frames);
    wy_status s = wy_channel_find(&which, channels, count, text, &err);
    if (!s)
        s = wy_frames_values(&values, NULL, frames, text, &err);
    if (s)
        return raise_error(&err);
    const int rank = shape_of(dims, &channels[which], wy_frames_count(frames));
    return view_new(self, (double *)values, rank, dims, true);
}

/* A text of a channel's dictionary, which keeps it alive; `optional`: NULL where it is empty. */
static const char *text_of(PyObject *channel, const char *key, bool optional) {
    PyObject *text = PyDict_GetItemString(channel, key); /* borrowed */
    if (!text)
        PyErr_Format(PyExc_ValueError, "a channel without '%s'", key);
    const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    return bytes && optional && !*bytes ? NULL : bytes;
}

static bool channel_read(wy_channel *c, PyObject *from) {
    PyObject *shape = PyDict_Check(from) ? PyDict_GetItemString(from, "shape") : NULL;
    PyObject *whole = shape ? PyDict_GetItemString(from, "whole") : NULL;
    if (!whole || !PyTuple_Check(shape) || PyTuple_Size(shape) > VIEW_RANK - 1) {
        PyErr_Format(PyExc_ValueError, "%R is no channel", from);
        return false;
    }
    *c = (wy_channel){.name = text_of(from, "name", false),
                      .group = text_of(from, "group", true),
                      .unit = text_of(from, "unit", false),
                      .doc = text_of(from, "doc", false),
                      .panel = text_of(from, "panel", true),
                      .meaning = text_of(from, "meaning", true),
                      .object = text_of(from, "object", true),
                      .whole = PyObject_IsTrue(whole) == 1,
                      .rank = (size_t)PyTuple_Size(shape)};
    for (size_t i = 0; i < c->rank; i++)
        c->dims[i] = PyLong_AsSize_t(PyTuple_GetItem(shape, (Py_ssize_t)i));
    return !PyErr_Occurred();
}

/* The frames that are in buffers, one for each channel. */
static bool frames_fill(wy_frames *frames, const wy_channel *channels, const Py_buffer *buffers, size_t count) {
    const wy_sink *sink = wy_frames_sink(frames);
    const double **values = calloc(count, sizeof *values);
    wy_error err;
    wy_status s = values ? wy_sink_begin(sink, channels, count, &err) : wy_fail(&err, WY_NO_MEMORY, "no memory");
    size_t length = 0;
    for (size_t i = 0; i < count && !s; i++) {
        const size_t numbers = (size_t)buffers[i].len / sizeof(double), size = wy_channel_size(&channels[i]);
        if (i == 0)
            length = size ? numbers / size : 0;
        if (numbers != length * size)
            s = wy_fail(&err, WY_BAD_INPUT, "'%s' has %zu numbers, expected %zu", channels[i].name, numbers,
                        length * size);
    }
    for (size_t k = 0; k < length && !s; k++) {
        for (size_t i = 0; i < count; i++)
            values[i] = (const double *)buffers[i].buf + k * wy_channel_size(&channels[i]);
        s = wy_sink_frame(sink, channels, count, values, &err);
    }
    free(values);
    if (s)
        raise_error(&err);
    return !s;
}

/* Frames that came from somewhere else: what `channels` tells, and a buffer of doubles for each. */
static PyObject *frames_make(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    PyObject *list, *arrays;
    if (keywords || !PyArg_ParseTuple(args, "O!O!:Frames", &PyList_Type, &list, &PyList_Type, &arrays))
        return NULL;
    const size_t count = (size_t)PyList_Size(list);
    if (count == 0 || (size_t)PyList_Size(arrays) != count) {
        PyErr_SetString(PyExc_ValueError, "expected channels, and an array for each");
        return NULL;
    }
    wy_channel *channels = calloc(count, sizeof *channels);
    Py_buffer *buffers = calloc(count, sizeof *buffers);
    PyObject *names = PyList_GetSlice(list, 0, (Py_ssize_t)count); /* keeps them alive */
    wy_frames *frames = NULL;
    wy_error err;
    size_t open = 0;
    bool good = channels && buffers && names;
    if (!good)
        PyErr_NoMemory();
    else if (wy_frames_create(&frames, NULL, NULL, NULL, &err)) {
        raise_error(&err);
        good = false;
    }
    while (good && open < count) {
        good = channel_read(&channels[open], PyList_GetItem(names, (Py_ssize_t)open)) &&
               PyObject_GetBuffer(PyList_GetItem(arrays, (Py_ssize_t)open), &buffers[open], PyBUF_CONTIG_RO) == 0;
        open += good;
    }
    good = good && frames_fill(frames, channels, buffers, count);
    for (size_t i = 0; i < open; i++)
        PyBuffer_Release(&buffers[i]);
    free(channels);
    free(buffers);
    PyObject *made = good ? frames_new(frames, names) : NULL;
    if (!good)
        wy_frames_free(frames);
    Py_XDECREF(names);
    return made;
}

static PyMethodDef frames_methods[] = {
    {"channels", frames_channels, METH_NOARGS, "What there is, the axis first: a list of dictionaries."},
    {"count", frames_count, METH_NOARGS, "How many frames there are."},
    {"values", frames_values, METH_O, "All frames of a channel, as a buffer."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot frames_slots[] = {{Py_tp_new, frames_make},
                                     {Py_tp_dealloc, frames_dealloc},
                                     {Py_tp_methods, frames_methods},
                                     {Py_tp_doc, "Frames of a run in memory."},
                                     {0, NULL}};
static PyType_Spec frames_spec = {.name = "withy._core.Frames",
                                  .basicsize = sizeof(frames_object),
                                  .flags = Py_TPFLAGS_DEFAULT,
                                  .slots = frames_slots};

/* ---- archives. With the GIL held: HDF5 is not made for threads. ---- */

typedef struct recording_object {
    PyObject_HEAD wy_recording *recording;
} recording_object;

static PyObject *recording_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"path", NULL};
    PyObject *path;
    wy_recording *recording;
    wy_error err;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&:Recording", names, PyUnicode_FSConverter, &path))
        return NULL;
    const wy_status s = wy_recording_open(&recording, PyBytes_AsString(path), &err);
    Py_DECREF(path);
    if (s)
        return raise_error(&err);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    recording_object *r = (recording_object *)alloc(type, 0);
    if (!r) {
        wy_recording_free(recording);
        return NULL;
    }
    r->recording = recording;
    return (PyObject *)r;
}

static void recording_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    wy_recording_free(((recording_object *)self)->recording);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *recording_channels(PyObject *self, PyObject *none) {
    (void)none;
    const wy_recording *r = ((recording_object *)self)->recording;
    return channels_list(r->channels, r->channel_count);
}

static PyObject *recording_count(PyObject *self, PyObject *none) {
    (void)none;
    return PyLong_FromSize_t(((recording_object *)self)->recording->frames);
}

static PyObject *recording_values(PyObject *self, PyObject *name) {
    const wy_recording *r = ((recording_object *)self)->recording;
    size_t which, dims[VIEW_RANK];
    double *data;
    wy_error err;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text)
        return NULL;
    if (wy_recording_find(&which, r, text, &err))
        return raise_error(&err);
    const int rank = shape_of(dims, &r->channels[which], r->frames);
    PyObject *view = view_alloc(&data, rank, dims);
    if (view && r->frames && wy_recording_read(r, which, 0, r->frames, data, &err)) {
        Py_DECREF(view);
        return raise_error(&err);
    }
    return view;
}

static PyObject *recording_about(PyObject *self, PyObject *none) {
    (void)none;
    const wy_recording *r = ((recording_object *)self)->recording;
    PyObject *overrides = overrides_list(r->overrides);
    if (!overrides)
        return NULL;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:N,s:s,s:s}", "path", r->path, "kind", r->kind, "title", r->title,
                         "version", r->version, "scenario", r->scenario, "overrides", overrides, "outcome", r->outcome,
                         "warnings", r->warnings);
}

static bool bytes_write(void *context, const void *bytes, size_t count) {
    PyObject **all = context, *more = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)count);
    if (more)
        PyBytes_ConcatAndDel(all, more);
    return more && *all;
}

/* All frames and channels in one of the writers' formats, where that is one file. */
static PyObject *recording_export(PyObject *self, PyObject *format) {
    const wy_recording *r = ((recording_object *)self)->recording;
    const char *name = PyUnicode_AsUTF8AndSize(format, NULL);
    wy_error err;
    if (!name)
        return NULL;
    const wy_entry *entry;
    if (wy_catalogue_get(&entry, &wy_writers, name, &err))
        return raise_error(&err);
    const wy_writer *writer = (const wy_writer *)(const void *)entry;
    if (!writer->write)
        return raise_text(WY_UNSUPPORTED, "this format is several files: use the command `withy export`");
    size_t *all = calloc(r->channel_count, sizeof *all);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, 0);
    if (!all || !bytes) {
        free(all);
        Py_XDECREF(bytes);
        return PyErr_NoMemory();
    }
    for (size_t i = 0; i < r->channel_count; i++)
        all[i] = i;
    const bool one = writer->traits & WY_WRITES_ONE_FRAME;
    const wy_selection selection = {.recording = r,
                                    .channels = all,
                                    .channel_count = r->channel_count,
                                    .first = one && r->frames ? r->frames - 1 : 0,
                                    .frames = one ? 1 : r->frames,
                                    .scale = 1.0};
    wy_output out = {.context = &bytes, .write = bytes_write};
    const wy_status s = wy_write(writer, &selection, &out, NULL, &err);
    free(all);
    if (s || out.failed) {
        Py_XDECREF(bytes);
        return s ? raise_error(&err) : PyErr_NoMemory();
    }
    return bytes;
}

static PyMethodDef recording_methods[] = {
    {"channels", recording_channels, METH_NOARGS, "What there is, the axis first: a list of dictionaries."},
    {"count", recording_count, METH_NOARGS, "How many frames there are."},
    {"values", recording_values, METH_O, "All frames of a channel, as a buffer."},
    {"about", recording_about, METH_NOARGS,
     "Kind, title, version, scenario, overrides, outcome, warnings: a dictionary."},
    {"export", recording_export, METH_O, "The archive in one of the writers' formats, as bytes."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot recording_slots[] = {{Py_tp_new, recording_new},
                                        {Py_tp_dealloc, recording_dealloc},
                                        {Py_tp_methods, recording_methods},
                                        {Py_tp_doc, "An archive, opened to be read."},
                                        {0, NULL}};
static PyType_Spec recording_spec = {.name = "withy._core.Recording",
                                     .basicsize = sizeof(recording_object),
                                     .flags = Py_TPFLAGS_DEFAULT,
                                     .slots = recording_slots};

int frames_add(PyObject *module) {
    frames_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &frames_spec, NULL);
    PyObject *recording = PyType_FromModuleAndSpec(module, &recording_spec, NULL);
    const int r = frames_type && recording && PyModule_AddObjectRef(module, "Frames", (PyObject *)frames_type) == 0 &&
                          PyModule_AddObjectRef(module, "Recording", recording) == 0
                      ? 0
                      : -1;
    Py_XDECREF(recording);
    return r;
}
