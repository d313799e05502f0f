"""The forces on the ends of a rod balance its weight and its momentum, and are the same at rest and in motion."""
import h5py
import numpy as np

from check import main, withy

G = np.array([1.3, -9.1, 2.2])
ROD = """length: 0.8
elements: %d
section: {name: ellipse, a: 0.009, b: 0.006, E: 3e7, nu: 0.4, density: 1150}
loads: [{name: gravity, acceleration: [1.3, -9.1, 2.2]}]
"""
MASS = np.pi * 0.009 * 0.006 * 1150  # per length
ENDS = [
    "last_end: {name: loaded, force: [0.21, 0.13, -0.37], moment: [0.011, -0.02, 0.013]}",
    "last_end: {name: held, translations: [0, 0, 1], rotations: [1, 1, 0], force: [0.1, 0.2, 0.3], "
    "moment: [0.01, 0.02, 0]}",
    "first_end: pinned\nlast_end: {name: clamped, position: [0.05, 0.02, 0.77]}",
    "last_end: {name: spring, stiffness: [0.1, 0.2, 0.05, 7, 11, 13], position: [0.1, -0.1, 0.7]}",
    "first_end: {name: spring, stiffness: [3, 2, 4, 70, 110, 130]}\nlast_end: {name: pinned, position: [0, 0.1, 0.75]}",
]


