/* One page with all reproductions: pictures, numbers beside the printed ones, verdicts. */
#ifndef WITHY_CONTACT_SHEET_H
#define WITHY_CONTACT_SHEET_H

#include "cli.h"

/* The head of the page, a section for a report (with the pictures of `picture_path`, by name only), one for a study
 * that failed, and the foot. */
void contact_sheet_begin(wy_output *page);
void contact_sheet_report(wy_output *page, const wy_study *study, const wy_report *report);
void contact_sheet_failure(wy_output *page, const wy_study *study, const char *why);
void contact_sheet_end(wy_output *page, size_t studies, size_t passed);

/* "ID.svg" or "ID-NAME.svg". */
void picture_name(char *name, size_t size, const wy_report *report, const wy_figure *figure);

#endif
