"""Runs of every kind, killed with SIGKILL at random moments while two readers open the archive again and again: no run
is harmed by a reader, no archive is unreadable, every frame that was reported as flushed is there, and the run that
goes on ends with the numbers of the one that was left alone, to the last bit. WITHY_LONG=1: a thousand kills.

When to kill is a number of flushes that were reported, and then a moment of up to one flush: that does not depend on
how busy the machine is."""
import os
import random
import signal
import subprocess
import sys
import time

import h5py
import numpy

from check import SANITIZE, SOURCE, WITHY, decoded, main, withy

LONG = os.environ.get("WITHY_LONG") == "1"
KILLS = 1000 if LONG else 12 if SANITIZE else 42
ENDLESS = """
kind: rigid-body
title: to be killed
inertia: [2, 1, 2/3]
momentum: [cos(1.1), 0, sin(1.1)]
method: rk4
duration: 1e7
step: 0.05
"""
KINDS = {
    "rigid-body": """
kind: rigid-body
inertia: [2, 1, 2/3]
momentum: [0.3, -0.7, 1.1]
method: {name: GL6, tolerance: 1e-12}
duration: 30
step: 0.1
""",
    "shaft": """
kind: shaft
n_elements: 40
compliance: 1e-3
end1: {stiffness: 1000, damping: 10, speed: {name: ramp, until: 2, high: 4}}
end2: {torque: {name: sine, amplitude: 3, frequency: 4, offset: -5}}
duration: 0.3
step: 0.001
""",
    "dynamic": """
kind: dynamic
length: 0.4
elements: 10
section: {name: circle, radius: 0.005, E: 1e6, nu: 0.3, density: 1100}
first_end: {name: moved, displacement: [0.02, 0.01, 0], translation: {name: sine, frequency: 3}}
loads: [{name: gravity, acceleration: [0, 0, -9.81]}]
duration: 0.2
step: 0.001
""",
    "continuation": """
kind: continuation
length: 1.3
section: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, EA: 1.5e4}
first_end: clamped
last_end: free
loads: [{name: gravity, acceleration: [0, 0, -1]}]
parameter: {number: loads.0.acceleration.2, from: -10, to: -1, start: -1}
follow: {branches: 1, points: 60}
elements: 8
""",
    "static": open(SOURCE + "/examples/twist-shortening.yaml").read(),
}

READER = """
import sys, time, h5py
path, least = sys.argv[1], 0
while True:
    try:
        f = h5py.File(path, "r")
    except FileNotFoundError:
        least = 0
        time.sleep(0.002)
        continue
    with f:
        names = f.attrs["channels"].decode().split("\\n")
        sizes = {len(f[name]) for name in names}
        assert len(sizes) == 1, sizes
        [f[name][-1:] for name in names]
        time.sleep(0.01)
        assert {len(f[name]) for name in names} == sizes
"""


class Readers:
    """Two processes that open the archive in a loop; one without HDF5's locks."""

    def __init__(self, path):
        self.running = [subprocess.Popen([sys.executable, "-c", READER, path], stderr=subprocess.PIPE, text=True,
                                         env=dict(os.environ, HDF5_USE_FILE_LOCKING=use)) for use in ("TRUE", "FALSE")]

    def end(self):
        for reader in self.running:
            assert reader.poll() is None, reader.communicate()[1]
            reader.kill()
            reader.communicate()


