/* The table of kinds of run: to add one, write its file in the folder of its physics and add its row here. */
#include <withy/kind.h>

#define KINDS(ROW)  \
    ROW(rigid_body) \
    ROW(shaft)      \
    ROW(dynamic)    \
    ROW(static)     \
    ROW(continuation)

#define DECLARE(kind) extern const wy_kind wy_kind_##kind;
KINDS(DECLARE)

#define ENTRY(kind) &wy_kind_##kind.entry,
static const wy_entry *const kind_rows[] = {KINDS(ENTRY) NULL};

const wy_catalogue wy_kinds = {
    .name = "kinds",
    .singular = "kind",
    .doc = "What a scenario can run (`kind:`).",
    .entries = kind_rows,
};
