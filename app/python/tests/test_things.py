"""Rods, shafts and bodies from keywords, dictionaries, texts and files; what comes from the tables; errors."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import withy
from conftest import SECTION, command, example


def test_every_entry_of_the_tables_can_be_made():
    listed = json.loads(command("list", "--json"))
    used = {c["name"]: c for c in listed["catalogues"]}
    spaces = [n for n in used if hasattr(withy, n.replace("-", "_")) and n != "kinds"]
    assert {"sections", "loads", "ends", "signals", "shapes"} <= set(spaces)
    for name in spaces:
        for entry in used[name]["entries"]:
            make = getattr(getattr(withy, name.replace("-", "_")), entry["name"].replace("-", "_"))
            assert make()["name"] == entry["name"]
            for p in entry.get("params") or []:
                assert p["doc"] in make.__doc__


def test_the_docstring_of_a_class_lists_every_key_with_its_unit():
    listed = json.loads(command("list", "--json"))
    kinds = {k["name"]: k for c in listed["catalogues"] if c["name"] == "kinds" for k in c["entries"]}
    for cls in (withy.Rod, withy.Shaft, withy.Body):
        for kind in cls.kinds:
            for p in kinds[kind]["params"]:
                assert p["key"] in cls.__doc__ and (p["doc"] in cls.__doc__ or kind != cls.kinds[0])


def test_keyword_of_python():
    assert (withy.distributed_force(density=(0, 0, 1), from_=0.1) == {"name": "distributed-force",
        "density": (0, 0, 1), "from": 0.1})


@pytest.mark.parametrize("name", [n for n in os.listdir(example("")) if n.endswith(".yaml") and "sweep" not in n])
def test_examples_load(name):
    thing = withy.load(example(name))
    assert type(thing) in (withy.Rod, withy.Shaft, withy.Body, withy.System)
    assert repr(thing).startswith(type(thing).__name__)
    again = withy.load(json.loads(json.dumps({"kind": thing.kind, **thing._settings()})))
    assert again.kind == thing.kind and again.scenario().settings() == thing.scenario().settings()


def test_text_dict_and_keywords_are_the_same():
    text = ("kind: dynamic\nlength: 0.27\nelements: 8\nsection: {name: circle, radius: 0.0031, E: 1.7e6, nu: 0.41, "
            "density: 1130}\nstep: 0.01\nduration: 0.1\n")
    said = dict(length=0.27, elements=8, step=0.01, duration=0.1)
    rods = [withy.load(text), withy.load({"kind": "dynamic", **said, "section": {"name": "circle", **SECTION}}),
            withy.Rod(**said, section=withy.circle(**SECTION)), withy.load(text + "# \n", set={"elements": 8}),
            withy.Rod(**{**said, "elements": 3}, section=withy.circle(**SECTION)).replace(elements=np.int64(8))]
    for rod in rods:
        assert rod.scenario().settings() == rods[0].scenario().settings()


@pytest.mark.parametrize("make, words", [
    (lambda: withy.Rod(length=-1, section=withy.circle(**SECTION)), ["'length' is -1",
        "expected a positive number in m"]),
    (lambda: withy.Rod(lenght=1), ["lenght", "did you mean 'length'"]),
    (lambda: withy.circle(radios=1), ["radios", "did you mean 'radius'"]),
    (lambda: withy.Rod(length=1, section=withy.circle(**SECTION), loads=[{"name": "gravty"}]), ["gravty", "gravity"]),
    (lambda: withy.load("kind: dynamic\nlength: 0\n"), ["text:2:9", "'length' is 0"]),
    (lambda: withy.load({"kind": "dynamic"}), ["length", "missing"]),
    (lambda: withy.Rod(length=float("nan"), section=withy.circle(**SECTION)), ["length"]),
    (lambda: withy.Rod(length=1, section=object()), ["nothing that a scenario can say"]),
    (lambda: withy.load(example("soft-rod.yaml"), set={"section.radius": -2}), ["section.radius", "-2"]),
    (lambda: withy.Rod(length=1, section=withy.circle(**SECTION)).motion(step="soon"), ["step", "'soon'", "a number"]),
    (lambda: withy.Rod(length=1, section=withy.circle(**SECTION)).motion(step=1e-3, push_at="all"),
     ["push_at", "'all'"]),
    (lambda: withy.Rod(length=1, section=withy.circle(**SECTION)).motion(step=1e-3).run(1e30), ["steps"]),
])
def test_bad_input_says_what_was_expected(make, words):
    with pytest.raises(withy.BadInput) as e:
        make()
    for word in words:
        assert word in str(e.value)
    assert isinstance(e.value, ValueError) and isinstance(e.value, withy.Error)


def test_every_error_is_reported():
    with pytest.raises(withy.BadInput) as e:
        withy.load("kind: dynamic\nlength: -1\nelements: many\n")
    assert len(str(e.value).splitlines()) >= 2


def test_what_is_no_scenario_or_no_channel():
    for wrong in (None, 3, [1, 2]):
        with pytest.raises(TypeError, match="name of a file"):
            withy.load(wrong)
    with pytest.raises(TypeError, match="dictionary"):
        withy.load(example("soft-rod.yaml"), set=["length=2"])
    run = withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.5).run()
    with pytest.raises(TypeError, match="by its name"):
        run[3]


def test_rows_from_a_file(tmp_path, monkeypatch):
    rows = [(0.0, 0.0), (0.05, 1.5), (0.1, -0.25)]
    (tmp_path / "gust.csv").write_text("time,wind\n" + "".join(f"{t},{v}\n" for t, v in rows))

    def rod(values):
        return dict(length=0.27, elements=3, section=withy.circle(**SECTION),
                    loads=[withy.point_force(force=(0, 0.01, 0), at=0.27, in_time=withy.smooth(values=values))])
    typed = withy.Rod(**rod(rows)).motion(step=0.01)
    typed.step(9)
    (tmp_path / "rod.yaml").write_text(json.dumps({"kind": "dynamic", **rod("gust.csv"), "duration": 0.1,
                                                   "step": 0.01}))
    read = withy.load(tmp_path / "rod.yaml")
    monkeypatch.chdir(tmp_path)
    named = withy.Rod(**rod("gust.csv")).motion(step=0.01)
    run = read.run(archive=tmp_path / "run.h5")
    (tmp_path / "gust.csv").unlink()  # what was loaded has its rows
    for motion in (named, read.motion(step=0.01), withy.open(tmp_path / "run.h5")._thing.motion(step=0.01)):
        motion.step(9)
        assert np.array_equal(motion.position, typed.position)
    assert len(run) == 11
    with pytest.raises(withy.BadInput, match="gust.csv"):
        withy.Rod(**rod("gust.csv"))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(withy.CannotRead, match="none.yaml"):
        withy.sweep(tmp_path / "none.yaml")
    with pytest.raises(withy.CannotRead, match="none.yaml") as e:
        withy.load(tmp_path / "none.yaml")
    assert isinstance(e.value, OSError)
    for missing in (lambda: withy.load(tmp_path / "none.yaml"), lambda: withy.open(tmp_path / "none.h5"),
                    lambda: withy.sweep(tmp_path / "none.yaml")):
        with pytest.raises(FileNotFoundError, match="none"):
            missing()
    (tmp_path / "not.h5").write_text("not an archive")
    with pytest.raises(withy.Error):
        withy.open(tmp_path / "not.h5")
    with pytest.raises(withy.CannotWrite):
        withy.load(example("soft-rod.yaml")).run(archive=tmp_path / "no" / "such.h5")


def test_help_works_and_nothing_is_printed_by_the_import():
    done = subprocess.run([sys.executable, "-c", "import withy; help(withy.gravity)"], capture_output=True, text=True)
    assert done.returncode == 0 and "m/s^2" in done.stdout and done.stderr == "" or os.environ.get("WITHY_SANITIZE")


def test_the_types_know_every_name_and_key():
    import ast
    path = os.path.join(os.path.dirname(withy.__file__), "__init__.pyi")
    tree = ast.parse(open(path).read())
    defined = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    imported = {a.asname or a.name for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names}
    declared = {n.target.id for n in tree.body if isinstance(n, ast.AnnAssign)}
    declared |= {t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets}
    assert set(withy.__all__) <= set(defined) | imported | declared
    listed = json.loads(command("list", "--json"))
    circle = next(e for c in listed["catalogues"] if c["name"] == "sections" for e in c["entries"]
                  if e["name"] == "circle")
    assert [a.arg for a in defined["circle"].args.args] == [p["key"] for p in circle["params"]]
    rod = next(f for f in defined["Rod"].body if isinstance(f, ast.FunctionDef))
    assert {"length", "section", "loads", "step", "branch", "parameter"} <= {a.arg for a in rod.args.kwonlyargs}
