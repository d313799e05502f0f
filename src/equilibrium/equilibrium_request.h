/* The equilibrium that a configuration of a kind asks for. */
#ifndef WY_EQUILIBRIUM_REQUEST_H
#define WY_EQUILIBRIUM_REQUEST_H

#include <withy/equilibrium.h>
#include <withy/kind.h>

/* Fills `request` with defaults and lets the kind, which has an equilibrium, set it. */
static inline wy_status wy_equilibrium_request_of(wy_equilibrium_request *request, const wy_kind *kind,
                                                  const void *config, double value, const wy_samples *frame,
                                                  wy_arena *arena, wy_error *err) {
    *request = (wy_equilibrium_request){.branch = WY_BRANCH_MAIN, .mode = 1};
    wy_equilibrium_method_init(&request->method);
    return kind->equilibrium(request, config, value, frame, arena, err);
}

#endif
