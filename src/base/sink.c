/* Handing frames over, and the gate that no NaN passes. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <withy/kind.h>

#include "base/given.h"

size_t wy_channel_size(const wy_channel *channel) {
    size_t n = 1;
    for (size_t i = 0; i < channel->rank; i++)
        n *= channel->dims[i];
    return n;
}

/* last_end.force is another way to write last_end_force. */
static bool is_same(const char *given, const char *name) {
    while (*name && (*given == *name || (*given == '.' && *name == '_'))) {
        given++;
        name++;
    }
    return !*given && !*name;
}

enum { OBJECT_AND_NAME = 160 };

static const char *object_and_name(char text[OBJECT_AND_NAME], const wy_channel *c) {
    snprintf(text, OBJECT_AND_NAME, "%s%s%s", c->object ? c->object : "", c->object ? "/" : "", c->name);
    return text;
}

const char *wy_channel_path(char *path, size_t size, const wy_channel *c) {
    snprintf(path, size, "%s%s%s%s%s", c->object ? c->object : "", c->object ? "/" : "", c->group ? c->group : "",
             c->group ? "/" : "", c->name);
    return path;
}

/* "momentum", "state/momentum", and what has an object: "leg/momentum", "leg/state/momentum". */
static bool is_called(const wy_channel *c, const char *name) {
    if (c->object) {
        const size_t length = strlen(c->object);
        if (strncmp(name, c->object, length) != 0 || (name[length] != '/' && name[length] != '.'))
            return false;
        name += length + 1;
    }
    const size_t n = c->group ? strlen(c->group) : 0;
    return is_same(name, c->name) ||
           (n && strncmp(name, c->group, n) == 0 && name[n] == '/' && is_same(name + n + 1, c->name));
}

wy_status wy_channel_find(size_t *index, const wy_channel *channels, size_t count, const char *name, wy_error *err) {
    WY_GIVEN(index && (channels || !count) && name, err);
    wy_nearest nearest = {.wanted = name};
    char name_here[OBJECT_AND_NAME], best[OBJECT_AND_NAME];
    for (size_t i = 0; i < count; i++) {
        if (is_called(&channels[i], name)) {
            *index = i;
            return WY_OK;
        }
        wy_nearest_offer(&nearest, object_and_name(name_here, &channels[i]));
        if (nearest.best == name_here)
            nearest.best = strcpy(best, name_here);
    }
    const char *slash = strrchr(name, '/'), *now = wy_channel_renamed(NULL, slash ? slash + 1 : name);
    if (now)
        return wy_fail(err, WY_BAD_INPUT, "the channel '%s' is called '%s' now", name, now);
    char list[600] = "";
    for (size_t i = 0, used = 0; i < count && used < sizeof list - 1; i++, used = strlen(list))
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", object_and_name(name_here, &channels[i]));
    const bool cut = strlen(list) == sizeof list - 1;
    return wy_fail(err, WY_BAD_INPUT, "there is no channel '%.100s'%s%s%s; there are %s%s", name,
                   nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "", nearest.best ? "'?" : "",
                   list, cut ? " ..." : "");
}

wy_status wy_sink_begin(const wy_sink *sink, const wy_channel *channels, size_t count, wy_error *err) {
    return sink && sink->begin ? sink->begin(sink->context, channels, count, err) : WY_OK;
}

wy_status wy_sink_frame(const wy_sink *sink, const wy_channel *channels, size_t count, const double *const *values,
                        wy_error *err) {
    WY_GIVEN((channels && values) || !count, err);
    for (size_t c = 0; c < count; c++) {
        const size_t n = wy_channel_size(&channels[c]);
        for (size_t i = 0; i < n; i++)
            if (!isfinite(values[c][i]))
                return wy_fail(err, WY_NOT_FINITE, "'%s' component %zu became %g at %s = %.9g %s", channels[c].name, i,
                               values[c][i], channels[0].name, values[0][0], channels[0].unit);
    }
    return sink && sink->frame ? sink->frame(sink->context, values, err) : WY_OK;
}

wy_status wy_sink_checkpoint(const wy_sink *sink, const wy_checkpoint_block *parts, size_t count, wy_error *err) {
    return sink && sink->checkpoint ? sink->checkpoint(sink->context, parts, count, err) : WY_OK;
}

wy_status wy_sink_resume(bool *resumed, const wy_sink *sink, const wy_checkpoint_block *parts, size_t count,
                         wy_error *err) {
    WY_GIVEN(resumed && (parts || !count), err);
    *resumed = false;
    if (!sink || !sink->resume_data)
        return WY_OK;
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    if (size != sink->resume_size)
        return wy_fail(err, WY_BAD_INPUT, "what was kept to go on from has %zu bytes, this run needs %zu",
                       sink->resume_size, size);
    const char *at = sink->resume_data;
    for (size_t i = 0; i < count; i++) {
        memcpy(parts[i].data, at, parts[i].size);
        at += parts[i].size;
    }
    *resumed = true;
    return WY_OK;
}

wy_status wy_sink_progress(const wy_sink *sink, double fraction, wy_error *err) {
    if (sink && sink->progress && sink->progress(sink->context, fraction))
        return wy_fail(err, WY_CANCELLED, "stopped at %.1f %% as asked", 100.0 * fraction);
    return WY_OK;
}

static void say(void (*hear)(void *context, const char *text), void *context, const char *format, va_list args) {
    char text[WY_ERROR_TEXT];
    vsnprintf(text, sizeof text, format, args);
    hear(context, text);
}

void wy_sink_note(const wy_sink *sink, const char *format, ...) {
    if (!sink || !sink->note)
        return;
    va_list args;
    va_start(args, format);
    say(sink->note, sink->context, format, args);
    va_end(args);
}

void wy_sink_warn(const wy_sink *sink, const char *format, ...) {
    if (!sink || (!sink->warning && !sink->note))
        return;
    va_list args;
    va_start(args, format);
    say(sink->warning ? sink->warning : sink->note, sink->context, format, args);
    va_end(args);
}
