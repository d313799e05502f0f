/* The atlas: problems with a known answer, from textbooks, closed forms and the literature, each solved at three
 * resolutions and compared. Part of libwithy-lab: every problem is a scenario. `withy validate` prints the
 * results. */
#ifndef WITHY_ATLAS_H
#define WITHY_ATLAS_H

#include <withy/scenario.h>
#include <withy/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The source of a tolerance. None is chosen by the accuracy that withy reaches. */
typedef enum wy_tolerance_source {
    WY_TOLERANCE_NONE,   /* not judged: the reference is a curve, or is itself uncertain */
    WY_TOLERANCE_DIGITS, /* a closed form or a converged reference: six digits, 1e-6 of the quantity's size */
    /* a printed number: one unit of its last digit (rounded or truncated); or the terms that the theory of the
     * reference neglects */
    WY_TOLERANCE_PRINTED,
    WY_TOLERANCE_LAW /* a law that holds exactly: 1e-10 of the quantity's size, for round-off */
} wy_tolerance_source;

/* One number of a problem. */
typedef struct wy_check_result {
    const char *name;
    double reference;
    double measured;        /* at the finest of the three resolutions; NaN: not computed */
    double estimated_error; /* from the three resolutions only, without the reference */
    double true_error;      /* |measured - reference|; NaN: no reference */
    double order;     /* observed; NaN: not measurable at round-off, or the answer does not depend on the resolution */
    double tolerance; /* absolute; NaN: not judged */
    double errors[3]; /* true errors of the three resolutions, coarse to fine */
    wy_tolerance_source tolerance_source;
    /* within the tolerance, and, if fewer than nine digits are right, the estimate is at least a fifth of the true
     * error */
    bool ok;
    const char *note;
} wy_check_result;

struct wy_case_run;

/* A variant of a problem: runs with other overrides. */
typedef struct wy_atlas_case {
    const char *label; /* "" for the only one */
    const char *set;   /* overrides "key.path=value", with "; " between; "" for none */
} wy_atlas_case;

typedef struct wy_problem {
    wy_entry entry;        /* its name and what it is */
    const char *group;     /* "statics", "stability", "vibrations", "waves and decay", "flight", "shafts and bodies" */
    const char *source;    /* of the reference */
    const char *scenario;  /* YAML, at the finest resolution */
    const char *levels[3]; /* overrides of each resolution, each twice as fine as the one before */
    double order;          /* of the method in this refinement: upper bound of the order in error estimates */
    bool lengthy;          /* takes more than ten seconds: excluded from --all unless requested */
    const wy_atlas_case *cases; /* ended by a NULL label; NULL: one */
    /* Evaluates a finished run and adds its check results (lab/atlas/atlas.h). */
    wy_status (*evaluate)(struct wy_case_run *case_run, wy_error *err);
} wy_problem;

/* All problems. */
extern WY_API const wy_catalogue wy_problems;

typedef struct wy_validation {
    const wy_problem *problem;
    size_t row_count;
    const wy_check_result *rows;
    const wy_report *pictures; /* figures only */
    bool pass;                 /* every judged row is ok, and there is at least one */
} wy_validation;

/* Solves a problem into a new validation, to be freed by wy_validation_free. A run that fails gives a row that is not
 * ok; the call fails if memory is short, it is cancelled, or the atlas itself is wrong. Only `progress` of the sink
 * is used; it may be NULL. */
WY_API wy_status wy_validate(wy_validation **validation, const wy_problem *problem, const wy_sink *progress,
                             wy_error *err);

/* NULL is allowed. */
WY_API void wy_validation_free(wy_validation *validation);

/* Formats of the results of `withy validate`: "text", "json", "csv" and "html". Several validations are printed as
 * `begin`, each `print`, with `between` between two, and `end`; a single one needs `begin` and `end` only if `whole`
 * is set. */
typedef struct wy_validation_format {
    wy_entry entry;
    const char *ending; /* of a file's name */
    void (*begin)(wy_output *out);
    void (*print)(const wy_validation *validation, wy_output *out);
    const char *between;
    void (*end)(wy_output *out, size_t problems, size_t passed);
    bool whole; /* begin and end also for a single validation: header of csv, page of html */
} wy_validation_format;

/* All of them. */
extern WY_API const wy_catalogue wy_validation_formats;

#ifdef __cplusplus
}
#endif

#endif
