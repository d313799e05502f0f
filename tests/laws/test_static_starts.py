"""`equilibrium: true` in motion: every pair of ends starts in the equilibrium that `kind: static` has, and stays
there."""
import itertools
import os

import h5py
import numpy as np

from check import main, withy

ROD = """length: 1.3
section: {name: rectangle, width: 0.013, height: 0.009, E: 7e6, nu: 0.38, density: 1140}
loads: [{name: gravity, acceleration: [-3.1, 0.7, -2.3]}, {name: point-force, at: 0.52, force: [0.02, 0.05, 0.01], \
in_time: {name: sine, offset: 1, amplitude: 0.7, frequency: 3}}]
"""
STILL = ROD.replace(", in_time: {name: sine, offset: 1, amplitude: 0.7, frequency: 3}", "")
AT = "position: [0.03, 0.02, -0.11], orientation: [0.97, 0.1, -0.2, 0.05]"
POSE = "position: [0.31, -0.22, 0.83], orientation: [0.83, 0.31, -0.22, 0.41]"
SPRING = "name: spring, stiffness: [0.3, 0.4, 0.2, 60, 70, 80]"
FRAME = "frame: [0.9, 0.3, 0.1, 0.2]"
# An end in motion, and what it is at rest where that is another (or needs the place that the start gives it).
FIRST = {
    "clamped": ["{name: clamped, " + AT + "}"],
    "pinned": ["{name: pinned, position: [0.03, 0.02, -0.11]}"],
    "carried": ["{name: carried, x1: {name: sine, amplitude: 0.1, frequency: 2}}", "{name: clamped, " + AT + "}"],
    "moved": ["{name: moved, displacement: [0, 0.1, 0], translation: {name: sine, amplitude: 1, frequency: 1}}",
              "{name: clamped, " + AT + "}"],
    "driven": ["driven", "{name: clamped, " + AT + "}"],
    "spring": ["{" + SPRING + ", " + AT + "}"],
    "hinged": ["{name: held, rotations: [1, 1, 0], " + FRAME + ", " + AT + "}"],
    "free": ["free"],
}
LAST = {
    "clamped": ["{name: clamped, " + POSE + "}"],
    "twisted": ["{name: clamped, " + POSE + ", twist: 4.1}"],
    "coaxial": ["{name: coaxial, twist: 2.3, shortening: 0.17}"],
    "pinned": ["{name: pinned, position: [0.31, -0.22, 0.83]}"],
    "spring": ["{" + SPRING + ", " + POSE + "}"],
    "hinged": ["{name: held, rotations: [0, 1, 1], " + FRAME + ", " + POSE + "}"],
    "sliding": ["{name: held, translations: [1, 0, 1], rotations: [0, 0, 0], " + FRAME + ", " + POSE + "}"],
    "loaded": ["{name: loaded, force: [0.11, -0.21, 0.13], moment: [0.02, 0.01, -0.03]}"],
    "driven": ["driven", "clamped"],
    "free": ["free"],
}
UNDERCONSTRAINED = {("free", "sliding"), ("free", "loaded"), ("free", "free")}


def run(folder, text):
    open(folder + "/s.yaml", "w").write(text)
    code, _, err = withy("run", folder + "/s.yaml", "-o", folder + "/s.h5", "--force", "-q")
    if code:
        return code, err, None
    with h5py.File(folder + "/s.h5") as f:
        x = f["state/position"][:]  # a motion has nodes at equal distances
        s = f["state/arc_length"][0] if "state/arc_length" in f else np.linspace(0, 1.3, x.shape[1])
        return code, err, (s, x, f["state/orientation"][0])


def every_pair_of_ends(folder):
    """Poses of statics at nodes that both have; nothing moves where no end and no load does."""
    met = 0
    for (i, (first, a)), (j, (last, b)) in itertools.product(enumerate(FIRST.items()), enumerate(LAST.items())):
        if (i + 3 * j) % 4 and not os.environ.get("WITHY_LONG"):
            continue
        if last == "coaxial" and first in ("pinned", "spring", "hinged", "free"):
            continue  # has no meaning
        if (first, last) == ("free", "driven"):
            continue  # the start says where the first section is, which is nowhere held
        where = (first, last)
        code, err, rest = run(folder, "kind: static\nelements: 300\n" + STILL
                              + f"first_end: {a[-1]}\nlast_end: {b[-1]}\n")
        at = ", " + AT if len(a) > 1 else ""
        moving, why, motion = run(folder, "kind: dynamic\nelements: 24\nduration: 0.002\nstep: 0.001\nestimate: off\n"
                                  + ROD
                                + f"first_end: {a[0]}\nlast_end: {b[0]}\nstart: {{equilibrium: true{at}}}\n")
        if where == ("pinned", "loaded"):  # a dead moment about the line of gravity: no pendulum stands still
            assert code == 1 and moving == 1 and len(err) > 100 and "static equilibrium at the start" in why, (err, why)
            continue
        if where in UNDERCONSTRAINED:
            assert code != 0 and moving == 2 and "no static equilibrium" in why, (where, err, why)
            continue
        assert code == 0 and moving == 0, (where, err, why)
        (s, x, q), (at, p, d) = rest, motion
        x, q = [np.array([np.interp(at, s, y[:, c]) for c in range(y.shape[1])]).T for y in (x[0], q)]
        off, turn = np.abs(p[0] - x).max(), (1 - np.abs((d * q).sum(1) / np.linalg.norm(q, axis=1))).max()
        assert off < 1e-4 and turn < 1e-6, (where, off, turn)
        met += 1
    assert met > 12, met


main(every_pair_of_ends)
