/* Failures as exceptions: one class for each wy_status, with the library's sentence as its text. */
#include "core.h"

enum { STATUSES = WY_CANCELLED + 1 };
static PyObject *classes[STATUSES];

static const struct {
    const char *name, *doc;
} rows[STATUSES] = {
    [WY_OK] = {"withy.Error", "What withy could not do; the text says why."},
    [WY_BAD_INPUT] = {"withy.BadInput",
                      "A value that makes no sense, or a name that does not exist; says where, and what was expected."},
    [WY_NO_CONVERGENCE] = {"withy.NoConvergence", "An iteration did not reach its tolerance; says when and where."},
    [WY_NOT_FINITE] = {"withy.NotFinite", "NaN or infinity turned up where a number was expected."},
    [WY_UNSUPPORTED] = {"withy.Unsupported", "A combination that the method cannot do."},
    [WY_NO_MEMORY] = {"withy.NoMemory", "An allocation failed."},
    [WY_CANNOT_READ] = {"withy.CannotRead", "A file is missing, unreadable or not what it says it is."},
    [WY_CANNOT_WRITE] = {"withy.CannotWrite", "A file could not be written."},
    [WY_CANCELLED] = {"withy.Cancelled", "The run was asked to stop."},
};

/* Beside withy.Error each is also what Python calls such a thing. */
static PyObject *python_base(int status) {
    switch (status) {
    case WY_BAD_INPUT: return PyExc_ValueError;
    case WY_NO_CONVERGENCE:
    case WY_NOT_FINITE: return PyExc_ArithmeticError;
    case WY_UNSUPPORTED: return PyExc_NotImplementedError;
    case WY_NO_MEMORY: return PyExc_MemoryError;
    case WY_CANNOT_READ:
    case WY_CANNOT_WRITE: return PyExc_OSError;
    default: return NULL;
    }
}

int errors_add(PyObject *module) {
    for (int i = 0; i < STATUSES; i++) {
        PyObject *other = i ? python_base(i) : NULL;
        PyObject *bases = !i ? NULL : other ? PyTuple_Pack(2, classes[0], other) : PyTuple_Pack(1, classes[0]);
        if (i && !bases)
            return -1;
        classes[i] = PyErr_NewExceptionWithDoc(rows[i].name, rows[i].doc, bases, NULL);
        Py_XDECREF(bases);
        if (!classes[i] || PyModule_AddObjectRef(module, rows[i].name + sizeof "withy", classes[i]) < 0)
            return -1;
    }
    return 0;
}

PyObject *raise_text(wy_status status, const char *text) {
    if (!PyErr_Occurred()) {
        PyObject *sentence = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        if (sentence)
            PyErr_SetObject(classes[(int)status < STATUSES ? status : 0], sentence);
        Py_XDECREF(sentence);
    }
    return NULL;
}

PyObject *raise_error(const wy_error *err) {
    return raise_text(err->status, err->text);
}
