"""Several rods and rigid bodies in one scenario: the published elbow, the bits of single rods, the balance of forces,
free flight, how honest the error estimate is, and what is refused."""
import json
import math
import os
import random

import h5py
import numpy as np

from check import SOURCE, main, withy

SECTION = "{name: circle, radius: 0.01, E: 1e8, nu: 0.3, density: 1000}"
CLEAR = f"length: 1, elements: 10, section: {SECTION}"


def run(folder, text, *sets, name="run"):
    path, out = f"{folder}/{name}.yaml", f"{folder}/{name}.h5"
    with open(path, "w") as f:
        f.write(text)
    code, _, err = withy("run", path, "-o", out, "--force", *sum((["--set", s] for s in sets), []))
    assert code == 0, err
    return h5py.File(out), err


def rods(h):
    return {k: h["objects"][k] for k in h["objects"] if "position" in h["objects"][k]["state"]}


def elbow_as_published(folder):
    """Simo and Vu-Quoc's elbow: the energy after the pulse, and the tip at 4 s, of test_assemblies.c."""
    out = folder + "/run.h5"
    assert withy("run", SOURCE + "/examples/elbow.yaml", "-o", out, "--set", "step=0.025")[0] == 0
    with h5py.File(out) as h:
        energy = h["energy/kinetic"][80] + h["energy/strain_energy"][80]
        assert abs(energy - 114.8803) < 1e-3, energy
        assert abs(h["objects/arm/state/tip"][160, 1] - 3.50893) < 1e-4
        assert h["certificate/energy_drift"][-1] < 1e-11
        for of in ("force", "moment"):  # action and reaction, once the load on the corner is gone
            sum_of = h[f"objects/leg/ends/last_end_{of}"][81:] + h[f"objects/arm/ends/first_end_{of}"][81:]
            assert np.abs(sum_of).max() < 1e-8, of


def bits_of_single_rods(folder):
    """Rods that nothing joins have the bits of runs of their own."""
    ends = f"kind: dynamic\nloads: [{{name: gravity, acceleration: [0, 0, -9.81]}}]\nduration: 0.5\nstep: 0.01\n"
    start = "start: {orientation: [cos(pi/4), 0, sin(pi/4), 0]"
    a = run(folder, ends + f"length: 1\nelements: 10\nsection: {SECTION}\n{start}}}\n", name="a")[0]
    both = run(folder, ends + f"rods:\n  a: {{{CLEAR}, {start}}}}}\n  b: {{like: a, length: 0.7}}\n", name="both")[0]
    alone = run(folder, ends + f"rods:\n  b: {{{CLEAR}, {start}}}}}\n", "rods.b.length=0.7", name="b")[0]
    for of in ("state/position", "state/wrench", "ends/first_end_force"):
        assert np.array_equal(a[of], both["objects/a/" + of]), of
        assert np.array_equal(alone["objects/b/" + of], both["objects/b/" + of]), of


def mass_on_a_spring(folder):
    """Period and sag of a mass on a helical spring with the spring's own mass; small angles of its coils: 1e-3."""
    out = folder + "/run.h5"
    assert withy("run", SOURCE + "/examples/mass-on-a-spring.yaml", "-o", out, "--set", "estimate=false")[0] == 0
    with h5py.File(out) as h:
        t, z = h["time"][:], h["objects/mass/state/centre"][:, 2]
    low = [t[i] + 0.0025 * (z[i - 1] - z[i + 1]) / (z[i - 1] - 2 * z[i] + z[i + 1])
           for i in range(1, len(z) - 1) if z[i - 1] > z[i] <= z[i + 1]]
    k = 2.06e11 / 2.6 * 0.003**4 / (8 * 0.05**3 * 8)
    wire = 7800 * math.pi * 0.0015**2 * 8 * math.hypot(2 * math.pi * 0.025, 0.006)
    assert len(low) == 7
    assert abs(np.diff(low).mean() / (2 * math.pi * math.sqrt((1 + wire / 3) / k)) - 1) < 1e-3, np.diff(low)
    assert abs((z[0] - z.min()) / 2 / ((1 + wire / 2) * 9.81 / k) - 1) < 1e-3, z[0] - z.min()


def in_space(q, v):
    w, u = q[:, :1], q[:, 1:]
    return v + 2 * w * np.cross(u, v) + 2 * np.cross(u, np.cross(u, v))


