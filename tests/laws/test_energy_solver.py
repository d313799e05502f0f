"""`solver: energy`, the second code for equilibria: it agrees with collocation, ends in stable shapes, and helps `auto`
out."""
import os
import re

import h5py
import numpy as np

from check import main, withy

LONG = os.environ.get("WITHY_LONG")  # all of what repeats itself

SOFT = "kind: static\nlength: 1\nelements: 60\nsection: {name: circle, radius: 0.005, E: 5e6, nu: 0.4, density: 1100}\n"
RISER = """kind: static
length: 10
section: {name: rigidities, EI1: 110.8e6, EI2: 110.8e6, GJ: 85.2e6, GA1: 2338.6e6, GA2: 2338.6e6, EA: 6080.5e6, \
diameter: 0.4}
elements: 200
"""
SIDE = "{name: gravity, acceleration: [-9.81, 0, 0]}"
CASES = {  # what it is, and how far the two codes may be apart
    f"last_end: free\nloads: [{SIDE}]\n": 1e-3,
    "last_end: {name: loaded, force: [0.003, 0.001, -0.002]}\n": 1e-6,
    "last_end: {name: loaded, force: [0.003, 0, 0], following: true}\n": 1e-6,
    "last_end: {name: loaded, moment: [0, 0.003, 0]}\n": 1e-6,
    "last_end: free\nloads: [{name: point-force, at: 0.53, force: [0.01, 0, 0.002]}]\n": 1e-5,
    "last_end: free\nloads: [{name: distributed-force, density: [0.02, 0, 0.002], from: 0.2, until: 0.55}]\n": 1e-5,
    "last_end: free\nloads: [{name: distributed-couple, density: [0.002, 0, 0.001]}]\n": 1e-6,
    f"last_end: free\nloads: [{{name: foundation, stiffness: [1, 1, 1]}}, {SIDE}]\n": 1e-3,
    f"last_end: {{name: spring, stiffness: [0.1, 0.1, 0.1, 0.001, 0.001, 0.001]}}\nloads: [{SIDE}]\n": 1e-3,
    f"first_end: pinned\nlast_end: {{name: pinned, position: [0.3, 0, 0.8]}}\nloads: [{SIDE}]\n": 1e-4,
    f"last_end: {{name: clamped, position: [0.3, 0.1, 0.6], orientation: [0.8, 0.1, 0.5, 0.2]}}\n"
    f"loads: [{SIDE}]\n": 1e-3,
    "last_end: {name: held, translations: [0, 1, 1], rotations: [1, 1, 1], force: [0.002, 0, 0]}\n": 1e-5,
    "reference: {name: constant, strain: [0, 6, 2, 0, 0, 1]}\nlast_end: {name: loaded, force: [0.003, 0.001, "
    "-0.002]}\n": 1e-5,
    "last_end: free\nloads: [{name: fluid, density: 1000, normal: 1.2, velocity: [0.2, 0, 0]}]\n": 0.1,
}


def run(folder, text):
    open(folder + "/e.yaml", "w").write(text)
    code, _, err = withy("run", folder + "/e.yaml", "-o", folder + "/e.h5", "--force")
    if code:
        return code, err, None
    with h5py.File(folder + "/e.h5") as f:
        return code, err, {n.split("/")[-1]: f[n][0] for n in ("ends/left_force", "ends/left_moment", "state/position",
                                                               "solver/residual", "energy/potential", "solver/error")}


def apart(err):
    return float(re.search(r"collocation are (\S+) of", err).group(1))


def two_codes_agree(folder):
    for text, far in CASES.items():
        found = {}
        for solver in ("collocation", "energy"):
            code, err, found[solver] = run(folder, SOFT + text + f"solver: {solver}\n")
            assert code == 0, (text, err)
        assert (0 < apart(err) < far and ("stable equilibrium" in err) != any(w in text
            for w in ("following", "moment", "couple", "fluid"))), (text, err)
        size = max(np.linalg.norm(found["collocation"]["left_moment"]), 2.45e-3)  # EI/L
        for name, unit in (("left_moment", size), ("position", 1)):
            assert np.abs(found["energy"][name] - found["collocation"][name]).max() < 1e-9 * unit, (text, name)


