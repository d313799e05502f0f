"""`kind: static`: what a scenario says is what is solved, and what is written is a rod in equilibrium."""
import json
import math

import h5py
import numpy as np

from check import main, withy

RISER = """kind: static
length: 10
section: {name: rigidities, EI1: 110.8e6, EI2: 110.8e6, GJ: 85.2e6, GA1: 2338.6e6, GA2: 2338.6e6, EA: 6080.5e6, \
diameter: 0.4}
"""


def run(folder, text, *more):
    path = folder + "/s.yaml"
    open(path, "w").write(text)
    code, out, err = withy("run", path, "-o", folder + "/s.h5", *more)
    return code, out, err, folder + "/s.h5"


def reference_point(folder):
    code, _, err, path = run(folder, RISER + "last_end: {name: coaxial, twist: pi, shortening: 0.4}\nelements: 200\n")
    assert code == 0, err
    with h5py.File(path) as f:
        np.testing.assert_allclose(f["ends/left_force"][0] / 1e6, [13.8077195, -14.4562951, -38.6307400], rtol=1e-8)
        np.testing.assert_allclose(f["ends/left_moment"][0] / 1e6, [0, 86.8291652, 10.1629783], rtol=1e-8, atol=1e-9)
        x, q, s = f["state/position"][0], f["state/orientation"][0], f["state/arc_length"][0]
        assert x.shape == (201, 3) and q.shape == (201, 4) and s[-1] == 10
        np.testing.assert_allclose(x[-1], [0, 0, 6], atol=1e-12)
        np.testing.assert_allclose(q[-1], [0, 0, 0, 1], atol=1e-12)
        # constant along s, to round-off where quadratic
        assert f["conserved/drift"][0].max() < 1e-11
        for name in ("space_force", "space_moment"):
            v = f["conserved/" + name][0]
            assert np.abs(v - v[0]).max() < 1e-9 * np.abs(v).max()
        np.testing.assert_allclose(f["state/curvature"][0][:, 2], 10.1629783e6 / 85.2e6, rtol=1e-8)
        assert f["solver/residual"][0] < 1e-12 and f["contact/self_distance"][0] == -1


def sweep_is_the_family(folder):
    text = (RISER + "last_end: {name: coaxial, shortening: 0.3}\nsweep: {number: last_end.shortening, from: 0.2, to: "
            "1.0, frames: 5}\n")
    code, _, err, path = run(folder, text, "--set", "elements=200", "--set",
                             "solver={name: auto, leave_unstable: false}")
    assert code == 0 and "passes through itself at s = " in err, err  # at xi = 1 it is a figure of eight
    with h5py.File(path) as f:
        np.testing.assert_allclose(f["last_end.shortening"][:], [0.2, 0.4, 0.6, 0.8, 1.0])
        np.testing.assert_allclose(-f["ends/left_force"][:, 2] / 1e6,
                                   [47.905528448, 54.100923568, 62.411665881, 74.181448423, 92.159209953], rtol=2e-9)
        assert list(f["contact/passes_through_itself"][:]) == [0, 0, 0, 0, 1]
    # beyond 0.5835 a rod leaves the plane: the spatial ring of the thesis at the end
    code, _, err, path = run(folder, text, "--set", "elements=200")
    assert code == 0 and err.count("was left for this stable one") == 3, err
    with h5py.File(path) as f:
        np.testing.assert_allclose(-f["ends/left_force"][:2, 2] / 1e6, [47.905528448, 54.100923568], rtol=2e-9)
        assert abs(np.linalg.norm(f["ends/left_force"][-1]) / 1e6 - 33.7772288) < 1e-7, f["ends/left_force"][-1]


def branches_have_names(folder):
    force = {}
    for branch in ("main", "two-loop", "spatial", "direct", "rest"):
        solver = "solver: {name: auto, leave_unstable: false}\n" if branch == "main" else ""
        code, _, err, path = run(folder, RISER + f"last_end: {{name: coaxial, shortening: 0.8}}\nbranch: "
                                 f"{branch.replace('rest', 'main')}\n" + solver, "-q")
        assert code == 0, err
        with h5py.File(path) as f:
            force[branch] = f["ends/left_force"][0][2] / 1e6
    assert abs(force["rest"] / force["spatial"] - 1) < 1e-9, force  # the rod released without control settles there
    assert abs(force["main"] + 74.1814484) < 1e-5 and abs(force["two-loop"] - 66.640693) < 1e-4, force
    assert -60 < force["spatial"] < 0 and abs(force["direct"] + 0.8 * 6080.5) < 1e-6, force


