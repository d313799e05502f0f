/* What the files of the extension module withy._core share. Written against the limited API of Python 3.11: one binary
 * serves that version and all later ones. Only what needs C is here; what can be said in Python is in ../withy. */
#ifndef WITHY_PYTHON_CORE_H
#define WITHY_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <withy/io.h>
#include <withy/lab.h>
#include <withy/motion.h>
#include <withy/rod.h>

/* Python's tables of slots hold functions as void *, which ISO C does not allow and every system with dlopen does. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* ---- errors ---- */

/* withy.Error and its children, one for each wy_status. Returns -1 with an exception set where that fails. */
int errors_add(PyObject *module);

/* Raises the exception of the status with the sentence; returns NULL. An exception that is set already stays. */
PyObject *raise_error(const wy_error *err);
PyObject *raise_text(wy_status status, const char *text);

/* ---- arrays ---- */

enum { VIEW_RANK = 3 };

/* An object with the buffer protocol: doubles that belong to `owner`, which it keeps alive. NumPy makes an array of it
 * without a copy. */
PyObject *view_new(PyObject *owner, double *data, int rank, const size_t *dims, bool writable);

/* The same with memory of its own (zeroed), to be filled in through *data. */
PyObject *view_alloc(double **data, int rank, const size_t *dims);
int view_add(PyObject *module);

/* Exactly `count` numbers from a sequence (or array) into `to`; false with an exception where it is not that. `what`
 * names it. */
bool numbers_read(double *to, size_t count, PyObject *from, const char *what);

/* What a channel is, as a dictionary: name, group, unit, doc, shape, whole, panel, meaning. */
PyObject *channels_list(const wy_channel *channels, size_t count);

/* Frames in memory, and archives that are read. Frames take the store over, and keep alive what the names of its
 * channels belong to (may be NULL). */
PyObject *frames_new(wy_frames *frames, PyObject *owner);
const wy_frames *frames_of(PyObject *object);
int frames_add(PyObject *module);

/* ---- runs that are watched ---- */

/* What a run reports to: a callable for the progress, lists that collect notes and warnings; each may be NULL. Ctrl-C
 * and an exception of the callable end the run. Used while the GIL is released. */
typedef struct watcher {
    PyObject *progress, *notes, *warnings;
    double last;                    /* when Python was last asked, s */
    PyObject *type, *value, *trace; /* the exception that ended it */
} watcher;
void watcher_init(watcher *w, PyObject *progress, PyObject *notes);
bool watcher_progress(void *context, double fraction);
void watcher_note(void *context, const char *text);
void watcher_warning(void *context, const char *text);

/* Restores the exception that ended the run, or raises that of the status. Returns NULL. */
PyObject *watcher_raise(watcher *w, const wy_error *err);
void watcher_clear(watcher *w);

/* A sink that hands everything on to another with the GIL held: HDF5 is not made for threads, and h5py in the same
 * process knows no other lock. */
typedef struct locked_sink {
    wy_sink sink;
    const wy_sink *inner;
} locked_sink;
void locked_sink_init(locked_sink *held, const wy_sink *inner);

double clock_now(void);

/* ---- scenarios ---- */

struct own_law; /* a load or an end written in Python */

typedef struct scenario_object {
    PyObject_HEAD wy_scenario *scenario; /* NULL: a motion has taken it over */
    PyObject *laws;                      /* a list: what keeps the functions written in Python alive */
    bool busy;
} scenario_object;

extern PyTypeObject *scenario_type;
int scenario_add(PyObject *module);

/* The scenario of a Scenario that is there and not in use, or NULL with an exception. */
wy_scenario *scenario_of(PyObject *object);

/* Overrides as a list of texts. */
PyObject *overrides_list(wy_overrides overrides);

/* A text that is read: the arguments (text, name="text", overrides=[], files=False) of an object, and the errors
 * about it, a line each. */
typedef struct source {
    const char *text, *name;
    size_t length;
    wy_scenario_options options;
    char errors[8 * WY_ERROR_TEXT];
} source;

/* False with an exception where the arguments are something else; then there is nothing to close. It must stay where it
 * is. */
bool source_open(source *from, PyObject *args, PyObject *keywords);

/* After reading: an object of the type, zeroed; or NULL with the errors as an exception. */
PyObject *source_close(source *from, PyTypeObject *type, wy_status s, const wy_error *err);

/* Scenario.settings. */
PyObject *scenario_settings(PyObject *self, PyObject *none);

/* Scenario.add_load and Scenario.set_end. */
PyObject *own_add_load(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *own_set_end(PyObject *self, PyObject *args, PyObject *keywords);
int own_add(PyObject *module);

/* A point of the rod that can be pushed: the force and moment of the load are read from here in every step. Kept alive
 * by the scenario's laws. */
typedef struct pushed {
    double s, wrench[6]; /* [moment; force], in space */
} pushed;
wy_status pushed_add(wy_scenario *scenario, pushed *point, wy_error *err);

/* tp_traverse of an object that holds such a list and nothing else of Python's: the garbage collector follows a law to
 * what its function refers to. */
int laws_traverse(PyObject *self, PyObject *laws, visitproc visit, void *arg);

/* Raises what a law written in Python has raised, if any: true. */
bool laws_raise(PyObject *laws);

/* ---- rods in motion ---- */

/* What Python calls the arrays that follow a rod in motion, and how many numbers each node, element or rod has
 * there. */
enum {
    FOLLOW_POSITION,
    FOLLOW_ORIENTATION,
    FOLLOW_VELOCITY,
    FOLLOW_STRAIN,
    FOLLOW_WRENCH,
    FOLLOW_ENERGY,
    FOLLOW_ENDS,
    FOLLOWS
};
enum { ENERGIES = 8 };

/* The number of an array, or FOLLOWS; its shape for one state: rank 1 or 2. */
int follow_find(const char *name);
int follow_shape(size_t dims[2], int which, const wy_motion *rod);

/* Brings the arrays that are there (not NULL) up to date; FOLLOW_ENDS needs position, orientation and velocity too. */
void follow_refresh(double *const data[FOLLOWS], const wy_motion *rod, const wy_motion_state *state);

/* ---- the others ---- */
int live_add(PyObject *module);
int batch_add(PyObject *module);
int equilibrium_add(PyObject *module);
int sweep_add(PyObject *module);

#endif
