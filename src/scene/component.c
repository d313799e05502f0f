/* Names and units of the components of channels, from what a channel says of itself. */
#include "scene/component.h"

#include <stdio.h>
#include <string.h>

size_t wy_component_count(const wy_channel *c) {
    return c->rank == 2 ? c->dims[1] : c->rank == 1 ? c->dims[0] : 1;
}

/* The words of "[kappa; nu] of the elements": lengths 0 where the description does not begin so. */
static void bracketed(const char *doc, const char *words[2], int lengths[2]) {
    lengths[0] = lengths[1] = 0;
    if (doc[0] != '[')
        return;
    words[0] = doc + 1;
    const size_t first = strcspn(words[0], ";]");
    if (words[0][first] != ';' || words[0][first + 1] != ' ')
        return;
    words[1] = words[0] + first + 2;
    const size_t second = strcspn(words[1], ";]");
    if (words[1][second] != ']' || first == 0 || second == 0 || first > 40 || second > 40)
        return;
    lengths[0] = (int)first;
    lengths[1] = (int)second;
}

const char *wy_component_name(char *buffer, size_t size, const wy_channel *c, size_t k) {
    const size_t count = wy_component_count(c);
    const char *words[2];
    int lengths[2];
    bracketed(c->doc, words, lengths);
    if (count == 6 && lengths[0])
        snprintf(buffer, size, "%.*s%zu", lengths[k / 3], words[k / 3], k % 3 + 1);
    else if (count == 3 && strstr(c->doc, "body"))
        snprintf(buffer, size, "d%zu", k + 1);
    else if (count == 3)
        snprintf(buffer, size, "%c", (int)('x' + k));
    else if (count == 2 && c->group && strcmp(c->group, "ends") == 0)
        snprintf(buffer, size, "%s", k ? "last" : "first");
    else
        snprintf(buffer, size, "%zu", k);
    return buffer;
}

const char *wy_component_unit(char *buffer, size_t size, const wy_channel *c, size_t k) {
    const char *comma = strstr(c->unit, ", ");
    if (!comma)
        snprintf(buffer, size, "%s", c->unit);
    else if (k < wy_component_count(c) / 2)
        snprintf(buffer, size, "%.*s", (int)(comma - c->unit), c->unit);
    else
        snprintf(buffer, size, "%s", comma + 2);
    return buffer;
}
