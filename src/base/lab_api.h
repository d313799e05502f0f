/* Internal functions that libwithy-lab calls. It is built from the same tree, with the same headers; they are exported
 * for it and are not part of the public interface. */
#ifndef WY_LAB_API_H
#define WY_LAB_API_H

#include <withy/status.h>

#define WY_LAB_API WY_API

#endif
