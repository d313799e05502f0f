/* The models that can be exported: to add one, write its file in models/, add its row here and in CMakeLists.txt. */
#include "model.h"

#define MODELS(ROW) \
    ROW(shaft)      \
    ROW(rigid_body)

#define DECLARE(id) extern const fm_model fm_model_##id;
MODELS(DECLARE)

#define ENTRY(id) &fm_model_##id,
const fm_model *const fm_models[] = {MODELS(ENTRY) NULL};
