/* Studies: named experiments that reproduce the tables and figures of the source documents. A study fills a report
 * with rows and figures. Part of libwithy-lab. */
#ifndef WITHY_STUDY_H
#define WITHY_STUDY_H

#include <withy/kind.h>
#include <withy/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_study {
    wy_entry entry;
    const char *source; /* document, tables and figures */
    wy_status (*run)(wy_report *report, const wy_sink *progress, wy_error *err);
} wy_study;

/* All studies. */
extern WY_API const wy_catalogue wy_studies;

/* Runs a study into a new report. A measured value that is not finite is an error of the study: the call fails. Only
 * `progress` of the sink is used; it may be NULL. */
WY_API wy_status wy_study_run(wy_report **report, const wy_study *study, const wy_sink *progress, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