UNIT = ("kind: static\nlength: 1\nelements: 60\nsection: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.8, GA1: 1e7, GA2: "
        "1e7, EA: 1e7, rhoA: 1}\n")
STAY = "solver: {name: auto, leave_unstable: false}\n"


def left(err):
    """Directions and energy of the equilibrium that was left, and the energy of the one that was found."""
    m = re.search(r"unstable in (\d+) direction.*energy (\S+) J\).*stable one \((\S+) J; "
                  r".*collocation are (\S+) of", err)
    return m and (int(m.group(1)), float(m.group(2)), float(m.group(3)), float(m.group(4)))


def elliptic(k):
    """K and E by the arithmetic-geometric mean."""
    a, b, c, n, s = 1.0, np.sqrt(1 - k * k), k, 0, 0.0
    while abs(c) > 1e-16:
        s += 2.0 ** (n - 1) * c * c
        a, b, c, n = (a + b) / 2, np.sqrt(a * b), (a - b) / 2, n + 1
    return np.pi / 2 / a, np.pi / 2 / a * (1 - s)


def columns_buckle_into_the_elastica(folder):
    """A cantilever under a dead load P on its tip: straight below pi^2/4, above it K(k)^2 = P, tip at 2 k/K across and
    2 E/K - 1 along (Euler). It goes to +e1."""
    code, err, found = run(folder, UNIT + "last_end: {name: loaded, force: [0, 0, -2.46]}\n")
    assert code == 0 and not left(err) and "unstable" not in err and abs(found["position"][-1][0]) < 1e-12, (err, found)
    for P in (2.48, 3.5, 9.0):
        code, err, found = run(folder, UNIT + f"last_end: {{name: loaded, force: [0, 0, -{P}]}}\n")
        assert code == 0, err
        low, high = 0.0, 1 - 1e-12
        for _ in range(200):
            k = (low + high) / 2
            low, high = (k, high) if elliptic(k)[0] ** 2 < P else (low, k)
        K, E = elliptic(k)
        x, y, z = found["position"][-1]
        assert x > 0 and abs(y) < 0.05 * x, (x, y)
        np.testing.assert_allclose([np.hypot(x, y), z], [2 * k / K, 2 * E / K - 1], atol=2e-5 if P < 2.5 else 1e-6)
        directions, before, after, far = left(err)
        assert directions == 2 and abs(before - P) < 1e-5 * P and after < before and far < 1e-4, err
        assert abs(found["potential"] - after) < 1e-8 * before
        code, err, found = run(folder, UNIT + f"last_end: {{name: loaded, force: [0, 0, -{P}]}}\n" + STAY)
        assert code == 0 and "a rod would leave it in 2 directions" in err and abs(found["position"][-1][0]) < 1e-12, (
            err)


