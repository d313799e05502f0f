"""The command as a stranger uses it: help, exit codes, bad input, and what its outputs hold."""
import csv
import io
import json
import os
import resource
import shutil
import subprocess
import xml.dom.minidom

import h5py
import numpy

from check import SOURCE, WITHY, decoded, main, withy

BODY = os.path.join(SOURCE, "examples/rigid-body.yaml")
COMMANDS = ("run", "reproduce", "plot", "export", "info", "list")


def help_and_version(_):
    code, out, err = withy("--help")
    assert code == 0 and all(c in out for c in COMMANDS) and not err
    assert withy("--version")[1].startswith("withy 0.")
    for command in COMMANDS:
        code, out, err = withy(command, "--help")
        assert code == 0 and out.startswith(f"usage: withy {command}") and not err, command
    code, out, err = withy()
    assert code == 2 and "usage" in err and not out


def wrong_usage(_):
    for args, words in (
        (["rnu"], "did you mean 'run'"),
        (["run"], "expected one scenario, got 0"),
        (["run", "a", "b"], "expected one scenario, got 2"),
        (["run", BODY, "--ouput", "x"], "did you mean '--output'"),
        (["run", BODY, "--zzz"], "unknown option '--zzz'"),
        (["run", BODY, "-o"], "'--output' needs a value"),
        (["run", BODY, "--quiet=3"], "'--quiet' takes no value"),
        (["run", BODY, "--flush", "often"], "expected a number of seconds"),
        (["reproduce", "rigid-body-convergance"], "did you mean 'rigid-body-convergence'"),
        (["reproduce", "rigid-body-convergence", "--format", "yaml"], "unknown report format 'yaml'"),
        (["reproduce", "x", "--all"], "expected one ID"),
        (["plot"], "expected one archive"),
        (["export", "x.h5"], "which --format"),
        (["export", "x.h5", "--format", "cvs"], "did you mean 'csv'"),
        (["info"], "expected one archive"),
        (["list", "integrator"], "did you mean 'integrators'"),
        (["list", "integrators", "rk5"], "did you mean 'rk4'"),
        (["list", "a", "b", "c"], "expected at most"),
    ):
        code, out, err = withy(*args)
        assert code == 2 and words in err and not out, (args, code, out, err)


def unreadable_and_unwritable(folder):
    text = os.path.join(folder, "text.h5")
    with open(text, "w") as f:
        f.write("this is not HDF5\n" * 100)
    with h5py.File(folder + "/other.h5", "w") as f:
        f["x"] = 1
    for args in (["run", folder + "/none.yaml"], ["run", BODY, "-o", folder + "/no/such/folder.h5"],
                 ["info", folder + "/none.h5"],
                 ["info", text], ["info", folder + "/other.h5"], ["plot", text], ["export", text, "--format", "csv"],
                 ["reproduce", "rigid-body-convergence", "-o", text + "/below", "-q"]):
        code, out, err = withy(*args)
        assert code == 3 and err.startswith("withy: cannot") or "is not an archive" in err, (args, code, err)


def errors_lose_nothing(folder):
    """A bad scenario leaves the archive of an earlier run as it was."""
    archive, scenario = folder + "/run.h5", folder + "/bad.yaml"
    assert withy("run", BODY, "-o", archive, "-q")[0] == 0
    before = open(archive, "rb").read()
    with open(scenario, "w") as f:
        f.write("kind: rigid-body\ninertia: [2, 1, -3]\nmomentun: [1, 2, 3]\nduration: 10\nstep: 0.1\n")
    code, out, err = withy("run", scenario, "-o", archive)
    assert code == 2 and not out
    lines = err.splitlines()
    assert lines[0] == f"{scenario}:2:17: 'inertia' is -3, expected a positive number in kg m^2", lines
    assert lines[1] == f"{scenario}:3:1: unknown key 'momentun' in rigid-body; did you mean 'momentum'?", lines
    assert any("'momentum' is missing" in line for line in lines)
    assert open(archive, "rb").read() == before
    assert sorted(os.listdir(folder)) == ["bad.yaml", "run.h5"]


