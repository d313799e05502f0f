/* No curvature, no stretch. */
#include <withy/rod.h>

static void straight_strain(double xi[6], const void *config, double s, int side, double length) {
    (void)side;
    (void)config;
    (void)s;
    (void)length;
    for (int i = 0; i < 6; i++)
        xi[i] = i == 5 ? 1.0 : 0.0;
}

const wy_shape wy_shape_is_straight = {.entry = {.name = "straight", .doc = "The straight unstretched rod along e3."},
                                       .strain = straight_strain};
