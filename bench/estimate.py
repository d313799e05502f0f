#!/usr/bin/env python3
"""bench/estimate.py BUILD_FOLDER [ROUNDS | instructions] [EXAMPLE ...]: what the estimate of the error costs, by the
run without it, for every example of a moving rod.

CPU seconds, the best of ROUNDS (3), the two taking turns; or instructions as valgrind counts them, which other work on
the machine does not disturb (minutes for each example). `estimate` is what is added, relative to the run (asked: at
most 0.5)."""
import glob
import os
import re
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WITHY = os.path.abspath(sys.argv[1]) + "/withy"


def command(example, estimate, folder):
    return [WITHY, "run", example, "-q", "-o", os.path.join(folder, "run.h5"), "--set", f"estimate={estimate}"]


def seconds(example, estimate, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command(example, estimate, folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def instructions(example, estimate, folder):
    """In 1e9."""
    out = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          *command(example, estimate, folder)],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True).stderr
    return int(re.search(r"Collected : (\d+)", out).group(1)) / 1e9


def main():
    counts = sys.argv[2:3] == ["instructions"]
    measure, unit = (instructions, "1e9") if counts else (seconds, "s")
    rounds = 1 if counts else int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(f"{'example':24} {'run, ' + unit:>9} {'with, ' + unit:>10} {'estimate':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for example in sorted(glob.glob(os.path.join(ROOT, "examples/*.yaml"))):
            with open(example) as f:
                if "\nkind: dynamic" not in "\n" + f.read():
                    continue
            if len(sys.argv) > 3 and os.path.basename(example)[:-5] not in sys.argv[3:]:
                continue
            best = {"false": 1e9, "true": 1e9}
            for _ in range(rounds):
                for estimate in best:
                    best[estimate] = min(best[estimate], measure(example, estimate, folder))
            print(f"{os.path.basename(example)[:-5]:24} {best['false']:9.3f} {best['true']:10.3f} "
                  f"{best['true'] / best['false'] - 1.0:9.2f}", flush=True)


main()