def values_that_do_not_fit_together(folder):
    for sets, words in (
        (["orientation=[0,0,0,0]"], "'orientation' is zero"),
        (["form=hamiltonian", "method=SM"], "needs a system on spheres"),
        (["step=1e-30"], "more than 1e15 steps"),
        (["duration=-1"], "--set duration: 'duration' is -1, expected a positive number in s"),
        (["every=0"], "expected a positive whole number"),
        (["method.tolerance=1"], "expected a number from 0 to 0.1"),
    ):
        args = [a for s in sets for a in ("--set", s)]
        code, out, err = withy("run", BODY, "-o", folder + "/x.h5", *args)
        assert code == 2 and words in err, (sets, code, err)
        assert not os.listdir(folder)


def a_failing_run_keeps_what_it_has(folder):
    """A step too large for the fixed point: exit 1, a sentence with numbers, and a valid archive up to there."""
    code, out, err = withy("run", BODY, "-o", folder + "/x.h5", "--set", "method={name: IM, solver: fixed-point}",
                           "--set", "step=30",
                           "--set", "duration=300")
    assert code == 1 and "step 1 of 10" in err and "did not converge" in err or "diverged" in err, (code, err)
    with h5py.File(folder + "/x.h5") as f:
        assert decoded(f.attrs["outcome"]).startswith("failed: step 1 of 10"), decoded(f.attrs["outcome"])
        assert len(f["time"]) == 1
    # explicit methods can overflow: NaN must not get out
    code, out, err = withy("run", BODY, "-o", folder + "/y.h5", "--set", "method=rk4", "--set", "step=1000", "--set",
                           "duration=1e6", "--set", "momentum=[1e3,2e3,3e3]")
    assert code == 1 and "became" in err, (code, err)
    with h5py.File(folder + "/y.h5") as f:
        for name in decoded(f.attrs["channels"]).split("\n"):
            assert numpy.isfinite(f[name][:]).all()


def run_and_read_back(folder):
    archive = folder + "/run.h5"
    code, out, err = withy("run", BODY, "-o", archive, "--verbose", "--set", "every=7", "--set",
                           "method.tolerance=1e-12")
    assert code == 0 and not err and "energy" in out and "verdict: " in out, (code, out, err)
    with h5py.File(archive) as f:
        assert decoded(f.attrs["outcome"]) == "done" and decoded(f.attrs["kind"]) == "rigid-body"
        assert decoded(f.attrs["scenario"]) == open(BODY).read()
        assert decoded(f.attrs["overrides"]) == '["every=7", "method.tolerance=1e-12"]'
        t, M = f["time"][:], f["state/momentum"][:]
        assert decoded(f["time"].attrs["unit"]) == "s" and decoded(f["state/momentum"].attrs["unit"]) == "kg m^2/s"
        assert f["solver/iterations"].dtype == numpy.int64 and f["solver/iterations"][1:].min() > 0
        # every 7th step, and the last
        assert len(t) == 1 + 1200 // 7 + 1 and abs(t[1] - 0.35) < 1e-12 and t[-1] == 60
        energy = f["invariants/energy"][:]
        assert abs(energy - energy[0]).max() < 1e-12
    # CSV gives the same numbers, to the last bit
    code, out, err = withy("export", archive, "--format", "csv", "--channel", "momentum", "--channel",
                           "invariants/energy")
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0] == ["time [s]", *(f"momentum_d{k} [kg m^2/s]" for k in (1, 2, 3)), "energy [J]"], rows[0]
    numbers = numpy.array(rows[1:], dtype=float)
    assert (numbers[:, 0] == t).all() and (numbers[:, 1:4] == M).all()
    # so does JSON
    data = json.loads(withy("export", archive, "--format", "json")[1])
    assert (numpy.array(data["channels"]["momentum"]["values"])
            == M).all() and data["channels"]["momentum"]["unit"] == "kg m^2/s"
    code, out, err = withy("export", archive, "--format", "csv", "--channel", "momentun")
    assert code == 2 and "did you mean 'momentum'" in err
    assert withy("export", archive, "--format", "csv", "-o", folder + "/x.csv")[0] == 0
    assert open(folder + "/x.csv").readline().startswith("time [s],momentum_d1 [kg m^2/s]")
    # info says what is there, and gives the scenario back
    code, out, err = withy("info", archive)
    assert code == 0 and "outcome: done" in out and "state/momentum" in out and "time from 0 to 60 s" in out, out
    again = withy("info", archive, "--scenario")[1]
    assert again.startswith(open(BODY).read()) and "# --set every=7" in again
    # the check option runs nothing
    assert withy("run", BODY, "--check", cwd=folder)[0] == 0 and not os.path.exists(folder + "/rigid-body.h5")
    # the default name, in the current folder; quiet is quiet
    code, out, err = withy("run", BODY, "--quiet", cwd=folder)
    assert code == 0 and not out and not err and os.path.exists(folder + "/rigid-body.h5")


