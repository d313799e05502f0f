"""`solver: multi-symplectic` of a static scenario: orders, what RATTLE keeps, and what it is refused for."""
import csv
import io

from check import SOURCE, main, withy

ROD = SOURCE + "/examples/twist-shortening.yaml"
SWEEP = ["--set", "sweep.from=pi", "--set", "sweep.to=1.1*pi", "--set", "sweep.frames=2"]


def run(folder, solver, elements):
    """Columns of the first frame (half a turn, shortened by a half)."""
    code, out, err = withy("run", ROD, "-o", f"{folder}/r.h5", "--force", "--set", f"solver={solver}", "--set",
                           f"elements={elements}", *SWEEP)
    assert code == 0, err
    text = withy("export", f"{folder}/r.h5", "--format", "csv", "--frame", "0")[1]
    head, row = list(csv.reader(io.StringIO(text)))[:2]
    found = {}
    for name, value in zip(head, row):
        name = name.split(" [")[0]
        found.setdefault(name, float(value))
    return found


def pick(found, word):
    return [v for k, v in found.items() if k.startswith(word)]


def orders(folder):
    """RATTLE comes to the rod of the collocation with the second order, projected symplectic Euler with the first."""
    for scheme, order in (("rattle", 2), ("symplectic-euler", 1)):
        errors = [pick(run(folder, f"{{name: multi-symplectic, scheme: {scheme}}}", n), "error")[0]
                  for n in (100, 200, 400)]
        for coarse, fine in zip(errors, errors[1:]):
            assert 0.85 * 2**order < coarse / fine < 1.15 * 2**order, (scheme, errors)
    energy = [pick(run(folder, s, 400), "strain_energy")[0] for s in ("{name: multi-symplectic}", "collocation")]
    assert abs(energy[0] / energy[1] - 1) < 1e-3, energy


def what_it_keeps(folder):
    """P.P, P.M, M3 and |q| to round-off, J to the order; by index reduction |q| drifts."""
    drift = pick(run(folder, "{name: multi-symplectic, scheme: rattle}", 100), "drift")
    PP, PM, J, M3, qq = drift
    assert max(PP, PM, M3) < 1e-11 and qq < 1e-14 and 1e-8 < J < 1e-2, drift
    assert pick(run(folder, "{name: multi-symplectic, scheme: symplectic-euler-index-reduced}", 100), "drift")[4] > 1e-6


def refusals(folder):
    for change in ("loads=[{name: gravity}]", "last_end=pinned", "taper=[[0, 1], [10, 0.9]]"):
        code, out, err = withy("run", ROD, "-o", f"{folder}/x.h5", "--set", "solver=multi-symplectic", "--set", change,
                               "--set", "sweep={}")
        assert code != 0 and "multi-symplectic form is written for a uniform straight rod between two clamps" in err, (
            change, code, err)
    code, out, err = withy("run", "--check", ROD, "--set", "solver={name: multi-symplectic, scheme: leapfrog}")
    assert code == 2 and "rattle" in err, err
    assert "multi-symplectic" in withy("list", "static-solvers")[1]


main(orders, what_it_keeps, refusals)
