/* The functions of FMI 3.0 that this FMU has no use for: it has no events, clocks, binary variables or continuous
 * states to hand out. Importers look all of them up, so they are there, and refuse. */
#include "fmi3.h"

#include "core.h"

static fmi3Status refuse3(fmi3Instance f, const char *name) {
    if (f)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: this FMU has no events, clocks, binary variables or continuous states",
               name);
    return fmi3Error;
}

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#define REFUSE(name, parameters)                        \
    FMI3_EXPORT fmi3Status FMI3_NAME(name) parameters;  \
    FMI3_EXPORT fmi3Status FMI3_NAME(name) parameters { \
        return refuse3(f, #name);                       \
    }

REFUSE(fmi3EnterEventMode, (fmi3Instance f))
REFUSE(fmi3GetBinary,
       (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, size_t p3[], fmi3Binary p4[], size_t p5))
REFUSE(fmi3GetClock, (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, fmi3Clock p3[]))
REFUSE(fmi3SetBinary,
       (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, const size_t p3[], const fmi3Binary p4[], size_t p5))
REFUSE(fmi3SetClock, (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, const fmi3Clock p3[]))
REFUSE(fmi3GetIntervalDecimal,
       (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, fmi3Float64 p3[], fmi3IntervalQualifier p4[]))
REFUSE(fmi3GetIntervalFraction, (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, fmi3UInt64 p3[],
                                 fmi3UInt64 p4[], fmi3IntervalQualifier p5[]))
REFUSE(fmi3GetShiftDecimal, (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, fmi3Float64 p3[]))
REFUSE(fmi3GetShiftFraction,
       (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, fmi3UInt64 p3[], fmi3UInt64 p4[]))
REFUSE(fmi3SetIntervalDecimal, (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, const fmi3Float64 p3[]))
REFUSE(fmi3SetIntervalFraction,
       (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, const fmi3UInt64 p3[], const fmi3UInt64 p4[]))
REFUSE(fmi3SetShiftDecimal, (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, const fmi3Float64 p3[]))
REFUSE(fmi3SetShiftFraction,
       (fmi3Instance f, const fmi3ValueReference p1[], size_t p2, const fmi3UInt64 p3[], const fmi3UInt64 p4[]))
REFUSE(fmi3EvaluateDiscreteStates, (fmi3Instance f))
REFUSE(fmi3UpdateDiscreteStates, (fmi3Instance f, fmi3Boolean *p1, fmi3Boolean *p2, fmi3Boolean *p3, fmi3Boolean *p4,
                                  fmi3Boolean *p5, fmi3Float64 *p6))
REFUSE(fmi3EnterContinuousTimeMode, (fmi3Instance f))
REFUSE(fmi3CompletedIntegratorStep, (fmi3Instance f, fmi3Boolean p1, fmi3Boolean *p2, fmi3Boolean *p3))
REFUSE(fmi3SetTime, (fmi3Instance f, fmi3Float64 p1))
REFUSE(fmi3SetContinuousStates, (fmi3Instance f, const fmi3Float64 p1[], size_t p2))
REFUSE(fmi3GetContinuousStateDerivatives, (fmi3Instance f, fmi3Float64 p1[], size_t p2))
REFUSE(fmi3GetEventIndicators, (fmi3Instance f, fmi3Float64 p1[], size_t p2))
REFUSE(fmi3GetContinuousStates, (fmi3Instance f, fmi3Float64 p1[], size_t p2))
REFUSE(fmi3GetNominalsOfContinuousStates, (fmi3Instance f, fmi3Float64 p1[], size_t p2))
REFUSE(fmi3GetNumberOfEventIndicators, (fmi3Instance f, size_t *p1))
REFUSE(fmi3GetNumberOfContinuousStates, (fmi3Instance f, size_t *p1))
REFUSE(fmi3EnterStepMode, (fmi3Instance f))
REFUSE(fmi3ActivateModelPartition, (fmi3Instance f, fmi3ValueReference p1, fmi3Float64 p2))

#undef REFUSE
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
