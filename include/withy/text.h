/* Text that came from outside: what is a character, and how to show what is none. */
#ifndef WITHY_TEXT_H
#define WITHY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The length in bytes of the UTF-8 character at `text`, of which `left` bytes are there, or 0 if these bytes are none
 * (RFC 3629: shortest form, no surrogates). */
WY_API size_t wy_text_character(const char *text, size_t left);

/* True for a character (of `length` bytes) that does something instead of showing something: the control characters of
 * ASCII and of Unicode's second page, line ends and tabs among them, and the marks that turn the direction of writing. */
WY_API bool wy_text_is_control(const char *character, size_t length);

/* The text with control characters and broken bytes written as \x1b, so that a terminal shows them and obeys none; line ends
 * and tabs stay where `lines` is set. Cut to fit, at a whole character. Returns `buffer`. */
WY_API const char *wy_text_shown(char *buffer, size_t size, const char *text, bool lines);

#ifdef __cplusplus
}
#endif

#endif
