"""Memory is asked for before it is spent, with the number in the sentence: in runs, equilibria, continuations, sweeps
and where `accuracy:` chooses the elements (D18). A limit of the process counts as the machine's."""
import os
import re
import resource
import subprocess
import time

from check import SANITIZE, SOURCE, WITHY, main

UNITS = {"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}


def limited(folder, megabytes, command, scenario, *more):
    """Runs with so much memory; gives exit code, what it said, and the largest memory that it held, in bytes."""
    def limit():
        if megabytes:
            resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
    path = f"{folder}/run.h5"
    run = subprocess.Popen([WITHY, command, scenario, "-o", path, "-q", *more], stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE,
                           text=True, preexec_fn=limit)
    err = run.stderr.read()
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    run.stderr.close()
    return run.returncode, err, 1024.0 * used.ru_maxrss


def refused(err):
    """The bytes that it says it needs, and those that it says there are."""
    found = re.search(r"no memory for .*: it needs ([\d.e+]+) (\w+), and there are ([\d.e+]+) (\w+)", err)
    assert found, err
    return float(found[1]) * UNITS[found[2]], float(found[3]) * UNITS[found[4]]


def every_kind(folder):
    if SANITIZE:  # whose own memory is beyond all limits
        return
    cases = ((300, "run", "soft-rod.yaml", "--set", "elements=300000"),
             (300, "run", "soft-rod.yaml", "--set", "elements=300000", "--set", "method=bdf-alpha"),
             (300, "run", "accurate-cantilever.yaml", "--set", "elements=300000"),
             (200, "run", "twist-shortening.yaml", "--set", "elements=100000"),
             (200, "run", "twist-shortening-branches.yaml", "--set", "elements=60000", "--set", "most_elements=100000"))
    for megabytes, command, name, *more in cases:
        begin = time.time()
        code, err, held = limited(folder, megabytes, command, f"{SOURCE}/examples/{name}", *more)
        needs, there = refused(err)
        assert code == 1, (name, more, code, err)
        assert needs > there and there <= megabytes * 1.1e6, (name, err)
        assert held < 1.05 * (megabytes << 20), (name, held)
        assert time.time() - begin < 60, (name, "set up before it asked")
        assert not os.path.exists(f"{folder}/run.h5")


def points_of_a_sweep(folder):
    """A point that is too large fails by itself and says so; the others are there."""
    if SANITIZE:
        return
    with open(f"{folder}/many.yaml", "w") as f:
        f.write(f"scenario: {SOURCE}/examples/soft-rod.yaml\nover:\n  elements: [4, 300000]\nkeep: [tip]\n")
    code, err, _ = limited(folder, 300, "sweep", f"{folder}/many.yaml", "--set", "duration=0.02")
    refused(err)
    assert code == 1, (code, err)


def true_numbers(folder):
    """What is said to be needed is what is taken, and not a guess."""
    if SANITIZE:
        return
    small = [limited(folder, 0, "run", f"{SOURCE}/examples/soft-rod.yaml", "--set", f"elements={n}", "--set",
                     "duration=0.01")[2]
             for n in (500, 1500)]
    per_element = (small[1] - small[0]) / 1000
    code, err, _ = limited(folder, 200, "run", f"{SOURCE}/examples/soft-rod.yaml", "--set", "elements=100000")
    needs, _ = refused(err)
    # of the rod itself; the coarse runs, which are asked for next, are 5/4 of it
    assert 0.35 < needs / 100000 / per_element < 0.65, (needs / 100000, per_element)


main(every_kind, points_of_a_sweep, true_numbers)