def start(path, scenario, *more):
    return subprocess.Popen([WITHY, "run", scenario, "-o", path, "--report-flush", "-q", *more],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def flushed(run, count):
    """The frames of the count-th flush from now, or None if the run has ended before."""
    frames = None
    for _ in range(count):
        line = run.stdout.readline()
        if not line.startswith("flushed "):
            return None
        frames = int(line.split()[1])
    return frames


def kill(run):
    run.send_signal(signal.SIGKILL)
    out, err = run.communicate()
    frames = [int(line.split()[1]) for line in out.split("\n")[:-1] if line.startswith("flushed ")]
    return run.returncode, err, frames[-1] if frames else 0


def check_whole(path, at_least):
    """Opens as it is, every channel has the same frames, none is a hole."""
    with h5py.File(path, "r") as f:
        names = decoded(f.attrs["channels"]).split("\n")
        frames = len(f[names[0]])
        assert frames >= at_least, f"{frames} frames, {at_least} were reported"
        for name in names:
            values = f[name][:]
            assert len(values) == frames, name
            assert numpy.isfinite(values).all(), name
            assert decoded(f[name].attrs["unit"]), name
        return frames


def contents(path):
    found = {}
    with h5py.File(path, "r") as f:
        assert decoded(f.attrs["outcome"]) == "done", decoded(f.attrs["outcome"])
        f.visititems(lambda name, item: found.update({name: item[()].tobytes()}) if isinstance(item, h5py.Dataset)
                     else None)
    return found


def every_kind(folder):
    """Killed, resumed, killed again, with readers all the while."""
    random.seed(20261)
    whole = {}
    for kind, text in KINDS.items():
        with open(f"{folder}/{kind}.yaml", "w") as f:
            f.write(text)
        code, out, err = withy("run", f"{folder}/{kind}.yaml", "-o", f"{folder}/{kind}-whole.h5", "-q", "--flush", "0")
        assert code == 0, err
        whole[kind] = contents(f"{folder}/{kind}-whole.h5")
    kills, rounds, before_the_first = 0, 0, 0
    while kills < KILLS:
        kind = list(KINDS)[rounds % len(KINDS)]
        rounds += 1
        path = f"{folder}/{kind}.h5"
        if os.path.exists(path):
            os.remove(path)
        readers, here = Readers(path), 0
        while True:
            run = start(path, f"{folder}/{kind}.yaml", "--resume", "--flush", "0")
            if here >= KILLS / len(KINDS) or here >= 20:  # the other kinds, too
                out, err = run.communicate()
                assert run.returncode == 0, err
                break
            frames = flushed(run, random.choice((0, 1, 1, 2, 3, 7, 20, 40)) or 1) if random.random() > 0.1 else 0
            if frames is None:  # it has ended
                code, err, _ = kill(run)
                assert code == 0, err
                break
            time.sleep(random.uniform(0, 0.02))
            code, err, more = kill(run)
            if code == 0:
                break
            assert code == -signal.SIGKILL, (code, err)
            kills += 1
            here += 1
            if os.path.exists(path):
                check_whole(path, max(frames, more))
            else:
                before_the_first += 1
                assert max(frames, more) == 0
        readers.end()
        assert contents(path) == whole[kind], kind
    print(f"     {kills} kills, {before_the_first} before the first frame, {rounds} runs of {len(KINDS)} kinds went on "
          f"to the same bits")


def an_endless_run(folder):
    """Kills in the middle of a flush of a large archive."""
    scenario, path = folder + "/kill.yaml", folder + "/run.h5"
    with open(scenario, "w") as f:
        f.write(ENDLESS)
    random.seed(7)
    for k in range(200 if LONG else 4 if SANITIZE else 12):
        if os.path.exists(path):
            os.remove(path)
        run = start(path, scenario, "--flush", "0.01" if k % 2 else "0")
        frames = flushed(run, random.randrange(1, 30))
        assert frames
        time.sleep(random.uniform(0, 0.02))
        code, err, more = kill(run)
        assert code == -signal.SIGKILL, err
        check_whole(path, max(frames, more))
        with h5py.File(path, "r") as f:
            assert decoded(f.attrs["outcome"]) == "running" and "to be killed" in decoded(f.attrs["scenario"])
            t = f["time"][:]
            assert numpy.allclose(numpy.diff(t), 0.05, rtol=0, atol=1e-6)
            square = f["invariants/momentum_squared"][:]
            assert numpy.abs((f["state/momentum"][:] ** 2).sum(axis=1) - square).max() < 1e-12


def a_new_run_survives_the_leftovers(folder):
    scenario, path = folder + "/kill.yaml", folder + "/run.h5"
    with open(scenario, "w") as f:
        f.write(ENDLESS)
    run = start(path, scenario, "--flush", "0")
    assert flushed(run, 5)
    kill(run)
    done = subprocess.run([WITHY, "run", "kill.yaml", "-o", "run.h5", "--set", "duration=1"], cwd=folder,
                          capture_output=True)
    assert done.returncode == 0, done
    with h5py.File(path, "r") as f:
        assert decoded(f.attrs["outcome"]) == "done" and len(f["time"]) == 21
    assert sorted(os.listdir(folder)) == ["kill.yaml", "run.h5"], os.listdir(folder)


def interrupted_politely(folder):
    scenario, path = folder + "/kill.yaml", folder + "/run.h5"
    with open(scenario, "w") as f:
        f.write(ENDLESS)
    run = start(path, scenario, "--flush", "1")
    run.stdout.readline()  # the first frame is safe
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 1, run.returncode
    assert "stopped at" in err, err
    with h5py.File(path, "r") as f:
        assert decoded(f.attrs["outcome"]).startswith("failed: stopped at"), decoded(f.attrs["outcome"])
        assert len(f["time"]) >= 1


def two_runs_do_not_write_one_file(folder):
    scenario, path = folder + "/kill.yaml", folder + "/run.h5"
    with open(scenario, "w") as f:
        f.write(ENDLESS)
    for flush in ("0", "0.02", "1"):
        first = start(path, scenario, "--flush", flush)
        first.stdout.readline()
        for _ in range(3):
            second = subprocess.run([WITHY, "run", "kill.yaml", "-o", "run.h5", "--set", "duration=1", "-q"],
                                    cwd=folder,
                                    capture_output=True, text=True)
            assert second.returncode == 3 and "another run is writing" in second.stderr, (flush, second)
        assert first.poll() is None
        first.send_signal(signal.SIGINT)
        out, err = first.communicate(timeout=60)
        assert first.returncode == 1 and "stopped at" in err, err
        frames = [int(line.split()[1]) for line in out.split("\n") if line.startswith("flushed ")][-1]
        with h5py.File(path, "r") as f:
            assert len(f["time"]) == len(f["state/momentum"]) == frames
        assert sorted(os.listdir(folder)) == ["kill.yaml", "run.h5"], os.listdir(folder)


main(every_kind, an_endless_run, a_new_run_survives_the_leftovers, interrupted_politely, two_runs_do_not_write_one_file)