def table_balances(folder):
    """Ground forces of the legs, the weight, and the rate of momentum, for a plate and a camera off the axes."""
    out = folder + "/run.h5"
    assert withy("run", SOURCE + "/examples/swaying-table.yaml", "-o", out)[0] == 0
    with h5py.File(out) as h:
        force = sum(h[f"objects/leg{i}/ends/first_end_force"][:] for i in (1, 2, 3))
        mass = 4 + 0.2 + 3.5 * 7800 * math.pi * 0.004**2
        momentum = h["momentum/linear_momentum"][:]
        rate = np.diff(momentum, axis=0) / 0.01
        pull, g = np.array([30, 12, 0]), np.array([0, 0, -9.81])
        miss = np.abs(rate - force[1:] - mass * g - pull).max()
        assert miss < 1e-7, miss
        joint = {"plate": sum(h[f"objects/leg{i}/ends/last_end_force"][:] for i in (1, 2, 3))
                 + h["objects/arm/ends/first_end_force"][:] - pull, "camera": h["objects/arm/ends/last_end_force"][:]}
        for body, mass in (("plate", 4), ("camera", 0.2)):  # what the joints do to a body moves it
            of = h[f"objects/{body}/state"]
            rate = np.diff(mass * in_space(of["axes"][:], of["body_velocity"][:, 3:]), axis=0) / 0.01
            assert np.abs(rate + joint[body][1:] - mass * g).max() < 1e-7, body
        apart = h["objects/camera/state/centre"][:] - h["objects/arm/state/tip"][:]
        assert np.abs(np.linalg.norm(apart, axis=1) - math.hypot(0.06, 0.02)).max() < 1e-12
        for leg, angle in ((1, 0), (2, 2 * math.pi / 3), (3, -2 * math.pi / 3)):  # turned about the origin of space
            foot = h[f"objects/leg{leg}/state/position"][0, 0]
            assert np.abs(foot - 0.3 * np.array([math.cos(angle), math.sin(angle), 0])).max() < 1e-15, leg
        plate = np.linalg.norm(h["objects/plate/state/centre"][:] - h["objects/leg1/state/tip"][:], axis=1)
        assert np.abs(plate - plate[0]).max() < 1e-12


def free_flight(folder):
    """A ring, and a frame with a rigid body: energy and momenta to round-off."""
    out = folder + "/run.h5"
    assert withy("run", SOURCE + "/examples/spinning-ring.yaml", "-o", out)[0] == 0
    with h5py.File(out) as h:
        assert h["certificate/energy_drift"][-1] < 1e-11 and h["certificate/momentum_drift"][-1] < 1e-11
        ring = h["objects/ring/state/position"][:]
        assert np.abs(ring[:, 0] - ring[:, -1]).max() < 1e-12
    for stages in (1, 2, 3):
        h, _ = run(folder, f"""
kind: dynamic
rods:
  a: {{{CLEAR}, first_end: free}}
  b: {{like: a, turn: [0.7, 0.4, 0], move: [0.05, 0, 1]}}
bodies:
  box: {{shape: {{name: box, size: [0.1, 0.2, 0.1], mass: 0.5}}, position: [0, 0.02, 1]}}
joints: [{{name: rigid, between: [a.last, box, b.first]}}]
velocity: [1, 0, 2]
spin: [3, 1, 5]
duration: 4
step: 0.01
every: 100
method: {{name: gauss-director, stages: {stages}}}
""")
        assert h["certificate/energy_drift"][-1] < 1e-11, stages
        assert h["certificate/momentum_drift"][-1] < 1e-11, stages
        h.close()


def grounds(folder):
    """What the ground holds at several nodes is not one node; a portal frame of two legs and a beam between them."""
    frame = f"""
kind: dynamic
rods:
  leg1: {{{CLEAR}, first_end: free}}
  leg2: {{like: leg1, move: [0, 1, 0]}}
  beam: {{like: leg1, start: {{position: [0, 0, 1], orientation: [cos(pi/4), -sin(pi/4), 0, 0]}}}}
joints:
  - {{name: rigid, between: [leg1.first, ground]}}
  - {{name: rigid, between: [ground, leg2.first]}}
  - {{name: rigid, between: [leg1.last, beam.first]}}
  - {{name: rigid, between: [beam.last, leg2.last]}}
loads: [{{name: gravity, acceleration: [0, 1, -9.81]}}]
duration: 0.3
step: 0.01
"""
    h, _ = run(folder, frame)
    foot = sum(h[f"objects/{leg}/ends/first_end_force"][1:] for leg in ("leg1", "leg2"))
    rate = np.diff(h["momentum/linear_momentum"][:], axis=0) / 0.01
    assert np.abs(rate - foot - 3 * math.pi * 0.01**2 * 1000 * np.array([0, 1, -9.81])).max() < 1e-8
    assert np.abs(h["objects/leg1/ends/first_end_force"][-1, 2] - h["objects/leg2/ends/first_end_force"][-1, 2]) > 1e-3
    for leg, at in (("leg1", (0, 0, 0)), ("leg2", (0, 1, 0))):
        assert np.abs(h[f"objects/{leg}/state/position"][:, 0] - at).max() == 0
    h.close()


