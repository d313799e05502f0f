/* A progress bar with the time left, for people at a terminal. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static double progress_clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(progress_bar *bar, const char *label, bool quiet) {
    *bar = (progress_bar){.shown = !quiet && isatty(STDERR_FILENO), .start = progress_clock_seconds()};
    snprintf(bar->label, sizeof bar->label, "%s", label);
    bar->last = bar->start;
}

static void format_time_left(char *buffer, size_t size, double seconds) {
    if (seconds < 90)
        snprintf(buffer, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(buffer, size, "%.0f min", seconds / 60);
    else
        snprintf(buffer, size, "%.1f h", seconds / 3600);
}

void progress_update(progress_bar *bar, double fraction) {
    enum { WIDTH = 30 };
    if (!bar->shown)
        return;
    const double t = progress_clock_seconds();
    if (t - bar->last < 0.1) /* ten times a second is enough for an eye */
        return;
    bar->last = t;
    bar->drawn = true;
    char cells[WIDTH + 1], left[32] = "";
    const int full = (int)(fraction * WIDTH);
    for (int i = 0; i < WIDTH; i++)
        cells[i] = i < full ? '#' : '.';
    cells[WIDTH] = 0;
    if (fraction > 0.01)
        format_time_left(left, sizeof left, (t - bar->start) * (1.0 - fraction) / fraction);
    fprintf(stderr, "\r%s [%s] %3.0f %%  %s left   ", bar->label, cells, 100 * fraction, *left ? left : "?");
    fflush(stderr);
}

void progress_end(progress_bar *bar) {
    if (bar->drawn)
        fprintf(stderr, "\r%*s\r", 78 + (int)strlen(bar->label), "");
    bar->drawn = false;
}
