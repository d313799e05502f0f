"""Ends, starts and references mean the same in every kind: a scenario at rest, in motion from its equilibrium, and at
the start of a branch lies between the same ends, in the same shape."""
import math
import os
import random
import re

import h5py
import numpy as np

from check import SOURCE, main, withy

LONG = bool(os.environ.get("WITHY_LONG"))


def without(text, key):
    """A top-level key and what is indented below it taken out."""
    kept, inside = [], False
    for line in text.splitlines():
        if line and not line[0].isspace() and not line.startswith("#"):
            inside = line.split(":")[0] == key
        if not inside:
            kept.append(line)
    return "\n".join(kept) + "\n"


def run(folder, text, kind):
    """The scenario as another kind, without the keys that it does not have: positions and orientations (None: refused,
    and why)."""
    path = folder + "/as.yaml"
    text = without(text, "kind")
    if kind == "dynamic":
        for key in ("duration", "step", "every", "accuracy", "output_step"):
            text = without(text, key)
        text += "duration: 1e-9\nstep: 1e-9\n"
        if "equilibrium: true" not in text:
            given = re.search(r"^start:( \{|\n)", text, flags=re.M)
            begin = "start: {equilibrium: true, " if given and "{" in given.group() else "start:\n  equilibrium: true\n"
            text = text.replace(given.group(), begin, 1) if given else text + begin
    if kind == "continuation":
        text = (without(text, "parameter") + "parameter: {number: section.EI1, from: 1, to: 1.0001}\nfollow: {points: "
                "2, branches: 1}\n")
    text = f"kind: {kind}\n" + text
    for _ in range(8):
        with open(path, "w") as f:
            f.write(text)
        code, _, err = withy("run", path, "-o", folder + "/as.h5", "--force")
        unknown = re.findall(r"\d+:1: unknown key '(\w+)' in", err)
        if not unknown:
            break
        for key in unknown:
            text = without(text, key)
    if code != 0:
        return None, err
    with h5py.File(folder + "/as.h5") as f:
        x, q = f["state/position"][0], f["state/orientation"][0]
        s = f["state/arc_length"][0] if "state/arc_length" in f else np.linspace(0, 1, len(x))
    return (s / s[-1], x, q), err


def at(found, where):
    return np.array([np.interp(where, found[0], found[1][:, i]) for i in range(3)])


def agree(a, b, L, held, tolerance, what):
    """Poses of the ends, which are held to the last digit, and the shape between them."""
    for end in (0, -1):
        free = end == -1 and not held
        off = np.abs(a[1][end] - b[1][end]).max() / L
        assert off < (tolerance if free else 1e-7), (what, "end", end, a[1][end], b[1][end])
        if not free and held != "joint":
            assert 1 - abs(np.dot(a[2][end], b[2][end])) < 1e-10, (what, "frame", end, a[2][end], b[2][end])
    for where in (0.25, 0.5, 0.75):
        assert np.abs(at(a, where) - at(b, where)).max() < tolerance * L, (what, where, at(a, where), at(b, where))


def scenario(rng):
    """A rod without two equilibria to choose from, its text and what its last end holds."""
    vector = lambda size: "[%s]" % ", ".join("%.6g" % rng.uniform(-size, size) for _ in range(3))
    L = rng.choice([0.3, 1.0, 4.0])
    EI = 1.0
    quaternion = np.array([rng.gauss(0, 1) for _ in range(4)])
    quaternion /= np.linalg.norm(quaternion)
    text = (f"length: {L}\nelements: 20\nsection: {{name: rigidities, EI1: {EI}, EI2: {rng.choice([1.0, 1.7])}, GJ: "
            f"0.8, GA1: {4e3 / L**2}, GA2: {4e3 / L**2}, EA: {1e4 / L**2}, rhoA: 1, rhoI1: 1e-4, rhoI2: 1e-4, rhoJ: "
            f"2e-4}}\n")
    if rng.random() < 0.5:
        k = [rng.uniform(-1.2, 1.2) / L for _ in range(3)]
        text += "reference: {name: constant, strain: [%.6g, %.6g, %.6g, 0, 0, 1]}\n" % tuple(k)
    first = rng.choice(["", f"first_end: {{name: clamped, position: {vector(1)}, orientation: "
                        f"[{', '.join('%.17g' % v for v in quaternion)}]}}\n"])
    kind = rng.choice(["free", "loaded", "clamped", "clamped", "pinned", "pinned"])
    start = {}
    if rng.random() < 0.6:
        start["shape"] = ("{name: constant, strain: [%.6g, %.6g, %.6g, 0, 0, 1]}" % tuple(rng.uniform(-0.9, 0.9) / L
            for _ in range(3)))
    if not first and rng.random() < 0.5:
        start["position"] = vector(1)
        start["orientation"] = "[%s]" % ", ".join("%.17g" % v for v in quaternion)
    text += first
    text += {"free": "last_end: free\n", "loaded": f"last_end: {{name: loaded, force: {vector(0.5 / L**2)}}}\n",
             "clamped": "last_end: clamped\n", "pinned": "last_end: pinned\n"}[kind]
    if rng.random() < 0.6:
        text += f"loads: [{{name: gravity, acceleration: {vector(0.7 / L**3)}}}]\n"
    if start:
        text += "start: {" + ", ".join(f"{k}: {v}" for k, v in start.items()) + "}\n"
    return text, L, {"free": None, "loaded": None, "clamped": "clamp", "pinned": "joint"}[kind]


