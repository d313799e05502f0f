/* wy_write: checks a selection of frames and channels for every writer, then calls it. */
#include <string.h>

#include <withy/scene.h>
#include <withy/writer.h>

#include "base/given.h"

wy_status wy_write(const wy_writer *writer, const wy_selection *selection, wy_output *out, const wy_files *files,
                   wy_error *err) {
    WY_GIVEN(writer && selection, err);
    const wy_recording *r = selection->recording;
    if (selection->first > r->frames || selection->frames > r->frames - selection->first)
        return wy_fail(err, WY_BAD_INPUT, "frames %zu to %zu of '%s' asked for, and there are %zu", selection->first,
                       selection->first + selection->frames, r->path, r->frames);
    for (size_t i = 0; i < selection->channel_count; i++)
        if (selection->channels[i] >= r->channel_count)
            return wy_fail(err, WY_BAD_INPUT, "channel %zu of '%s' asked for, and there are %zu",
                           selection->channels[i], r->path, r->channel_count);
    if ((writer->traits & WY_WRITES_SHAPE) && !(writer->traits & WY_WRITES_RODS) && wy_scene_rods(r) > 1)
        return wy_fail(err, WY_UNSUPPORTED, "'%s' has %zu rods, and the format '%s' takes one", r->path,
                       wy_scene_rods(r), writer->entry.name);
    if ((writer->traits & WY_WRITES_SHAPE) && !wy_scene_fits(r))
        return wy_fail(err, WY_BAD_INPUT,
                       "'%s' is a run of kind '%s' with %zu frames: it has no rod in space, which %s is for", r->path,
                       r->kind, r->frames, writer->entry.name);
    if ((writer->traits & WY_WRITES_SHAPE) && !(selection->scale > 0.0 && selection->scale < 1e300))
        return wy_fail(err, WY_BAD_INPUT, "a scale of %g was asked for, expected a positive number", selection->scale);
    if ((writer->traits & WY_WRITES_ONE_FRAME) && selection->frames != 1)
        return wy_fail(err, WY_BAD_INPUT, "%s holds one frame, and %zu were asked for", writer->entry.name,
                       selection->frames);
    if (writer->write ? !out : !files)
        return wy_fail(err, WY_BAD_INPUT, "%s writes %s, and no place for that was given", writer->entry.name,
                       writer->write ? "one file" : "several files");
    return writer->write ? writer->write(selection, out, err) : writer->write_files(selection, files, err);
}