def shapes_materials_loads(folder):
    """A heavy tapered strip: the clamp carries its weight; both solvers agree."""
    text = """kind: static
length: 2
section: {name: rectangle, width: 0.03, height: 0.002, E: 70e9, G: 26e9, density: 2700}
taper: [[0, 1], [0.8, 0.9], [2, 0.5]]
reference: {name: constant, strain: [0.2, 0, 0, 0, 0, 1]}
last_end: {name: loaded, force: [0.1, 0.05, 0]}
loads: [gravity, {name: distributed-force, density: [0, 0.02, 0]}]
"""
    shape = {}
    for solver in ("collocation", "{name: shooting, integrator: GL6}"):
        code, _, err, path = run(folder, text + f"solver: {solver}\n", "-q")
        assert code == 0, err
        with h5py.File(path) as f:
            shape[solver] = f["state/position"][0]
            force = f["conserved/space_force"][0]
            s = f["state/arc_length"][0]
    a, b = shape.values()
    np.testing.assert_allclose(a, b, atol=1e-9)
    # between rows the size varies linearly, the area with its square
    area = sum(h / 3 * (a * a + a * b + b * b) for h, a, b in ((0.8, 1, 0.9), (1.2, 0.9, 0.5)))
    weight = 9.80665 * 2700 * 0.03 * 0.002 * area
    np.testing.assert_allclose(force[0], [0.1, 0.05 + 2 * 0.02, -weight], atol=1e-9)
    np.testing.assert_allclose(force[-1], [0.1, 0.05, 0], atol=1e-12)


def pinned_ends(folder):
    text = """kind: static
length: 1
section: {name: circle, radius: 0.001, E: 200e9, nu: 0.3}
first_end: pinned
last_end: {name: pinned, position: [0, 0, 0.9]}
branch: planar
mode: 2
"""
    code, _, err, path = run(folder, text, "-q")
    assert code == 0, err
    with h5py.File(path) as f:
        F = np.linalg.norm(f["ends/left_force"][0])
        EI = 200e9 * math.pi * 0.001**4 / 4
        assert 4 * math.pi**2 * EI < F < 4.5 * math.pi**2 * EI, F
        assert np.abs(f["state/moment"][0][[0, -1]]).max() < 1e-9


def no_turns_to_count_at_a_pinned_end(folder):
    """From a ball joint to a clamp: whatever the clamp is turned by about its axis, the round rod is the same; with a
    whole turn more any rod is."""
    soft = ("kind: static\nlength: 8.68\nsection: {name: circle, radius: 0.0033, E: 7.1e5, nu: 0.42, density: "
            "4700}\nfirst_end: pinned\n")
    forces = []
    for twist in (0.0, 1.7, 7.97, 1.7 + 2 * math.pi):
        code, _, err, path = run(folder, soft + f"last_end: {{name: clamped, position: [0, 0, 4.67], twist: "
                                 f"{twist!r}}}\n")
        assert code == 0, (twist, err)
        with h5py.File(path) as f:
            forces.append(np.linalg.norm(f["ends/left_force"][0]))
    np.testing.assert_allclose(forces, forces[0], rtol=1e-7)


