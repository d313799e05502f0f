/* Checks of arguments that must not be NULL. */
#ifndef WY_GIVEN_H
#define WY_GIVEN_H

#include <withy/status.h>

/* Ends the function with WY_BAD_INPUT and a sentence unless all pointers are there: WY_GIVEN(rod && state, err). */
#define WY_GIVEN(all, err)                                                          \
    do {                                                                            \
        if (!(all))                                                                 \
            return wy_fail(err, WY_BAD_INPUT, "%s: an argument is NULL", __func__); \
    } while (0)

#endif