def run(folder, text):
    with open(folder + "/rod.yaml", "w") as f:
        f.write(text)
    code, out, err = withy("run", folder + "/rod.yaml", "-o", folder + "/rod.h5", "--force")
    assert code == 0, err
    with h5py.File(folder + "/rod.h5") as f:
        found = {}
        f.visititems(lambda n, item: found.__setitem__(n.split("/")[-1], np.asarray(item))
                     if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" else None)
    return found


def ends(found, frame):
    return np.array([found[f"{end}_end_{what}"][frame] for end in ("first", "last") for what in ("force", "moment")])


def ends_balance_the_weight_at_rest(folder):
    for end in ENDS:
        got = run(folder, "kind: static\n" + ROD % 64 + end + "\n")
        f0, m0, f1, m1 = ends(got, 0)
        x, weight = got["position"][0], 0.8 * MASS * G
        assert np.abs(f0 + f1 + weight).max() < 1e-8 * np.abs(weight).max(), (end, f0, f1)
        h = 0.8 / 64  # Simpson's rule: the nodes are even
        w = h / 3 * np.where(np.arange(65) % 2, 4, 2)
        w[0] = w[-1] = h / 3
        moment = m0 + m1 + np.cross(x[0], f0) + np.cross(x[-1], f1) + np.cross(w @ x, MASS * G)
        assert np.abs(moment).max() < 1e-6 * 0.8 * np.abs(weight).max(), (end, moment)


def laws_of_ends_are_their_forces(folder):
    for kind, more in (("static", ""), ("dynamic", "duration: 0.01\nstep: 0.005\nstart: {equilibrium: true}\n")):
        got = run(folder, f"kind: {kind}\n" + ROD % 24 + ENDS[0] + "\n" + more)
        assert np.abs(ends(got, -1)[2:] - [[0.21, 0.13, -0.37], [0.011, -0.02, 0.013]]).max() < 1e-7
        got = run(folder, f"kind: {kind}\n" + ROD % 24 + ENDS[3] + "\n" + more)
        force = np.array([7, 11, 13]) * ([0.1, -0.1, 0.7] - got["position"][-1, -1])
        assert np.abs(ends(got, -1)[2] - force).max() < 1e-6, (kind, force)


def motion_from_rest_has_the_forces_of_statics(folder):
    for end in ENDS:
        still = ends(run(folder, "kind: static\n" + ROD % 64 + end + "\n"), 0)
        got = run(folder, "kind: dynamic\n" + ROD % 16 + end + "\nduration: 0.02\nstep: 0.005\n"
                  "start: {equilibrium: true}\nmethod: {name: gauss-director, degree: 4}\n")
        for frame in (0, 2, 4):
            off = np.abs(ends(got, frame) - still).max(axis=1)
            assert (off < 2e-5 * np.abs(still).max(axis=1) + 1e-9).all(), (end, frame, ends(got, frame), still)


def they_change_the_momentum(folder):
    """The law of impulse, to round-off: h times the means over the steps is the change of the momentum."""
    for end in ("first_end: clamped", "first_end: {name: held, translations: [0, 1, 1]}"):
        got = run(folder, "kind: dynamic\n" + ROD % 10 + end + "\nlast_end: {name: loaded, force: [0.2, 0, 0.1]}\n"
                  "duration: 0.5\nstep: 0.005\n")
        f0, f1 = got["first_end_force"][1:], got["last_end_force"][1:]
        change = np.diff(got["linear_momentum"], axis=0) / 0.005
        assert np.abs(change - f0 - f1 - 0.8 * MASS * G).max() < 1e-8 * np.abs(f0).max(), end
        assert np.abs(f0).max() > 0.5


def moments_change_the_angular_momentum(folder):
    text = ROD.replace("[1.3, -9.1, 2.2]", "[0, 0, 0]") % 10
    got = run(folder, "kind: dynamic\n" + text + "first_end: clamped\n"
              "last_end: {name: loaded, moment: [0.02, 0.01, 0]}\nduration: 0.5\nstep: 0.005\n")
    change = np.diff(got["angular_momentum"], axis=0) / 0.005
    off = change - got["first_end_moment"][1:] - got["last_end_moment"][1:]
    assert np.abs(off).max() < 1e-8 * np.abs(change).max()
    assert np.abs(change).max() > 0.01


def dampers_resist_the_velocity_in_space(folder):
    got = run(folder, "kind: dynamic\n" + ROD % 10 + "last_end: {name: spring, damping: [0, 0, 0, 0.3, 0.3, 0.3]}\n"
              "duration: 0.3\nstep: 0.005\n")
    (w, u), v = (got["orientation"][-1, -1, 0], got["orientation"][-1, -1, 1:]), got["velocity"][-1, -1, 3:]
    turned = v + 2 * w * np.cross(u, v) + 2 * np.cross(u, np.cross(u, v))
    assert np.abs(got["last_end_force"][-1] + 0.3 * turned).max() < 1e-9
    assert np.abs(turned - v).max() > 0.1


def branches_have_them(folder):
    got = run(folder, "kind: continuation\nlength: 1\nsection: {name: rectangle, width: 0.01, height: 0.02, E: 2e9, "
              "nu: 0.3, density: 1000}\nlast_end: {name: coaxial, shortening: 0}\n"
              "parameter: {number: last_end.shortening, from: 0, to: 0.2}\nfollow: {points: 12, branches: 2}\n")
    f0, m0, f1, m1 = (got[f"{end}_end_{what}"] for end in ("first", "last") for what in ("force", "moment"))
    x0, x1 = got["position"][:, 0], got["tip"]
    assert np.abs(f0 + f1).max() < 1e-6 * np.abs(f0).max()
    assert np.abs(m0 + m1 + np.cross(x1 - x0, f1)).max() < 1e-6 * np.abs(f0).max()
    assert np.abs(f0[:, 2] - got["thrust"]).max() < 1e-9 * np.abs(f0).max()  # the first end's frame is that of space


def methods_that_do_not_know_them_have_no_such_channel(folder):
    got = run(folder, "kind: dynamic\nlength: 0.4\nelements: 10\nsection: {name: circle, radius: 0.001, E: 2e9, nu: "
              "0.3, density: 7800}\nmethod: multi-symplectic-box\nduration: 0.01\nstep: 0.001\n")
    assert "tip" in got and not [name for name in got if "end_force" in name]


main(ends_balance_the_weight_at_rest, laws_of_ends_are_their_forces, motion_from_rest_has_the_forces_of_statics,
     they_change_the_momentum, moments_change_the_angular_momentum, dampers_resist_the_velocity_in_space,
     branches_have_them,
     methods_that_do_not_know_them_have_no_such_channel)
