/* Linked into every test: the methods and solvers of libwithy-lab are known before main. */
#include <withy/lab.h>

__attribute__((constructor)) static void register_lab(void) {
    wy_lab_register();
}
