/* withy: elastic rods, geometrically exact (Cosserat). Everything that needs only libm; for scenario files and
 * archives see <withy/io.h>. */
#ifndef WITHY_WITHY_H
#define WITHY_WITHY_H

#include <withy/batch.h>
#include <withy/body.h>
#include <withy/branches.h>
#include <withy/curve.h>
#include <withy/elastica.h>
#include <withy/elliptic.h>
#include <withy/equilibrium.h>
#include <withy/frames.h>
#include <withy/integrator.h>
#include <withy/kind.h>
#include <withy/live.h>
#include <withy/modes.h>
#include <withy/motion.h>
#include <withy/param.h>
#include <withy/release.h>
#include <withy/rod.h>
#include <withy/rotation.h>
#include <withy/se3.h>
#include <withy/sea.h>
#include <withy/section.h>
#include <withy/shaft.h>
#include <withy/signal.h>
#include <withy/status.h>
#include <withy/text.h>
#include <withy/version.h>

#endif