def heavy_columns_fall_over(folder):
    """On its foot a column under its weight w stands up to w L^3/EI = 7.837 (Greenhill); heavier ones end where theta''
    = -w (1 - s) sin theta, theta(0) = 0, theta'(1) = 0."""

    def foot(tip, w, n=400):  # of order 4: 1e-9
        th, d, x, h = tip, 0.0, np.zeros(2), -1 / n
        for i in range(n):  # from the tip down
            f = lambda s, th, d: (d, -w * (1 - s) * np.sin(th))
            s = 1 + i * h
            a = f(s, th, d)
            b = f(s + h / 2, th + h / 2 * a[0], d + h / 2 * a[1])
            c = f(s + h / 2, th + h / 2 * b[0], d + h / 2 * b[1])
            e = f(s + h, th + h * c[0], d + h * c[1])
            mid = th + h / 2 * b[0]
            end = th + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + e[0])
            x = (x - h / 6 * (np.array([np.sin(th), np.cos(th)]) + 4 * np.array([np.sin(mid), np.cos(mid)])
                              + np.array([np.sin(end), np.cos(end)])))
            th, d = end, d + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + e[1])
        return th, x

    load = "last_end: free\nloads: [{name: gravity, acceleration: [0, 0, -%g]}]\n"
    code, err, found = run(folder, UNIT + load % 7.82)
    assert code == 0 and not left(err) and abs(found["position"][-1][0]) < 1e-12, err
    for w, low, high in ((7.9, 0.05, 0.9), (12.0, 1.0, 2.8)):
        code, err, found = run(folder, UNIT + load % w)
        assert code == 0 and left(err)[0] == 2, err
        for _ in range(40):
            tip = (low + high) / 2
            low, high = (tip, high) if foot(tip, w)[0] < 0 else (low, tip)
        x, y, z = found["position"][-1]
        assert x > 0 and abs(y) < 0.05 * x, (x, y)
        np.testing.assert_allclose([np.hypot(x, y), z], foot(tip, w)[1], atol=1e-5)
    # a soft one, ten times beyond: all of it hangs
    found = {}
    for solver in ("auto", "energy", "{name: auto, leave_unstable: false}"):
        code, err, found[solver] = run(folder, SOFT + f"last_end: free\nloads: [gravity]\nsolver: {solver}\n")
        assert code == 0, err
    up, auto, energy = found["{name: auto, leave_unstable: false}"], found["auto"], found["energy"]
    assert up["position"][-1][2] > 0.99 and auto["position"][-1][2] < 0 and auto["potential"] < up["potential"], found
    np.testing.assert_allclose(auto["position"], energy["position"], atol=1e-7)
    assert auto["position"][-1][0] > 0.1 and abs(auto["position"][:, 1]).max() < 1e-9
    np.testing.assert_allclose(energy["left_force"][2], up["left_force"][2], rtol=1e-6)


def twisted_rods_buckle(folder):
    """Between clamps at a fixed distance a twisted rod is straight up to M = 8.9868 EI/L (Greenhill: tan x = x, M = 2
    x); beyond, it is left for one of less energy."""
    for M, buckled in ((8.97, False), (9.1, True), (9.6, True)):
        twist = M / 0.8
        code, err, found = run(folder, UNIT + f"last_end: {{name: coaxial, shortening: 0, twist: {twist}}}\n")
        assert code == 0 and bool(left(err)) == buckled, (M, err)
        assert (abs(found["position"][:, :2]).max() > 1e-6) == buckled
        assert not buckled or (left(err)[0] == 2 and found["potential"] < 0.4 * twist**2), err


def where_the_path_ends(folder):
    text = RISER + "last_end: {name: coaxial, shortening: 0.3, twist: 30}\n"
    code, err, _ = run(folder, text + "solver: collocation\n")
    assert code == 1 and "last good 25.04" in err, err
    code, err, found = run(folder, text)
    assert code == 0 and apart(err) < 1e-3 and "stable equilibrium" in err, err
    assert found["residual"] < 1e-10 and found["error"] < 1e-8


def spatial_ring(folder):
    code, err, found = run(folder, RISER + "last_end: {name: coaxial, shortening: 1}\nsolver: energy\n")
    assert code == 0, err
    assert abs(np.linalg.norm(found["left_force"]) / 1e6 - 33.7772288) < 1e-7, found["left_force"]


def springs_of_many_coils(folder):
    """A spring of 20 coils between plates, squeezed by a tenth of its height and turned by half a turn."""
    r, pitch, coils = 0.02, 0.01, 20
    turn = np.hypot(2 * np.pi * r, pitch)
    k, tau, L = 4 * np.pi**2 * r / turn**2, 2 * np.pi * pitch / turn**2, coils * turn
    text = (f"kind: static\nlength: {L}\nelements: 400\nsection: {{name: circle, radius: 0.001, E: 200e9, nu: 0.3, "
            f"density: 7800}}\n"
            f"reference: {{name: constant, strain: [0, {k}, {tau}, 0, 0, 1]}}\n")
    code, err, free = run(folder, text + "last_end: {name: loaded, force: [0, 0, 0.0001]}\n")
    assert code == 0, err
    end = free["position"][-1]
    axis = np.array([0, k, tau]) / np.hypot(k, tau)  # of the screw, at the first end
    height = coils * pitch
    assert abs(end @ axis - height) < 1e-3, (end @ axis, height)
    to = end - 0.1 * height * axis
    code, err, found = run(folder, text + f"last_end: {{name: clamped, position: [{to[0]}, {to[1]}, {to[2]}]}}\n")
    assert code == 0, err
    G, d, D = 200e9 / 2.6, 0.002, 2 * r
    force = found["left_force"] @ axis
    assert abs(force / (-0.1 * height * G * d**4 / (8 * D**3 * coils)) - 1) < 0.05, force


