"""What a sweep gains from a second core, and what a point costs beside its run: sweep.py FOLDER_OF_THE_BUILD [ROUNDS].
The lowest of several rounds in which the cases take turns; on a machine that does something else too, only the CPU time
can be believed."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
COMMAND, MPI = BUILD + "/withy", BUILD + "/withy-mpi"
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3

RODS = """scenario:
  kind: dynamic
  length: 0.5
  elements: 6
  section: {name: circle, radius: 0.004, E: 4e6, nu: 0.45, density: 1100}
  loads: [{name: gravity, acceleration: [-9.81, 0, 0]}]
  estimate: false
  duration: 0.1
  step: 4e-3
over:
  section.radius: {from: 0.003, to: 0.005, count: 40}
  section.E: {from: 3e6, to: 5e6, count: 25}
keep: [tip, max(kinetic)]
"""
BODIES = """scenario: {kind: rigid-body, inertia: [2, 1, 0.7], momentum: [0.4, 0.3, 0.9], duration: 0.1, step: 0.05}
over:
  momentum.1: {from: 0, to: 1, count: 20000}
keep: [momentum]
"""


def measure(words, folder):
    """Wall clock and CPU time of a sweep, s."""
    out = folder + "/out.h5"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run([*words, "-q", "-o", out], check=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.remove(out)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    print(f"load of the machine before: {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="withy-bench-") as folder:
        for name, text in (("rods", RODS), ("bodies", BODIES)):
            with open(f"{folder}/{name}.yaml", "w") as f:
                f.write(text)
        best = {}
        for _ in range(ROUNDS):
            for jobs in ("1", "2"):
                got = measure([COMMAND, "sweep", folder + "/rods.yaml", "--jobs", jobs], folder)
                best[jobs] = tuple(map(min, got, best.get(jobs, got)))
        (one, cpu_one), (two, cpu_two) = best["1"], best["2"]
        print(f"1000 rods: {one:.2f} s with --jobs 1 ({cpu_one:.2f} s of CPU), {two:.2f} s with --jobs 2 "
              f"({cpu_two:.2f} s of CPU)\n"
              f"  {one / two:.2f} times as fast by the clock; CPU time with --jobs 2 is {cpu_two / cpu_one:.3f} of "
              f"that with --jobs 1")
        points = 20000
        cases = [("--jobs 1", [COMMAND, "sweep", folder + "/bodies.yaml", "--jobs", "1"]),
                 ("--jobs 2", [COMMAND, "sweep", folder + "/bodies.yaml", "--jobs", "2"])]
        if os.path.exists(MPI) and shutil.which("mpirun"):
            cases.append(("mpirun -n 3", ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", MPI, "sweep",
                                          folder + "/bodies.yaml"]))
        print(f"{points} runs of two steps: what a point costs, us of CPU, all included")
        for name, words in cases:
            wall, cpu = map(min, zip(*(measure(words, folder) for _ in range(ROUNDS))))
            print(f"  {cpu / points * 1e6:8.1f}  {name} ({wall:.1f} s by the clock)")


main()