def pictures(folder):
    archive = folder + "/run.h5"
    withy("run", BODY, "-o", archive, "-q")
    heads = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for ending, head in heads.items():
        path = f"{folder}/it's a plot.{ending}"
        code, out, err = withy("plot", archive, "-o", path)
        assert code == 0 and out.strip() == path and not err, (code, out, err)
        assert open(path, "rb").read().startswith(head)
    svg = open(folder + "/it's a plot.svg").read()
    xml.dom.minidom.parseString(svg)
    assert "a tumbling body" in svg and "time / s" in svg
    assert withy("plot", archive)[1].strip() == folder + "/run.svg"
    assert withy("plot", archive, "-o", folder + "/x.gif")[0] == 2
    code, out, err = withy("plot", archive, "-o", folder + "/no/folder/x.svg")
    assert code == 3, (code, err)
    # without gnuplot it says so
    empty = folder + "/bin"
    os.mkdir(empty)
    env = dict(os.environ, PATH=empty)
    code, out, err = withy("plot", archive, "-o", folder + "/y.svg", env=env)
    assert code == 3 and "gnuplot is not installed" in err, (code, err)
    assert not [n for n in os.listdir(folder) if n.endswith(".part")]


def reproduce_formats(folder):
    code, out, err = withy("reproduce", "rigid-body-convergence", "--format", "json", "-o", folder + "/out")
    report = json.loads(out)
    assert code == 0 and sorted(report) == ["id", "pass", "rows", "source"], report
    assert report["id"] == "rigid-body-convergence" and report["pass"] is True
    assert all(sorted(row) == ["measured", "name", "note", "ok", "place", "published", "reference", "test",
                               "tolerance"] for row in report["rows"])
    rate = {row["name"]: row for row in report["rows"]}
    assert rate["rate IM (table 4.1)"]["published"] == 1.98 and rate["rate IM (table 4.1)"]["place"] == "table 4.1"
    for row in report["rows"]:  # the verdict follows from the row's own numbers
        target = row["published"] if row["reference"] is None else row["reference"]
        ok = {"shown": lambda: True, "near": lambda: abs(row["measured"] - target) <= row["tolerance"],
              "at most": lambda: row["measured"] <= row["tolerance"],
              "at least": lambda: row["measured"] >= row["tolerance"]}[row["test"]]()
        assert row["ok"] is ok and (row["published"] is None) == (row["place"] is None), row
    assert rate["rate IM (accurate reference)"]["published"] is None
    assert abs(rate["rate GL6 (accurate reference)"]["measured"] - 6) < 0.03
    assert json.load(open(folder + "/out/rigid-body-convergence.json")) == report
    svg = open(folder + "/out/rigid-body-convergence.svg").read()
    xml.dom.minidom.parseString(svg)
    assert "IM" in svg and "GL4" in svg
    code, out, err = withy("reproduce", "rigid-body-convergence", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == len(report["rows"]) and rows[0]["published"] == "1.98"
    assert rows[0]["place"] == "table 4.1" and rows[0]["ok"] == "true" and rows[0]["test"] == "near"
    code, out, err = withy("reproduce", "--list")
    assert code == 0 and "rigid-body-invariants" in out and out == withy("reproduce")[1]


def what_is_no_file_is_left_alone(folder):
    """The exchange of names must not move a folder, a pipe or the scenario itself out of the way."""
    os.makedirs(folder + "/full/of")
    os.mkdir(folder + "/empty")
    os.mkfifo(folder + "/pipe")
    before = sorted(os.listdir(folder))
    for name in ("full", "empty", "pipe", ""):
        code, out, err = withy("run", BODY, "-o", f"{folder}/{name}" if name else "", cwd=folder)
        assert code == 3 and err.startswith("withy: cannot"), (name, code, err)
        assert sorted(os.listdir(folder)) == before and os.path.isdir(folder + "/full/of")
    scenario, archive = folder + "/s.yaml", folder + "/run.h5"
    shutil.copy(BODY, scenario)
    os.link(scenario, folder + "/same")
    for name in ("s.yaml", "same"):
        code, out, err = withy("run", scenario, "-o", f"{folder}/{name}")
        assert code == 2 and "is the scenario itself" in err, (code, err)
    assert open(scenario).read() == open(BODY).read()
    assert withy("run", BODY, "-o", archive, "-q")[0] == 0
    before = open(archive, "rb").read()
    code, out, err = withy("export", archive, "--format", "csv", "-o", archive)
    assert code == 2 and "is the archive itself" in err and open(archive, "rb").read() == before, (code, err)
    code, out, err = withy("plot", archive, "-o", folder + "/two\nlines.svg")
    assert code == 2 and "line break" in err and not [n for n in os.listdir(folder) if n.endswith(".part")], (code, err)


def lost_output_is_an_error(folder):
    """Standard output that is full or closed: exit 3, and what was printed is in no archive."""
    archive = folder + "/run.h5"
    assert withy("run", BODY, "-o", archive, "-q")[0] == 0
    for args in (["--version"], ["--help"], ["run", "--help"], ["list", "integrators"], ["info", archive],
                 ["reproduce", "--list"],
                 ["run", BODY, "-o", archive], ["export", archive, "--format", "csv"]):
        for redirection in (">/dev/full", ">&-", ">&- <&-"):
            done = subprocess.run(["sh", "-c", '"$@" ' + redirection, "sh", WITHY, *args], stderr=subprocess.PIPE,
                                  text=True)
            assert done.returncode == 3 and "standard output" in done.stderr, (args, redirection, done)
    done = subprocess.run(["sh", "-c", '"$@" >&- 2>&- <&-', "sh", WITHY, "run", BODY, "-o", archive, "-q"])
    assert done.returncode == 0
    with h5py.File(archive) as f:
        assert decoded(f.attrs["outcome"]) == "done" and len(f["time"]) == 1201


def a_full_disk_keeps_what_was_flushed(folder):
    """Exit 3, nothing left behind but the archive, and every frame in it right."""
    archive = folder + "/x.h5"
    arguments = [WITHY, "run", BODY, "-o", archive, "--flush", "0.01", "--set", "duration=30000", "--set", "step=0.2",
                 "-q"]

    def limit(size):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    def check(done):
        assert done.returncode == 3 and len(done.stderr.splitlines()) == 1 and "x.h5" in done.stderr, done
        assert os.listdir(folder) in ([], ["x.h5"]), os.listdir(folder)
        if os.path.exists(archive):
            with h5py.File(archive) as f:
                t = f["time"][:]
                assert abs(t - 0.2 * numpy.arange(len(t))).max() < 1e-9
                assert all(len(f[name]) == len(t) for name in decoded(f.attrs["channels"]).split("\n"))
                assert abs((f["state/momentum"][:] ** 2).sum(axis=1) - 1).max() < 1e-9

    for size in (3000, 200000, 700000, 900000, 1000001):  # a limit on the size of files
        check(subprocess.run(arguments, stderr=subprocess.PIPE, text=True, preexec_fn=limit(size),
                             restore_signals=False))
    assert os.path.exists(archive)
    # a small disk of its own, where the system lets us have one: there a file may have holes, and its size says nothing
    for size in (300, 800, 900, 2000):
        if os.path.exists(archive):
            os.remove(archive)
        script = 'd=$1 size=$2; shift 2; mount -t tmpfs -o size="$size"k tmpfs "$d" 2>/dev/null || exit 99; ' \
                 '"$@"; code=$?\n' \
                 'ls -A "$d"; [ ! -e "$d/x.h5" ] || cp "$d/x.h5" "$d.h5"; exit $code'
        disk = folder + "-disk"
        os.mkdir(disk)
        try:
            there = [word.replace(archive, disk + "/x.h5") for word in arguments]
            done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", disk, str(size), *there],
                                  capture_output=True,
                                  text=True)
            if done.returncode == 99 or "unshare" in done.stderr:
                print("      (no disk of our own to fill: skipped)")
                return
            assert done.stdout.split() in ([], ["x.h5"]), done
            if os.path.exists(disk + ".h5"):
                shutil.move(disk + ".h5", archive)
            check(done)
        finally:
            os.rmdir(disk)


