/* Handing frames over, and the gate that no NaN passes. */
#include <math.h>

#include <withy/kind.h>

size_t wy_channel_size(const wy_channel *channel) {
    size_t n = 1;
    for (size_t i = 0; i < channel->rank; i++)
        n *= channel->dims[i];
    return n;
}

wy_status wy_sink_begin(const wy_sink *sink, const wy_channel *channels, size_t count, wy_error *err) {
    return sink && sink->begin ? sink->begin(sink->context, channels, count, err) : WY_OK;
}

wy_status wy_sink_frame(const wy_sink *sink, const wy_channel *channels, size_t count, const double *const *values,
                        wy_error *err) {
    for (size_t c = 0; c < count; c++) {
        const size_t n = wy_channel_size(&channels[c]);
        for (size_t i = 0; i < n; i++)
            if (!isfinite(values[c][i]))
                return wy_fail(err, WY_NOT_FINITE, "'%s' component %zu became %g at %s = %.9g %s", channels[c].name, i,
                               values[c][i], channels[0].name, values[0][0], channels[0].unit);
    }
    return sink && sink->frame ? sink->frame(sink->context, values, err) : WY_OK;
}

wy_status wy_sink_progress(const wy_sink *sink, double fraction, wy_error *err) {
    if (sink && sink->progress && sink->progress(sink->context, fraction))
        return wy_fail(err, WY_CANCELLED, "stopped at %.1f %% as asked", 100.0 * fraction);
    return WY_OK;
}
