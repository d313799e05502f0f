/* What there is to see in a recording: a rod with its poses and its section, and which way is down. The archive keeps the
 * scenario's text, and that says what the section is and how gravity acts. Part of libwithy-io. */
#ifndef WITHY_SCENE_H
#define WITHY_SCENE_H

#include <withy/archive.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wy_outline { WY_OUTLINE_ELLIPSE, WY_OUTLINE_RECTANGLE } wy_outline;

typedef struct wy_scene {
    const wy_recording *recording;
    size_t nodes;                 /* at least 1 */
    size_t position, orientation; /* which channels; orientation is SIZE_MAX where it was not recorded */
    double length;                /* m */
    const double *s;              /* arc length of each node along the unstressed rod, m */
    wy_outline outline;           /* of the section */
    const double *half_width;     /* of the section along d1 and d2 at each node, m: two numbers a node */
    double bore;                  /* a tube's inner radius over its outer one; 0: full */
    bool section_known; /* false: the scenario gives rigidities only, or cannot be read; the section drawn is then the
                                 ellipse with the same EI/EA, or a hundredth of the length across */
    bool has_gravity;
    double gravity[3]; /* m/s^2, the sum of all gravity loads */
    struct wy_scene_store *store;
} wy_scene;

/* Whether a recording has a rod to be seen: a channel `position` with three numbers a node. */
WY_API bool wy_scene_fits(const wy_recording *recording);

/* Reads the scene of a recording, which must outlive it. A recording without a rod is refused; one whose scenario cannot be
 * read any more is not. Free with wy_scene_free (NULL is allowed). */
WY_API wy_status wy_scene_open(wy_scene **scene, const wy_recording *recording, wy_error *err);
WY_API void wy_scene_free(wy_scene *scene);

/* The poses of one frame: 3 numbers a node into x, 4 into q (NULL: not wanted). Without a recorded orientation q is the
 * least turn from e3 to the direction of the rod, carried along it. */
WY_API wy_status wy_scene_poses(double *x, double *q, const wy_scene *scene, size_t frame, wy_error *err);

/* Which way is up: minus gravity's direction, or `otherwise` without gravity. A unit vector. */
WY_API void wy_scene_up(double up[3], const wy_scene *scene, const double otherwise[3]);

#ifdef __cplusplus
}
#endif

#endif
