/* The kinds of scenario that can be exported: to add one, write its file in kinds/, add its row here and in
 * CMakeLists.txt. */
#include "scenario.h"

#define KINDS(ROW)  \
    ROW(shaft)      \
    ROW(rigid_body) \
    ROW(dynamic)

#define DECLARE(id) extern const fm_kind fm_kind_##id;
KINDS(DECLARE)

#define ENTRY(id) &fm_kind_##id,
const fm_kind *const fm_kinds[] = {KINDS(ENTRY) NULL};
