"""Inputs that once had a wrong answer and a clean certificate: each is right now, or --strict refuses it.
WITHY=COMMAND asks another build."""
import re
import subprocess

import h5py
import numpy as np

from check import SOURCE, WITHY, main, withy

SOFT = """kind: dynamic
length: 0.2
elements: %d
section: {name: circle, radius: 0.005, E: 1e6, nu: 0.4, density: 1000}
"""


def run(folder, text, *more):
    """Exit code of `run --strict`, what it said, and the channels by their names."""
    name = folder + "/case"
    with open(name + ".yaml", "w") as f:
        f.write(text)
    code, out, err = withy("run", "--strict", name + ".yaml", "-o", name + ".h5", "--force", *more)
    found = {}
    try:
        with h5py.File(name + ".h5") as f:
            f.visititems(lambda n, item: found.__setitem__(n, item[()])
                         if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" else None)
    except OSError:
        pass
    return code, out + err, found


def channel(found, end):
    """The first channel of frames whose name ends so."""
    return next(np.asarray(v) for n, v in found.items() if n.endswith(end) and np.ndim(v) > 0)


def right_or_said(what, code, value, true, within=0.05):
    value, true = np.atleast_1d(value), np.atleast_1d(true)
    off = float(np.max(np.abs(value - true)) / np.max(np.abs(true)))
    print(f"     {what}: {value.ravel()[:3]}, true {true.ravel()[:3]}, off by {off:.2g}, "
          f"{'nothing said' if code == 0 else 'said'}")
    assert off <= within or code == 1, (what, value, true)


def branch_points_of_thin_strips(folder):
    """R1: critical loads of strips between clamps that are moved together; the first points were passed over."""
    for thickness, step, loads in ((0.001, 0.02, (150.5915,)), (0.0005, 0.005, (18.8245, 38.5102)),
                                   (0.002, 0.02, (1204.46, 2463.0, 4813.5))):
        code, said, _ = run(folder, f"""kind: continuation
length: 0.3
section: {{name: rectangle, width: {thickness}, height: 0.02, E: 206e9, nu: 0.3, density: 7850}}
last_end: {{name: coaxial, shortening: 0}}
parameter: {{number: last_end.shortening, from: 0, to: 0.3}}
follow: {{branches: 1, step: {step}, negative: {len(loads) - 1}}}
""")
        found = [-float(p) for p in re.findall(r"BP\d+ on branch 0.*?P\(0\) = \([^,]*, [^,]*, ([^)]*)\)", said)]
        assert code == 1 or len(found) == len(loads), said
        right_or_said(f"strip {thickness}", code, found[:len(loads)], loads, 1e-4)


def a_point_on_a_coarse_mesh_is_said_to_be_off(folder):
    """A column on a mesh that may not be refined: its branch points are off, and it says by how much; with a mesh that
    may be they are right."""
    text = """kind: continuation
length: 1
elements: 8
tolerance: %s
section: {name: rigidities, EI1: 1, EI2: 2.3, GJ: 0.8, GA1: 1e7, GA2: 1e7, EA: 2e7}
last_end: {name: loaded, force: [0, 0, 0]}
parameter: {number: last_end.force.2, from: -260, to: 0, start: 0}
follow: {branches: 1, negative: -1}
"""
    true = sorted(-EI * ((n + 0.5) * np.pi)**2 for EI in (1, 2.3) for n in range(5)
                  if EI * ((n + 0.5) * np.pi)**2 < 260)[::-1]
    for tolerance, refused in (("0", True), ("1e-9", False)):
        code, said, _ = run(folder, text % tolerance)
        found = [float(p) for p in re.findall(r"BP\d+ on branch 0, .*?last_end.force.2 = (\S+),", said)]
        assert len(found) == len(true) and code == refused, (code, said)
        stated = {float(a): float(b) for a, b in
                  re.findall(r"at last_end.force.2 = (\S+): the error of its position is up to (\S+) ", said)}
        assert bool(stated) == refused, said
        for a, b in zip(found, true):  # shear and shortening change these by 1e-5
            off = abs(a - b)
            assert off < 3 * stated.get(a, 0) + 3e-5 * abs(b), (a, b, stated)


def a_soft_hinge_bends(folder):
    """R2: the section jumps inside the first element of a rod that starts at its equilibrium."""
    rows = "".join(f"  - [{s}, {EI}, {EI}, {EI}, 1e6, 1e6, 2e6, 1e-4, 1e-4, 2e-4, 1]\n"
                   for s, EI in ((0, 0.02), (0.005, 0.02), (0.005, 10), (1, 10)))
    code, said, found = run(folder, "kind: dynamic\nlength: 1\nstations:\n" + rows +
                            "loads: [{name: gravity, acceleration: [0.2, 0, 0]}]\nstart: {equilibrium: true}\n"
                            "duration: 0.05\nstep: 0.01\n")
    right_or_said("tip", code, channel(found, "position")[0][-1][0], 0.02725)


def a_pulse_shorter_than_a_step_acts(folder):
    """R3: against the same rod in steps that resolve the pulse."""
    text = SOFT % 8 + """last_end: {name: loaded, force: [4, 0, 0], in_time: {name: pulse, from: 0.1002, \
peak: 0.1005, until: 0.1008}}
duration: 0.2
step: %s
every: %s
"""
    _, said, fine = run(folder, text % ("1e-4", 50))
    code, said, found = run(folder, text % ("0.005", 1))
    a, b = channel(found, "position")[:, -1, 0], channel(fine, "position")[:, -1, 0]
    right_or_said("tip", code, a[-5:], b[-5:], 0.3)
    code, said, found = run(folder, """kind: shaft
n_elements: 4
inertia: 10
compliance: 1e-3
gamma: 40
end2: {torque: {name: pulse, from: 1.001, peak: 1.003, until: 1.005, height: 5000}}
duration: 2
step: 0.01
""")
    speed = channel(found, "speed")[-1]
    right_or_said("speed of the shaft", code, np.mean(speed), 1.0)


def half_an_actuated_stretch_bends(folder):
    """R4: the edges of an actuation inside elements; the clamped rod's tip turns by strain times length."""
    text = SOFT % 8 + """damping: {name: proportional, time: 0.3}
actuation: [{name: uniform, strain: [0, 17.4, 0, 0, 0, 0], from: 0.052, until: 0.098, in_time: {name: ramp, \
until: 0.2}}]
duration: 3
step: 0.005
"""
    code, said, found = run(folder, text)
    q = channel(found, "orientation")[-1][-1]
    right_or_said("turn of the tip", code, 2 * np.arctan2(np.linalg.norm(q[1:]), abs(q[0])), 17.4 * 0.046, 0.03)


def a_spring_balances(folder):
    """R5: a helix pulled at its tip holds that force at its clamp."""
    R, p = 0.01, 0.004 / (2 * np.pi)
    k, t = R / (R * R + p * p), p / (R * R + p * p)
    code, said, found = run(folder, f"""kind: static
length: 1.888774
section: {{name: circle, radius: 0.0005, E: 2e11, nu: 0.3}}
reference: {{name: constant, strain: [0, {k}, {t}, 0, 0, 1]}}
last_end: {{name: loaded, force: [0.01, 0, 0]}}
""")
    right_or_said("force at the clamp", code, channel(found, "state/force").reshape(-1, 3)[0], [0.01, 0, 0], 0.01)


def a_method_that_makes_energy_says_so(folder):
    """R6: bdf-alpha with alpha = -0.5."""
    code, said, found = run(folder, open(SOURCE + "/examples/cantilever-release.yaml").read(),
                            "--set", "method={name: bdf-alpha, alpha: -0.5}", "--set", "elements=10", "--set",
                            "step=0.002", "--set", "duration=2")
    assert code != 0 and found, said
    made = [n for n in found if n.endswith("numerical_dissipation")]
    print("     ", "said" if code else "nothing said", made)
    assert code == 1 and made and channel(found, "numerical_dissipation")[-1] < 0, said


def an_inflection_on_a_node(folder):
    """R7: RATTLE of a planar buckled rod in 22 steps."""
    for N in (22, 30, 50):
        code, said, found = run(folder, open(SOURCE + "/examples/twist-shortening.yaml").read(), "--set",
                                f"elements={N}", "--set", "solver={name: multi-symplectic, scheme: rattle}", "--set",
                                "last_end.twist=0", "--set", "last_end.shortening=0.4")
        print(f"     N = {N}: exit {code}", "" if code == 0 else said[-200:])
        assert found, said


def a_rod_through_itself(folder):
    """R8: solutions that pass through themselves are refused by --strict."""
    code, said, _ = run(folder, open(SOURCE + "/examples/twist-shortening-branches.yaml").read(), "--set",
                        "section.diameter=0.4", "--set", "parameter.at=[0.9]")
    print(f"     exit {code}")
    assert code == 1 and "passes through itself" in said, said


def a_shaft_counts_its_elements(folder):
    """R9: two elements of a continuous shaft are far off, and the certificate says so."""
    code, said, found = run(folder, open(SOURCE + "/examples/shaft.yaml").read(), "--set", "n_elements=2", "--set",
                            "duration=1")
    space = channel(found, "error_space") if any(n.endswith("error_space") for n in found) else np.zeros(1)
    print(f"     exit {code}, error_space {np.max(space):.2g}")
    assert np.max(space) > 0.01, found.keys()


def a_column_that_would_buckle(folder):
    """R10: at three times Euler's load."""
    load = 3 * np.pi**2 / 4 * 2e11 * np.pi / 4 * 0.005**4
    code, said, _ = run(folder, f"kind: dynamic\nlength: 1\nelements: 8\nsection: {{name: circle, radius: 0.005, "
                        f"E: 2e11, nu: 0.3, density: 7800}}\nlast_end: {{name: loaded, force: [0, 0, {-load}]}}\n"
                        f"duration: 0.01\nstep: 0.001\n")
    print(f"     exit {code}", "unstable" in said)
    assert "unstable" in said, said


def long_steps_of_a_free_rod_end(folder):
    """R11: a rod spun and thrown, by steps in which it turns by hundreds of radians: the run ends, with a sentence,
    and does not work on for ever."""
    with open(folder + "/thrown.yaml", "w") as f:
        f.write("kind: dynamic\nlength: 1\nelements: 12\nsection: {name: circle, radius: 0.01, E: 1e8, nu: 0.25, "
                "density: 1000}\nfirst_end: free\n"
                "start: {velocity: [3, 0, 2], spin: [7, 11, 5]}\nduration: 100\nstep: 50\n")
    done = subprocess.run([WITHY, "run", folder + "/thrown.yaml", "-o", folder + "/thrown.h5"],
                          capture_output=True, text=True, timeout=1000)
    print(f"     exit {done.returncode}: {done.stderr.strip()[-160:]}")
    assert done.returncode == 1 and "take a shorter one" in done.stderr, done.stderr


def a_towed_cable_lies_at_its_angle(folder):
    """R12: with hardly any bending stiffness: w cos a = 1/2 rho C d V^2 sin^2 a. (Its errors told apart:
    test_lines.)"""
    w, D = 1.2 * 3.9, 0.5 * 1025 * 1.2 * 0.03 * 4
    cosine = (-w + np.sqrt(w * w + 4 * D * D)) / (2 * D)
    for EI in (50, 0.01):
        code, said, found = run(folder, f"""kind: static
length: 100
section: {{name: rigidities, EI1: {EI}, EI2: {EI}, GJ: {EI}, GA1: 1e6, GA2: 1e6, EA: 1e6, rhoA: 1.2, diameter: 0.03}}
first_end: {{name: pinned, position: [0, 0, 0]}}
loads: [{{name: gravity, acceleration: [0, 0, -3.9]}}, {{name: fluid, density: 1025, normal: 1.2, tangential: 0, \
velocity: [2, 0, 0]}}]
""")
        assert found, said
        right_or_said(f"end, EI {EI}", code, channel(found, "state/position")[-1][-1] / 100,
                      [cosine, 0, -np.sqrt(1 - cosine**2)], 5e-3)


def where_the_start_puts_a_clamp(folder):
    """R13: at rest as in motion."""
    code, said, found = run(folder, """kind: static
length: 1
elements: 20
section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.8, GA1: 1e4, GA2: 1e4, EA: 1e4, rhoA: 1, rhoI1: 1e-4, rhoI2: 1e-4, \
rhoJ: 2e-4}
last_end: clamped
start: {shape: {name: constant, strain: [0, 3, 1, 0, 0, 1]}}
""")
    right_or_said("end", code, channel(found, "position").reshape(-1, 3)[-1], [0.5999, 0.3020, 0.0941], 1e-3)


main(branch_points_of_thin_strips, a_point_on_a_coarse_mesh_is_said_to_be_off, a_soft_hinge_bends,
     a_pulse_shorter_than_a_step_acts, half_an_actuated_stretch_bends, a_spring_balances,
     a_method_that_makes_energy_says_so, an_inflection_on_a_node, a_rod_through_itself, a_shaft_counts_its_elements,
     a_column_that_would_buckle, long_steps_of_a_free_rod_end, a_towed_cable_lies_at_its_angle,
     where_the_start_puts_a_clamp)
