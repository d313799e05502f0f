/* Parameter tables: the parameters of a kind of run, an integrator, a load ..., with units, defaults and limits. The
 * scenario reader, `withy list`, the reference page and the C API read these tables, so name, unit and default are
 * each defined once. */
#ifndef WITHY_PARAM_H
#define WITHY_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <withy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a parameter, and the C type at its offset in the configuration struct. */
typedef enum wy_type {
    WY_TYPE_REAL,    /* double */
    WY_TYPE_INTEGER, /* int64_t */
    WY_TYPE_BOOL,    /* bool */
    WY_TYPE_TEXT,    /* const char *, owned by the arena */
    WY_TYPE_NAME,    /* int: the index of the word in `names` */
    WY_TYPE_VECTOR,  /* double[count] */
    WY_TYPE_SAMPLES, /* wy_samples: any number of rows of `count` numbers */
    WY_TYPE_CHOICE,  /* wy_choice: one entry of a catalogue, with its parameters */
    WY_TYPE_LIST,    /* wy_list: any number of choices from a catalogue */
    WY_TYPE_GROUP,   /* a nested struct, described by `group` */
    WY_TYPE_TEXTS,   /* wy_texts: any number of texts */
    WY_TYPE_NAMED    /* wy_named: any number of structs described by `group`, each with a name */
} wy_type;

/* Condition on a number, besides being finite. For vectors and samples it applies to each component. */
typedef enum wy_rule {
    WY_RULE_NONE,
    WY_RULE_POSITIVE,    /* > 0 */
    WY_RULE_NONNEGATIVE, /* >= 0 */
    WY_RULE_BETWEEN      /* low <= x <= high */
} wy_rule;

struct wy_catalogue;
struct wy_entry;

typedef struct wy_param {
    const char *key;  /* the name in a scenario file; NULL ends a table */
    const char *doc;  /* one line */
    const char *unit; /* SI, such as "kg m^2"; "1" for a pure number; NULL: no unit */
    wy_type type;
    wy_rule rule;
    double low, high; /* for WY_RULE_BETWEEN */
    /* the default as written in a scenario file; "" = optional (numbers are then NaN, anything else zero); NULL =
     * required */
    const char *default_text;
    size_t offset;                   /* of the value in the configuration struct */
    size_t count;                    /* VECTOR: its length. SAMPLES: numbers per row. NAMED: bytes of a struct */
    const char *const *names;        /* NAME: the words, ended by NULL */
    const struct wy_catalogue *from; /* CHOICE, LIST: the catalogue */
    const struct wy_param *group;    /* GROUP, NAMED: the table */
    /* The value may change between two steps of a run without changing an energy: it is booked as work or dissipation,
     * or says how hard a solver tries. Of a CHOICE: every number below it. An FMU calls such parameters tunable. */
    bool tunable;
} wy_param;

/* A row of a table: the parameter whose value is member `member` of `config`. */
#define WY_PARAM(config, member, ...) \
    { __VA_ARGS__, .offset = offsetof(config, member) }

/* A table of numbers: `rows` rows of wy_param.count numbers, row after row. */
typedef struct wy_samples {
    size_t rows;
    const double *values;
} wy_samples;

/* `path`: where they are in the scenario, as an override says it ("joints.0.between"); NULL: not from a scenario. */
typedef struct wy_texts {
    size_t count;
    const char *const *items;
    const char *path;
} wy_texts;

/* Structs of one table, each with a name of letters, digits, '-' and '_', in the order in which they are written. */
typedef struct wy_named_item {
    const char *name, *path; /* as above: "rods.leg1" */
    const void *config;
} wy_named_item;

typedef struct wy_named {
    size_t count;
    const wy_named_item *items;
} wy_named;

/* The common head of every descriptor: its first member, so that a pointer to one is a pointer to the other. */
typedef struct wy_entry {
    const char *name;       /* as spelled in scenarios and on the command line */
    const char *alias;      /* a second spelling, such as the thesis' "IM"; may be NULL */
    const char *doc;        /* one line */
    const wy_param *params; /* its parameters; NULL = none */
    size_t config_size;     /* of the struct that `params` describes */
} wy_entry;

/* The entries that another library adds to a catalogue when it is registered. */
typedef struct wy_extension {
    const char *library;            /* "libwithy-lab" */
    const char *const *names;       /* of its entries, ended by NULL: a message can say where an absent entry is */
    const wy_entry *const *entries; /* ended by NULL; NULL: the library is not registered */
} wy_extension;

/* A list of descriptors of one type: integrators, kinds, loads ... */
typedef struct wy_catalogue {
    const char *name;               /* plural, as in `withy list integrators` */
    const char *singular;           /* as in "unknown integrator" */
    const char *doc;                /* one line */
    const wy_entry *const *entries; /* ended by NULL */
    wy_extension *extension;        /* NULL: no other library adds entries */
} wy_catalogue;