def bad_requests(folder):
    for more, word in ((["last_end.shortening=1.2"], "behind the first one"), (["section.GJ=0"], "'GJ' is 0"),
                       (["first_end=free"], "clamped"),
                       (["last_end={name: free}", "first_end={name: pinned}"], "rigid body in 3 ways"),
                       (["sweep.number=last_end.twst"], "did you mean 'twist'"),
                       (["taper=[[0, -1], [9, 1]]"], "positive"), (["taper=[[0, 1], [11, 1]]"], "not on the rod"),
                       (["branch=plane"], "did you mean 'planar'")):
        code, out, err, _ = run(folder, RISER + "last_end: {name: coaxial, shortening: 0.2}\n"
                                if "last_end={" not in more[0] else RISER + "last_end: free\n",
                                *[w for m in more for w in ("--set", m)])
        assert code == 2 and word in err and not out, (more, code, err)
    for old, words in (("left: clamped", "'left' is called 'first_end' now"),
                       ("right: free", "'right' is called 'last_end' now"),
                       ("load: [gravity]", "'load' is called 'loads' now"),
                       ("curvature: [1, 0, 0]", "'curvature' is part of 'reference' now"),
                       ("loads: [{name: force, density: [1, 0, 0]}]", "'force' is called 'distributed-force' now"),
                       ("loads: [{name: distributed-force, force: [1, 0, 0]}]", "'force' is called 'density' now"),
                       ("last_end: {name: loaded, frame: body}", "'frame' is called 'following' now"),
                       ("solver: {name: collocation, elements: 9}", "'elements' stands beside 'solver' now"),
                       ("solver: {name: shooting, steps: 9}", "'steps' is called 'elements' now"),
                       ("last_end: {name: coaxial}\nsweep: {number: right.twist}", "'right' is called 'last_end' now"),
                       ("loads: [{name: distributed-force, density: [1, 0, 0], in_time: sine}]", "missing"),
                       ("loads: [{name: distributed-force, density: [1, 0, 0], in_time: {name: sine, frequency: 1}}]",
                        "'distributed-force' varies with time: an equilibrium needs constant loads and ends")):
        code, out, err, _ = run(folder, RISER + old + "\n")
        assert code == 2 and words in err and not out, (old, code, err)
    for old, item in (("actuation: [{name: uniform, strain: [0, 1, 0, 0, 0, 0], in_time: {name: ramp, until: 1}}]",
                        ":4:12: 'uniform'"),
                       ("last_end: free\nfirst_end: {name: moved, turn: [0, 1, 0], rotation: {name: ramp, until: 1}}",
                        ":5:12: 'moved'"),
                       ("last_end: {name: carried, x1: {name: line, rate: 1}}", ":4:11: 'carried'")):
        code, out, err, _ = run(folder, RISER + old + "\n")
        assert code == 2 and item + " varies with time" in err, (old, code, err)
    code, out, err, _ = run(folder, RISER + "last_end: {name: coaxial, shortening: 0.3, twist: 30}\nsolver: "
                            "collocation\n")
    assert code == 1 and "last good 25.04" in err and "try another branch" in err, (code, err)


def resume_goes_on_bit_for_bit(folder):
    text = (RISER + "last_end: {name: coaxial, shortening: 0.3}\nsweep: {number: last_end.twist, from: 0, to: 3, "
            "frames: 25}\n")
    code, _, err, path = run(folder, text)
    assert code == 0, err
    with h5py.File(path) as f:
        whole = f["state/position"][:]
    import os
    import signal
    import subprocess
    import time
    os.remove(path)
    process = subprocess.Popen([os.environ["WITHY"], "run", folder + "/s.yaml", "-o", path, "--flush", "0", "-q"])
    while not os.path.exists(path):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.wait()
    code, _, err = withy("run", folder + "/s.yaml", "-o", path, "--resume", "-q")
    assert code == 0, err
    with h5py.File(path) as f:
        assert np.array_equal(f["state/position"][:], whole)


def error_of_every_solution(folder):
    """Each scheme and mesh says how far it is from the answer, and is at most three times that far."""
    text = RISER + "last_end: {name: coaxial, twist: pi, shortening: 0.4}\n"
    exact = np.array([13.8077195, -14.4562951, -38.6307400])
    errors = []
    for solver, elements in (('{name: collocation, order: "2"}', 16), ('{name: collocation, order: "2"}', 64),
                             ('{name: collocation, order: "4"}', 12),
                             ('{name: collocation, order: "6"}', 8), ("{name: shooting, integrator: RK4}", 60),
                             ("{name: shooting, integrator: IM}", 200)):
        code, _, err, path = run(folder, text + f"solver: {solver}\nelements: {elements}\n")
        assert code == 0, err
        with h5py.File(path) as f:
            error = f["solver/error"][0]
            off = np.abs(f["ends/left_force"][0] / 1e6 - exact).max() / np.linalg.norm(exact)
        assert 1e-7 < off < 3 * error < 300 * off, (solver, elements, off, error)
        assert ("estimated errors: shape within" in err) == (error > 1e-3), (solver, elements, err)
        errors.append(error)
    assert max(errors) > 1e-2 and min(errors) < 1e-4, errors


def ring_is_converged(folder):
    """The spatial ring is a circle: a shift along itself is a spin, and was once taken for a second symmetry."""
    for elements in (60, 100):
        code, _, err, path = run(folder, RISER + f"last_end: {{name: coaxial, shortening: 1}}\nbranch: "
                                 f"spatial\nelements: {elements}\n", "-q")
        assert code == 0, err
        with h5py.File(path) as f:
            assert abs(np.linalg.norm(f["ends/left_force"][0]) / 1e6 - 33.7772288) < 5e-8, elements
            assert f["solver/residual"][0] < 1e-14 and f["solver/error"][0] < 1e-9


