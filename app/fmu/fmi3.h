/* The C interface of FMI 3.0.2, declared from the text of the standard. All of its functions are there, because
 * importers look all of them up; those of model exchange, scheduled execution, clocks and events refuse. */
#ifndef WITHY_FMI3_H
#define WITHY_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A static library of several FMUs puts a prefix before each name: compile with -DFMI3_FUNCTION_PREFIX=shaft_. */
#if defined(FMI3_FUNCTION_PREFIX) && !defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#define FMI3_PASTE_(a, b) a##b
#define FMI3_PASTE(a, b) FMI3_PASTE_(a, b)
#define FMI3_NAME(name) FMI3_PASTE(FMI3_FUNCTION_PREFIX, name)
#else
#define FMI3_NAME(name) name
#endif

#if defined(_WIN32)
#define FMI3_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3_EXPORT __attribute__((visibility("default")))
#else
#define FMI3_EXPORT
#endif

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time, fmi3Boolean setRequested,
                                               fmi3Boolean getAllowed, fmi3Boolean stepFinished,
                                               fmi3Boolean canReturnEarly, fmi3Boolean *earlyReturnRequested,
                                               fmi3Float64 *earlyReturnTime);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* What co-simulation uses, as RESULT, NAME, PARAMETERS: for the declarations here and the importer of the tests. */
#define FMI3_FUNCTIONS(ROW)                                                                                          \
    ROW(const char *, fmi3GetVersion, (void))                                                                        \
    ROW(fmi3Status, fmi3SetDebugLogging, (fmi3Instance, fmi3Boolean, size_t, const fmi3String[]))                    \
    ROW(fmi3Instance, fmi3InstantiateModelExchange,                                                                  \
        (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment,                      \
         fmi3LogMessageCallback))                                                                                    \
    ROW(fmi3Instance, fmi3InstantiateCoSimulation,                                                                   \
        (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean,                     \
         const fmi3ValueReference[], size_t, fmi3InstanceEnvironment, fmi3LogMessageCallback,                        \
         fmi3IntermediateUpdateCallback))                                                                            \
    ROW(fmi3Instance, fmi3InstantiateScheduledExecution,                                                             \
        (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment,                      \
         fmi3LogMessageCallback, fmi3ClockUpdateCallback, fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback)) \
    ROW(void, fmi3FreeInstance, (fmi3Instance))                                                                      \
    ROW(fmi3Status, fmi3EnterInitializationMode,                                                                     \
        (fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64))                             \
    ROW(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance))                                                      \
    ROW(fmi3Status, fmi3Terminate, (fmi3Instance))                                                                   \
    ROW(fmi3Status, fmi3Reset, (fmi3Instance))                                                                       \
    ROW(fmi3Status, fmi3GetFloat32, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float32[], size_t))       \
    ROW(fmi3Status, fmi3GetFloat64, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[], size_t))       \
    ROW(fmi3Status, fmi3GetInt8, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Int8[], size_t))             \
    ROW(fmi3Status, fmi3GetUInt8, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt8[], size_t))           \
    ROW(fmi3Status, fmi3GetInt16, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Int16[], size_t))           \
    ROW(fmi3Status, fmi3GetUInt16, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt16[], size_t))         \
    ROW(fmi3Status, fmi3GetInt32, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Int32[], size_t))           \
    ROW(fmi3Status, fmi3GetUInt32, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt32[], size_t))         \
    ROW(fmi3Status, fmi3GetInt64, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Int64[], size_t))           \
    ROW(fmi3Status, fmi3GetUInt64, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64[], size_t))         \
    ROW(fmi3Status, fmi3GetBoolean, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3Boolean[], size_t))       \
    ROW(fmi3Status, fmi3GetString, (fmi3Instance, const fmi3ValueReference[], size_t, fmi3String[], size_t))         \
    ROW(fmi3Status, fmi3SetFloat32, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float32[], size_t)) \
    ROW(fmi3Status, fmi3SetFloat64, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float64[], size_t)) \
    ROW(fmi3Status, fmi3SetInt8, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int8[], size_t))       \
    ROW(fmi3Status, fmi3SetUInt8, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt8[], size_t))     \
    ROW(fmi3Status, fmi3SetInt16, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int16[], size_t))     \
    ROW(fmi3Status, fmi3SetUInt16, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt16[], size_t))   \
    ROW(fmi3Status, fmi3SetInt32, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int32[], size_t))     \
    ROW(fmi3Status, fmi3SetUInt32, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt32[], size_t))   \
    ROW(fmi3Status, fmi3SetInt64, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int64[], size_t))     \
    ROW(fmi3Status, fmi3SetUInt64, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt64[], size_t))   \
    ROW(fmi3Status, fmi3SetBoolean, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Boolean[], size_t)) \
    ROW(fmi3Status, fmi3SetString, (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3String[], size_t))   \
    ROW(fmi3Status, fmi3GetNumberOfVariableDependencies, (fmi3Instance, fmi3ValueReference, size_t *))               \
    ROW(fmi3Status, fmi3GetVariableDependencies,                                                                     \
        (fmi3Instance, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[], fmi3DependencyKind[], size_t))  \
    ROW(fmi3Status, fmi3GetFMUState, (fmi3Instance, fmi3FMUState *))                                                 \
    ROW(fmi3Status, fmi3SetFMUState, (fmi3Instance, fmi3FMUState))                                                   \
    ROW(fmi3Status, fmi3FreeFMUState, (fmi3Instance, fmi3FMUState *))                                                \
    ROW(fmi3Status, fmi3SerializedFMUStateSize, (fmi3Instance, fmi3FMUState, size_t *))                              \
    ROW(fmi3Status, fmi3SerializeFMUState, (fmi3Instance, fmi3FMUState, fmi3Byte[], size_t))                         \
    ROW(fmi3Status, fmi3DeserializeFMUState, (fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState *))               \
    ROW(fmi3Status, fmi3GetDirectionalDerivative,                                                                    \
        (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t, const fmi3Float64[],  \
         size_t, fmi3Float64[], size_t))                                                                             \
    ROW(fmi3Status, fmi3GetAdjointDerivative,                                                                        \
        (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t, const fmi3Float64[],  \
         size_t, fmi3Float64[], size_t))                                                                             \
    ROW(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance))                                                      \
    ROW(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance))                                                       \
    ROW(fmi3Status, fmi3GetOutputDerivatives,                                                                        \
        (fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int32[], fmi3Float64[], size_t))                \
    ROW(fmi3Status, fmi3DoStep,                                                                                      \
        (fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,           \
         fmi3Float64 *))

#endif
