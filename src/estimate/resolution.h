/* What the elements of a mesh show of a bent rod in tension, known before any other mesh is tried.
 * docs/math/certificate.md, "What the elements show". Internal. */
#ifndef WY_ESTIMATE_RESOLUTION_H
#define WY_ESTIMATE_RESOLUTION_H

#include "base/channel_table.h"

/* The worst elements so far. */
typedef struct wy_resolution {
    double turn, turn_at;         /* largest bend or twist within an element, rad, and the middle of that element, m */
    double by_layer, by_layer_at; /* largest ratio of an element to its bending layer sqrt(EI/T), and where, m */
} wy_resolution;

/* The bending layer of a rod with the lesser rigidity EI under the tension T, m; infinite without tension. */
double wy_bending_layer(double EI, double T);

void wy_resolution_add(wy_resolution *worst, double length, double middle, double turn, double EI, double T);

/* Its rows in a table of channels; `member`: the wy_resolution in the run. */
#define WY_RESOLUTION_ROWS(run, member)                                                                          \
    WY_CHANNEL(run, member.turn, .group = "certificate", .name = "turn_per_element", .unit = "rad",              \
               .doc = "Largest bend or twist within an element (of a motion, in the frames so far)."),           \
        WY_CHANNEL(run, member.by_layer, .group = "certificate", .name = "element_to_layer_ratio", .unit = "1",  \
                   .doc = "Largest length of an element, relative to the bending layer sqrt(EI/T) there; 0: no " \
                          "tension."),                                                                           \
        WY_CHANNEL(run, member.by_layer_at, .group = "certificate", .name = "layer_at", .unit = "m",             \
                   .doc = "Arc length of that element.")

#endif
