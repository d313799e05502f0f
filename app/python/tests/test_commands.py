"""Plots, exports, FMUs, modes and known answers from Python; the command that comes with the package; the wheel."""
import json
import os
import subprocess
import sys
import venv
import zipfile

import numpy as np
import pytest

import withy
from conftest import SANITIZED, SOURCE, command, example
from withy import commands

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(withy.__file__)))


def module(*words, **more):
    return subprocess.run([sys.executable, "-m", "withy", *words], capture_output=True, text=True, **more)


def test_the_command_comes_with_the_package():
    done = module("-V")
    assert done.returncode == 0 and withy.__version__ in done.stdout and done.stdout == command("-V")
    assert module("run").returncode == 2  # its exit code is that of the command


def test_plot_export_and_info_of_runs(rod, tmp_path):
    run = rod.motion(step=1e-3).run(steps=4)
    run.save(tmp_path / "run.h5")
    for source in (run, withy.open(tmp_path / "run.h5")):
        source.plot(tmp_path / "tip.svg", "tip", "energy", force=True)
        drawn = (tmp_path / "tip.svg").read_text()
        assert "drawn by withy" in drawn and ">tip" in drawn and ">energy" in drawn and ">shape" not in drawn
        source.export(tmp_path / "run.csv", "tip", frame=-1, force=True)
        assert (tmp_path / "run.csv").read_text() == command("export", tmp_path / "run.h5", "--format", "csv",
                                                             "--channel", "tip", "--frame", "-1")
        about = source.info()
        assert about["kind"] == "dynamic" and about["frames"] == 5 and {c["name"] for c in about["channels"]} > {"tip"}
    (tmp_path / "tip.svg").write_text("mine")
    with pytest.raises(withy.Error, match="tip.svg"):
        run.plot(tmp_path / "tip.svg")
    with pytest.raises(withy.BadInput, match="no panel 'tp'; did you mean 'tip'"):
        run.plot(tmp_path / "other.svg", "tp")
    with pytest.raises(withy.Error):
        run.export(tmp_path / "no" / "such.csv")
    table = withy.sweep(rod, {"section.radius": [0.003, 0.004]}, keep=["tip"])
    table.plot(tmp_path / "table.svg")
    table.save(tmp_path / "table.h5")
    assert withy.open(tmp_path / "table.h5").csv() == table.csv()


def test_modes_are_those_of_the_command(rod, tmp_path):
    damped = rod.replace(damping=withy.proportional(time=0.003), loads=None)
    found = damped.modes(3)
    assert len(found) == 3 and found.frequency == pytest.approx(damped.vibrations(3).frequency, rel=1e-3)
    # proportional damping to first order: pi f time
    assert found.damping_ratio == pytest.approx(np.pi * found.frequency * 0.003, rel=0.05)
    (tmp_path / "rod.yaml").write_text(damped.text())
    command("modes", tmp_path / "rod.yaml", "-n", 3, "-o", tmp_path / "modes.h5")
    assert np.array_equal(withy.open(tmp_path / "modes.h5").frequency, found.frequency)
    with pytest.raises(withy.BadInput):
        rod.modes(3, wobble=2)


def test_an_fmu(rod, tmp_path):
    rod.fmu(tmp_path / "rod.fmu", step=1e-3, duration=2)
    with zipfile.ZipFile(tmp_path / "rod.fmu") as unit:
        description = unit.read("modelDescription.xml").decode()
    assert 'fmiVersion="2.0"' in description and 'stepSize="0.001"' in description and "position" in description
    withy.load(example("shaft.yaml")).fmu(tmp_path / "shaft.fmu", fmi=3)
    with pytest.raises(withy.BadInput, match="did you mean 'step'"):
        rod.fmu(tmp_path / "x.fmu", stp=1)
    with pytest.raises(withy.BadInput, match="nothing that a scenario can say"):
        rod.replace(loads=[withy.own_load(lambda p: None)]).fmu(tmp_path / "x.fmu", step=1e-3)


def test_known_answers():
    rows = withy.validate("roll-up")
    assert len(rows) == 6 and all(r["ok"] and r["problem"] == "roll-up" for r in rows)
    both = withy.validate("roll-up", "timoshenko-cantilever")
    assert both[:6] == rows and both[-1]["problem"] == "timoshenko-cantilever"
    with pytest.raises(withy.BadInput, match="roll-up"):
        withy.validate("roll-upp")


@pytest.mark.skipif(SANITIZED, reason="the sanitizer is not there in another process")
def test_the_wheel_in_an_empty_environment(tmp_path):
    """pip install without setuptools and wheel, offline; NumPy is lent for the program."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PIP_CONFIG_FILE")}
    environment.update(WITHY_BUILD=os.environ.get("WITHY_BUILD") or os.path.join(SOURCE, "build/release"),
                       PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env/bin/python"
    subprocess.run([python, "-m", "pip", "uninstall", "-q", "-y", "setuptools"], env=environment)
    done = subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", SOURCE], env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    environment["PYTHONPATH"] = os.path.dirname(os.path.dirname(np.__file__))
    done = subprocess.run([tmp_path / "env/bin/withy", "-V"], env=environment, capture_output=True, text=True)
    assert done.stdout == command("-V"), done.stderr
    program = ("import withy, importlib.metadata as m; print(withy.__file__, m.version('withy'), "
               "withy.validate('roll-up')[0]['ok'], withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), "
               "duration=1, step=0.5).run().verdict)")
    done = subprocess.run([python, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and str(tmp_path) in done.stdout and withy.__version__ in done.stdout, done.stderr
    assert "True" in done.stdout


def test_a_program_that_is_gone(monkeypatch):
    monkeypatch.setattr(commands, "COMMAND", os.path.join(PACKAGE, "no-such-command"))
    with pytest.raises(FileNotFoundError):
        withy.validate("roll-up")


def test_json_of_info_is_whole(rod):
    assert json.dumps(rod.solve()._run.info())
