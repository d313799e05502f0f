"""Sweeps: designs, rows that do not depend on the process that computes them, interruption, failures, and errors with
their line."""
import csv
import io
import os
import signal
import subprocess
import time

import h5py

from check import SOURCE, WITHY, decoded, main, withy

BODY = """kind: rigid-body
inertia: [2, 1, 0.7]
momentum: [0.4, 0.3, 0.9]
duration: 2
step: 0.05
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def sweep_file(folder, text, scenario=BODY):
    write(folder, "body.yaml", scenario)
    return write(folder, "sweep.yaml", "scenario: body.yaml\n" + text)


def points(path):
    code, out, err = withy("sweep", path, "--list")
    assert code == 0, err
    return [dict(word.split("=", 1) for word in line.split("\t")[1:]) for line in out.splitlines()]


def table(path):
    code, out, err = withy("export", path, "--format", "csv")
    assert code == 0, err
    return out


def rows(path):
    return list(csv.DictReader(io.StringIO(table(path))))


def a_grid_has_every_combination(folder):
    path = sweep_file(folder, "over:\n  step: [0.1, 0.05]\n  momentum.1: {from: 0, to: 1, count: 5}\n  method: [RK4, "
                      "{name: IM, tolerance: 1e-9}]\n")
    got = points(path)
    assert len(got) == 20
    assert [p["step"] for p in got] == ["0.1"] * 10 + ["0.05"] * 10
    assert [float(p["momentum.1"]) for p in got[:10:2]] == [0, 0.25, 0.5, 0.75, 1]
    assert got[1]["method"] == '{"name": IM, "tolerance": 1e-9}'
    assert withy("sweep", path, "-q", "-o", folder + "/g.h5")[0] == 0
    with h5py.File(folder + "/g.h5") as f:
        assert decoded(f.attrs["kind"]) == "sweep"
        assert list(f["parameters/step"][...]) == [float(p["step"]) for p in got]
        assert [w.decode() for w in f["words/method"][...]] == [p["method"] for p in got]
        assert list(f["parameters/method"][...]) == [0, 1] * 10
        assert [w.decode() for w in f["outcome"][...]] == ["done"] * 20
        assert f["state/momentum"].shape == (20, 3)
        assert (f["timing/seconds"][...] >= 0).all()


def a_row_is_what_a_run_gives(folder):
    path = sweep_file(folder, "over:\n  momentum.2: [0.9, 1.7]\nkeep: [momentum, first(momentum), max(momentum), "
                      "mean(momentum), min(momentum)]\n")
    assert withy("sweep", path, "-q", "-o", folder + "/s.h5", "--archives", folder + "/runs")[0] == 0
    with h5py.File(folder + "/s.h5") as f:
        assert list(f["momentum.2"][...]) == [0.9, 1.7]  # the one parameter is the axis
        for p, value in enumerate(("0.9", "1.7")):
            run = f"{folder}/one-{p}.h5"
            assert withy("run", folder + "/body.yaml", "-q", "-o", run, "--set", "momentum.2=" + value)[0] == 0
            with h5py.File(run) as one, h5py.File(f"{folder}/runs/point-{p:06d}.h5") as kept:
                m = one["state/momentum"][...]
                assert (kept["state/momentum"][...] == m).all()
                assert (f["state/momentum"][p] == m[-1]).all() and (f["state/first(momentum)"][p] == m[0]).all()
                assert (f["state/max(momentum)"][p] == m.max(axis=0)).all()
                assert (f["state/min(momentum)"][p] == m.min(axis=0)).all()
                assert abs(f["state/mean(momentum)"][p] - m.mean(axis=0)).max() < 1e-14


ROD = """kind: dynamic
length: 0.27
elements: 2
section: {name: circle, radius: 0.0031, E: 1.7e6, nu: 0.41, density: 1130}
loads: [{name: gravity, acceleration: [-9.7, 0.3, 0]}]
duration: 0.5
step: 0.05
"""


def what_is_kept_of_a_window(folder):
    path = sweep_file(folder, "over:\n  section.radius: [0.003, 0.004]\nkeep: [max(tip from 0.1 to 0.2), min(tip to "
                      "0.1), mean(kinetic from 2*0.2), last(time to 0.45), tip, last_end.force, first_end_force]\n",
                      ROD)
    assert withy("sweep", path, "-q", "-o", folder + "/s.h5", "--archives", folder + "/runs")[0] == 0
    with h5py.File(folder + "/s.h5") as f:
        for p in range(2):
            with h5py.File(f"{folder}/runs/point-{p:06d}.h5") as run:
                t, x, e = run["time"][...], run["state/tip"][...], run["energy/kinetic"][...]
                assert (f["state/max(tip from 0.1 to 0.2)"][p] == x[2:5].max(axis=0)).all(), t
                assert (f["state/min(tip to 0.1)"][p] == x[:3].min(axis=0)).all()
                assert abs(f["energy/mean(kinetic from 2*0.2)"][p] - e[8:].mean()) < 1e-15
                assert f["kept/last(time to 0.45)"][p] == t[9]
                assert (f["state/tip"][p] == x[-1]).all()
                assert (f["ends/first_end_force"][p] == run["ends/first_end_force"][-1]).all()
                assert (f["ends/last_end_force"][p] == 0).all()
        assert decoded(f["section.radius"].attrs["units"]) == "m"
    for words, why in (("max(tip from 3 to 2)", "ends after its beginning"), ("max(tip since 3)", "a window"),
                       ("max( from 1)", "a window"), ("max(tip from x)", "'x'")):
        code, _, err = withy("sweep", sweep_file(folder, f"over:\n  step: [0.05]\nkeep: [{words}]\n", ROD), "--list")
        assert code == 2 and why in err, (words, err)


def every_kind_keeps_the_tip_or_says_what_there_is(folder):
    static = ROD.replace("dynamic", "static").replace("duration: 0.5\nstep: 0.05\n", "elements: 20\n").replace(
        "elements: 2\n", "")
    branch = static.replace("static", "continuation").replace("loads", "last_end: {name: coaxial, shortening: 0}\n"
        "parameter: {number: last_end.shortening, from: 0, to: 0.01}\nfollow: {branches: 1, points: 20}\nloads")
    for kind, text in (("static", static), ("dynamic", ROD), ("continuation", branch)):
        path = sweep_file(folder, "over:\n  section.radius: [0.003]\nkeep: [tip, first_end.force]\n", text)
        code, _, err = withy("sweep", path, "-q", "-o", f"{folder}/{kind}.h5")
        assert code == 0, (kind, err)
        with h5py.File(f"{folder}/{kind}.h5") as f:
            assert f["state/tip"].shape == f["ends/first_end_force"].shape == (1, 3) and f["status"][0] == 0
            assert 0.1 < abs(f["state/tip"][0]).max() < 0.28
        path = sweep_file(folder, "over:\n  section.radius: [0.003]\nkeep: [deflection]\n", text)
        code, _, err = withy("sweep", path, "-q", "-o", f"{folder}/no.h5")
        assert code == 2 and "sweep.yaml:4:8: there is no channel 'deflection'" in err, err
        assert " there are " in err and ", tip, " in err and ", last_end_force" in err, err


def points_with_warnings_are_counted(folder):
    with open(os.path.join(SOURCE, "examples/soft-rod.yaml")) as f:
        text = f.read()
    path = sweep_file(folder, "over:\n  damping: [none, {name: proportional, time: 1}]\n  step: [0.05, 0.0025]\nkeep: "
                      "[tip]\n", text)
    code, out, _ = withy("sweep", path, "-o", folder + "/w.h5", "--archives", folder + "/runs")
    assert code == 0
    with h5py.File(folder + "/w.h5") as f:
        texts = [w.decode() for w in f["warnings"][...]]
        assert list(f["warned"][...]) == [float(bool(w)) for w in texts]
        count = sum(map(bool, texts))
        first = next(i for i, w in enumerate(texts) if w)
        assert 0 < count < 4, texts
        said = f"{count} of 4 points have warnings; the first, point {first}: " + texts[first].split("\n")[0]
        assert decoded(f.attrs["warnings"]) == said
        for p in range(4):
            with h5py.File(f"{folder}/runs/point-{p:06d}.h5") as run:
                assert decoded(run.attrs.get("warnings", "")) == texts[p]
                for name in ("error_shape", "error_reaction", "error_space", "error_time"):
                    stated = run["certificate/" + name][-1]
                    kept = f["certificate/" + name][p]
                    assert kept == stated or (stated == 1 and kept != kept), (name, stated, kept)
        worst = f["certificate/error_shape"][...]
        assert (worst != worst).any(), worst
    assert f", {count} of them with warnings; the first, point {first}: " in out
    _, out, _ = withy("info", folder + "/w.h5")
    assert "verdict: with warnings: shape unknown, " in out and f"  warning: {said}" in out, (said, out)


def zipped_lists_go_together(folder):
    path = sweep_file(folder, "design: zip\nover:\n  step: [0.1, 0.05, 0.02]\n  duration: {from: 1, to: 4, count: 3, "
                      "spacing: logarithmic}\n")
    got = points(path)
    assert [p["step"] for p in got] == ["0.1", "0.05", "0.02"]
    values = [float(p["duration"]) for p in got]
    assert values[0] == 1 and values[2] == 4 and abs(values[1] - 2) < 1e-14


def a_latin_hypercube_hits_each_cell_once(folder):
    text = ("design: latin-hypercube\ncount: 37\nseed: 5\nover:\n  momentum.0: {from: -1, to: 2}\n  step: {from: 1e-3, "
            "to: 0.1, spacing: logarithmic}\n")
    got = points(sweep_file(folder, text))
    assert len(got) == 37
    cells = sorted(int((float(p["momentum.0"]) + 1) / 3 * 37) for p in got)
    assert cells == list(range(37)), cells
    assert all(1e-3 <= float(p["step"]) <= 0.1 for p in got)
    assert sum(float(p["step"]) < 1e-2 for p in got) in range(15, 23)  # half of the decades
    assert points(sweep_file(folder, text)) == got
    assert points(sweep_file(folder, text.replace("seed: 5", "seed: 6"))) != got


def random_points_are_those_of_their_seed(folder):
    text = ("design: random\ncount: 400\nover:\n  momentum.0: {from: 0, to: 1}\n  method: [IM, RK4]\n  momentum.1: "
            "{from: 0, to: 1}\n")
    got = points(sweep_file(folder, text))
    x, y = ([float(p[key]) for p in got] for key in ("momentum.0", "momentum.1"))
    # axes know nothing of each other: the covariance of independent numbers is below four of its deviations, 1/12 /
    # sqrt(400)
    assert abs(sum((a - 0.5) * (b - 0.5) for a, b in zip(x, y)) / 400) < 4 / 12 / 20
    assert abs(sum((a - 0.5) * ((p["method"] == "IM") - 0.5) for a, p in zip(x, got)) / 400) < 4 * 0.5 / 12**0.5 / 20
    assert abs(sum(x) / 400 - 0.5) < 0.06 and len(set(x)) == 400
    assert 150 < sum(p["method"] == "IM" for p in got) < 250
    assert points(sweep_file(folder, text)) == got


def the_table_does_not_depend_on_who_runs_it(folder):
    path = sweep_file(folder, "over:\n  momentum.0: {from: 0, to: 1, count: 4}\n  step: [0.1, 0.04, 0.05]\n")
    tables = []
    for jobs in (1, 3):
        assert withy("sweep", path, "-q", "-j", jobs, "-o", f"{folder}/{jobs}.h5")[0] == 0
        tables.append(table(f"{folder}/{jobs}.h5"))
    for k in (7, 0, 11, 3, 4, 5, 6, 1, 2, 8, 9):  # one is missing
        assert withy("sweep", path, "-q", "--point", k, "-o", folder + "/a.h5")[0] == 0
    code, _, err = withy("sweep", path, "--collect", "-o", folder + "/a.h5")
    assert code == 1 and "1 of 12 points have no row yet; the first is 10" in err, err
    assert withy("sweep", path, "-q", "--point", 10, "-o", folder + "/a.h5")[0] == 0
    assert withy("sweep", path, "-q", "--collect", "-o", folder + "/a.h5")[0] == 0
    assert not os.path.exists(folder + "/a.h5.rows")
    tables.append(table(folder + "/a.h5"))
    assert tables[0] == tables[1] == tables[2]
    os.mkdir(folder + "/a.h5.rows")  # as of a sweep that was killed when its table was there
    assert "this sweep is done" in withy("sweep", path, "-o", folder + "/a.h5")[1]
    assert not os.path.exists(folder + "/a.h5.rows")
    with open(folder + "/body.yaml", "a") as f:  # the scenario is another one, and its sweep has the same text
        f.write("title: another\n")
    code, _, err = withy("sweep", path, "-o", folder + "/a.h5")
    assert code == 2 and "not the table of this sweep" in err, (code, err)


def an_interrupted_sweep_goes_on(folder):
    text = "over:\n  momentum.0: {from: 0, to: 1, count: 16}\n"
    path = sweep_file(folder, text, BODY.replace("duration: 2", "duration: 400") + "every: 8000\n")
    for stop in (signal.SIGKILL, signal.SIGTERM):
        run = subprocess.Popen([WITHY, "sweep", path, "-q", "-o", folder + "/i.h5", "-j", "2"],
                               stderr=subprocess.DEVNULL)
        journal = folder + "/i.h5.rows/jobs"
        before = os.path.getsize(journal) if os.path.exists(journal) else 0
        while run.poll() is None and (not os.path.exists(journal) or os.path.getsize(journal) <= before):
            time.sleep(0.005)
        run.send_signal(stop)
        run.wait()
        if os.path.exists(folder + "/i.h5"):
            break  # a fast machine: it was done before the signal
    if os.path.exists(journal):
        with open(journal, "ab") as f:
            f.write(b"0.1\thost\t15\t0\tdone")  # a line that was cut
    time.sleep(0.1)  # a worker of the killed one sees its pipe closed
    for attempt in range(50):  # and lets go of the journal only then
        code, _, err = withy("sweep", path, "-q", "-o", folder + "/i.h5")
        if code == 0:
            break
        time.sleep(0.1)
    assert code == 0, err
    assert withy("sweep", path, "-q", "-o", folder + "/w.h5")[0] == 0
    assert table(folder + "/i.h5") == table(folder + "/w.h5")


def a_failed_point_is_a_row_with_its_sentence(folder):
    scenario = BODY + "method: {name: IM, tolerance: 1e-13, max_iterations: 4}\n"
    path = sweep_file(folder, "over:\n  step: [0.05, 20, 0.04]\n  duration: [40]\n", scenario)
    code, out, err = withy("sweep", path, "-o", folder + "/f.h5")
    assert code == 0 and "1 of them failed; the first, point 1: " in out, (out, err)
    with h5py.File(folder + "/f.h5") as f:
        assert list(f["status"][...])[0::2] == [0, 0] and f["status"][1] > 0
        assert f["outcome"][0] == b"done" and len(f["outcome"][1]) > 20
    assert len(rows(folder + "/f.h5")) == 3


def mistakes_have_their_line(folder):
    for text, where, words in [
        ("over:\n  stp: [1, 2]\n", "sweep.yaml:3:3", "did you mean 'step'"),
        ("over:\n  step: [0.1, -1]\n", "sweep.yaml:3:3", "'step' is -1, expected a positive number"),
        ("over:\n  step: []\n", "sweep.yaml:3:9", "empty list"),
        ("over: {}\n", "sweep.yaml:2:7", "no axes"),
        ("over:\n  step: 0.1\n", "sweep.yaml:3:9", "expected a list of values or a range"),
        ("over:\n  step: {from: 1, to: 2, count: 1e6}\n  duration: {from: 1, to: 2, count: 1e6}\n", "sweep.yaml:3:3",
         "1000000000000 points, expected at most 10000000"),
        ("design: random\ncount: 1e12\nover:\n  step: {from: 1, to: 2}\n", "sweep.yaml:3:8", "1000000000000 points"),
        ("design: gird\nover:\n  step: [1]\n", "sweep.yaml:2:9", "did you mean 'grid'"),
        ("design: random\nover:\n  step: [1]\n", "sweep.yaml:2:9", "needs a 'count'"),
        ("count: 4\nover:\n  step: [1]\n", "sweep.yaml:2:8", "'count' is for"),
        ("over:\n  step: {from: 0, to: 1, count: 3, spacing: logarithmic}\n", "sweep.yaml:3:9", "no logarithmic range"),
        ("over:\n  step: {from: 1, count: 3}\n", "sweep.yaml:3:9", "needs 'from' and 'to'"),
        ("over:\n  step: {from: 1, to: x, count: 3}\n", "sweep.yaml:3:23", "'to'"),
        ("over:\n  step: [1]\n  step: [2]\n", "sweep.yaml:4:3", "given twice"),
        ("design: zip\nover:\n  step: [1, 2]\n  duration: [3]\n", "sweep.yaml:5:3", "zipped axes have one length"),
        ("ovr:\n  step: [1]\n", "sweep.yaml:2:1", "did you mean 'over'"),
        ("over:\n  step: [0.1]\nkeep: [big(step)]\n", "sweep.yaml:4:8", "unknown reduction"),
        ("over:\n  step: [0.1]\nkeep: [momentun]\n", "sweep.yaml:4:8", "did you mean 'momentum'"),
    ]:
        path = sweep_file(folder, text)
        code, out, err = withy("sweep", path, "-o", folder + "/m.h5")
        assert code == 2 and where in err and words in err, (text, code, err)
        assert not os.path.exists(folder + "/m.h5") and not os.path.exists(folder + "/m.h5.rows"), text
    path = write(folder, "lost.yaml", "scenario: nowhere.yaml\nover:\n  step: [1]\n")
    code, _, err = withy("sweep", path)
    assert code == 2 and "lost.yaml:1:11" in err and "nowhere.yaml" in err, err
    assert withy("sweep", folder + "/none.yaml")[0] == 3


def nothing_is_mixed_or_overwritten(folder):
    path = sweep_file(folder, "over:\n  step: [0.1, 0.2]\n")
    assert withy("sweep", path, "-q", "--point", 0, "-o", folder + "/x.h5")[0] == 0
    code, _, err = withy("sweep", path, "-o", folder + "/x.h5", "--set", "duration=3")
    assert code == 2 and "another sweep, scenario or version" in err, err
    assert withy("sweep", path, "-q", "-o", folder + "/x.h5")[0] == 0
    kept = open(folder + "/x.h5", "rb").read()
    code, _, err = withy("sweep", path, "-o", folder + "/x.h5", "--set", "duration=3")
    assert code == 2 and "not the table of this sweep" in err
    assert open(folder + "/x.h5", "rb").read() == kept
    for bad in ("2", "-1", "x", "1e3"):
        assert withy("sweep", path, "--point=" + bad, "-o", folder + "/y.h5")[0] == 2
    assert withy("sweep", path, "-j", "0", "-o", folder + "/y.h5")[0] == 2
    assert withy("sweep", path, "--list", "--collect")[0] == 2


def a_scenario_may_stand_inside(folder):
    inside = ("scenario:\n" + "".join("  " + line + "\n" for line in BODY.splitlines())
              + "  title: \"quoted: [1, 2]\"\nover:\n  step: [0.1, 0.2]\n")
    path = write(folder, "inside.yaml", inside)
    assert withy("sweep", path, "-q", "-o", folder + "/in.h5")[0] == 0
    outside = sweep_file(folder, "over:\n  step: [0.1, 0.2]\n")
    assert withy("sweep", outside, "-q", "-o", folder + "/out.h5")[0] == 0
    assert table(folder + "/in.h5") == table(folder + "/out.h5")


main(what_is_kept_of_a_window, every_kind_keeps_the_tip_or_says_what_there_is, points_with_warnings_are_counted,
     a_grid_has_every_combination, a_row_is_what_a_run_gives, zipped_lists_go_together,
     a_latin_hypercube_hits_each_cell_once,
     random_points_are_those_of_their_seed, the_table_does_not_depend_on_who_runs_it, an_interrupted_sweep_goes_on,
     a_failed_point_is_a_row_with_its_sentence, mistakes_have_their_line, nothing_is_mixed_or_overwritten,
     a_scenario_may_stand_inside)
