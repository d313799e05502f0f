/* The version of withy. The build system reads the three numbers from this file. */
#ifndef WITHY_VERSION_H
#define WITHY_VERSION_H

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WY_VERSION_MAJOR 0
#define WY_VERSION_MINOR 2
#define WY_VERSION_PATCH 0

/* The version of the library that is running, as "major.minor.patch". Never NULL; not to be freed. */
WY_API const char *wy_version(void);

#ifdef __cplusplus
}
#endif

#endif