def random_scenarios(folder):
    rng = random.Random(31)
    compared = 0
    for number in range(200 if LONG else 16):
        text, L, held = scenario(rng)
        rest, err = run(folder, text, "static")
        assert rest, (number, text, err)
        for kind in ("dynamic", "continuation"):
            other, err = run(folder, text, kind)
            assert other, (number, kind, text, err)
            agree(rest, other, L, held, 2e-3 if kind == "dynamic" else 1e-6, (number, kind, text))
            compared += 1
    print(f"{compared} comparisons")


def examples(folder):
    """Every rod of the examples in each kind that takes it; what is refused varies in time, has no equilibrium, or none
    that is reached from nothing."""
    compared, refused = [], []
    for name in sorted(os.listdir(SOURCE + "/examples")):
        text = open(SOURCE + "/examples/" + name).read() if name.endswith(".yaml") else ""
        kind = re.search(r"^kind: (\w+)", text, flags=re.M)
        if not kind or kind.group(1) not in ("static", "dynamic", "continuation"):
            continue
        if re.search(r"^rods:", text, flags=re.M):  # several rods only move
            continue
        text = re.sub(r"^ +release:.*\n", "", text, flags=re.M)  # a force that is let go at the start is none at rest
        L = float(re.search(r"^length: *([\d.e]+)", text, flags=re.M).group(1))
        text = without(without(text, "parameter"), "sweep")
        rest, err = run(folder, text, "static")
        moving, why = run(folder, text, "dynamic")
        if rest and moving:
            agree(rest, moving, L, None, 0.02, name)
            assert np.abs(rest[1][0] - moving[1][0]).max() < 1e-9 * L, name
            compared.append(name)
        else:
            refused.append(name)
            assert ("varies with time" in err or "rigid body" in err or "rho" in why or "mass" in why
                    or "moves by itself" in why), (name, err, why)
    print("compared", ", ".join(compared), "; refused", ", ".join(refused))
    assert len(compared) >= 4, (compared, refused)


def where_the_start_puts_it(folder):
    """A clamp without a position: at the end of the shape at the start, and not of the unstressed rod."""
    text = """length: 1
elements: 20
section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.8, GA1: 1e4, GA2: 1e4, EA: 1e4, rhoA: 1, rhoI1: 1e-4, rhoI2: 1e-4, \
rhoJ: 2e-4}
last_end: clamped
start: {shape: {name: constant, strain: [0, 3, 1, 0, 0, 1]}}
"""
    k = math.hypot(3, 1)  # a helix about (0, 3, 1)
    axis = np.array([0, 3, 1]) / k
    e3 = np.array([0, 0, 1])
    along = axis * (axis @ e3)
    end = along + (e3 - along) * math.sin(k) / k + np.cross(axis, e3) * (1 - math.cos(k)) / k
    for kind in ("static", "dynamic", "continuation"):
        found, err = run(folder, text, kind)
        assert found, (kind, err)
        np.testing.assert_allclose(found[1][-1], end, atol=1e-7)


