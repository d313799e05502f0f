/* Characters of UTF-8, and text made fit to show. */
#include <withy/text.h>

#include <stdio.h>
#include <string.h>

size_t wy_text_character(const char *text, size_t left) {
    const unsigned char *p = (const unsigned char *)text;
    if (left == 0)
        return 0;
    if (p[0] < 0x80)
        return 1;
    const size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    const bool beyond = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
    return overlong || beyond ? 0 : n;
}

bool wy_text_is_control(const char *character, size_t length) {
    const unsigned char *p = (const unsigned char *)character;
    if (length == 1)
        return p[0] < 0x20 || p[0] == 0x7f;
    if (length == 2)
        return p[0] == 0xc2 && p[1] < 0xa0; /* U+0080 to U+009F */
    if (length != 3 || p[0] != 0xe2)
        return false;
    return (p[1] == 0x80 && (p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae))) || /* U+200E, 2028-202E */
           (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);                                       /* U+2066 to U+2069 */
}

const char *wy_text_shown(char *buffer, size_t size, const char *text, bool lines) {
    size_t at = 0;
    for (size_t left = strlen(text), step; left && size; text += step, left -= step) {
        const size_t n = wy_text_character(text, left);
        step = n ? n : 1;
        const bool stays = n && (!wy_text_is_control(text, n) || (lines && (*text == '\n' || *text == '\t')));
        if (at + (stays ? step : 4 * step) >= size)
            break;
        if (stays)
            memcpy(buffer + at, text, step);
        for (size_t i = 0; i < step && !stays; i++)
            snprintf(buffer + at + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
        at += stays ? step : 4 * step;
    }
    if (size)
        buffer[at] = 0;
    return buffer;
}
