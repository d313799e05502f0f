/* What the elements of a mesh show of a bent rod in tension. */
#include "estimate/resolution.h"

#include <math.h>

double wy_bending_layer(double EI, double T) {
    return T > 0.0 ? sqrt(EI / T) : INFINITY;
}

void wy_resolution_add(wy_resolution *worst, double length, double middle, double turn, double EI, double T) {
    if (turn > worst->turn) {
        worst->turn = turn;
        worst->turn_at = middle;
    }
    const double by_layer = T > 0.0 ? length * sqrt(T / EI) : 0.0;
    if (by_layer > worst->by_layer) {
        worst->by_layer = by_layer;
        worst->by_layer_at = middle;
    }
}
