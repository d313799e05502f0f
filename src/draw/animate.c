/* Films: a picture for each frame through gnuplot, one after the other in a file, and ffmpeg to join them. Both work
 * in a folder of their own under names of ours; what the user calls the film is told to neither. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <withy/draw.h>
#include <withy/new_file.h>

#include "base/given.h"
#include "draw/gnuplot.h"
#include "draw/process.h"
#include "draw/sketch.h"

enum { MOST_A_SECOND = 25, LEAST_A_SECOND = 5, MOST_PICTURES = 5000, ARGUMENTS = 32 };

/* A format of films: how ffmpeg makes it, and withy's mark as something that players skip. */
typedef struct film {
    const char *ending, *file;
    const char *options[16];
    const char *mark;
    size_t mark_size;
} film;

static const char mp4_mark[] = "\0\0\0\x16"
                               "free" WY_FILE_MARK;      /* a box: its length, its name, anything */
static const char webm_mark[] = "\xec\x8e" WY_FILE_MARK; /* EBML's void, 14 bytes long */
static const char gif_mark[] = "\n" WY_FILE_MARK "\n";   /* behind the trailer */

static const film films[] = {
    {.ending = ".mp4",
     .file = "film.mp4",
     .options = {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart", NULL},
     .mark = mp4_mark,
     .mark_size = sizeof mp4_mark - 1},
    {.ending = ".webm",
     .file = "film.webm",
     .options = {"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "30", "-b:v", "0", "-deadline", "good",
                 "-cpu-used", "4", NULL},
     .mark = webm_mark,
     .mark_size = sizeof webm_mark - 1},
    {.ending = ".gif",
     .file = "film.gif",
     .options = {"-vf", "scale=700:-1:flags=lanczos,split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse",
                 NULL},
     .mark = gif_mark,
     .mark_size = sizeof gif_mark - 1},
};

static const film *film_for(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof films / sizeof *films; i++)
        if (strcmp(dot, films[i].ending) == 0)
            return &films[i];
    return NULL;
}

/* A folder of our own, with at most these two files in it. */
typedef struct workshop {
    char folder[256], pictures[300], result[300];
    bool made;
} workshop;

static wy_status workshop_open(workshop *w, const film *f, const char *path, wy_error *err) {
    const char *base = getenv("TMPDIR");
    *w = (workshop){0};
    snprintf(w->folder, sizeof w->folder, "%.200s/withy-film-XXXXXX", base && *base ? base : "/tmp");
    w->made = mkdtemp(w->folder) != NULL;
    if (!w->made)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot make a temporary folder to draw '%s': %s", path, strerror(errno));
    snprintf(w->pictures, sizeof w->pictures, "%s/pictures", w->folder);
    snprintf(w->result, sizeof w->result, "%s/%s", w->folder, f->file);
    return WY_OK;
}

static void workshop_close(const workshop *w) {
    if (!w->made)
        return;
    remove(w->pictures);
    remove(w->result);
    rmdir(w->folder);
}

/* Which frames of the recording are shown, and how many a second. */
typedef struct plan {
    size_t count;
    size_t *frames;
    double *axis;
    double rate;
} plan;

static wy_status make_plan(plan *p, const wy_recording *r, double seconds, wy_error *err) {
    double first, last;
    wy_status s = wy_recording_read(r, 0, 0, 1, &first, err);
    if (!s)
        s = wy_recording_read(r, 0, r->frames - 1, 1, &last, err);
    if (s)
        return s;
    const double duration = strcmp(r->channels[0].unit, "s") == 0 ? last - first : 0.0;
    if (!(seconds > 0.0))
        seconds = duration >= 2.0 && duration <= 20.0 ? duration : 8.0;
    const double wanted = fmin(seconds * MOST_A_SECOND, MOST_PICTURES);
    p->count = (double)r->frames < wanted ? r->frames : (size_t)wanted;
    p->count = p->count < 2 ? 2 : p->count;
    p->rate = fmax((double)p->count / seconds, LEAST_A_SECOND);
    p->frames = malloc(p->count * sizeof *p->frames);
    p->axis = malloc(p->count * sizeof *p->axis);
    if (!p->frames || !p->axis)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a film of %zu pictures", p->count);
    for (size_t i = 0; i < p->count && !s; i++) {
        p->frames[i] = (size_t)((double)i * (double)(r->frames - 1) / (double)(p->count - 1) + 0.5);
        s = wy_recording_read(r, 0, p->frames[i], 1, &p->axis[i], err);
    }
    return s;
}