/* One entry of a catalogue, with its configuration (NULL if it has no parameters). */
typedef struct wy_choice {
    const wy_entry *entry;
    const void *config;
} wy_choice;

typedef struct wy_list {
    size_t count;
    const wy_choice *items;
} wy_list;

/* An arena: memory for everything that a configuration points to. Memory taken from an arena lives until the arena is
 * freed. */
typedef struct wy_arena wy_arena;

/* Creates an empty arena; NULL: out of memory. */
WY_API wy_arena *wy_arena_create(void);

/* Frees the arena and everything taken from it. NULL is allowed. */
WY_API void wy_arena_free(wy_arena *arena);

/* Takes `size` bytes of zeroed memory, aligned for any type; NULL: out of memory. */
WY_API void *wy_arena_take(wy_arena *arena, size_t size);

/* Copies `length` bytes of text and appends a zero; NULL: out of memory. */
WY_API char *wy_arena_text(wy_arena *arena, const char *text, size_t length);

/* Entry number i of the catalogue and its extension; NULL: there are no more. */
WY_API const wy_entry *wy_catalogue_entry(const wy_catalogue *catalogue, size_t i);

/* The entry called `name` (or with that alias), or NULL. Case matters for names, not for aliases. */
WY_API const wy_entry *wy_catalogue_find(const wy_catalogue *catalogue, const char *name);

/* The entry called `name`, or WY_BAD_INPUT with a list of the entries and the most similar name. */
WY_API wy_status wy_catalogue_get(const wy_entry **entry, const wy_catalogue *catalogue, const char *name,
                                  wy_error *err);

/* Finds the word most similar to `wanted` among those offered one by one, for "did you mean". Start from {.wanted =
 * word}. Afterwards `best` is NULL if no word is similar. */
typedef struct wy_nearest {
    const char *wanted;
    const char *best;
    size_t distance;
} wy_nearest;
WY_API void wy_nearest_offer(wy_nearest *nearest, const char *word);

/* Fills the configuration struct `config` with the table's defaults, taking memory from `arena` where a value needs
 * some. Required parameters are left zero (reals: NaN). */
WY_API wy_status wy_params_defaults(const wy_param *params, void *config, wy_arena *arena, wy_error *err);

/* Completes a bytewise copy of a configuration: everything it points to (rows, text, choices with their
 * configurations) is copied into the arena, and a choice without a configuration gets the defaults of its table. */
WY_API wy_status wy_params_copy(const wy_param *params, void *config, wy_arena *arena, wy_error *err);

/* The same for one choice; an empty choice is allowed. */
WY_API wy_status wy_choice_copy(wy_choice *choice, wy_arena *arena, wy_error *err);

/* Explains a key of an earlier version of the table ("is called 'last_end' now"), and an entry of an earlier version
 * of a catalogue; NULL: unknown word. */
WY_API const char *wy_param_renamed(const wy_param *params, const char *key);
WY_API const char *wy_catalogue_renamed(const wy_catalogue *catalogue, const char *name);

/* Reads one scalar (REAL, INTEGER, BOOL, TEXT, NAME, or a CHOICE by its bare name) from text into `where`, checking
 * its rule. Numbers may be written as arithmetic, such as "2*pi/3" or "cos(1.1)". */
WY_API wy_status wy_param_parse(const wy_param *param, const char *text, void *where, wy_arena *arena, wy_error *err);

/* Finds the number that `path` names in a configuration, such as "length", "last_end.twist" or
 * "loads.0.acceleration.2" (a number in the path is an index of a list or a vector). The configuration struct must be
 * the caller's copy; everything it points to along the path is copied into the arena, so that writing through `where`
 * changes no shared data. */
WY_API wy_status wy_param_reach(double **where, const wy_param **found, const wy_param *params, void *config,
                                const char *path, wy_arena *arena, wy_error *err);

/* Checks that `value` is finite and obeys the parameter's rule. */
WY_API wy_status wy_param_check(const wy_param *param, double value, wy_error *err);

/* Describes the values of a parameter, such as "a positive number in kg m^2" or "3 numbers in m". Returns `buffer`. */
WY_API const char *wy_param_expects(const wy_param *param, char *buffer, size_t size);

/* Evaluates an arithmetic expression: + - * / ^, parentheses, pi, sqrt sin cos tan asin acos atan exp log abs. A result
 * that is not finite is refused. */
WY_API wy_status wy_expression(double *value, const char *text, wy_error *err);

/* Prints a number so that it reads back as the same double, with a decimal point in every locale. Returns `buffer`,
 * which needs 32 bytes. */
WY_API const char *wy_number_text(char *buffer, double x);

#ifdef __cplusplus
}
#endif

#endif