def a_system(seed):
    """A random tree of rods, some ends joined to rigid bodies, hanging, standing or thrown."""
    rng = random.Random(seed)
    count, text, joints, bodies = rng.randint(2, 6), "", {}, ""
    flies = rng.random() < 0.25
    ends = [(None, np.zeros(3))]  # name of an end and its position
    for i in range(count):
        parent, at = rng.choice(ends) if i else ends[0]
        length = rng.uniform(0.3, 1.0)
        axis = np.array([rng.gauss(0, 1) for _ in range(3)])
        axis /= np.linalg.norm(axis)
        angle = rng.uniform(0, 1.5)
        q = [math.cos(angle / 2), *(math.sin(angle / 2) * axis)]
        w, v = q[0], np.array(q[1:])
        d3 = np.array([0, 0, 1.0])
        d3 = d3 + 2 * w * np.cross(v, d3) + 2 * np.cross(v, np.cross(v, d3))
        text += (f"  r{i}: {{length: {length!r}, elements: {rng.randint(4, 8)}, section: {{name: circle, radius: "
                 f"{rng.uniform(0.006, 0.015)!r}, E: {10 ** rng.uniform(7.5, 9)!r}, nu: 0.3, density: 1100}}, "
                 f"damping: {{name: proportional, time: 0.01}}, {'first_end: free, ' if flies else ''}"
                 f"start: {{position: {list(map(float, at))}, orientation: {list(map(float, q))}}}}}\n")
        if parent:
            joints.setdefault(parent, [parent]).append(f"r{i}.first")
        ends.append((f"r{i}.last", at + length * d3))
        if rng.random() < 0.4:
            where = at + length * d3 + np.array([rng.gauss(0, 0.03) for _ in range(3)])
            bodies += (f"  b{i}: {{shape: {{name: box, size: [0.1, 0.08, 0.05], mass: {rng.uniform(0.05, 0.5)!r}}}, "
                       f"position: {list(map(float, where))}}}\n")
            joints.setdefault(f"r{i}.last", [f"r{i}.last"]).append(f"b{i}")
    said = "".join(f"  - {{name: rigid, between: [{', '.join(j)}]}}\n" for j in joints.values() if len(j) > 1)
    return ("kind: dynamic\nrods:\n" + text + ("bodies:\n" + bodies if bodies else "")
            + ("joints:\n" + said if said else "")
            + "loads: [{name: gravity, acceleration: [0, 0, -9.81]}]\n"
            + (f"spin: {[rng.uniform(-3, 3) for _ in range(3)]}\n" if flies else "")
            + f"duration: 0.8\nstep: {rng.choice([0.005, 0.01, 0.02])}\n")


