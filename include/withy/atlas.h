/* The atlas: problems whose answer is known, from textbooks, closed forms and the literature, each solved at three resolutions and compared.
 * Part of libwithy-scenario: every problem is a scenario that anybody can run. `withy validate` prints what is here. */
#ifndef WITHY_ATLAS_H
#define WITHY_ATLAS_H

#include <withy/scenario.h>
#include <withy/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a tolerance comes from. None is chosen by what withy happens to reach. */
typedef enum wy_tolerance_source {
    WY_TOLERANCE_NONE,    /* only shown: the reference is a curve, or is itself in doubt */
    WY_TOLERANCE_DIGITS,  /* a closed form or a converged reference: six digits, 1e-6 of the quantity's size */
    WY_TOLERANCE_PRINTED, /* a printed number: a unit of its last digit, for some round and others cut off; or what the theory of the reference leaves out */
    WY_TOLERANCE_LAW      /* a law that holds exactly: 1e-10 of the quantity's size, for round-off */
} wy_tolerance_source;

/* One number of a problem. */
typedef struct wy_check_result {
    const char *name;
    double reference;
    double measured;        /* at the finest of the three resolutions; NaN where it could not be computed */
    double estimated_error; /* by the three resolutions alone, without a look at the reference */
    double true_error;      /* |measured - reference|; NaN where there is no reference */
    double order; /* observed; NaN where none is to be seen: at round-off, or where the answer does not depend on it */
    double tolerance; /* absolute; NaN if it is not judged */
    double errors[3]; /* true errors of the three resolutions, coarse to fine */
    wy_tolerance_source tolerance_source;
    bool
        ok; /* within the tolerance, and the estimate is no more than five times too small where fewer than nine digits are right */
    const char *note;
} wy_check_result;

struct wy_case_run;

/* Runs of a problem beside the three resolutions: one number changed. */
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
    double order;          /* of the method in this refinement: more is not believed when errors are estimated */
    bool lengthy;          /* takes more than ten seconds: left out of --all unless asked for */
    const wy_atlas_case *cases; /* ended by a NULL label; NULL: one */
    /* Looks at a run that has ended and says what was found (src/atlas/atlas.h). */
    wy_status (*evaluate)(struct wy_case_run *case_run, wy_error *err);
} wy_problem;

/* All problems. */
extern WY_API const wy_catalogue wy_problems;

typedef struct wy_validation {
    const wy_problem *problem;
    size_t row_count;
    const wy_check_result *rows;
    const wy_report *pictures; /* figures only */
    bool pass;                 /* every row that is judged is ok, and there is at least one */
} wy_validation;

/* Solves a problem into a new validation, to be freed by wy_validation_free. A run that fails is a row that is not ok; the call fails where
 * there is no memory, where it is cancelled, and where the atlas itself is wrong. Only `progress` of the sink is used; it may be NULL. */
WY_API wy_status wy_validate(wy_validation **validation, const wy_problem *problem, const wy_sink *progress,
                             wy_error *err);

/* NULL is allowed. */
WY_API void wy_validation_free(wy_validation *validation);

#ifdef __cplusplus
}
#endif

#endif