def rings_have_the_twist_that_was_asked(folder):
    """A straight rod closed to a ring, one turn of its twist taken by the closing: M3 = GJ tau, binormal force 2 pi GJ
    tau/L^2, energy 2 pi^2 EI + GJ tau^2/2."""
    for turns in (1, 1.5, 2.5, 3, -3, 3.5, 4, 5, 10.5) if LONG else (1, 2.5, -3, 4):
        tau = 2 * np.pi * (turns - np.sign(turns))
        code, err, found = run(folder, "kind: static\nlength: 1\nelements: 120\nsection: {name: rigidities, EI1: 1, "
                               "EI2: 1, GJ: 0.8, GA1: 1e7, GA2: 1e7, EA: 1e7}\n"
                                       f"last_end: {{name: clamped, position: [0, 0, 0], twist: {turns}*2*pi}}\n")
        assert code == 0, (turns, err)
        assert abs(found["left_moment"][2] - 0.8 * tau) < 1e-3 * (1 + abs(tau)), (turns, found, err)
        assert abs(np.linalg.norm(found["left_force"]) - 2 * np.pi * 0.8 * abs(tau)) < 1e-3 * (1 + abs(tau)), (
            turns, found)
        assert "turns from the" not in err, err


def link(path):
    """Turns of the frame and of the axis (Gauss's integral), in turns."""
    with h5py.File(path) as f:
        s, x, k = f["state/arc_length"][0], f["state/position"][0], f["state/curvature"][0][:, 2]
    t, m = np.diff(x, axis=0), 0.5 * (x[1:] + x[:-1])
    r = m[:, None] - m[None]
    d = np.linalg.norm(r, axis=2)
    np.fill_diagonal(d, 1)
    return ((0.5 * (k[1:] + k[:-1]) * np.diff(s)).sum() + (np.einsum("ijk,ijk->ij", np.cross(t[:, None], t[None]), r)
                                                           / d**3).sum() / 2) / (2 * np.pi)