def honest_estimates(folder):
    """Random systems against runs of a third of the step and of elements that are not nested."""
    seeds = range(200) if os.environ.get("WITHY_LONG") else (1, *range(1000, 1010))  # 1: Newton needs retries
    hidden, blamed, right, ratios, balance = [], [], 0, [], 0.0
    for seed in seeds:
        text = a_system(seed)
        coarse, warned = run(folder, text, name="coarse")
        fine_text = text
        for n in range(4, 9):
            fine_text = fine_text.replace(f"elements: {n},", f"elements: {-n},")
        for n in range(4, 9):
            fine_text = fine_text.replace(f"elements: {-n},", f"elements: {2 * n + 3},")
        step = float(text.split("step: ")[1])
        fine, _ = run(folder, fine_text, f"step={step / 3!r}", "every=3", "estimate=false", name="fine")
        worst, largest = 0.0, 0.0
        for name, rod in rods(coarse).items():
            for end in (0, -1):
                x, y = rod["state/position"][:, end], fine["objects"][name]["state/position"][:, end]
                worst = max(worst, math.sqrt(np.mean(np.sum((x - y)**2, axis=1))))
                largest = max(largest, np.linalg.norm(y - y[0], axis=1).max())
        true, stated = worst / largest, float(coarse["certificate/error_shape"][-1])
        balance = max(balance, float(coarse["certificate/energy_drift"][-1]))
        warns = "coarser runs" in warned
        if true > 0.05 and not warns or true > 5 * max(stated, 1e-9):
            hidden.append((seed, true, stated))
        if true < 0.01:
            right += 1
            reaction = float(coarse["certificate/error_reaction"][-1])
            if warns and stated > 0.05 or warns and reaction < 0.05:
                blamed.append((seed, true, stated))
        if true > 1e-9:
            ratios.append(stated / true)
        coarse.close()
        fine.close()
    print(f"{len(seeds)} systems: hidden {hidden}, blamed {blamed} of {right}, stated/true median "
          f"{np.median(ratios):.2f}, least {min(ratios):.2f}, balance {balance:.1e}")
    assert not hidden and len(blamed) <= 0.05 * right + 0.5
    assert balance < 1e-9


BAD = {  # what is wrong, and what is said
    "rods: {}": "'rods' is empty",
    "rods: [1]": "'rods' is a list, expected a mapping of names",
    "rods: {a: 3}": "expected",
    "rods: {'a b': {CLEAR}}": "'a b' is no name",
    "rods: {a: {CLEAR}, a: {CLEAR}}": "'a' is given twice",
    "rods: {a: {like: b}}": "'like' is 'b', expected the name of an entry of 'rods' above",
    "rods: {ab: {CLEAR}, b: {like: ac}}": "did you mean 'ab'?",
    "rods: {a: {CLEAR, lenght: 2}}": "unknown key 'lenght' in a; did you mean 'length'?",
    "rods: {a: {elements: 3}}": "'length' is missing",
    "rods: {a: {length: 1}}": "section",
    "rods: {ground: {CLEAR}}": "'ground' is what does not move",
    "rods: {a: {CLEAR, length: -1}}": "given twice",
    "rods: {a: {CLEAR, turn: [1, 2]}}": "'turn' has 2 entries, expected a list of 3 numbers",
    "rods: {a: {CLEAR, move: 3, start: {}}}": "'move' is '3', expected a list of 3 numbers in m",
    "rods: {a: {CLEAR}, b: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a.last]}]": "between two parts or more, here are 1",
    "rods: {a: {CLEAR}, b: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a.last, c.first]}]": "there is no rod or rigid body 'c'",
    "rods: {leg: {CLEAR}, b: {CLEAR}}\n"
    "joints: [{name: rigid, between: [lag.last, b.first]}]": "did you mean 'leg'?",
    "rods: {a: {CLEAR}, b: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a, b.first]}]": "expected one of its ends",
    "rods: {a: {CLEAR}, b: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a.middle, b.first]}]": "expected one of its ends",
    "rods: {a: {CLEAR}, b: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a.last, a.last]}]": "rigidly joined already",
    "rods: {a: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a.last, ground.first]}]": "'ground' has no ends",
    "rods: {a: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a.first, ground]}, {name: rigid, between: [ground, a.first]}]":
        "rigidly joined already",
    "rods: {a: {CLEAR}, b: {CLEAR}}\n"
    "joints: [{name: rigid, between: [a.last, b.first]}]": "start 1 m apart",
    "rods: {a: {CLEAR}, b: {CLEAR, first_end: clamped}}\n"
    "joints: [{name: rigid, between: [a.first, b.first, ground]}]": "'b.first' is held, and so is 'ground'",
    "rods: {a: {CLEAR, first_end: clamped}, b: {CLEAR, first_end: pinned}}\n"
    "joints: [{name: rigid, between: [a.first, b.first]}]": "'b.first' is held, and so is 'a.first'",
    "rods: {a: {CLEAR}, b: {CLEAR, first_end: free, start: {velocity: [1, 0, 0], position: [0, 0, 1]}}}\n"
    "joints: [{name: rigid, between: [a.last, b.first]}]": "velocities differ by 1 m/s",
    "rods: {a: {CLEAR}}\n"
    "joints: [{name: hinge, between: [a.last, ground]}]": "unknown joint 'hinge'",
    "rods: {a: {CLEAR}}\n"
    "joints: [{name: rigid}]": "'between' is missing",
    "rods: {a: {CLEAR}}\n"
    "joints: [{name: rigid, between: a.last}]": "expected a list of texts",
    "rods: {a: {CLEAR}}\n"
    "bodies: {a: {shape: {name: sphere, radius: 1, mass: 1}}}\n"
    "joints: [{name: rigid, between: [a.last, a]}]": "'a' is a rod and a rigid body",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {shape: {name: sphere, radius: 1, mass: 1}}}": "'p' is joined to no rod",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {shape: {name: sphere, radius: 1}}}\n"
    "joints: [{name: rigid, between: [a.last, p]}]": "a 'mass' or a 'density'",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {shape: {name: sphere, radius: 1, mass: 1, density: 1}}}\n"
    "joints: [{name: rigid, between: [a.last, p]}]": "a 'mass' or a 'density'",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {shape: {name: inertia, mass: 1, moments: [1, 1, 5]}}}\n"
    "joints: [{name: rigid, between: [a.last, p]}]": "more than the sum of the other two",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {position: [0, 0, 1]}}\n"
    "joints: [{name: rigid, between: [a.last, p]}]": "'shape' is missing",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {shape: {name: cube, mass: 1}}}": "unknown body shape 'cube'",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {shape: {name: sphere, radius: 1, mass: 1}}, q: {like: p}}\n"
    "joints: [{name: rigid, between: [a.last, p, q]}]": "make them one body",
    "rods: {a: {CLEAR}}\n"
    "bodies: {p: {shape: {name: sphere, radius: 1, mass: 1}}}\n"
    "joints: [{name: rigid, between: [a.first, p, ground]}]": "rigidly joined to what does not move",
    "rods: {a: {CLEAR, start: {equilibrium: true}}, b: {CLEAR, start: {position: [0, 0, 1]}}}\n"
    "joints: [{name: rigid, between: [a.last, b.first]}]": "that of one rod alone",
    "rods: {a: {CLEAR}}\n"
    "method: bdf-alpha\n"
    "joints: [{name: rigid, between: [a.first, ground]}]": "takes one rod alone",
    "rods: {a: {CLEAR}}\n"
    "joint: []": "unknown key 'joint' in dynamic; did you mean 'joints'?",
    "kind: static\n"
    "rods: {a: {CLEAR}}": "kind 'static' takes one rod",
}