static wy_status draw_pictures(FILE *out, const wy_recording *r, const plan *p, const char *path,
                               const wy_sink *progress, wy_error *err) {
    sketch k = {.r = r, .err = err};
    double bounds[6];
    wy_status s = wy_scene_open(&k.scene, r, err);
    if (!s)
        s = wy_sketch_bounds(bounds, &k, p->count, p->frames);
    for (size_t i = 0; i < p->count && !s; i++) {
        s = progress ? wy_sink_progress(progress, 0.9 * (double)i / (double)p->count, err) : WY_OK;
        if (s)
            break;
        k.report = wy_report_create(r->path, r->kind);
        if (!k.report)
            s = wy_fail(err, WY_NO_MEMORY, "no memory to draw '%s'", path);
        if (!s)
            s = wy_sketch_moment(&k, bounds, p->frames, i, p->axis[i]);
        if (!s && !wy_report_whole(k.report))
            s = wy_fail(err, WY_NO_MEMORY, "no memory to draw '%s'", path);
        if (!s)
            s = wy_gnuplot_append_png(out, (const wy_figure *const *)k.report->figures, k.report->figure_count, path,
                                      err);
        wy_report_free(k.report);
    }
    wy_scene_free(k.scene);
    return s;
}

static wy_status join(const workshop *w, FILE *pictures, const film *f, double rate, const char *path, wy_error *err) {
    char number[32];
    snprintf(number, sizeof number, "%.6g", rate);
    const char *arguments[ARGUMENTS] = {"ffmpeg",     "-nostdin", "-hide_banner", "-loglevel",  "error", "-y", "-f",
                                        "image2pipe", "-c:v",     "png",          "-framerate", number,  "-i", "-"};
    size_t n = 14;
    for (size_t i = 0; f->options[i] && n + 2 < ARGUMENTS; i++)
        arguments[n++] = f->options[i];
    arguments[n] = f->file;
    FILE *said = tmpfile();
    if (!said)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot make a temporary file to draw '%s': %s", path, strerror(errno));
    const int code = wy_process_run(arguments, pictures, said, said, w->folder);
    char line[256];
    wy_process_first_words(line, sizeof line, said);
    fclose(said);
    if (code == PROCESS_MISSING)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': ffmpeg is not installed (package ffmpeg)", path);
    if (code != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': ffmpeg says: %s", path, line);
    return WY_OK;
}

/* From the workshop to where the user wants it, with the mark. */
static wy_status deliver(const workshop *w, const film *f, const char *path, wy_error *err) {
    FILE *from = fopen(w->result, "rb");
    if (!from)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': ffmpeg left no film", path);
    wy_new_file *file;
    wy_status s = wy_new_file_open(&file, path, err);
    if (!s) {
        FILE *to = wy_new_file_stream(file);
        char block[16384];
        size_t n, all = 0;
        while ((n = fread(block, 1, sizeof block, from)) > 0)
            all += fwrite(block, 1, n, to);
        fwrite(f->mark, 1, f->mark_size, to);
        if (ferror(from) || all == 0)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': the film is not whole (is the disk full?)", path);
        if (s)
            wy_new_file_abandon(file);
        else
            s = wy_new_file_finish(file, true, err);
    }
    fclose(from);
    return s;
}

/* Before the pictures are drawn, which takes a while. */
static wy_status find_ffmpeg(const char *path, wy_error *err) {
    static const char *const arguments[] = {"ffmpeg", "-version", NULL};
    FILE *in = tmpfile(), *said = tmpfile();
    const int code = in && said ? wy_process_run(arguments, in, said, said, NULL) : 0;
    if (in)
        fclose(in);
    if (said)
        fclose(said);
    if (code == PROCESS_MISSING)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': ffmpeg is not installed (package ffmpeg)", path);
    return WY_OK;
}

wy_status wy_animate(const wy_recording *r, const char *path, double seconds, const wy_sink *progress, wy_error *err) {
    WY_GIVEN(r && path, err);
    const film *f = film_for(path);
    if (!f)
        return wy_fail(err, WY_BAD_INPUT, "'%s': the film's name must end in .mp4, .webm or .gif", path);
    if (!(seconds >= 0.0 && seconds <= 3600.0))
        return wy_fail(err, WY_BAD_INPUT, "a film of %g s was asked for, expected at most an hour", seconds);
    if (r->frames < 2)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has %zu frame%s: nothing moves", r->path, r->frames,
                       r->frames == 1 ? "" : "s");
    if (!wy_scene_fits(r))
        return wy_fail(err, WY_BAD_INPUT, "'%s' is a run of kind '%s', which has no rod in space to be seen", r->path,
                       r->kind);
    workshop w = {0};
    plan p = {0};
    FILE *pictures = NULL;
    wy_status s = find_ffmpeg(path, err);
    if (!s)
        s = make_plan(&p, r, seconds, err);
    if (!s)
        s = workshop_open(&w, f, path, err);
    if (!s && !(pictures = fopen(w.pictures, "w+bx")))
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", w.pictures, strerror(errno));
    if (!s)
        s = draw_pictures(pictures, r, &p, path, progress, err);
    if (!s)
        s = join(&w, pictures, f, p.rate, path, err);
    if (!s)
        s = deliver(&w, f, path, err);
    if (pictures)
        fclose(pictures);
    workshop_close(&w);
    free(p.frames);
    free(p.axis);
    return s;
}
