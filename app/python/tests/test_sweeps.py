"""Sweeps: the same table by command and by every executor; points that fail."""
import concurrent.futures
import json

import pytest

import withy
from conftest import command, example

OVER = {"momentum.1": {"from": 0.1, "to": 0.9, "count": 4}, "method": ["RK4", {"name": "IM", "tolerance": 1e-9}]}
BODY = dict(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=2, step=0.05)


def test_the_table_is_that_of_the_command(tmp_path):
    table = withy.sweep(example("soft-rod-sweep.yaml"), out=tmp_path / "python.h5")
    command("sweep", example("soft-rod-sweep.yaml"), "-q", "-o", tmp_path / "command.h5")
    theirs = command("export", tmp_path / "command.h5", "--format", "csv")
    assert table.csv() == theirs == command("export", tmp_path / "python.h5", "--format", "csv")
    assert len(table) == len(theirs.splitlines()) - 1


def test_every_executor_gives_the_same_table():
    body = withy.Body(**BODY)
    plain = withy.sweep(body, OVER, keep=["momentum"]).csv()
    assert len(plain.splitlines()) == 9
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert withy.sweep(body, OVER, keep=["momentum"], executor=threads).csv() == plain
    with concurrent.futures.ProcessPoolExecutor(2) as processes:
        assert (withy.sweep(withy.load({"kind": "rigid-body", **BODY}), OVER, keep=["momentum"],
                            executor=processes).csv() == plain)

    class OnlyMap:
        map = staticmethod(map)
    assert withy.sweep(body, OVER, keep=["momentum"], executor=OnlyMap).csv() == plain
    with pytest.raises(TypeError, match="submit or map"):
        withy.sweep(body, OVER, executor=3)


def test_warnings_of_points_are_raised_once(tmp_path):
    rod = withy.Rod(length=0.27, elements=2, section=withy.circle(radius=0.0031, E=1.7e6, nu=0.41, density=1130),
                    loads=[withy.gravity((-9.7, 0.3, 0))], step=0.02, duration=0.5,
                    damping=withy.proportional(time=1))
    with pytest.warns(withy.AccuracyWarning, match="1 of 2 points have warnings; the first, point 0: ") as caught:
        table = withy.sweep(rod, {"damping.time": [0.0005, 1]}, keep=["tip", "max(tip from 0.1 to 0.3)"],
                            out=tmp_path / "table.h5")
    assert len(caught) == 1 and caught[0].filename == __file__ and table.warnings == [str(caught[0].message)]
    assert list(table.warned) == [1, 0] and table.verdict.startswith("with warnings: shape ")
    assert table.verdict in table._repr_html_() and "error_shape" in table.channels
    assert withy.open(tmp_path / "table.h5").warnings == table.warnings
    assert table.channels["max(tip from 0.1 to 0.3)"].unit == "m"


def test_a_failed_point_is_a_row(tmp_path):
    rod = {"kind": "static", "length": 1.0, "section": {"name": "circle", "radius": 0.01, "E": 1e6, "nu": 0.3},
           "solver": "shooting",
           "last_end": {"name": "loaded", "force": [0, 0, 0]}}
    table = withy.sweep(rod, {"last_end.force.0": [0.01, 1e9]}, keep=["left_force"], out=tmp_path / "t.h5")
    assert list(table["status"] != 0) == [False, True]


def test_a_rod_without_a_duration_is_swept_at_rest(rod):
    table = withy.sweep(rod, {"section.radius": [0.002, 0.003]}, keep=["left_moment"])
    for k, radius in enumerate((0.002, 0.003)):
        said = dict(rod.settings["section"], radius=radius)
        assert (table["left_moment"][k] == rod.replace(section=said).solve().left_moment).all()
    assert withy.load(rod.text()).kind == "static"
    with pytest.raises(TypeError, match="over what"):
        withy.sweep(rod)


def test_rows_of_a_file_go_with_the_points(tmp_path):
    (tmp_path / "gust.csv").write_text("0,0\n1,1\n")
    rod = {"kind": "dynamic", "length": 0.3, "elements": 3, "section": {"name": "circle", "radius": 0.004, "E": 4e6,
        "nu": 0.45, "density": 1100}, "step": 0.01,
           "duration": 0.05, "loads": [{"name": "point-force", "force": [0, 0.01, 0], "at": 0.3,
                                        "in_time": {"name": "sampled", "values": "gust.csv"}}]}
    (tmp_path / "rod.yaml").write_text(json.dumps(rod))
    (tmp_path / "sweep.yaml").write_text("scenario: rod.yaml\nover: {section.E: [3e6, 4e6]}\nkeep: [tip]\n")
    sweep = withy.Sweep((tmp_path / "sweep.yaml").read_text(), str(tmp_path / "sweep.yaml"))
    (tmp_path / "gust.csv").unlink()
    with concurrent.futures.ProcessPoolExecutor(2) as processes:
        table = sweep.run(processes)
    rod["loads"][0]["in_time"]["values"] = [[0, 0], [1, 1]]
    assert table.csv() == withy.sweep(rod, {"section.E": [3e6, 4e6]}, keep=["tip"]).csv()


def test_points_and_refusals():
    sweep = withy.Sweep(json.dumps({"scenario": {"kind": "rigid-body", **BODY}, "over": OVER}))
    assert len(sweep) == 8 and sweep.axes == ["momentum.1", "method"]
    assert sweep.list()[0] == {"momentum.1": 0.1, "method": "RK4"}
    for over, word in (({}, "over"), ({"momentm.1": [1]}, "momentm"),
                       ({"momentum.1": {"from": 0, "to": 1, "count": 10**12}}, "1000000000000")):
        with pytest.raises(withy.BadInput, match=word):
            withy.sweep(withy.Body(**BODY), over)
    with pytest.raises(IndexError):
        sweep._sweep.run(8)
