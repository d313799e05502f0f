/* Text from external sources: UTF-8 characters, and safe display of control characters. */
#ifndef WITHY_TEXT_H
#define WITHY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The length in bytes of the UTF-8 character at the beginning of the `left` bytes of `text`, or 0 if they are not one
 * (RFC 3629: shortest form, no surrogates). */
WY_API size_t wy_text_character(const char *text, size_t left);

/* True for a control character (of `length` bytes): those of ASCII and U+0080 to U+009F, line ends and tabs included,
 * and the marks that change the direction of writing. */
WY_API bool wy_text_is_control(const char *character, size_t length);

/* The text with control characters and broken bytes written as \x1b, so that a terminal displays them and does not
 * execute them; line ends and tabs stay if `lines` is set. Truncated to fit, at a whole character. Returns `buffer`. */
WY_API const char *wy_text_shown(char *buffer, size_t size, const char *text, bool lines);

#ifdef __cplusplus
}
#endif

#endif