def energy_of_an_arc(folder):
    """A moment bends a straight rod into a circle: M^2 L/2EI; a naturally curved one keeps M.kappa* out of its strain
    energy."""
    for rest in ("[0, 0, 0, 0, 0, 1]", "[0, 0.1, 0, 0, 0, 1]"):
        code, _, err, path = run(folder, RISER + f"reference: {{name: constant, strain: {rest}}}\nlast_end: {{name: "
                                 f"loaded, moment: [0, 30e6, 0]}}\n", "-q")
        assert code == 0, err
        with h5py.File(path) as f:
            exact = 0.5 * 30e6**2 / 110.8e6
            np.testing.assert_allclose(f["energy/strain_energy_density"][0], exact, rtol=1e-12)
            np.testing.assert_allclose(f["energy/strain_energy"][0], 10 * exact, rtol=1e-12)


def many_turns(folder):
    """15 turns with 3 % slack: a hump of the long twisted rod, m^2 = 1 - D^2 T/16 B, M = 2 sqrt(B T) m, R = M L/C + 4
    arccos m."""
    B, C, EA, D = 1.345, 0.789, 1e7, 0.03
    code, _, err, path = run(folder, f"kind: static\nlength: 1\nelements: 300\nsection: {{name: rigidities, EI1: {B}, "
                             f"EI2: {B}, GJ: {C}, GA1: {EA}, GA2: {EA}, EA: {EA}}}\n"
                                     f"last_end: {{name: coaxial, shortening: {D}, twist: 15*2*pi}}\n", "-q")
    assert code == 0, err
    with h5py.File(path) as f:
        T, M, error = np.linalg.norm(f["ends/left_force"][0]), f["ends/left_moment"][0][2], f["solver/error"][0]
    m = M / 2 / math.sqrt(B * T)
    assert error < 1e-6 and m < 1, (error, m)
    # the finite rod differs from the infinite one by what is left of the hump at its ends
    assert (abs(M / C + 4 * math.acos(m) - 30 * math.pi) < 0.2 and abs(4 * math.sqrt((1 - m * m) * B / T) - T / EA - D)
            < 2e-3), (T, M)


def twenty_seven_turns(folder):
    """The published rod of 27 turns and 3 % slack, both hands, from cold: M 98.5414962 B/L, T 2900.99321 B/L^2."""
    B = 1.345
    for hand in (1, -1):
        code, _, err, path = run(folder, "kind: static\nlength: 1\nelements: 400\nsection: {name: rigidities, EI1: "
                                 "1.345, EI2: 1.345, GJ: 0.789, GA1: 1e12, GA2: 1e12, EA: 1e12}\n"
                                         f"last_end: {{name: coaxial, shortening: 0.03, twist: {hand}*27*2*pi}}\n",
                                         "-q")
        assert code == 0, err
        with h5py.File(path) as f:
            T, M, q, x = np.linalg.norm(f["ends/left_force"][0]) / B, hand * f["ends/left_moment"][0][2] / B, f[
                "state/orientation"][0], f["state/position"][0]
            n = f["conserved/space_force"][0]
        assert abs(M - 98.5414962) < 1e-5 and abs(T - 2900.99321) < 1e-3, (T, M)
        np.testing.assert_allclose(x[-1], [0, 0, 0.97], atol=1e-9)
        np.testing.assert_allclose(np.abs(q[-1]), [1, 0, 0, 0], atol=1e-9)
        assert np.abs(n - n[0]).max() < 1e-6 * T


def closed_rod_says_its_twist(folder):
    text = ("kind: static\nlength: 1\nsection: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.8, GA1: 1e5, GA2: 1e5, EA: "
            "1e5}\nreference: {name: constant, strain: [0, 2*pi, 0, 0, 0, 1]}\n")
    for twist in (3, 12):
        code, _, err, path = run(folder, text + f"last_end: {{name: clamped, position: [0, 0, 0], twist: {twist}}}\n")
        if code != 0:  # no way there is an answer too, but never another twist without a word
            assert "last good" in err, err
            continue
        with h5py.File(path) as f:
            s, x = f["state/arc_length"][0], f["state/position"][0]
            tw = (0.5 * (f["state/curvature"][0][1:, 2] + f["state/curvature"][0][:-1, 2]) * np.diff(s)).sum()
        t, m = np.diff(x, axis=0), 0.5 * (x[1:] + x[:-1])
        r = m[:, None] - m[None]
        d = np.linalg.norm(r, axis=2)
        np.fill_diagonal(d, 1)
        link = tw + (np.einsum("ijk,ijk->ij", np.cross(t[:, None], t[None]), r) / d**3).sum() / 2
        assert (abs(link - twist) < 0.1) != ("turns from the" in err), (twist, link, err)


