/* Runs that Python watches: progress, notes, Ctrl-C, and the archive's calls with the GIL held. */
#include "core.h"

static const double ask_every = 0.05; /* s */

double clock_now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void watcher_init(watcher *w, PyObject *progress, PyObject *notes) {
    *w = (watcher){.progress = progress == Py_None ? NULL : progress, .notes = notes, .last = clock_now()};
}

bool watcher_progress(void *context, double fraction) {
    watcher *w = context;
    const double now = clock_now();
    if (w->type)
        return true;
    if (now - w->last < ask_every && now >= w->last && !(fraction >= 1.0 && w->progress))
        return false;
    w->last = now;
    const PyGILState_STATE gil = PyGILState_Ensure();
    bool good = PyErr_CheckSignals() == 0;
    if (good && w->progress) {
        PyObject *answer = PyObject_CallFunction(w->progress, "d", fraction);
        good = answer != NULL;
        Py_XDECREF(answer);
    }
    if (!good)
        PyErr_Fetch(&w->type, &w->value, &w->trace);
    PyGILState_Release(gil);
    return !good;
}

static void keep_sentence(PyObject *list, const char *text) {
    if (!list)
        return;
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *sentence = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    if (!sentence || PyList_Append(list, sentence) < 0)
        PyErr_Clear(); /* no memory for a sentence */
    Py_XDECREF(sentence);
    PyGILState_Release(gil);
}

void watcher_note(void *context, const char *text) {
    keep_sentence(((watcher *)context)->notes, text);
}

void watcher_warning(void *context, const char *text) {
    keep_sentence(((watcher *)context)->warnings, text);
}

PyObject *watcher_raise(watcher *w, const wy_error *err) {
    if (!w->type)
        return raise_error(err);
    PyErr_Restore(w->type, w->value, w->trace);
    w->type = w->value = w->trace = NULL;
    return NULL;
}

void watcher_clear(watcher *w) {
    Py_CLEAR(w->type);
    Py_CLEAR(w->value);
    Py_CLEAR(w->trace);
}

/* ---- a sink whose owner wants the GIL ---- */

static wy_status locked_begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    const locked_sink *h = context;
    const PyGILState_STATE gil = PyGILState_Ensure();
    const wy_status s = wy_sink_begin(h->inner, channels, count, err);
    PyGILState_Release(gil);
    return s;
}

static wy_status locked_frame(void *context, const double *const *values, wy_error *err) {
    const locked_sink *h = context;
    const PyGILState_STATE gil = PyGILState_Ensure();
    const wy_status s = h->inner->frame(h->inner->context, values, err);
    PyGILState_Release(gil);
    return s;
}

static wy_status locked_checkpoint(void *context, const wy_checkpoint_block *parts, size_t count, wy_error *err) {
    const locked_sink *h = context;
    const PyGILState_STATE gil = PyGILState_Ensure();
    const wy_status s = wy_sink_checkpoint(h->inner, parts, count, err);
    PyGILState_Release(gil);
    return s;
}

static bool locked_progress(void *context, double fraction) {
    const locked_sink *h = context;
    return h->inner->progress && h->inner->progress(h->inner->context, fraction);
}

static void locked_note(void *context, const char *text) {
    const locked_sink *h = context;
    if (h->inner->note)
        h->inner->note(h->inner->context, text);
}

static void locked_warning(void *context, const char *text) {
    const locked_sink *h = context;
    if (h->inner->warning)
        h->inner->warning(h->inner->context, text);
    else
        locked_note(context, text);
}

void locked_sink_init(locked_sink *held, const wy_sink *inner) {
    held->inner = inner;
    held->sink = (wy_sink){.context = held,
                           .begin = locked_begin,
                           .frame = inner->frame ? locked_frame : NULL,
                           .checkpoint = inner->checkpoint ? locked_checkpoint : NULL,
                           .resume_data = inner->resume_data,
                           .resume_size = inner->resume_size,
                           .progress = locked_progress,
                           .note = locked_note,
                           .warning = locked_warning};
}
