/* withy._core, the extension module: its types, functions and exceptions. */
#include "core.h"

#include <stdio.h>

#include "viewer.h"

typedef struct growing {
    char *text;
    size_t length, capacity;
} growing;

static bool grow(void *context, const void *bytes, size_t count) {
    growing *g = context;
    if (g->length + count > g->capacity) {
        const size_t capacity = 2 * (g->capacity + count);
        char *more = realloc(g->text, capacity);
        if (!more)
            return false;
        g->text = more;
        g->capacity = capacity;
    }
    memcpy(g->text + g->length, bytes, count);
    g->length += count;
    return true;
}

static PyObject *tables(PyObject *self, PyObject *none) {
    (void)self;
    (void)none;
    growing g = {0};
    wy_output out = {.context = &g, .write = grow};
    wy_tables_json(&out, wy_lab_catalogues);
    PyObject *text = out.failed ? PyErr_NoMemory() : PyUnicode_FromStringAndSize(g.text, (Py_ssize_t)g.length);
    free(g.text);
    return text;
}

/* Writes the viewer's page of an archive into a new file. */
static PyObject *page(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *archive, *to = NULL;
    int plain = 0;
    if (!PyArg_ParseTuple(args, "O&O&|p:page", PyUnicode_FSConverter, &archive, PyUnicode_FSConverter, &to, &plain))
        return NULL;
    wy_error err;
    wy_new_file *file;
    const viewer_options options = {.plain = plain};
    wy_status s = wy_new_file_open(&file, PyBytes_AsString(to), &err);
    if (!s) {
        s = viewer_write_page(wy_new_file_stream(file), PyBytes_AsString(archive), &options, &err);
        if (s)
            wy_new_file_abandon(file);
        else
            s = wy_new_file_finish(file, false, &err);
    }
    Py_DECREF(archive);
    Py_DECREF(to);
    if (s)
        return raise_error(&err);
    Py_RETURN_NONE;
}

/* The kind with this name is one of equilibria, or none: the points of a sweep. */
static bool at_rest(const char *kind) {
    const wy_kind *of = (const wy_kind *)(const void *)wy_catalogue_find(&wy_kinds, kind);
    return !of || of->at_rest;
}

/* Which frame of a channel of the certificate counts, and whether its value is known. */
static PyObject *certified(PyObject *self, PyObject *args) {
    (void)self;
    const char *kind, *channel;
    PyObject *array;
    Py_buffer values;
    if (!PyArg_ParseTuple(args, "ssO:certified", &kind, &channel, &array) ||
        PyObject_GetBuffer(array, &values, PyBUF_CONTIG_RO) < 0)
        return NULL;
    const double *v = values.buf;
    const size_t frames = (size_t)values.len / sizeof *v, frame = wy_certificate_frame(v, frames, at_rest(kind), false);
    const bool known = frames && wy_certificate_known(channel, v[frame], at_rest(kind));
    PyBuffer_Release(&values);
    return Py_BuildValue("nO", (Py_ssize_t)frame, known ? Py_True : Py_False);
}

static bool certificate_value(double *value, void *context, const char *channel) {
    PyObject *number = PyDict_GetItemString(context, channel); /* borrowed */
    if (number)
        *value = PyFloat_AsDouble(number);
    return number != NULL;
}

/* The verdict of a run that is no archive. */
static PyObject *verdict(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *values;
    const char *kind;
    int warned;
    double end;
    char text[1024];
    if (!PyArg_ParseTuple(args, "O!spd:verdict", &PyDict_Type, &values, &kind, &warned, &end))
        return NULL;
    const wy_certificate_source from = {certificate_value, values, at_rest(kind), warned, end};
    wy_certificate_verdict(text, sizeof text, &from);
    return PyErr_Occurred() ? NULL : PyUnicode_FromString(text);
}

static PyMethodDef functions[] = {
    {"verdict", verdict, METH_VARARGS, "verdict(certificate, kind, warned, end): how accurate a run is, in one line."},
    {"certified", certified, METH_VARARGS, "certified(kind, channel, values): (the frame that counts, it is known)."},
    {"tables", tables, METH_NOARGS, "Every table of the library as JSON: what `withy list --json` prints."},
    {"page", page, METH_VARARGS, "page(archive, to, plain=False): writes the viewer's page of an archive."},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "withy._core",
                                        .m_doc = "What of withy needs C. Use the package withy.", .m_size = -1,
                                        .m_methods = functions};

PyMODINIT_FUNC PyInit__core(void) {
    wy_lab_register();
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (errors_add(module) < 0 || view_add(module) < 0 || frames_add(module) < 0 || scenario_add(module) < 0 ||
        own_add(module) < 0 || live_add(module) < 0 || batch_add(module) < 0 || equilibrium_add(module) < 0 ||
        sweep_add(module) < 0 || PyModule_AddStringConstant(module, "version", wy_version()) < 0)
        Py_CLEAR(module);
    return module;
}
