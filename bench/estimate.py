#!/usr/bin/env python3
"""bench/estimate.py BUILD_FOLDER [ROUNDS]: what the estimate of the error costs, by the run without it, for every example of a moving rod.

CPU seconds, the best of ROUNDS (3), the two taking turns; `estimate` is what is added, relative to the run (asked: at most 0.5)."""
import glob
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WITHY = os.path.abspath(sys.argv[1]) + "/withy"


def seconds(example, estimate, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([WITHY, "run", example, "-q", "-o", os.path.join(folder, "run.h5"), "--set", f"estimate={estimate}"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(f"{'example':24} {'run, s':>8} {'with, s':>8} {'estimate':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for example in sorted(glob.glob(os.path.join(ROOT, "examples/*.yaml"))):
            with open(example) as f:
                if "\nkind: dynamic" not in "\n" + f.read():
                    continue
            best = {"false": 1e9, "true": 1e9}
            for _ in range(rounds):
                for estimate in best:
                    best[estimate] = min(best[estimate], seconds(example, estimate, folder))
            print(f"{os.path.basename(example)[:-5]:24} {best['false']:8.3f} {best['true']:8.3f} "
                  f"{best['true'] / best['false'] - 1.0:9.2f}", flush=True)


main()