def bad_input(folder):
    for text, said in BAD.items():
        head = "" if text.startswith("kind") else "kind: dynamic\n"
        path = folder + "/bad.yaml"
        with open(path, "w") as f:
            f.write(head + text.replace("CLEAR", CLEAR) + "\nduration: 0.1\nstep: 0.01\n")
        code, _, err = withy("run", path, "-o", folder + "/bad.h5")
        assert code not in (0, 139, 134), (text, err)
        assert said in err and "bad.yaml:" in err, (text, said, err)
        assert not os.path.exists(folder + "/bad.h5"), text


def readers(folder):
    """What reads archives knows the objects."""
    h, _ = run(folder, a_system(3))
    h.close()
    out = folder + "/run.h5"
    code, text, _ = withy("info", out, "--json")
    channels = json.loads(text)["channels"]
    assert code == 0 and any(c.get("object") == "r0" and c["name"] == "tip" for c in channels)
    code, text, err = withy("export", out, "--format", "csv", "--channel", "r1/tip")
    assert code == 0 and text.startswith("time [s],r1.tip_x [m],"), (text[:100], err)
    code, _, err = withy("export", out, "--format", "csv", "--channel", "tip")
    assert code != 0 and "r0/tip" in err
    code, _, err = withy("export", out, "--format", "vtk", "-o", folder + "/vtk")
    assert code == 0 and os.path.exists(folder + "/vtk/r1_000000.vtp"), err
    code, _, err = withy("export", out, "-o", folder + "/rod.glb")
    assert code != 0 and "takes one" in err
    for panel in ("shape", "r0-tip-position", "r1-moment"):
        code, _, err = withy("plot", out, "--panel", panel, "-o", folder + "/p.svg", "--force")
        assert code == 0, err
    code, _, err = withy("fmu", folder + "/run.yaml", "-o", folder + "/x.fmu")
    assert code != 0 and err, err


main(elbow_as_published, bits_of_single_rods, mass_on_a_spring, table_balances, free_flight, grounds, honest_estimates,
     bad_input, readers)
