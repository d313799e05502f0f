/* The scene of a recording: a rod with its poses and its section, and the direction of gravity. Section and gravity
 * come from the text of the scenario in the archive. Part of libwithy-io. */
#ifndef WITHY_SCENE_H
#define WITHY_SCENE_H

#include <withy/archive.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rigid body of an assembly: its channels, and its extent along its axes, m (0: not known). */
typedef struct wy_scene_body {
    size_t centre, axes;
    double half_width[3];
} wy_scene_body;

typedef struct wy_scene {
    const wy_recording *recording;
    const char *object;    /* the name of the rod; NULL: the only one */
    struct wy_scene *next; /* the next rod of an assembly; NULL: there are no more */
    size_t body_count;     /* rigid bodies of the assembly: with its first rod */
    const wy_scene_body *body;
    size_t nodes;                 /* at least 1 */
    size_t position, orientation; /* channel indices; orientation is SIZE_MAX if it was not recorded */
    double length;                /* m */
    const double *s;              /* arc length of each node along the unstressed rod, m */
    wy_outline outline;           /* of the section */
    const double *half_width;     /* of the section along d1 and d2 at each node, m: two numbers a node */
    double bore;                  /* inner over outer radius of a tube; 0: solid */
    /* false: the scenario gives rigidities only, or cannot be read; the section is then the ellipse with the same
     * EI/EA, or has a diameter of a hundredth of the length */
    bool section_known;
    bool has_gravity;
    double gravity[3]; /* m/s^2, the sum of all gravity loads */
    struct wy_scene_store *store;
} wy_scene;

/* Whether a recording has a rod: a channel `position` with three numbers per node. */
WY_API bool wy_scene_fits(const wy_recording *recording);

/* How many rods it shows. */
WY_API size_t wy_scene_rods(const wy_recording *recording);

/* Reads the scene of a recording, which must outlive it; of an assembly that of its first rod, followed by the others.
 * Gravity is that of the whole. A recording without a rod is refused; one with an unreadable
 * scenario is accepted. Free with wy_scene_free (NULL is allowed). */
WY_API wy_status wy_scene_open(wy_scene **scene, const wy_recording *recording, wy_error *err);
WY_API void wy_scene_free(wy_scene *scene);

/* The poses of one frame: 3 numbers per node into x, 4 into q (may be NULL). Without a recorded orientation q is the
 * smallest rotation from e3 to the tangent, transported in parallel along the rod. */
WY_API wy_status wy_scene_poses(double *x, double *q, const wy_scene *scene, size_t frame, wy_error *err);

/* The upward direction: opposite to gravity, or `otherwise` without gravity. A unit vector. */
WY_API void wy_scene_up(double up[3], const wy_scene *scene, const double otherwise[3]);

#ifdef __cplusplus
}
#endif

#endif
