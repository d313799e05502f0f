"""Letting go through the command: an ordinary archive of the motion, where it lands and how sure that is, what is
refused, and what an interrupt leaves behind."""
import os
import re
import signal
import subprocess
import time

import h5py
import numpy as np

from check import SANITIZE, SOURCE, WITHY, decoded, main, withy

EXAMPLE = SOURCE + "/examples/twist-shortening-branches.yaml"
TOLERANCE = ["--tolerance", "1e-5"] if SANITIZE else []

COLUMN = """
kind: continuation
title: a column
length: 1.3
section: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, EA: 1.5e4, rhoA: 0.8, rhoI1: 1e-4, \
rhoI2: 1e-4, rhoJ: 2e-4}
first_end: clamped
"""
HEAVY = COLUMN + """
last_end: free
loads: [{name: gravity, acceleration: [0, 0, -1]}]
parameter: {number: loads.0.acceleration.2, from: -10, to: -1, start: -1, at: [-9.3]}
follow: {branches: 2, negative: 2}
"""
TAPERED = COLUMN.replace("first_end:", "taper: [[0, 1], [0.5, 0.8], [1.3, 0.7]]\nfirst_end:") + """
last_end: {name: loaded, force: [0, 0, -0.3]}
parameter: {number: last_end.force.2, from: -4, to: -0.3, start: -0.3, at: [-1.9]}
follow: {branches: 2, negative: 2}
"""
FOLLOWER = COLUMN + """
last_end: {name: loaded, force: [0, 0, -1], following: true}
parameter: {number: last_end.force.2, from: -60, to: -1, start: -1, at: [-4, -50]}
follow: {branches: 1, negative: -1}
elements: 40
"""


def branches(folder, text=None, *more):
    run = folder + "/branches.h5"
    path = EXAMPLE
    if text:
        path = folder + "/scenario.yaml"
        with open(path, "w") as f:
            f.write(text)
    code, out, err = withy("run", path, "-o", run, *more)
    assert code == 0, err
    return run


def labels(run):
    """(label, parameter, branch, negative, force at the left end) of every labelled solution."""
    names = ["", "EP", "LP", "BP", "UZ"]
    with h5py.File(run) as f:
        axis = f[decoded(f.attrs["channels"]).split("\n")[0]][:]
        g = f["branch"]
        force = np.linalg.norm(f["ends/left_force"][:], axis=1)
        return [(names[int(a)] + str(int(n)), p, int(b), int(m), w)
                for a, n, p, b, m, w in zip(g["label"][:], g["label_number"][:], axis, g["branch"][:],
                                            g["negative"][:], force) if a]


def let_go(run, point, *more):
    code, out, err = withy("release", run, "--point", point, *more)
    assert code == 0, err
    return out


def limit(out):
    return float(re.search(r"limit\s+(\S+)", out).group(1))


def thesis_rod(folder):
    run = branches(folder, None, *(["--set", "elements=32"] if SANITIZE else []))
    points = labels(run)
    unstable = next(p for p in points if p[0].startswith("UZ") and p[1] == 0.65 and p[2] == 1)
    spatial = next(p for p in points if p[0].startswith("UZ") and p[1] == 0.65 and p[3] == 0)
    go = folder + "/go.h5"
    out = let_go(run, unstable[0], "-o", go, *TOLERANCE)
    assert "1 negative direction;" in out and "landed on branch 3 (0 negative)" in out, out
    end = float(re.search(r"end force (\S+) N", out).group(1))
    assert abs(end / spatial[4] - 1) < (1e-6 if SANITIZE else 1e-8), (end, spatial)
    assert abs(limit(out) / spatial[4] - 1) < (1e-6 if SANITIZE else 1e-8), (out, spatial)
    # the archive is one of a rod in motion ...
    with h5py.File(go) as f:
        assert decoded(f.attrs["kind"]) == "dynamic" and decoded(f.attrs["outcome"]) == "done"
        assert "released from UZ" in decoded(f.attrs["title"])
        t, x, kinetic = f["time"][:], f["state/position"][:], f["energy/kinetic"][:]
        balance = f["invariants/balance"][:]
        scenario = decoded(f.attrs["scenario"])
    assert x.shape[1:] == (33, 3) and len(t) > 50 and np.all(np.diff(t) > 0)
    assert np.abs(x[0, :, 1]).max() < 1e-6 and np.abs(x[-1, :, 1]).max() > 0.5  # it leaves the plane
    assert kinetic.max() > 1e4 * kinetic[-1] and np.ptp(balance) < 1e-10 * balance[0]
    for command in (["info", go], ["export", go, "--format", "csv", "-o", folder + "/go.csv"],
                    ["plot", go, "-o", folder + "/go.svg"]):
        code, text, err = withy(*command)
        assert code == 0 and not err, (command, err)
    assert "released from" in open(folder + "/go.svg").read()
    # ... and its scenario runs to the same motion
    with open(folder + "/again.yaml", "w") as f:
        f.write(scenario)
    code, text, err = withy("run", folder + "/again.yaml", "-o", folder + "/again.h5")
    assert code == 0, err
    with h5py.File(folder + "/again.h5") as f:
        assert np.array_equal(f["time"][:], t) and np.abs(f["state/position"][:] - x).max() < 1e-7
    # the same stopped early is no rest, and only one method knows what rest is
    code, text, err = withy("run", folder + "/again.yaml", "-o", folder + "/again.h5", "--set", "duration=0.1")
    assert code == 0 and "not at rest after 0.1 s" in err, err
    code, text, err = withy("run", SOURCE + "/examples/soft-rod.yaml", "-o", folder + "/again.h5", "--set",
                            "rest.below=1e-3",
                            "--set", "method=midpoint-shooting")
    assert code != 0 and "does not know whether a rod is at rest" in err, (code, err)
    # a table where the name says so
    out = let_go(run, unstable[0], "-o", folder + "/table.csv", "--tolerance", "1e-3")
    rows = np.loadtxt(folder + "/table.csv", delimiter=",", skiprows=1)
    assert rows.shape[1] == 9 and abs(rows[0, 7]) < 1e-6 < 0.5 < abs(rows[-1, 7]), rows[-1]
    # what is stable comes back
    out = let_go(run, spatial[0], "--tolerance", "1e-4", "--elements", "40")
    assert "came back to where it started" in out and "landed on branch 3" in out and "\n        40 " in out, out
    # too short a time is said, and not taken for a rest
    out = let_go(run, unstable[0], "--duration", "0.2", "-o", folder + "/short.h5")
    assert "not at rest after 0.2 s" in out and "landed" not in out, out
    # a solution with no other at its parameter: the straight rod, far past buckling
    end = next(p for p in points if p[0].startswith("EP") and p[2] == 0 and p[3] > 2)
    out = let_go(run, end[0], "--tolerance", "1e-3")
    assert "none of the archive's 1 solutions" in out, out

    for arguments, status, part in [(["--point", "UZ99"], 2, "UZ99"), ([], 2, "--point"),
                                    (["--point", "UZ2", "--push", "-1"], 2, "push"),
                                    (["--point", "UZ2", "--push", "7"], 2, "push"),
                                    (["--point", "UZ2", "--elements", "2.5"], 2, "elements"),
                                    (["--point", "UZ2", "--tolerance", "1e-20"], 2, "tolerance"),
                                    (["--point", "UZ2", "-o", run], 2, "itself"),
                                    (["--point", "UZ2", "-o", folder + "/no/such/place.h5"], 3, "place.h5"),
                                    (["--point", "UZ2", "-o", folder + "/no/such/place.csv"], 3, "place.csv")]:
        code, text, err = withy("release", run, *arguments)
        assert code == status and part in err, (arguments, code, err)
    code, text, err = withy("release", go, "--point", "UZ1")
    assert code == 2 and "continuation" in err, err