def motion_starts_at_rest_between_pinned_ends(folder):
    """`equilibrium: true` between two ball joints: the shape that statics has, and nothing moves."""
    rod = ("length: 1\nelements: 24\nsection: {name: circle, radius: 0.005, E: 5e6, nu: 0.4, density: "
           "1100}\nfirst_end: pinned\nlast_end: {name: pinned, position: [0.1, 0, 0.9]}\nloads: [{name: gravity, "
           "acceleration: [-9.81, 0, 0]}]\n")
    code, _, err, path = run(folder, "kind: static\n" + rod, "-q")
    assert code == 0, err
    with h5py.File(path) as f:
        s, x = f["state/arc_length"][0], f["state/position"][0]
    code, _, err, path = run(folder, "kind: dynamic\nduration: 0.05\nstep: 0.001\nstart: {equilibrium: true}\n" + rod,
                             "-q", "--force")
    assert code == 0, err
    with h5py.File(path) as f:
        p = f["state/position"][:]
    at = np.array([np.interp(np.linspace(0, 1, 25), s, x[:, k]) for k in range(3)]).T
    assert np.abs(p[0][[0, -1]] - x[[0, -1]]).max() < 1e-12 and np.abs(p[0][12] - at[12]).max() < 2e-4, (
        np.abs(p[0] - at).max())
    assert np.abs(p - p[0]).max() < 1e-8, np.abs(p - p[0]).max()


def stored_shapes_are_taken_up(folder):
    """An equilibrium of statics and a frame of a run as the start of another scenario, in another parameter too."""
    riser = RISER + "last_end: {name: coaxial, twist: pi, shortening: 0.4}\nelements: 100\n"
    code, _, err, path = run(folder, riser, "-q")
    assert code == 0, err
    with h5py.File(path) as f:
        want = f["ends/left_force"][0]
    code, _, err = withy("export", path, "--format", "states", "--frame", "-1", "-o", folder + "/stored.csv")
    assert code == 0, err
    code, _, err, path = run(folder, riser + "start: {states: stored.csv}\n", "-q", "--force")
    assert code == 0, err
    with h5py.File(path) as f:
        np.testing.assert_allclose(f["ends/left_force"][0], want, rtol=1e-9)
    code, _, err, path = run(folder, riser.replace("static",
                                                   "continuation")
                                                   + "start: {states: stored.csv}\nparameter: {number: section.GJ, "
                                                   "from: 60e6, to: 90e6, start: 85.2e6}\nfollow: {branches: 1}\n",
                                                   "--force")
    assert code == 0 and "ends (the bound of the parameter)" in err, err
    with h5py.File(path) as f:
        np.testing.assert_allclose(f["ends/left_force"][0], want, rtol=1e-8)
    code, _, err, path = run(folder, riser + "start: {states: stored.csv}\nsweep: {number: last_end.twist, from: pi, "
                             "to: 3, frames: 3}\n", "-q", "--force")
    assert code == 0, err
    soft = ("length: 1\nelements: 24\nsection: {name: circle, radius: 0.005, E: 5e6, nu: 0.4, density: 1100}\nloads: "
            "[{name: gravity, acceleration: [-9.81, 0, 0]}]\nlast_end: free\n")
    code, _, err, path = run(folder, "kind: dynamic\nduration: 0.2\nstep: 0.002\nestimate: off\n" + soft, "-q",
                             "--force")
    assert code == 0, err
    code, _, err = withy("export", path, "--format", "states", "--frame", "-1", "-o", folder + "/moving.csv")
    assert code == 0, err
    found = {}
    for start in ("", "start: {states: moving.csv}\n"):
        code, _, err, path = run(folder, "kind: static\n" + soft + start, "-q", "--force")
        assert code == 0, err
        with h5py.File(path) as f:
            found[start] = f["state/position"][0][-1]
    np.testing.assert_allclose(*found.values(), atol=1e-9)
    code, _, err, _ = run(folder, riser.replace("length: 10", "length: 11") + "start: {states: stored.csv}\n")
    assert code == 2 and "expected from 0 to the length of 11 m" in err, err
    code, _, err, _ = run(folder, riser + "start: stored.csv\n")  # as it was written once
    assert (code == 2 and "'start' is a value, expected a mapping with keys among shape, position" in err
            and "states" in err), err
    code, _, err, _ = run(folder, riser + "start: {states: stored.csv, shape: straight}\n")
    assert code == 2 and "a shape and states at the start: give only one of them" in err, err


