/* Joint `rigid`: what it joins keeps its relative position and rotation. */
#include <withy/assembly.h>

typedef struct rigid_joint {
    wy_texts between;
} rigid_joint;

static const wy_param rigid_joint_params[] = {
    WY_PARAM(rigid_joint, between, .key = "between",
             .doc = "Ends of rods (`leg.first`, `leg.last`), rigid bodies (`plate`) and `ground`: two or more. Ends "
                    "must meet, unless they are attached to a rigid body.",
             .type = WY_TYPE_TEXTS),
    {0},
};

const wy_joint wy_joint_is_rigid = {.entry = {.name = "rigid",
                                              .doc = "Relative position and rotation stay as at the start.",
                                              .params = rigid_joint_params,
                                              .config_size = sizeof(rigid_joint)},
                                    .constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION};
