"""Bodies and graded meshes from the command: a mass inside an element swings with the frequency that `withy modes` has,
runs are resumed bit for bit, too many bodies are answered with the number of elements they need, and an FMU has them
too."""
import os
import signal
import subprocess
import time

import h5py
import numpy as np

from check import WITHY, main, withy

ROD = """kind: dynamic
length: 0.1
elements: 7
section: {name: circle, radius: 0.005, E: 1e6, nu: 0.4, density: 1000}
bodies: [[0.0371, 2e-3, 1e-8, 1e-8, 2e-8], [0.0379, 1e-3, 0, 0, 0], [0, 1, 0, 0, 0], [0.1, 1e-3, 0, 0, 0]]
start: {velocities: [[0, 0, 0, 0, 0, 0, 0], [0.1, 1e-4, 0, 0, 0, 0, 0]]}
duration: 0.5
step: 1e-3
every: 1
"""


def scenario(folder):
    path = folder + "/rod.yaml"
    with open(path, "w") as f:
        f.write(ROD)
    return path


def run(path, archive, *sets, more=()):
    code, out, err = withy("run", path, "-o", archive, *more, *(word for s in sets for word in ("--set", s)))
    assert code == 0, err
    return out


def period_and_modes(folder):
    path = scenario(folder)
    run(path, folder + "/a.h5")
    with h5py.File(folder + "/a.h5") as f:
        x, at = f["state/position"][:, -1, 0], f["state/arc_length"][0]
        assert at.shape == (10,) and 0.0371 in at and 0.0379 in at and at[0] == 0 and at[-1] == 0.1, at
        assert f["certificate/energy_drift"][:].max() < 1e-14, f["certificate/energy_drift"][:].max()
        assert 0 < f["certificate/error_shape"][-1] < 2e-2, f["certificate/error_shape"][-1]
    code, out, err = withy("modes", path, "--count", "6")
    assert code == 0, err
    modes = [float(line.split()[2]) for line in out.splitlines() if line.split() and line.split()[0].isdigit()]
    # two frequencies of the plane: x(t) is in the span of their cosines and sines
    t = 1e-3 * np.arange(len(x))
    def left(f):
        waves = np.array([w(2 * np.pi * k * t) for k in f for w in (np.cos, np.sin)]).T
        return np.linalg.norm(x - waves @ np.linalg.lstsq(waves, x, rcond=None)[0]) / np.linalg.norm(x)
    plane = [modes[0], modes[2]]
    assert left(plane) < 2e-3 and left([1.003 * plane[0], plane[1]]) > 5 * left(plane), (
        modes, left(plane), left([1.003 * plane[0], plane[1]]))


def resumed(folder):
    path = scenario(folder)
    sets = ("mesh=[[0, 0.3], [0.05, 1], [0.1, 0.5]]", "duration=1.5")
    run(path, folder + "/whole.h5", *sets)
    part, stops = folder + "/part.h5", 0
    words = [WITHY, "run", path, "-o", part, "--resume", "--flush", "0.01", "-q",
             *(word for s in sets for word in ("--set", s))]
    for _ in range(100):  # stopped as soon as some more is there
        seen = os.stat(part).st_mtime_ns if os.path.exists(part) else 0
        going = subprocess.Popen(words)
        while going.poll() is None and (not os.path.exists(part) or os.stat(part).st_mtime_ns == seen):
            time.sleep(0.01)
        if going.poll() is not None:
            break
        time.sleep(0.1)
        going.send_signal(signal.SIGINT)
        going.wait()
        stops += 1
    assert going.returncode == 0 and stops > 0, (going.returncode, stops)
    with h5py.File(folder + "/whole.h5") as a, h5py.File(folder + "/part.h5") as b:
        assert np.array_equal(a["state/position"][:], b["state/position"][:])
        assert np.array_equal(a["certificate/error_shape"][:], b["certificate/error_shape"][:])
        assert {0.0371, 0.0379} <= set(a["state/arc_length"][0])


def few_elements(folder):
    path = scenario(folder)
    # three pieces; no coarser mesh has a joint for each: judged by finer ones
    run(path, folder + "/three.h5", "elements=1", "duration=0.05")
    run(path, folder + "/fine.h5", "elements=24", "step=2.5e-4", "every=4", "duration=0.05")
    with h5py.File(folder + "/three.h5") as a, h5py.File(folder + "/fine.h5") as b:
        assert a["state/position"].shape[1] == 4
        x, y = a["state/position"][:, -1], b["state/position"][:, -1]
        off, said = abs(x - y).max() / abs(y[:, 0]).max(), a["certificate/error_shape"][-1]
        assert 0.2 * off < said < 0.05, (off, said)


def an_fmu_has_them(folder):
    path = scenario(folder)
    code, out, err = withy("fmu", path, "-o", folder + "/rod.fmu")
    assert code == 0, err
    code, out, err = withy("run", path, "-o", folder + "/m.h5", "--set", "method=multi-symplectic-box")
    assert code == 2 and "does not take bodies on the rod: use 'gauss-director'" in err, err


main(period_and_modes, resumed, few_elements, an_fmu_has_them)
