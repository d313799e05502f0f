"""Equilibria, vibrations, branches, letting go."""
import numpy as np
import pytest

import withy
from conftest import SECTION, command


def test_an_equilibrium_is_what_the_command_computes(rod, tmp_path):
    (tmp_path / "rod.yaml").write_text(withy.load({"kind": "static", **rod.settings}).text())
    command("run", tmp_path / "rod.yaml", "-q", "-o", tmp_path / "rod.h5")
    eq, run = rod.solve(), withy.open(tmp_path / "rod.h5")
    for name in run.channels:
        assert np.array_equal(np.asarray(run[name][-1]), np.asarray(getattr(eq, name))), name


def test_a_cantilever_bends_as_the_beam_formula_says():
    I, E, L, F = np.pi * 0.01**4 / 4, 2e11, 1.0, 1.0
    rod = withy.Rod(length=L, section=withy.circle(radius=0.01, E=E, nu=0.3, density=7800.0),
                    last_end=withy.loaded(force=(F, 0, 0)))
    eq = rod.solve()
    assert eq.position[-1, 0] == pytest.approx(F * L**3 / (3 * E * I), rel=1e-3)
    assert eq.stable is True and eq.negative == 0 and 0 <= eq.error < 1e-9
    modes = rod.replace(last_end=None).vibrations(4)
    beam = 1.8751040687**2 / (2 * np.pi * L**2) * np.sqrt(E * I / (7800 * np.pi * 0.01**2))
    assert modes.frequency[:2] == pytest.approx([beam, beam], rel=2e-3)
    assert modes.negative == 0 and modes.shapes.shape == (4, len(modes.arc_length), 6)
    assert np.all(modes.error < 1e-7) and np.all(modes.damping_ratio == 0)
    damped = rod.replace(last_end=None, mass_damping=3.0).vibrations(2)
    assert damped.damping_ratio == pytest.approx(1.5 / (2 * np.pi * damped.frequency), rel=1e-4)
    of = {"name": "static", "length": L, "section": withy.circle(radius=0.01, E=E, nu=0.3, density=7800.0)}
    run = withy.load({"kind": "modes", "count": 4, "of": of}).run()
    assert run.eigenvalue == pytest.approx(modes.omega2, rel=2e-7)


def test_stability_of_a_rod_without_mass():
    massless = withy.Rod(length=1.0, section=withy.circle(radius=0.01, E=2e9, nu=0.3),
                         last_end=withy.coaxial(shortening=0.1, twist=0.0))
    assert massless.solve().stable is True
    assert massless.solve(branch="planar", mode=2).stable is False
    with pytest.raises(withy.Error, match="mass"):
        massless.vibrations()


def test_a_swept_equilibrium_is_asked_at_its_value():
    rod = withy.Rod(length=1.0, section=withy.circle(radius=0.01, E=1e7, nu=0.3, density=1000.0),
                    last_end=withy.loaded(force=(0, 0, -0.15)))
    swept = rod.solve(sweep={"number": "last_end.force.2", "from": 0.0, "to": -0.15, "frames": 3})
    assert swept.vibrations(2).frequency == pytest.approx(rod.vibrations(2).frequency, rel=1e-9)


def test_branches_and_letting_go(strut):
    """A strut buckles at Euler's load; the second mode is unstable, and when let go it lands on the first."""
    found = strut.continue_in("last_end.shortening", to=0.01, at=[0.005], follow={"branches": 3})
    assert found.points and found.branches[0].stable[0] and not found.branches[0].stable[-1]
    bp = found["BP1"]
    EI = 2.1e9 * np.pi * 0.004**4 / 4
    assert np.linalg.norm(bp.force[0]) == pytest.approx(4 * np.pi**2 * EI / 1.3**2, rel=5e-3)
    with pytest.raises(withy.BadInput, match="BP1"):
        found["BP99"]
    second = next(p for p in found.points if p.label.startswith("UZ") and not p.stable)
    first = next(p for p in found.points if p.label.startswith("UZ") and p.stable)
    modes = second.vibrations(3)
    assert modes.omega2[0] < 0 and modes.negative == second.negative > 0
    landing = second.release(tolerance=1e-3)
    assert landing.rest and landing.unstable and landing.solved
    assert np.linalg.norm(landing.solved_force) == pytest.approx(np.linalg.norm(first.force[0]), rel=1e-3)
    assert len(landing.run) > 2 and landing.run.position.shape[2] == 3
    assert "BP1" in found._repr_html_()


def test_no_convergence_is_its_exception():
    rod = withy.Rod(length=1.0, elements=4, section=withy.circle(**{**SECTION, "E": 1e3}),
                    last_end=withy.loaded(force=(3e4, 0, -5e4)))
    with pytest.raises(withy.Error) as e:
        rod.solve(solver=withy.shooting(steps=4) if "steps" in (withy.shooting.__doc__ or "") else "shooting")
    assert len(str(e.value)) > 20