def a_perfect_column(folder):
    """Pressed by three times Euler's load it stays straight, and says that it would not; below the load, and pulled, it
    says nothing."""
    E, r, L = 2e11, 0.005, 1.0
    euler = math.pi**2 / 4 * E * math.pi / 4 * r**4 / L**2
    straight = "shape: {name: constant, strain: [0, 0, 0, 0, 0, 1]}"
    poses = "poses: [[0, 0, 0, 0, 1, 0, 0, 0], [0.5, 0, 0, 0.5, 1, 0, 0, 0], [1, 0, 0, 1, 1, 0, 0, 0]]"
    states = ("states: [%s]" % ", ".join("[%g, 0, 0, %.17g, 0, 0, 0, 1, 0, 0, 0, 0, 0, %g]" % (s, -3 * euler, s)
                                         for s in (0, 0.5, 1)))
    bent = "shape: {name: constant, strain: [0, 3, 0, 0, 0, 1]}"
    cases = [(3, "", True), (0.9, "", False), (-3, "", False), (3, "start: {equilibrium: true}\n", False)]
    cases += [(3, "start: {equilibrium: true, %s}\n" % given, True) for given in (straight, poses, states)]
    cases += [(0.9, "start: {equilibrium: true, %s}\n" % straight, False),
              (3, "start: {equilibrium: true, %s}\n" % bent, False)]
    cases += [(3, "method: box\nstart: {equilibrium: true, %s}\n" % straight, True)]
    for times, start, warned in cases:
        with open(folder + "/column.yaml", "w") as f:
            f.write(f"kind: dynamic\nlength: {L}\nelements: 8\nsection: {{name: circle, radius: {r}, E: {E}, nu: 0.3, "
                    f"density: 7800}}\nlast_end: {{name: loaded, force: [0, 0, {-times * euler}]}}\n{start}duration: "
                    f"0.01\nstep: 0.001\n")
        code, _, err = withy("run", folder + "/column.yaml", "-o", folder + "/column.h5", "--force")
        assert code == 0 and ("unstable in 2 directions" in err) == warned, (times, start, err)
        if warned:
            time = float(re.search(r"by a factor of e in (\S+) s", err).group(1))
            code, out, err = withy("modes", folder + "/column.yaml", "-n", 1)
            # u'''' + k^2 u'' = w^2 u, clamped and free: the growth of a column under 3 Euler loads, by its own modes
            with open(folder + "/rest.yaml", "w") as f:
                f.write(f"kind: static\nlength: {L}\nsection: {{name: circle, radius: {r}, E: {E}, nu: 0.3, density: "
                        f"7800}}\nlast_end: {{name: loaded, force: [0, 0, {-times * euler}]}}\nsolver: {{name: auto, "
                        f"leave_unstable: false}}\n")
            code, out, err = withy("modes", folder + "/rest.yaml", "-n", 1)
            growth = float(out.splitlines()[-1].split()[3])
            assert code == 0 and abs(time / growth - 1) < 1e-2, (time, out)


def directions_it_can_move_in(folder):
    """What is not held is named."""
    for ends, words in (("first_end: free\nlast_end: free\n", "a shift along"),
                        ("first_end: pinned\nlast_end: free\n", "a turn about the axis")):
        with open(folder + "/loose.yaml", "w") as f:
            f.write("kind: static\nlength: 2\nsection: {name: circle, radius: 0.01, E: 2e11, nu: 0.3, density: 7800}\n"
                    + ends)
        code, _, err = withy("run", folder + "/loose.yaml", "-o", folder + "/loose.h5")
        assert code == 2 and "as a rigid body" in err and words in err, err


def through_itself(folder):
    """A motion that passes through itself is marked like an equilibrium that does, and --strict refuses it; an open arc
    is not."""
    for turns, through in ((1.3, True), (0.6, False)):
        with open(folder + "/loop.yaml", "w") as f:
            f.write("kind: dynamic\nlength: 1\nelements: 20\nsection: {name: circle, radius: 0.005, E: 2e8, nu: 0.3, "
                    "density: 1000}\nfirst_end: free\nlast_end: free\n"
                    f"reference: {{name: constant, strain: [0, {2 * math.pi * turns}, 0, 0, 0, 1]}}\nduration: "
                    f"0.001\nstep: 0.0005\n")
        code, _, err = withy("run", folder + "/loop.yaml", "-o", folder + "/loop.h5", "--force")
        assert code == 0 and ("warning: the rod passes through itself at s = " in err) == through, err
        code, _, err = withy("run", "--strict", folder + "/loop.yaml", "-o", folder + "/loop.h5", "--force")
        assert (code != 0) == through, err


main(through_itself, where_the_start_puts_it, a_perfect_column, directions_it_can_move_in, random_scenarios, examples)