def shapes_at_the_start_choose(folder):
    """A strut between clamps that are too near stays on the side where it starts: by shape, by poses, by states, at
    rest and in motion; and what only a motion feels does nothing."""
    strut = ("length: 1\nelements: 24\nsection: {name: rectangle, width: 0.02, height: 0.003, E: 2e9, nu: 0.3, "
             "density: 1200}\n"
             "loads: [{name: gravity, acceleration: [0, -9.81, 0]}]\nlast_end: {name: coaxial, shortening: 0.2}\n")
    middles, forces = {}, {}

    def middle(kind, start, *, elements=24):
        text = f"kind: {kind}\n" + strut.replace("elements: 24", f"elements: {elements}") + f"start: {start}\n"
        text += "duration: 0.02\nstep: 0.002\nestimate: off\n" if kind == "dynamic" else ""
        code, _, err, path = run(folder, text, "-q", "--force")
        assert code == 0, (start, err)
        with h5py.File(path) as f:
            s = f["state/arc_length"][0] if kind == "static" else np.linspace(0, 1, f["state/position"].shape[1])
            y = [np.interp(0.5, s, frame[:, 1]) for frame in f["state/position"][:]]
            force = f["ends/left_force"][0] if kind == "static" else None
        return y, force, path

    # half a wave of curvature to each side; ends that are not where they are held yet
    def arc(sign):
        return ("{shape: {name: sampled, strain: [[0, %g, 0, 0, 0, 0, 1], [0.5, %g, 0, 0, 0, 0, 1], "
                "[1, %g, 0, 0, 0, 0, 1]]}, velocity: [1, 2, 3], release: [0, 1, 0]}") % (
            -4 * sign, 4 * sign, -4 * sign)
    for sign in (1, -1):
        y, force, path = middle("static", arc(sign))
        middles[sign], forces[sign] = y[0], force
        assert abs(y[0]) > 0.2, y
        code, _, err = withy("export", path, "--format", "states", "--frame", "0", "--force", "-o",
                             folder + "/strut.csv")
        assert code == 0, err
        rows = np.loadtxt(folder + "/strut.csv", delimiter=",", comments="#")
        poses = ("[" + ", ".join("[" + ", ".join(repr(float(x)) for x in (r[0], *r[11:14], *r[7:11])) + "]"
                                 for r in rows) + "]")
        for start in ("{states: strut.csv}", "{poses: %s}" % poses):
            again, force, _ = middle("static", start)
            assert abs(again[0] - y[0]) < 1e-9, (start[:20], again, y)
            np.testing.assert_allclose(force, forces[sign], rtol=1e-7, atol=1e-7)
        moving, _, _ = middle("dynamic", "{states: strut.csv, equilibrium: true}")
        assert np.abs(np.array(moving) - y[0]).max() < 1e-6, (moving, y)
    # the weight helps one and hinders the other
    assert middles[1] * middles[-1] < 0.0 and abs(abs(middles[1]) - abs(middles[-1])) > 1e-5, middles


def kinds_use_the_same_keys(folder):
    """What a rod is, where it begins and how it is meshed is said in the same words, with the same defaults, at rest,
    on branches and in motion: only the number of elements differs, whose degree does."""
    code, out, err = withy("list", "--json")
    assert code == 0, err
    kinds = next(c for c in json.loads(out)["catalogues"] if c["name"] == "kinds")["entries"]
    tables = {k["name"]: {p["key"]: p for p in k["params"]} for k in kinds if k["name"] in ("static", "continuation",
        "dynamic")}
    shared = ("length", "section", "taper", "stations", "damping", "mass_damping", "reference", "first_end",
              "last_end", "loads", "actuation", "bodies", "mesh")
    for table in tables.values():
        for key in shared:
            assert table[key] == tables["dynamic"][key], key
        assert table["start"]["params"] == tables["dynamic"]["start"]["params"]
    only = {name: set(t) - set(shared) - {"start", "elements"} for name, t in tables.items()}
    assert only["static"] == {"solver", "branch", "mode", "sweep"}, only
    assert only["continuation"] == {"tolerance", "most_elements", "order", "branch", "mode", "parameter",
                                    "follow"}, only
    assert only["dynamic"] == {"method", "duration", "step", "every", "output_step", "accuracy", "estimate",
                               "rest"}, only


