"""Wrenches are what acted: those of a run, means over its steps, against the means of a run with a quarter of the step
and twice the elements, relative to the largest."""
import h5py
import numpy as np

from check import SANITIZE, SOURCE, decoded, main, withy

# Steel, let go straight under gravity; the step is longer than the period of its first axial mode (0.8 ms).
STEEL = """kind: dynamic
length: 1
elements: 8
section: {name: circle, radius: 0.005, E: 200e9, nu: 0.3, density: 7850}
damping: {name: proportional, time: 2e-3}
mass_damping: 2
first_end: clamped
loads: [{name: gravity, acceleration: [-9.81, 0, -3]}]
start: {shape: straight}
duration: 0.4
step: 1e-3
every: 1
estimate: off
"""


def wrenches(folder, path, name, *sets):
    archive = f"{folder}/{name}.h5"
    code, out, err = withy("run", path, "-o", archive, *(word for s in sets for word in ("--set", s)))
    assert code == 0, err
    with h5py.File(archive) as f:
        assert decoded(f["state/wrench"].attrs["meaning"]) == "mean over the step", dict(f["state/wrench"].attrs)
        return f["time"][1:], f["state/wrench"][1:]


def apart(folder, path, elements, step, *sets):
    """Largest differences of moments and of forces at each time, relative to the largest of the finer run."""
    t, coarse = wrenches(folder, path, "coarse", f"elements={elements}", f"step={step}", *sets)
    _, fine = wrenches(folder, path, "fine", f"elements={2 * elements}", f"step={step / 4}", *sets)
    fine = fine.reshape(len(t), 4, 2 * elements, 6).mean(1)
    fine = 0.5 * (fine[:, 0::2] + fine[:, 1::2])
    parts = [slice(0, 3), slice(3, 6)]
    return t, [np.linalg.norm(coarse[:, :, p] - fine[:, :, p], axis=2).max(1) / np.linalg.norm(fine[:, :, p],
        axis=2).max() for p in parts]


def a_shaken_spring(folder):
    t, off = apart(folder, SOURCE + "/examples/helix.yaml", 60, 0.002, "every=1", "estimate=off",
                   f"duration={0.04 if SANITIZE else 0.3}")
    # the end starts impulsively: while that wave runs through the spring, steps are taken in parts
    for o in off:
        assert o.max() < 0.05 and (SANITIZE or o[t > 0.02].max() < 0.02), [o.max() for o in off]


def steel_that_settles(folder):
    path = folder + "/steel.yaml"
    with open(path, "w") as f:
        f.write(STEEL)
    t, off = apart(folder, path, 8, 1e-3)
    for o in off:
        assert o.max() < 0.05, [o.max() for o in off]


main(a_shaken_spring, steel_that_settles)
