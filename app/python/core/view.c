/* Numbers of the library as buffers, without a copy; sequences of Python as numbers. */
#include "core.h"

typedef struct view_object {
    PyObject_HEAD PyObject *owner; /* NULL: `memory` is its own */
    double *data, *memory;
    int rank;
    Py_ssize_t shape[VIEW_RANK], strides[VIEW_RANK];
    bool writable;
} view_object;

static PyTypeObject *view_type;

static view_object *make(int rank, const size_t *dims) {
    view_object *v = PyObject_New(view_object, view_type);
    if (!v)
        return NULL;
    v->owner = NULL;
    v->data = v->memory = NULL;
    v->rank = rank;
    v->writable = true;
    Py_ssize_t stride = sizeof(double);
    for (int i = rank - 1; i >= 0; i--) {
        v->shape[i] = (Py_ssize_t)dims[i];
        v->strides[i] = stride;
        stride *= v->shape[i];
    }
    return v;
}

static size_t count_of(const view_object *v) {
    size_t n = 1;
    for (int i = 0; i < v->rank; i++)
        n *= (size_t)v->shape[i];
    return n;
}

PyObject *view_new(PyObject *owner, double *data, int rank, const size_t *dims, bool writable) {
    view_object *v = make(rank, dims);
    if (!v)
        return NULL;
    Py_INCREF(owner);
    v->owner = owner;
    v->data = data;
    v->writable = writable;
    return (PyObject *)v;
}

PyObject *view_alloc(double **data, int rank, const size_t *dims) {
    view_object *v = make(rank, dims);
    if (!v)
        return NULL;
    const size_t n = count_of(v);
    v->data = v->memory = calloc(n ? n : 1, sizeof(double));
    if (!v->data) {
        Py_DECREF(v);
        return PyErr_NoMemory();
    }
    *data = v->data;
    return (PyObject *)v;
}

static void view_free(PyObject *self) {
    view_object *v = (view_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(v->owner);
    free(v->memory);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int get_buffer(PyObject *self, Py_buffer *buffer, int flags) {
    view_object *v = (view_object *)self;
    if ((flags & PyBUF_WRITABLE) && !v->writable) {
        PyErr_SetString(PyExc_BufferError, "these numbers belong to the model: they can be read only");
        buffer->obj = NULL;
        return -1;
    }
    buffer->buf = v->data;
    Py_INCREF(self);
    buffer->obj = self;
    buffer->len = (Py_ssize_t)(count_of(v) * sizeof(double));
    buffer->itemsize = sizeof(double);
    buffer->readonly = !v->writable;
    buffer->ndim = v->rank;
    buffer->format = flags & PyBUF_FORMAT ? "d" : NULL;
    buffer->shape = flags & PyBUF_ND ? v->shape : NULL;
    buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? v->strides : NULL;
    buffer->suboffsets = NULL;
    buffer->internal = NULL;
    return 0;
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, view_free},
    {Py_bf_getbuffer, get_buffer},
    {Py_tp_doc, "Numbers of the library; numpy.asarray makes an array of them without a copy."},
    {0, NULL}};
static PyType_Spec spec = {.name = "withy._core.View",
                           .basicsize = sizeof(view_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};

int view_add(PyObject *module) {
    view_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return view_type ? PyModule_AddObjectRef(module, "View", (PyObject *)view_type) : -1;
}

static bool number_read(double *to, PyObject *item, const char *what) {
    *to = PyFloat_AsDouble(item);
    if (*to == -1.0 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s: expected numbers, got %R", what, item);
        }
        return false;
    }
    return true;
}

bool numbers_read(double *to, size_t count, PyObject *from, const char *what) {
    if (PyTuple_Check(from) && PyTuple_Size(from) == (Py_ssize_t)count) { /* the fast way, for control loops */
        for (size_t i = 0; i < count; i++)
            if (!number_read(&to[i], PyTuple_GetItem(from, (Py_ssize_t)i), what))
                return false;
        return true;
    }
    const Py_ssize_t n = PySequence_Check(from) && !PyUnicode_Check(from) ? PySequence_Size(from) : -1;
    if (n < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: expected %zu numbers, got %R", what, count, from);
        return false;
    }
    if (n != (Py_ssize_t)count) {
        PyErr_Format(PyExc_ValueError, "%s: expected %zu numbers, got %zd", what, count, n);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(from, (Py_ssize_t)i);
        const bool good = item && number_read(&to[i], item, what);
        Py_XDECREF(item);
        if (!good)
            return false;
    }
    return true;
}
