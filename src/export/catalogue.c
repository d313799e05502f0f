/* The table of writers: to add one, write its file in writers/ and add its row here. */
#include <withy/io.h>

#define WRITERS(ROW) \
    ROW(csv)         \
    ROW(json)        \
    ROW(gltf)        \
    ROW(vtk)         \
    ROW(obj)         \
    ROW(stl)         \
    ROW(states)

#define DECLARE(writer) extern const wy_writer wy_writer_##writer;
WRITERS(DECLARE)

#define ENTRY(writer) &wy_writer_##writer.entry,
static const wy_entry *const rows[] = {WRITERS(ENTRY) NULL};

const wy_catalogue wy_writers = {
    .name = "writers",
    .singular = "format",
    .doc = "Formats that an archive can be exported to (`withy export`).",
    .entries = rows,
};

const wy_catalogue *const wy_io_catalogues[] = {&wy_writers, &wy_report_formats, NULL};
