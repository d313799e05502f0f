/* The C interface of FMI 2.0.5 for co-simulation, declared from the text of the standard. Model exchange is not
 * offered; its functions are missing, as the standard allows. */
#ifndef WITHY_FMI2_H
#define WITHY_FMI2_H

#include <stddef.h>

/* A static library of several FMUs puts a prefix before each name: compile with -DFMI2_FUNCTION_PREFIX=shaft_. */
#if defined(FMI2_FUNCTION_PREFIX) && !defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI2_PASTE_(a, b) a##b
#define FMI2_PASTE(a, b) FMI2_PASTE_(a, b)
#define FMI2_NAME(name) FMI2_PASTE(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI2_NAME(name) name
#endif

#if defined(_WIN32)
#define FMI2_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_EXPORT __attribute__((visibility("default")))
#else
#define FMI2_EXPORT
#endif

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;
enum { fmi2False = 0, fmi2True = 1 };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String instanceName, fmi2Status status,
                                   fmi2String category, fmi2String message, ...);
typedef void *(*fmi2CallbackAllocateMemory)(size_t count, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void *memory);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment, fmi2Status status);

typedef struct {
    fmi2CallbackLogger logger;
    fmi2CallbackAllocateMemory allocateMemory;
    fmi2CallbackFreeMemory freeMemory;
    fmi2StepFinished stepFinished;
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

/* Every function, as RESULT, NAME, PARAMETERS: for the declarations here and the importer of the tests. */
#define FMI2_FUNCTIONS(ROW)                                                                                       \
    ROW(const char *, fmi2GetTypesPlatform, (void))                                                               \
    ROW(const char *, fmi2GetVersion, (void))                                                                     \
    ROW(fmi2Status, fmi2SetDebugLogging, (fmi2Component, fmi2Boolean, size_t, const fmi2String[]))                \
    ROW(fmi2Component, fmi2Instantiate,                                                                           \
        (fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *, fmi2Boolean, fmi2Boolean))  \
    ROW(void, fmi2FreeInstance, (fmi2Component))                                                                  \
    ROW(fmi2Status, fmi2SetupExperiment, (fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real)) \
    ROW(fmi2Status, fmi2EnterInitializationMode, (fmi2Component))                                                 \
    ROW(fmi2Status, fmi2ExitInitializationMode, (fmi2Component))                                                  \
    ROW(fmi2Status, fmi2Terminate, (fmi2Component))                                                               \
    ROW(fmi2Status, fmi2Reset, (fmi2Component))                                                                   \
    ROW(fmi2Status, fmi2GetReal, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]))                 \
    ROW(fmi2Status, fmi2GetInteger, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Integer[]))           \
    ROW(fmi2Status, fmi2GetBoolean, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Boolean[]))           \
    ROW(fmi2Status, fmi2GetString, (fmi2Component, const fmi2ValueReference[], size_t, fmi2String[]))             \
    ROW(fmi2Status, fmi2SetReal, (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]))           \
    ROW(fmi2Status, fmi2SetInteger, (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[]))     \
    ROW(fmi2Status, fmi2SetBoolean, (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Boolean[]))     \
    ROW(fmi2Status, fmi2SetString, (fmi2Component, const fmi2ValueReference[], size_t, const fmi2String[]))       \
    ROW(fmi2Status, fmi2GetFMUstate, (fmi2Component, fmi2FMUstate *))                                             \
    ROW(fmi2Status, fmi2SetFMUstate, (fmi2Component, fmi2FMUstate))                                               \
    ROW(fmi2Status, fmi2FreeFMUstate, (fmi2Component, fmi2FMUstate *))                                            \
    ROW(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component, fmi2FMUstate, size_t *))                          \
    ROW(fmi2Status, fmi2SerializeFMUstate, (fmi2Component, fmi2FMUstate, fmi2Byte[], size_t))                     \
    ROW(fmi2Status, fmi2DeSerializeFMUstate, (fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate *))           \
    ROW(fmi2Status, fmi2GetDirectionalDerivative,                                                                 \
        (fmi2Component, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t, const fmi2Real[], \
         fmi2Real[]))                                                                                             \
    ROW(fmi2Status, fmi2SetRealInputDerivatives,                                                                  \
        (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], const fmi2Real[]))               \
    ROW(fmi2Status, fmi2GetRealOutputDerivatives,                                                                 \
        (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], fmi2Real[]))                     \
    ROW(fmi2Status, fmi2DoStep, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean))                                 \
    ROW(fmi2Status, fmi2CancelStep, (fmi2Component))                                                              \
    ROW(fmi2Status, fmi2GetStatus, (fmi2Component, const fmi2StatusKind, fmi2Status *))                           \
    ROW(fmi2Status, fmi2GetRealStatus, (fmi2Component, const fmi2StatusKind, fmi2Real *))                         \
    ROW(fmi2Status, fmi2GetIntegerStatus, (fmi2Component, const fmi2StatusKind, fmi2Integer *))                   \
    ROW(fmi2Status, fmi2GetBooleanStatus, (fmi2Component, const fmi2StatusKind, fmi2Boolean *))                   \
    ROW(fmi2Status, fmi2GetStringStatus, (fmi2Component, const fmi2StatusKind, fmi2String *))

#endif
