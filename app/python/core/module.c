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

static PyMethodDef functions[] = {
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