def damaged_archives(folder):
    """An archive that opens as HDF5 and is wrong: refused with its place, and never trusted about sizes."""
    good, bad = folder + "/good.h5", folder + "/bad.h5"
    assert withy("run", BODY, "-o", good, "-q", "--set", "duration=3")[0] == 0

    for length, words in ((None, "it is no HDF5 file"), (3000, "its end is missing")):  # in plain words, not in HDF5's
        with open(good, "rb") as f, open(bad, "wb") as g:
            g.write(f.read(length) if length else b"hello\n")
        code, _, err = withy("info", bad)
        assert code == 3 and err.strip().endswith("'" + bad + "': " + words), err

    def reshape(f, name, shape):
        attributes = dict(f[name].attrs)
        del f[name]
        f.create_dataset(name, shape=shape, chunks=(1,) + tuple(min(n, 64) for n in shape[1:]), dtype="f8")
        f[name].attrs.update(attributes)

    def poke(f, name, at, value):
        f[name][at] = value

    for damage, words in (
        (lambda f: reshape(f, "time", (61, 1000)), "its axis is not one number a frame"),
        (lambda f: reshape(f, "time", (61, 10, 100)), "its axis is not one number a frame"),
        (lambda f: reshape(f, "invariants/energy", (61, 2**31, 2**31)),
         "channel 'invariants/energy' is missing or damaged"),
        (lambda f: reshape(f, "state/momentum", (61, 2**32, 2**31)), "channel 'state/momentum' is missing or damaged"),
        (lambda f: reshape(f, "state/momentum", (60, 3)), "has 60 frames, the axis has 61"),
        (lambda f: poke(f, "invariants/energy", 5, numpy.nan),
         "'energy' of '%s' is damaged: component 0 is nan in frame 5" % bad),
        (lambda f: poke(f, "state/momentum", (7, 2), numpy.inf), "component 2 is inf in frame 7"),
        (lambda f: poke(f, "time", 60, -numpy.inf), "component 0 is -inf in frame 60"),
        (lambda f: f.attrs.__setitem__("channels", ""), "channel '' is missing or damaged"),
        (lambda f: f.attrs.__delitem__("outcome"), "its attributes are missing"),
    ):
        shutil.copy(good, bad)
        with h5py.File(bad, "r+") as f:
            damage(f)
        answers = [withy("export", bad, "--format", "csv", "-o", folder + "/x.csv"),
                   withy("export", bad, "--format", "json"),
                   withy("plot", bad, "-o", folder + "/x.svg")]
        if "inf in frame 7" not in words:  # the state is not among what info reads
            answers.append(withy("info", bad))
        for code, out, err in answers:
            assert code == 3 and words in err, (words, code, err)