def curved_rings_have_the_twist_that_was_asked(folder):
    """Rods that are curved (or twisted, or flat) at rest: on the way to their ends they pass through themselves; the
    ring twisted evenly, made curved along its arc, has all turns."""
    rod = ("kind: static\nlength: 1\nelements: %d\nsection: {name: rigidities, EI1: 1, EI2: %g, GJ: 0.8, GA1: 1e7, "
           "GA2: 1e7, EA: 1e7}\n"
           "reference: {name: constant, strain: [0, %g, %g, 0, 0, 1]}\nlast_end: {name: clamped, position: [0, 0, 0], "
           "orientation: [1, 0, 0, 0], twist: %g*2*pi}\n")
    ring = 2 * np.pi
    energy = {}
    # closing a rod that is bent by less than half a turn at rest takes a turn; one twisted at rest by 1.43 turns has
    # one more
    cases = [(ring, 0, 1, 2, 2), (ring, 0, 1, -2, -2), (3, 0, 1, 3.3, 2.3), (3, 9, 1, 3, 4),
             # stiffer one way than the other: at a = -1 of the path too; a straight strip with half a turn more may be
             # shifted along itself
             (ring, 0, 2, 3.3, 3.3), (0, 0, 2, 5.5, 4.5)]
    if LONG:
        cases += [(ring, 0, 1, 3, 3), (ring, 0, 1, 1.714, 1.714), (9, 0, 1, 3.3, 3.3), (ring, 0, 2, 2, 2),
                  (ring, 0, 0.5, 2.5, 2.5), (0, 0, 0.5, 2.5, 1.5)]
    for bent, twisted, flat, turns, has in cases:
        code, err, found = run(folder, rod % (120, flat, bent, twisted, turns))
        assert code == 0 and "warning" not in err, (turns, err)
        assert abs(link(folder + "/e.h5") - has) < 0.02, (bent, twisted, flat, turns, link(folder + "/e.h5"))
        assert found["residual"] < 1e-10 and found["error"] < 1e-6, found
        energy[bent, twisted, flat, turns] = found["potential"]
    assert abs(energy[ring, 0, 1, 2] / energy[ring, 0, 1, -2] - 1) < 1e-8
    code, err, found = run(folder, rod % (180, 1, ring, 0, 2))
    assert code == 0 and abs(found["potential"] / energy[ring, 0, 1, 2] - 1) < 1e-8, (found, energy)
    # one turn is a figure of eight, which has one or minus one
    code, err, _ = run(folder, rod % (120, 1, ring, 0, 1))
    assert code == 0 and "crosses itself" in err and "1 or -1 turns" in err, err
    # who asks for the path gets what it leads to, and is told; who does not gets no other turns
    code, err, _ = run(folder, rod % (120, 1, ring, 0, 2) + "solver: collocation\n")
    assert (code == 0 and "warning: the closed rod is twisted by" in err
            and "-2 turns from the requested 12.57 rad" in err), err
    if LONG:  # three turns of its own
        code, err, _ = run(folder, rod % (120, 1, 20, 0, 3.3))
        if code == 0:
            assert abs(link(folder + "/e.h5") - 3.3) < 2.05, link(folder + "/e.h5")
        else:
            assert all(word in err for word in ("and not with the 3.3 asked", "iterations, residual", "Tried:",
                                                "Try ")), err


def loads_without_potential_along_the_arc(folder):
    """What turns with the rod has no energy to go down: the arc of the load path is followed, round its folds. From a
    free tip on the rod under a following force is a problem of initial values and has one solution: the two codes must
    find the same. The last one has two loads and no end on which nothing is held; collocation ends at 0 of the way."""
    for text, far in (("last_end: {name: loaded, force: [0, 0, -60], following: true}\n", 1e-9),
                      ("last_end: {name: loaded, force: [40, 0, 10], following: true}\n", 1e-3),
                      ("last_end: free\nloads: [{name: gravity, acceleration: [0, 0, -5]}, {name: distributed-force, "
                       "density: [100, 0, 0], following: true}]\n", 1e-3)):
        found = {}
        for solver in ("collocation", "energy"):
            code, err, found[solver] = run(folder, UNIT + text + f"solver: {solver}\n")
            assert code == 0, (text, err)
        assert apart(err) < far and "energy does not say whether it is stable" in err, err
        np.testing.assert_allclose(found["energy"]["position"], found["collocation"]["position"], atol=1e-8)
    pushed = (UNIT + "last_end: {name: pinned, position: [0.2, 0, 0.5]}\nloads: [{name: distributed-force, density: "
              "[0, 0, -3000], following: true}, {name: gravity, acceleration: [-3, 0, 0]}]\n")
    code, err, _ = run(folder, pushed + "solver: collocation\n")
    assert code == 1 and "last good 0 " in err, err
    code, err, coarse = run(folder, pushed)
    assert code == 0 and coarse["residual"] < 1e-8, err
    code, err, fine = run(folder, pushed.replace("elements: 60", "elements: 120"))
    assert code == 0, err
    assert np.abs(coarse["position"] - fine["position"][::2]).max() < 1e-3 + 5 * coarse["error"], (
        coarse["error"], np.abs(coarse["position"] - fine["position"][::2]).max())