def meshes_are_graded_at_rest(folder):
    """`mesh:` puts the nodes where it says, joints at jumps included, and the answer is that of equal elements to the
    estimates."""
    rod = ("kind: static\nlength: 2\nsection: {name: circle, radius: 0.004, E: 3e9, nu: 0.35, density: 1300}\nloads: "
           "[{name: gravity, acceleration: [-9.81, 0, 0]}, "
           "{name: distributed-force, density: [0, 3, 0], from: 0.7, until: 1.1}]\nelements: 40\n")
    found = []
    for mesh in ("", "mesh: [[0, 1], [2, 4]]\n"):
        code, _, err, path = run(folder, rod + mesh, "-q", "--force")
        assert code == 0, err
        with h5py.File(path) as f:
            found.append((f["state/arc_length"][()].reshape(-1), f["state/position"][0][-1], f["solver/error"][0]))
    even, graded = found
    s = graded[0]
    assert len(s) == len(even[0]) and np.any(np.abs(s - 0.7) < 1e-12) and np.any(np.abs(s - 1.1) < 1e-12), s
    h = np.diff(s)
    size = 1 + 1.5 * 0.5 * (s[1:] + s[:-1])  # 1 at 0, 4 at 2
    np.testing.assert_allclose(h / size, np.mean(h / size), rtol=0.12)  # whole numbers of elements between the jumps
    np.testing.assert_allclose(graded[1], even[1], atol=5 * 2 * (even[2] + graded[2]))
    code, _, err, _ = run(folder, rod + "mesh: [[0, 1], [2, -4]]\n")
    assert code == 2 and "row 2 of the mesh: size -4, expected a positive number" in err, err


def the_mesh_says_what_it_can_show(folder):
    """A couple bends a rod to an arc: each element turns by M/EI h. A pull T: elements of h sqrt(T/EI) layers, at the
    end of a bar that hangs."""
    bent = (RISER + "elements: 16\nlast_end: {name: loaded, moment: [0, 20e6, 0]}\nsolver: {name: auto, "
            "leave_unstable: false}\n")
    code, out, err, path = run(folder, bent, "--force", "--verbose")
    assert code == 0, err
    with h5py.File(path) as f:
        np.testing.assert_allclose(f["certificate/turn_per_element"][0], 20e6 / 110.8e6 * 10 / 16, rtol=1e-6)
        assert f["certificate/element_to_layer_ratio"][0] < 1e-3
    assert "certificate: " in out and "turn_per_element 0.113" in out and "error " in out, out
    hung = (RISER.replace("10\nsection", "10\nelements: 25\nsection")
            + "first_end: clamped\nlast_end: {name: loaded, force: [0, 0, 3e6]}\n")
    hung += "loads: [{name: distributed-force, density: [0, 0, 1e6]}]\n"
    code, out, err, path = run(folder, hung, "--force")
    assert code == 0, err
    with h5py.File(path) as f:
        np.testing.assert_allclose(f["certificate/element_to_layer_ratio"][0], 0.4 * math.sqrt(13e6 / 110.8e6),
                                   rtol=1e-6)
        np.testing.assert_allclose(f["certificate/layer_at"][0], 0.2)
    # of a family the worst, and where that one is
    code, out, err, path = run(folder, hung + "sweep: {number: last_end.force.2, from: 20e6, to: 3e6, frames: 3}\n",
                               "--force", "-q")
    assert code == 0, err
    code, out, err = withy("info", path)
    assert "element_to_layer_ratio %.3g" % (0.4 * math.sqrt(30e6 / 110.8e6)) in out, out