def lists(_):
    code, out, err = withy("list")
    assert code == 0 and all(word in out for word in ("kinds", "integrators", "studies", "writers"))
    out = withy("list", "integrators")[1]
    assert all(word in out for word in ("implicit-midpoint", "IM", "Sixth order"))
    out = withy("list", "kinds", "rigid-body")[1]
    assert "a list of 3 positive numbers in kg m^2. Must be given." in out and "Default: gauss-legendre-4." in out
    assert "no parameters" in withy("list", "integrators", "rk4")[1]


def reference_page_is_current(_):
    assert withy("list", "--markdown")[1] == open(SOURCE + "/docs/reference.md").read(), "run ./dev docs"


def nothing_on_standard_error_of_a_pipe(folder):
    """A long run shows no progress bar where stderr is not a terminal."""
    code, out, err = withy("run", BODY, "-o", folder + "/x.h5", "--set", "duration=3000")
    assert code == 0 and err == "", err


main(help_and_version, wrong_usage, unreadable_and_unwritable, errors_lose_nothing, values_that_do_not_fit_together,
     a_failing_run_keeps_what_it_has, run_and_read_back, pictures, what_is_no_file_is_left_alone,
     lost_output_is_an_error,
     a_full_disk_keeps_what_was_flushed, damaged_archives, reproduce_formats, lists, reference_page_is_current,
     nothing_on_standard_error_of_a_pipe)
