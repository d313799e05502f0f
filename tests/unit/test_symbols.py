"""Of the C library's mathematics, withy's libraries use only what is exact: the rest has no last bit that all machines
share."""
import glob
import os
import subprocess

from check import BUILD, main

# Exact by IEEE 754 or by their meaning. Anything else is in src/math/elementary.h, or can be added there.
EXACT = {"sqrt", "fabs", "floor", "ceil", "trunc", "ldexp", "frexp", "fmin", "fmax", "lround", "llround", "copysign",
         "fminf",
         "fmaxf", "sqrtl"}


def symbols(*command):
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines() if line and not line.endswith(":")}


def libm():
    path = subprocess.run(["cc", "-print-file-name=libm.so.6"], capture_output=True, text=True,
                          check=True).stdout.strip()
    return ({s.lstrip("_") for s in symbols("nm", "-D", "--defined-only", path)} | {s
        for s in symbols("nm", "-D", "--defined-only", path)})


def only_what_is_exact(_):
    mathematics = libm()
    assert {"sin", "pow", "tanh", "hypot", "sincos", "exp"} <= mathematics
    archives = sorted(glob.glob(os.path.join(BUILD, "libwithy*.a")))
    assert any(a.endswith("libwithy.a") for a in archives), archives
    for archive in archives:
        used = symbols("nm", "-u", archive) & mathematics
        assert used <= EXACT, (
            f"{os.path.basename(archive)} calls {sorted(used - EXACT)} of the C library: see src/math/elementary.h")
        if archive.endswith("libwithy.a"):
            assert "sqrt" in used, used  # the test sees what there is


main(only_what_is_exact)
