/* Sweeps: points, the row of a point as a line of text, the table of all rows. */
#include "core.h"

typedef struct sweep_object {
    PyObject_HEAD wy_sweep *sweep;
} sweep_object;

static PyObject *sweep_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    source from;
    if (!source_open(&from, args, keywords))
        return NULL;
    wy_sweep *sweep = NULL;
    wy_error err;
    const wy_status s = wy_sweep_read_text(&sweep, from.name, from.text, from.length, &from.options, &err);
    sweep_object *o = (sweep_object *)source_close(&from, type, s, &err);
    if (!o)
        wy_sweep_free(sweep);
    else
        o->sweep = sweep;
    return (PyObject *)o;
}

static void sweep_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    wy_sweep_free(((sweep_object *)self)->sweep);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *get_points(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t(wy_sweep_points(((sweep_object *)self)->sweep));
}

static PyObject *get_axes(PyObject *self, void *unused) {
    (void)unused;
    const wy_sweep *sweep = ((sweep_object *)self)->sweep;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < wy_sweep_axes(sweep); i++) {
        PyObject *name = PyUnicode_FromString(wy_sweep_axis(sweep, i));
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *get_overrides(PyObject *self, void *unused) {
    (void)unused;
    return overrides_list(wy_sweep_overrides(((sweep_object *)self)->sweep));
}

static bool point_read(size_t *point, const wy_sweep *sweep, PyObject *from) {
    *point = PyLong_AsSize_t(from);
    if (PyErr_Occurred())
        return false;
    if (*point < wy_sweep_points(sweep))
        return true;
    PyErr_Format(PyExc_IndexError, "point %zu, expected 0 to %zu", *point, wy_sweep_points(sweep) - 1);
    return false;
}

/* The values of a point: numbers where they are plain numbers, else the text that would stand in a scenario. */
static PyObject *sweep_values(PyObject *self, PyObject *which) {
    const wy_sweep *sweep = ((sweep_object *)self)->sweep;
    size_t point;
    if (!point_read(&point, sweep, which))
        return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < wy_sweep_axes(sweep); i++) {
        char buffer[4096];
        PyObject *value = wy_sweep_axis_is_number(sweep, i)
                              ? PyFloat_FromDouble(wy_sweep_number(sweep, point, i))
                              : PyUnicode_FromString(wy_sweep_value(buffer, sizeof buffer, sweep, point, i));
        if (!value || PyList_Append(list, value) < 0)
            Py_CLEAR(list);
        Py_XDECREF(value);
    }
    return list;
}

static wy_status run_point(char **line, const wy_sweep *sweep, size_t point, const wy_sink *sink, wy_error *err) {
    wy_sweep_row row = {.point = point};
    wy_scenario *scenario = NULL;
    wy_status s = wy_sweep_scenario(&scenario, sweep, point, err);
    if (s == WY_BAD_INPUT || s == WY_UNSUPPORTED) { /* a combination that cannot be: the row of this point */
        row.status = s;
        snprintf(row.outcome, sizeof row.outcome, "%s", err->text);
        s = WY_OK;
    } else if (!s) {
        s = wy_sweep_run(&row, sweep, point, scenario, sink, err);
    }
    if (!s) {
        s = wy_sweep_row_text(line, &row, err);
        wy_sweep_row_free(&row);
    }
    wy_scenario_free(scenario);
    return s;
}

/* Several threads may run points of one sweep: it is only read. */
static PyObject *sweep_run(PyObject *self, PyObject *which) {
    const wy_sweep *sweep = ((sweep_object *)self)->sweep;
    size_t point;
    if (!point_read(&point, sweep, which))
        return NULL;
    char *line = NULL;
    wy_error err;
    wy_status s;
    watcher watch;
    watcher_init(&watch, Py_None, NULL);
    const wy_sink sink = {.context = &watch, .progress = watcher_progress};
    PyThreadState *others = PyEval_SaveThread();
    s = run_point(&line, sweep, point, &sink, &err);
    PyEval_RestoreThread(others);
    if (s)
        return watcher_raise(&watch, &err);
    watcher_clear(&watch);
    PyObject *text = PyUnicode_FromString(line);
    free(line);
    return text;
}

static bool add_row(wy_sweep_table *table, PyObject *entry) {
    const char *line, *host;
    double seconds;
    wy_error err;
    wy_sweep_row row;
    if (!PyTuple_Check(entry)) {
        PyErr_Format(PyExc_TypeError, "expected a row (line, seconds, host), got %R", entry);
        return false;
    }
    if (!PyArg_ParseTuple(entry, "sds:row", &line, &seconds, &host))
        return false;
    wy_status s = wy_sweep_row_read(&row, line, &err);
    if (!s) {
        s = wy_sweep_table_add(table, &row, seconds, host, &err);
        wy_sweep_row_free(&row);
    }
    if (s)
        raise_error(&err);
    return !s;
}

static PyObject *sweep_write(PyObject *self, PyObject *args) {
    PyObject *path, *rows;
    if (!PyArg_ParseTuple(args, "O&O!:write", PyUnicode_FSConverter, &path, &PyList_Type, &rows))
        return NULL;
    wy_sweep_table *table;
    wy_error err;
    bool good = !wy_sweep_table_create(&table, ((sweep_object *)self)->sweep, &err);
    if (!good)
        raise_error(&err);
    for (Py_ssize_t i = 0; good && i < PyList_Size(rows); i++)
        good = add_row(table, PyList_GetItem(rows, i));
    if (good && wy_sweep_table_write(table, PyBytes_AsString(path), &err)) {
        good = false;
        raise_error(&err);
    }
    wy_sweep_table_free(table);
    Py_DECREF(path);
    if (!good)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"values", sweep_values, METH_O, "The values of a point, in the order of the axes."},
    {"run", sweep_run, METH_O, "Runs a point; its row as a line of text. The GIL is released."},
    {"write", sweep_write, METH_VARARGS, "write(path, rows): the table of all rows (line, seconds, host)."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {
    {"points", get_points, NULL, "How many points there are.", NULL},
    {"axes", get_axes, NULL, "The paths that are varied.", NULL},
    {"overrides", get_overrides, NULL, "What was overridden, and rows that were read from files: a list.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, sweep_new},
                              {Py_tp_dealloc, sweep_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {Py_tp_doc, "A sweep, read and checked."},
                              {0, NULL}};
static PyType_Spec spec = {
    .name = "withy._core.Sweep", .basicsize = sizeof(sweep_object), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};

int sweep_add(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    const int r = type ? PyModule_AddObjectRef(module, "Sweep", type) : -1;
    Py_XDECREF(type);
    return r;
}
