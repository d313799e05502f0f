"""How accurate a result is, and that Python says so: verdict, warnings, notes."""
import math
import warnings

import numpy as np
import pytest

import withy
from conftest import command


def coarse(rod):
    """A rod whose elements and steps are far too long."""
    return rod.replace(elements=2, step=0.05, duration=0.5)


def test_a_run_that_may_be_wrong_warns_at_the_line_that_asked(rod):
    with pytest.warns(withy.AccuracyWarning, match="the reactions are off by") as caught:
        run = coarse(rod).run()
    assert [str(w.message) for w in caught] == run.warnings and caught[0].filename == __file__
    assert run.verdict.startswith("with warnings: ") and run.verdict in repr(run)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = rod.replace(elements=16, step=2e-4, duration=2e-3, damping=withy.proportional(time=0.01)).run()
    assert not fine.warnings and "with warnings" not in fine.verdict


def test_until_when_it_is_trusted(rod):
    with pytest.warns(withy.AccuracyWarning):
        run = coarse(rod).run()
    until = run.certificate["trusted_until"]
    assert 0 < until < 0.5 and run.verdict.endswith(f", trusted until {until:.3g} s")
    assert "trusted" not in rod.motion(step=1e-3).run(steps=3).verdict
    never = withy._core.verdict({"error_shape": 0.3, "trusted_until": 0.0}, "dynamic", False, 0.5)
    assert never == "shape within 30 %, trusted at no time"


def test_the_verdict_is_that_of_the_command(rod, tmp_path):
    path = tmp_path / "run.h5"
    with pytest.warns(withy.AccuracyWarning):
        run = coarse(rod).run()
    with pytest.warns(withy.AccuracyWarning):
        archived = coarse(rod).run(archive=path)
    printed = command("info", path)
    assert f"verdict: {run.verdict}\n" in printed and all(w in printed for w in run.warnings)
    assert archived.verdict == run.verdict and archived.warnings == run.warnings
    opened = withy.open(path)
    assert opened.verdict == run.verdict and opened.warnings == run.warnings
    with pytest.warns(withy.AccuracyWarning):  # finished before: the archive has them
        assert coarse(rod).run(archive=path, resume=True).warnings == run.warnings
    run.save(tmp_path / "saved.h5")
    assert withy.open(tmp_path / "saved.h5").warnings == run.warnings
    assert f"verdict: {run.verdict}\n" in command("info", tmp_path / "saved.h5")


def test_an_equilibrium_says_it_too(rod):
    rest = rod.replace(elements=2).solve()
    assert rest.verdict.startswith("shape within ") and rest.warnings == []
    assert any("use more elements" in note for note in rest.notes)
    with pytest.warns(withy.AccuracyWarning, match="estimated errors") as caught:
        limp = rod.replace(elements=1, solver="energy").solve()
    assert caught[0].filename == __file__
    assert limp.warnings and limp.verdict.startswith("with warnings")


def test_unknown_is_no_number(rod):
    """A motion without coarser runs beside it has no estimate of its reactions, and its balance of moments is
    not checked."""
    run = rod.motion(step=1e-3).run(steps=3)
    assert math.isnan(run.certificate["force_balance"]) and run.certificate["energy_drift"] < 1e-12
    assert run.verdict.startswith("no error estimate, energy balance within ")
    assert "<td>unknown</td>" in run._repr_html_() and "<td>nan</td>" not in run._repr_html_()
    stuck = withy._core.verdict({"error_shape": 1.0, "error_force": 0.02}, "static", False, math.nan)
    assert stuck == "shape unknown, forces within 2 %"
    assert withy._core.verdict({}, "static", False, 1.0) == "no error estimate"


def test_of_equilibria_the_worst_counts(rod):
    run = rod.replace(elements=4).solve()._run
    errors = np.array([0.1, 0.3, 0.2])
    assert withy._core.certified("static", "error_shape", errors) == (1, True)
    assert withy._core.certified("dynamic", "error_shape", errors) == (2, True)
    assert withy._core.certified("dynamic", "error_shape", np.array([0.1, 1.0])) == (1, False)
    assert run.certificate["error_shape"] == run.error_shape[0]


def test_a_notebook_shows_the_verdict_and_why(rod):
    with pytest.warns(withy.AccuracyWarning):
        run = coarse(rod).run()
    shown = run._repr_html_()
    assert run.verdict in shown and run.warnings[0][:40] in shown
