/* Overrides as one text: a JSON list, from which every override comes back as it was, whatever is in it. */
#ifndef WY_OVERRIDES_H
#define WY_OVERRIDES_H

#include <withy/scenario.h>

/* The list as text, from the arena; NULL when there is no memory. */
const char *wy_overrides_text(const wy_overrides *overrides, wy_arena *arena);

/* The list that such a text says; WY_CANNOT_READ if it is none. */
wy_status wy_overrides_read(wy_overrides *overrides, const char *text, wy_arena *arena, wy_error *err);

/* The same from the form before 0.3: an override a line. */
wy_status wy_overrides_read_lines(wy_overrides *overrides, const char *text, wy_arena *arena, wy_error *err);

#endif
