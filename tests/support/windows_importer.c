/* Runs on Windows (or under Wine): loads an FMU's DLL of FMI 2.0, takes fifty steps with a torque, and prints the
 * numbers of the outputs that were asked for, all their bits. LIBRARY GUID STEP INPUT VALUE OUTPUT...; the folder of
 * the resources, as a URI, is in FMU_RESOURCES. */
#define __USE_MINGW_ANSI_STDIO 1
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include "../../app/fmu/fmi2.h"

typedef fmi2Component instantiate(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *,
                                  fmi2Boolean, fmi2Boolean);
typedef fmi2Status setup(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real);
typedef fmi2Status phase(fmi2Component);
typedef fmi2Status set(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]);
typedef fmi2Status get(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]);
typedef fmi2Status advance(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
typedef void release(fmi2Component);

#define CALL(type, name) ((type *)(void *)GetProcAddress(library, name))

int main(int argc, char **argv) {
    HMODULE library = argc > 5 ? LoadLibraryA(argv[1]) : NULL;
    if (!library)
        return 2;
    const double H = strtod(argv[3], NULL), value = strtod(argv[5], NULL);
    const fmi2ValueReference input = (fmi2ValueReference)strtoul(argv[4], NULL, 10);
    const char *resources = getenv("FMU_RESOURCES");
    fmi2Component c =
        CALL(instantiate, "fmi2Instantiate")("x", fmi2CoSimulation, argv[2], resources ? resources : "", NULL, 0, 0);
    if (!c || CALL(setup, "fmi2SetupExperiment")(c, 0, 0, 0, 0, 0) || CALL(phase, "fmi2EnterInitializationMode")(c) ||
        CALL(phase, "fmi2ExitInitializationMode")(c) || CALL(set, "fmi2SetReal")(c, &input, 1, &value))
        return 3;
    for (int k = 0; k < 50; k++)
        if (CALL(advance, "fmi2DoStep")(c, H * k, H, 1))
            return 4;
    for (int i = 6; i < argc; i++) {
        const fmi2ValueReference output = (fmi2ValueReference)strtoul(argv[i], NULL, 10);
        double x;
        if (CALL(get, "fmi2GetReal")(c, &output, 1, &x))
            return 5;
        printf("%.17g\n", x);
    }
    CALL(release, "fmi2FreeInstance")(c);
    FreeLibrary(library);
    return 0;
}
