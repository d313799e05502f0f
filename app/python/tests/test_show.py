"""What a notebook shows, and tables for pandas and xarray."""
import io

import numpy as np
import pytest

import withy
from withy import show


def test_everything_shows_itself(rod):
    motion = rod.motion(step=1e-3)
    for thing in (rod, rod.solve(), motion, motion.run(steps=2)):
        page = thing._repr_html_()
        assert page.startswith("<iframe") and "srcdoc=" in page and "&lt;!doctype" in page[:2000].lower()
    assert "<script" not in rod._repr_html_().split("</iframe>")[1]
    assert "energy_drift" in motion.run(steps=2)._repr_html_()
    assert "Hz" in rod.vibrations(3)._repr_html_()
    body = withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.5)
    assert "<table" in body._repr_html_() and "<td>" in body.run()._repr_html_()


def test_a_page_of_an_archive(rod, tmp_path):
    motion = rod.motion(step=1e-3)
    motion.run(steps=3).save(tmp_path / "run.h5")
    again = withy.open(tmp_path / "run.h5")
    assert again.about["kind"] == "dynamic" and len(again) == 4
    assert "<html" in again.html(plain=True) and len(again.html(plain=True)) < len(motion.run(steps=3).html()) + 10**6


def test_a_rod_without_a_rest_says_why():
    rod = withy.Rod(length=1, section=withy.circle(radius=0.01, E=1e6, nu=0.3, density=1e3), first_end=withy.free())
    assert "rigid body" in rod._repr_html_() or "free" in rod._repr_html_()


def test_names_are_no_markup():
    assert "<b>" not in show.table(["<b>"], [["<b>"]])


def test_the_bar_in_a_terminal():
    out = io.StringIO()
    bar = show.Bar("run", out)
    bar(0.5)
    bar(1.0)
    assert "50.0 %" in out.getvalue() and out.getvalue().endswith("\n")


def test_pandas(rod):
    pandas = pytest.importorskip("pandas")
    run = rod.motion(step=1e-3).run(steps=4)
    table = run.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == 5 and table.index.name == "time"
    assert np.array_equal(table["tip.0"], run.tip[:, 0]) and np.array_equal(table["kinetic"], run.kinetic)


def test_xarray(rod):
    pytest.importorskip("xarray")
    run = rod.motion(step=1e-3).run(steps=4)
    data = run.to_xarray()
    assert data.position.dims[0] == "time" and data.position.shape == (5, 9, 3) and data.position.attrs["units"] == "m"
    assert float(data.tip.sel(time=2e-3)[0]) == run.tip[2, 0]