def columns(folder):
    """A heavy column falls, a tapered one buckles, each to the branch that the continuation found."""
    for text, value in ((HEAVY, -9.3), (TAPERED, -1.9)):
        run = branches(folder, text)
        points = [p for p in labels(run) if p[0].startswith("UZ") and p[1] == value]
        straight = next(p for p in points if p[2] == 0)
        assert straight[3] == 2, points
        out = let_go(run, straight[0], "-o", folder + "/go.h5", *TOLERANCE)
        assert "landed on branch 1 (0 negative)" in out, out
        with h5py.File(folder + "/go.h5") as f:
            assert ("taper" in decoded(f.attrs["scenario"])) == (text is TAPERED)
            assert ("gravity" in decoded(f.attrs["scenario"])) == (text is HEAVY)
            assert np.linalg.norm(f["state/tip"][-1][:2]) > 0.2


def no_potential(folder):
    run = branches(folder, FOLLOWER)
    points = {p[1]: p[0] for p in labels(run) if p[0].startswith("UZ")}
    out = let_go(run, points[-4], "--tolerance", "1e-3")
    assert "no potential" in out and "came back to where it started" in out, out
    out = let_go(run, points[-50], "--damping", "0.1", "--duration", "8", "--elements", "20")
    assert "not at rest after 8 s" in out, out


def no_mass(folder):
    run = branches(folder, COLUMN.replace("rhoA: 0.8", "rhoA: 0").replace("rhoI1: 1e-4", "rhoI1: 0") + """
last_end: {name: loaded, force: [0, 0, -1]}
parameter: {number: last_end.force.2, from: -2, to: -1, start: -1}
follow: {branches: 1}
elements: 20
""")
    code, out, err = withy("release", run, "--point", "EP1", "-o", folder + "/go.h5")
    assert code == 2 and "mass" in err and not os.path.exists(folder + "/go.h5"), (code, err)


def interrupted(folder):
    """Ctrl-C in the middle: the archive is whole and says so."""
    run = branches(folder, FOLLOWER)
    point = {p[1]: p[0] for p in labels(run) if p[0].startswith("UZ")}[-50]
    go = folder + "/go.h5"
    process = subprocess.Popen([WITHY, "release", run, "--point", point, "--damping", "0.1", "--duration", "1e5", "-o",
                                go],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(300):
        time.sleep(0.1)
        if os.path.exists(go):
            break
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1, (process.returncode, err)
    with h5py.File(go) as f:
        t = f["time"][:]
        assert len(t) > 1 and np.all(np.diff(t) > 0), t
        assert decoded(f.attrs["outcome"]) != "done", decoded(f.attrs["outcome"])
        for name in decoded(f.attrs["channels"]).split("\n"):
            assert len(f[name]) == len(t) and np.isfinite(f[name][:]).all(), name
    assert not os.path.exists(go + ".part")


main(thesis_rod, columns, no_potential, no_mass, interrupted)