def what_fails_says_everything(folder):
    """Residual, iterations, last good, what was tried, what to try; and from the energy the load that is not carried,
    with its place."""
    cases = {
        "last_end: free\nloads: [{name: gravity, acceleration: [0, 0, -0.1]}, {name: distributed-couple, density: "
        "[200, 0, 300], from: 0.1}]\nsolver: energy\n":
            ("carries load 2, distributed-couple, from s = 0.1 to 1 m",
             "% of all loads and end displacements", "gradient left", "iterations on",
             "Tried: energy minimisation", "arc of the load path", "Try less of it"),
        "last_end: free\nloads: [{name: point-force, at: 0.4, force: [1e6, 0, -1e6]}]\nsolver: collocation\n": (
            "last good 0 ", "residual", "after 12 iterations", "next step failed down to",
            "try another branch, or more elements"),
        "last_end: {name: loaded, moment: [0, 300, 0]}\nsolver: collocation\n": ("residual", "after 30 iterations",
            "Last good: all ends and loads", "Tried: Newton", "how many are enough is not known"),
        "reference: {name: constant, strain: [0, 2*pi, 0, 0, 0, 1]}\nlast_end: {name: clamped, position: [0, 0, 0], "
        "twist: 10*pi}\nsolver: collocation\n": ("last good 0.65", "residual", "iterations", "next step failed",
                                                 "try another branch"),
        "last_end: {name: clamped, position: [0, 0, 5], orientation: [0, 1, 0, 0], twist: 30}\nsolver: "
        "collocation\nelements: 8\n": ("ast good", "residual", "iterations", "ailed", "ry "),
    }
    for text, words in cases.items():
        code, err, _ = run(folder, (UNIT.replace("elements: 60\n", "") if "elements" in text else UNIT) + text)
        assert code == 1 and all(word in err for word in words), (text, err, [w for w in words if w not in err])
    code, err, _ = run(folder, UNIT + next(iter(cases)).replace("solver: energy", "solver: auto"))
    assert re.match("withy: continuation in .*Tried then by its energy: no equilibrium was found", err), err


HOSE = """kind: static
length: 2.3
section: {name: tube, radius: 0.021, wall: 0.004, E: 4.2e7, nu: 0.45, density: 1130}
first_end: clamped
last_end: {name: clamped, position: [0.9, 0.2, 1.1], twist: 5}
loads: [{name: gravity, acceleration: [0, 0, -9.81]}]
elements: 40
"""


def what_falls_away_is_named(folder):
    """A hose pressed together stays straight on the path of its branch, with seventeen times the energy: that is an
    equilibrium, and said to be no rest."""
    path = folder + "/hose.yaml"
    with open(path, "w") as f:
        f.write(HOSE)
    energy = []
    for more, unstable in ((["--set", "solver=collocation"], True), (["--set", "solver=energy"], False),
                           (["--set", "solver=collocation", "--set", "branch=direct"], None),
                           (["--set", "elements=20"], False),
                           (["--set", "solver=collocation", "--set", "elements=20"], True)):
        code, out, err = withy("run", path, "-o", folder + "/hose.h5", *more)
        assert code == 0, err
        assert ("a rod would leave it in" in err) == bool(unstable), (more, err)
        with h5py.File(folder + "/hose.h5") as f:
            energy.append(f["energy/strain_energy"][-1])
    assert energy[0] > 10 * energy[1], energy
    # left by itself; and however few elements, the same equilibrium of the path
    assert abs(energy[3] / energy[1] - 1) < 1e-7 and abs(energy[4] / energy[0] - 1) < 3e-3, energy
    # growth times of what leads away, and no word of a rod that nothing holds
    code, out, err = withy("modes", path, "--set", "solver=collocation")
    assert code == 0 and "nothing holds" not in out and " 0 negative" not in out, (out, err)
    rows = [line.split() for line in out.splitlines()[2:4]]
    assert all(float(r[1]) < 0 and r[2] == "-" and float(r[3]) > 0 for r in rows), out


main(columns_buckle_into_the_elastica, heavy_columns_fall_over, twisted_rods_buckle, what_falls_away_is_named,
     rings_have_the_twist_that_was_asked, curved_rings_have_the_twist_that_was_asked,
     loads_without_potential_along_the_arc, what_fails_says_everything, two_codes_agree, where_the_path_ends,
     spatial_ring, springs_of_many_coils)
