"""`kind: dynamic` as a stranger uses it: bad input by line and column, archives, the certificate, a run that fails."""
import os

import h5py
import numpy

from check import SOURCE, decoded, main, withy

GOOD = """kind: dynamic
length: 0.1
elements: 12
section: {name: circle, radius: 0.005, E: 1e6, G: 1e6/3, density: 1000}
start:
  shape: {name: constant, strain: [2, 7.8, 3, 0, 0, 1]}
loads:
  - {name: gravity, acceleration: [-9.81, 0, 0]}
duration: 0.2
step: 0.005
"""


def refused(folder, old, new, where, words):
    assert old in GOOD, old
    path = folder + "/bad.yaml"
    with open(path, "w") as f:
        f.write(GOOD.replace(old, new))
    code, out, err = withy("run", path, "-o", folder + "/bad.h5")
    assert code == 2 and not out, (new, code, out, err)
    assert err.startswith(f"{path}:{where}: ") and words in err, (new, err)
    assert not os.path.exists(folder + "/bad.h5")


def bad_input_by_line_and_column(folder):
    for old, new, where, words in (
        ("density: 1000", "density: 0", "4:10", "needs mass"),
        ("E: 1e6,", "E: -1e6,", "4:43", "'E' is -1e+06, expected a positive number"),
        ("G: 1e6/3, ", "", "4:10", "one of 'G' and 'nu'"),
        ("elements: 12", "elements: 0", "3:11", "'elements' is 0"),
        ("elements: 12", "elements: 1.5", "3:11", "whole number"),
        ("step: 0.005", "step: 0", "10:7", "'step' is 0"),
        ("step: 0.005", "step: -1", "10:7", "'step' is -1"),
        ("length: 0.1", "length: nan", "2:9", "length"),
        ("[-9.81, 0, 0]", "[-9.81, .nan, 0]", "8:43", "acceleration"),
        ("{name: gravity, acceleration: [-9.81, 0, 0]}", "{name: point-force, force: [1, 0, 0], at: 0.2}", "8:3",
         "not on the rod"),
        ("name: gravity", "name: gravitas", "8:12", "did you mean 'gravity'"),
        ("  shape: {name: constant, strain: [2, 7.8, 3, 0, 0, 1]}",
         "  shape: {name: constant, strain: [2, 7.8, 3, 0, 0, 0]}", "6:3", "positive stretch"),
        ("start:\n", "first_end: free\nstart:\n  equilibrium: true\n", "7:3", "no static equilibrium"),
        ("start:\n", "last_end: {name: moved, turn: [0, 0, 1], rotation: {name: ramp, from: 2, until: 1}}\nstart:\n",
         "5:11",
         "must come after"),
        ("start:\n", "method: velocity-strain\nstart:\n", "5:9", "'gauss-director'"),
        ("start:\n", "damping: {name: viscosity}\nstart:\n", "5:10", "'mu' is missing"),
        ("start:\n", "damping: {name: viscosity, mu: -2}\nstart:\n", "5:32", "'mu' is -2"),
        ("start:\n", "taper: [[0, 1], [0.05, 0]]\nstart:\n", "5:8", "positive number"),
    ):
        refused(folder, old, new, where, words)