def errors_grow_on_a_march(folder):
    """sensitivity in closed form (5.32): a straight rod at rest, clamped or free at its first end, and pulled."""
    EI, L = 3.7, 2.3
    rod = ("kind: static\nlength: %g\nelements: 80\nsection: {name: rigidities, EI1: %g, EI2: %g, GJ: %g, GA1: 1e9, "
           "GA2: 1e9, EA: 1e9}\n" % (L, EI, EI, 0.8 * EI))

    def said(ends):
        code, _, err, path = run(folder, rod + ends, "--force")
        assert code == 0, err
        with h5py.File(path) as f:
            return [f[n][0] for n in ("certificate/sensitivity", "certificate/marching_error", "solver/error")]

    # units: without stress a force counts as EI/L^2 and a moment as EI/L; pulled, a force as the pull, a moment as that
    # at a thousandth of the radius of gyration
    np.testing.assert_allclose(said("last_end: free\n")[0], 2.0, rtol=1e-9)
    np.testing.assert_allclose(said("first_end: free\nlast_end: {name: clamped, position: [0, 0, %g]}\n" % L)[0], 2.0,
                               rtol=1e-9)
    for pull in (50.0, 400.0):
        k, unit = math.sqrt(pull / EI), 1e-3 * pull * math.sqrt(EI / 1e9)
        grows, march, error = said("last_end: {name: loaded, force: [0, 0, %g]}\n" % pull)
        np.testing.assert_allclose(grows, math.cosh(k * L) + pull * math.sinh(k * L) / k / unit, rtol=1e-5)
        # elements miss nothing of a straight rod: round-off, and what becomes of it
        assert 0 < march <= 1.001 * error * grows, (march, error, grows)
    grows, march, error = said("last_end: {name: loaded, force: [0, 0, 1e5]}\n")  # cosh(378): as much as is said
    assert grows == 1e100 and march == 1e100 and 0 <= error < 1e-3, (grows, march, error)
    # by shooting nothing is known of the elements: the error, and what becomes of it
    grows, march, error = said("last_end: {name: coaxial, shortening: 0.2, twist: 1}\nsolver: {name: shooting, "
                               "integrator: rk4}\n")
    assert grows > 5 and error > 1e-9, (grows, error)
    np.testing.assert_allclose(march, error * (1 + grows))
    grows, march, error = said("last_end: {name: coaxial, shortening: 0.2, twist: 1}\nsolver: {name: multi-symplectic, "
                               "scheme: rattle}\n")
    assert grows > 5 and error > 1e-7, (grows, error)
    np.testing.assert_allclose(march, error * (1 + grows))


def forces_of_a_spring(folder):
    """Thirty coils in a hundred elements: the reaction is the force at the tip, or the weight, to the last digits, and
    its moment that of it; what is out of balance is said."""
    coils = ("kind: static\nlength: 1.888774\nsection: {name: circle, radius: 0.0005, E: 2e11, nu: 0.3, density: "
             "7850}\nreference: {name: helix, radius: 0.01, pitch: 0.004}\n")
    weight = 7850 * math.pi * 0.0005**2 * 1.888774
    for load, reaction in (("last_end: {name: loaded, force: [0.01, 0, 0]}\n", [0.01, 0, 0]),
                           ("loads: [{name: gravity, acceleration: [0, 0.1, 0.2]}]\n",
                            [0, 0.1 * weight, 0.2 * weight])):
        code, _, err, path = run(folder, coils + load, "--force")
        assert code == 0 and "do not balance" not in err, err
        with h5py.File(path) as f:
            F, x = f["conserved/space_force"][0], f["state/position"][0]
            np.testing.assert_allclose(F[0], reaction, atol=1e-11 * np.linalg.norm(reaction))
            assert f["certificate/force_balance"][0] < 1e-11 and f["certificate/moment_balance"][0] < 1e-6, (
                load, f["certificate/force_balance"][0], f["certificate/moment_balance"][0])
            if "tip" in load or "loaded" in load:
                np.testing.assert_allclose(f["conserved/space_moment"][0][0], np.cross(x[-1], reaction), atol=1e-13)
            assert (f["solver/error"][0] == max(f["certificate/error_" + part][0]
                                                for part in ("shape", "force", "moment")))


main(forces_of_a_spring, errors_grow_on_a_march, kinds_use_the_same_keys, shapes_at_the_start_choose,
     meshes_are_graded_at_rest, the_mesh_says_what_it_can_show, stored_shapes_are_taken_up,
     motion_starts_at_rest_between_pinned_ends, many_turns, twenty_seven_turns, closed_rod_says_its_twist,
     error_of_every_solution, ring_is_converged, energy_of_an_arc, resume_goes_on_bit_for_bit, reference_point,
     sweep_is_the_family, branches_have_names, shapes_materials_loads, pinned_ends, no_turns_to_count_at_a_pinned_end,
     bad_requests)
