"""A run killed with SIGKILL at fifty random moments leaves an archive that opens and is whole up to the last frame that was
reported as flushed."""
import os
import random
import signal
import subprocess
import time

import h5py
import numpy

from check import SANITIZE, WITHY, main

SCENARIO = """
kind: rigid-body
title: to be killed
inertia: [2, 1, 2/3]
momentum: [cos(1.1), 0, sin(1.1)]
method: rk4
duration: 1e7
step: 0.05
"""
KILLS = 50 if not SANITIZE else 12


def start(folder, flush):
    return subprocess.Popen([WITHY, "run", "kill.yaml", "-o", "run.h5", "--flush", str(flush), "--report-flush"], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def reported(output):
    """The last frame count that was printed as a whole line."""
    lines = [line for line in output.split("\n")[:-1] if line.startswith("flushed ")]
    return int(lines[-1].split()[1]) if lines else 0


def check_whole(path, at_least):
    """Opens as it is, every channel has the same frames, none is a hole, time runs on evenly."""
    with h5py.File(path, "r") as f:
        assert f.attrs["outcome"] == "running", f.attrs["outcome"]
        assert f.attrs["kind"] == "rigid-body" and "to be killed" in f.attrs["scenario"]
        t = f["time"][:]
        assert len(t) >= at_least, f"{len(t)} frames, {at_least} were reported"
        assert numpy.allclose(numpy.diff(t), 0.05, rtol=0, atol=1e-6)
        for name in f.attrs["channels"].split("\n"):
            values = f[name][:]
            assert len(values) == len(t), name
            assert numpy.isfinite(values).all(), name
            assert f[name].attrs["unit"], name
        square = f["invariants/momentum_squared"][:]
        assert numpy.abs((f["state/momentum"][:] ** 2).sum(axis=1) - square).max() < 1e-12
        return len(t)


def killed_at_random_moments(folder):
    with open(os.path.join(folder, "kill.yaml"), "w") as f:
        f.write(SCENARIO)
    random.seed(20261)
    path = os.path.join(folder, "run.h5")
    lengths, empty = [], 0
    for k in range(KILLS):
        if os.path.exists(path):
            os.remove(path)
        # flush as often as the machine can: half the time is then spent in the middle of one
        run = start(folder, 0 if k % 2 else 0.01)
        time.sleep(random.uniform(0.0, 0.35) if k else 0.0)
        run.send_signal(signal.SIGKILL)
        out, err = run.communicate()
        assert run.returncode == -signal.SIGKILL, (run.returncode, err)
        frames = reported(out)
        if os.path.exists(path):
            lengths.append(check_whole(path, frames))
        else:
            empty += 1
            assert frames == 0
    print(f"     {KILLS} kills: {len(lengths)} archives of {min(lengths)} to {max(lengths)} frames, {empty} before the first frame")
    assert len(lengths) > KILLS // 2
    assert max(lengths) > 100


def a_new_run_survives_the_leftovers(folder):
    with open(os.path.join(folder, "kill.yaml"), "w") as f:
        f.write(SCENARIO)
    run = start(folder, 0)
    time.sleep(0.5)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    done = subprocess.run([WITHY, "run", "kill.yaml", "-o", "run.h5", "--set", "duration=1"], cwd=folder, capture_output=True)
    assert done.returncode == 0, done
    with h5py.File(os.path.join(folder, "run.h5"), "r") as f:
        assert f.attrs["outcome"] == "done" and len(f["time"]) == 21
    assert sorted(os.listdir(folder)) == ["kill.yaml", "run.h5"]


def interrupted_politely(folder):
    with open(os.path.join(folder, "kill.yaml"), "w") as f:
        f.write(SCENARIO)
    run = start(folder, 1)
    run.stdout.readline()  # the first frame is safe
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 1, run.returncode
    assert "stopped at" in err, err
    with h5py.File(os.path.join(folder, "run.h5"), "r") as f:
        assert f.attrs["outcome"].startswith("failed: stopped at"), f.attrs["outcome"]
        assert len(f["time"]) >= 1


def two_runs_do_not_share_a_file(folder):
    with open(os.path.join(folder, "kill.yaml"), "w") as f:
        f.write(SCENARIO)
    for flush in (0, 0.02, 1):
        first = start(folder, flush)
        first.stdout.readline()
        for _ in range(5):
            second = subprocess.run([WITHY, "run", "kill.yaml", "-o", "run.h5", "--set", "duration=1", "-q"], cwd=folder,
                                    capture_output=True, text=True)
            assert second.returncode == 3 and "another run is writing" in second.stderr, (flush, second)
        assert first.poll() is None
        first.send_signal(signal.SIGINT)
        out, err = first.communicate(timeout=60)
        assert first.returncode == 1 and "stopped at" in err, err
        with h5py.File(os.path.join(folder, "run.h5"), "r") as f:
            assert len(f["time"]) == len(f["state/momentum"]) == reported(out)
        assert sorted(os.listdir(folder)) == ["kill.yaml", "run.h5"]


main(killed_at_random_moments, a_new_run_survives_the_leftovers, interrupted_politely, two_runs_do_not_share_a_file)