def an_archive_has_the_motion(folder):
    path, archive = folder + "/rod.yaml", folder + "/rod.h5"
    with open(path, "w") as f:
        f.write(GOOD)
    code, out, err = withy("run", path, "-o", archive, "--verbose")
    assert code == 0, err
    certificate = [line for line in out.splitlines() if "certificate:" in line]
    assert len(certificate) == 1
    for word in ("energy_drift", "momentum_drift", "kinematic_residual", "newton_iterations", "newton_retries",
                 "steps_halved"):
        assert word in out[out.index("certificate:"):], out
    with h5py.File(archive) as f:
        t = f["time"][...]
        p, q, xi = f["state/position"][...], f["state/orientation"][...], f["state/strain"][...]
        assert t.shape == (41,) and abs(t[-1] - 0.2) < 1e-12
        assert p.shape == (41, 13, 3) and q.shape == (41, 13, 4) and xi.shape == (41, 12, 6)
        assert f["state/velocity"].shape == (41, 13, 6) and f["state/wrench"].shape == (41, 12, 6)
        parts = (sum(f["energy/" + k][...] for k in ("kinetic", "strain_energy", "gravity", "dissipated"))
                 - f["energy/work"][...])
        assert numpy.max(abs(parts - parts[0])) < 1e-11 * f["energy/kinetic"][...].max()
        assert f["certificate/energy_drift"][-1] < 1e-11 and f["certificate/kinematic_residual"][-1] < 1e-12
        # the integral of the strains by the exact exponential, written here anew, is the poses
        for n in (0, 17, 40):
            g = numpy.eye(4)
            g[:3, :3], g[:3, 3] = rotation(q[n, 0]), p[n, 0]
            for e in range(12):
                g = g @ exponential(0.1 / 12 * xi[n, e])
                assert numpy.abs(g[:3, 3] - p[n, e + 1]).max() < 1e-12
                assert numpy.abs(g[:3, :3] - rotation(q[n, e + 1])).max() < 1e-12
    for command in (["plot", archive, "-o", folder + "/rod.svg"], ["export", archive, "--format", "csv", "-o",
            folder + "/rod.csv"],
                    ["info", archive]):
        code, out, err = withy(*command)
        assert code == 0, (command, err)


def rotation(q):
    w, x, y, z = q
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def exponential(xi):
    """Power series of the 4 x 4 matrix: no formula shared with the library."""
    k1, k2, k3, n1, n2, n3 = xi
    a = numpy.array([[0, -k3, k2, n1], [k3, 0, -k1, n2], [-k2, k1, 0, n3], [0, 0, 0, 0]])
    term = total = numpy.eye(4)
    for i in range(1, 30):
        term = term @ a / i
        total = total + term
    return total


def a_run_that_fails_leaves_its_archive(folder):
    path, archive = folder + "/rod.yaml", folder + "/rod.h5"
    with open(path, "w") as f:
        f.write(GOOD.replace("step: 0.005", "step: 0.002") + "method: {name: midpoint-shooting, literal_sign: true}\n")
    code, out, err = withy("run", path, "-o", archive, "-q")
    assert code == 1 and "step " in err and "t = " in err and "node" in err, (code, err)
    with h5py.File(archive) as f:
        assert decoded(f.attrs["outcome"]).startswith("failed:") and len(f["time"]) >= 1
        assert numpy.isfinite(f["state/position"][...]).all()
    assert withy("info", archive)[0] == 0


def every_method_and_end_by_name(folder):
    path = folder + "/rod.yaml"
    with open(path, "w") as f:
        f.write(GOOD)
    for settings in (["method=bdf-alpha"], ["method.stages=1"], ["method={name: gauss-director, degree: 5, stages: 3}"],
                     ["last_end=clamped"], ["last_end=pinned"], ["first_end=pinned"], ["first_end=free"],
                     ["first_end=free", "last_end=clamped"],
                     ["last_end={name: loaded, force: [0, 0.01, 0], in_time: {name: sine, frequency: 2}}"],
                     ["last_end={name: moved, displacement: [0.01, 0, 0], translation: {name: ramp, until: 0.1}}"],
                     ["damping={name: viscosity, mu: 300}"],
                     ["damping={name: coefficients, Bb: 1e-7, Bt: 1e-7, Bs: 1e-3, Be: 1e-3}"],
                     ["damping={name: proportional, time: 1e-3}"], ["mass_damping=3"], ["start.equilibrium=true"],
                     ["reference={name: helix, radius: 0.02, pitch: 0.03}"], ["taper=[[0, 1], [0.1, 0.5]]"],
                     ["loads=[{name: drag, linear: 0.1}, {name: distributed-force, density: [1, 0, 0], from: 0.05}]"],
                     ["start.velocities=[[0, 0, 0, 0, 0, 0, 0], [0.1, 0.5, 0, 0, 0, 5, 0]]"]):
        code, out, err = withy("run", path, "-o", folder + "/x.h5", *(w for s in settings for w in ("--set", s)))
        assert code == 0, (settings, err)
        with h5py.File(folder + "/x.h5") as f:
            assert f["certificate/energy_drift"][-1] < 1e-11, settings


main(bad_input_by_line_and_column, an_archive_has_the_motion, a_run_that_fails_leaves_its_archive,
     every_method_and_end_by_name)
