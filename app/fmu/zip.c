/* ZIP archives: local headers with the data, then the central directory, then its end. All numbers little-endian. */
#include "zip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "deflate.h"

typedef struct zip_entry {
    char *name;
    uint32_t crc, size, packed, offset; /* packed: bytes in the archive */
} zip_entry;

struct fm_zip {
    FILE *file;
    zip_entry *entries;
    size_t count, capacity;
    uint32_t at;
    bool bad;
};

fm_zip *fm_zip_begin(FILE *file) {
    fm_zip *zip = calloc(1, sizeof *zip);
    if (zip)
        zip->file = file;
    return zip;
}

/* CRC-32 with the reflected polynomial 0xEDB88320, a bit at a time: an FMU is small. */
static uint32_t crc32_of(const unsigned char *bytes, size_t size) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

static void put_bytes(fm_zip *zip, const void *bytes, size_t size) {
    if (size && fwrite(bytes, 1, size, zip->file) != size)
        zip->bad = true;
    zip->at += (uint32_t)size;
}

static void put(fm_zip *zip, uint32_t value, int bytes) {
    unsigned char b[4];
    for (int i = 0; i < bytes; i++)
        b[i] = (unsigned char)(value >> (8 * i));
    put_bytes(zip, b, (size_t)bytes);
}

enum { ZIP_VERSION = 20, ZIP_DATE = 1 << 5 | 1 }; /* 1980-01-01 */

/* What a local header and a directory entry have in common. */
static void put_entry(fm_zip *zip, const zip_entry *e) {
    put(zip, ZIP_VERSION, 2);
    put(zip, 0x0800, 2);                      /* names are UTF-8 */
    put(zip, e->packed < e->size ? 8 : 0, 2); /* deflated, or stored */
    put(zip, 0, 2);
    put(zip, ZIP_DATE, 2);
    put(zip, e->crc, 4);
    put(zip, e->packed, 4);
    put(zip, e->size, 4);
    put(zip, (uint32_t)strlen(e->name), 2);
    put(zip, 0, 2); /* no extra field */
}

void fm_zip_add(fm_zip *zip, const char *name, const void *bytes, size_t size) {
    if (zip->count == zip->capacity) {
        const size_t capacity = zip->capacity ? 2 * zip->capacity : 16;
        zip_entry *bigger = realloc(zip->entries, capacity * sizeof *bigger);
        if (!bigger) {
            zip->bad = true;
            return;
        }
        zip->entries = bigger;
        zip->capacity = capacity;
    }
    zip_entry *e = &zip->entries[zip->count];
    const size_t length = strlen(name) + 1;
    *e = (zip_entry){.name = malloc(length), .crc = crc32_of(bytes, size), .size = (uint32_t)size, .offset = zip->at};
    e->packed = e->size;
    if (!e->name || size > 0x7fffffffu - zip->at || length > 0xffff || zip->count == 0xffff) {
        free(e->name);
        zip->bad = true;
        return;
    }
    memcpy(e->name, name, length);
    zip->count++;
    size_t shorter;
    unsigned char *packed = NULL;
    if (zip->count > 1 && !fm_deflate(&packed, &shorter, bytes, size))
        zip->bad = true;
    if (packed)
        e->packed = (uint32_t)shorter;
    put(zip, 0x04034b50, 4);
    put_entry(zip, e);
    put_bytes(zip, name, length - 1);
    put_bytes(zip, packed ? packed : bytes, e->packed);
    free(packed);
}

bool fm_zip_end(fm_zip *zip) {
    const uint32_t directory = zip->at;
    for (size_t i = 0; i < zip->count; i++) {
        const zip_entry *e = &zip->entries[i];
        put(zip, 0x02014b50, 4);
        put(zip, 3 << 8 | ZIP_VERSION, 2); /* made on Unix */
        put_entry(zip, e);
        put(zip, 0, 2); /* no comment */
        put(zip, 0, 2); /* on the first disk */
        put(zip, 0, 2);
        put(zip, 0100644u << 16, 4); /* a plain file, rw-r--r-- */
        put(zip, e->offset, 4);
        put_bytes(zip, e->name, strlen(e->name));
    }
    const uint32_t size = zip->at - directory;
    put(zip, 0x06054b50, 4);
    put(zip, 0, 4);
    put(zip, (uint32_t)zip->count, 2);
    put(zip, (uint32_t)zip->count, 2);
    put(zip, size, 4);
    put(zip, directory, 4);
    put(zip, 0, 2);
    const bool good = !zip->bad;
    for (size_t i = 0; i < zip->count; i++)
        free(zip->entries[i].name);
    free(zip->entries);
    free(zip);
    return good;
}
