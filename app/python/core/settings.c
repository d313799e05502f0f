/* What a scenario says, defaults included, as dictionaries and lists: by a walk over the tables that read it. */
#include <math.h>

#include "core.h"

static PyObject *table(const wy_param *params, const void *config);

static PyObject *numbers(const double *x, size_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++)
        if (PyList_SetItem(list, (Py_ssize_t)i, PyFloat_FromDouble(x[i])) < 0)
            Py_CLEAR(list);
    return list;
}

static PyObject *samples(const wy_samples *v, size_t columns) {
    PyObject *list = PyList_New((Py_ssize_t)v->rows);
    for (size_t i = 0; list && i < v->rows; i++) {
        PyObject *row = columns == 1 ? PyFloat_FromDouble(v->values[i]) : numbers(v->values + i * columns, columns);
        if (!row || PyList_SetItem(list, (Py_ssize_t)i, row) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *choice(const wy_choice *c) {
    PyObject *all = c->config ? table(c->entry->params, c->config) : PyDict_New();
    PyObject *name = PyUnicode_FromString(c->entry->name);
    if (!all || !name || PyDict_SetItemString(all, "name", name) < 0)
        Py_CLEAR(all);
    Py_XDECREF(name);
    return all;
}

static PyObject *texts(const wy_texts *from) {
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < from->count; i++) {
        PyObject *one = PyUnicode_FromString(from->items[i]);
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *named(const wy_param *p, const wy_named *from) {
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < from->count; i++) {
        PyObject *one = table(p->group, from->items[i].config);
        if (!one || PyDict_SetItemString(all, from->items[i].name, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

/* NULL without an exception: it was left out, and that means something of its own. */
static PyObject *value(const wy_param *p, const void *at) {
    switch (p->type) {
    case WY_TYPE_REAL: return isnan(*(const double *)at) ? NULL : PyFloat_FromDouble(*(const double *)at);
    case WY_TYPE_INTEGER: return PyLong_FromLongLong(*(const int64_t *)at);
    case WY_TYPE_BOOL: return PyBool_FromLong(*(const bool *)at);
    case WY_TYPE_TEXT: return *(const char *const *)at ? PyUnicode_FromString(*(const char *const *)at) : NULL;
    case WY_TYPE_NAME: return PyUnicode_FromString(p->names[*(const int *)at]);
    case WY_TYPE_VECTOR: return isnan(*(const double *)at) ? NULL : numbers(at, p->count);
    case WY_TYPE_SAMPLES: return ((const wy_samples *)at)->rows ? samples(at, p->count) : NULL;
    case WY_TYPE_CHOICE: return ((const wy_choice *)at)->entry ? choice(at) : NULL;
    case WY_TYPE_LIST: {
        const wy_list *list = at;
        PyObject *all = list->count ? PyList_New(0) : NULL;
        for (size_t i = 0; all && i < list->count; i++) {
            PyObject *one = choice(&list->items[i]);
            if (!one || PyList_Append(all, one) < 0)
                Py_CLEAR(all);
            Py_XDECREF(one);
        }
        return all;
    }
    case WY_TYPE_GROUP: return table(p->group, at);
    case WY_TYPE_TEXTS: return texts(at);
    case WY_TYPE_NAMED: return named(p, at);
    }
    return NULL;
}

static PyObject *table(const wy_param *params, const void *config) {
    PyObject *all = PyDict_New();
    for (const wy_param *p = params; all && p && p->key; p++) {
        PyObject *v = value(p, (const char *)config + p->offset);
        if ((!v && PyErr_Occurred()) || (v && PyDict_SetItemString(all, p->key, v) < 0))
            Py_CLEAR(all);
        Py_XDECREF(v);
    }
    return all;
}

PyObject *scenario_settings(PyObject *self, PyObject *none) {
    (void)none;
    const wy_scenario *s = scenario_of(self);
    return s ? table(wy_scenario_kind(s)->entry.params, wy_scenario_config(s)) : NULL;
}
