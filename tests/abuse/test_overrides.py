"""An archive means the rod that was run: overrides come back as they were, whatever is in them, for every reader
(B4)."""
import json
import os
import random
import subprocess

import h5py

from check import WITHY, decoded, main, withy

ROD = """kind: dynamic
title: rod
length: 0.4
elements: 3
section: {name: circle, radius: 0.01, E: 1e8, nu: 0.4, density: 1200}
loads: [{name: gravity, acceleration: [0, 0, -9.81]}]
first_end: clamped
duration: 0.02
step: 0.01
"""


def run(folder, *sets):
    with open(folder + "/rod.yaml", "w") as f:
        f.write(ROD)
    words = [word for s in sets for word in ("--set", s)]
    code, out, err = withy("run", folder + "/rod.yaml", "-q", "-o", folder + "/rod.h5", *words)
    assert code == 0, (sets, err)
    with h5py.File(folder + "/rod.h5") as f:
        return json.loads(decoded(f.attrs["overrides"]))


def frequency(folder, *sets):
    code, out, err = withy("modes", folder + "/rod.h5", "--count", "1", *[w for s in sets for w in ("--set", s)])
    assert code == 0, err
    return [line for line in out.splitlines() if folder not in line]


def a_line_break_in_a_value_is_no_override(folder):
    plain = run(folder, "title=a")
    modes = frequency(folder)
    trick = "title=\"a\\nb\nsection.radius=0.05\""
    assert plain == ["title=a"] and run(folder, trick) == [trick]
    assert frequency(folder) == modes, "another rod than the one that was run"
    plainer = "title=a\nsection.radius=0.05"
    assert run(folder, plainer) == [plainer]
    assert frequency(folder) == modes
    code, out, err = withy("info", folder + "/rod.h5", "--scenario")
    assert code == 0 and all(line.startswith("#") for line in out[len(ROD):].splitlines()), out
    again = subprocess.run([WITHY, "run", folder + "/rod.yaml", "--resume", "-o", folder + "/rod.h5", "--set",
                            plainer], capture_output=True, text=True)
    assert again.returncode == 0 and "done" in again.stdout + again.stderr, again
    again = subprocess.run([WITHY, "run", folder + "/rod.yaml", "--resume", "-o", folder + "/rod.h5", "--set",
                            "title=a", "--set", "section.radius=0.05"], capture_output=True, text=True)
    assert again.returncode == 2 and "other overrides" in again.stderr, again


def random_overrides_come_back(folder):
    """Titles of random characters (line breaks, quotes, escapes, other scripts) and random numbers: the archive has
    them all, and the reader the same rod."""
    random.seed(3607)
    letters = ["\n", "\t", '"', "'", "\\", "\\n", "=", "[", "]", ",", " ", "#", ": ", "a", "é", "ß", "木",
               "🜂", "\u2028", "{", "}", "&", "*", "%", "!", "\\u0041", "\r\n"]
    for trial in range(int(os.environ.get("WITHY_LONG", "0")) * 480 + 20):
        title = "".join(random.choice(letters) for _ in range(random.randrange(1, 20)))
        radius = random.choice(["0.01", "1e-2 + 1e-3", "0.02"])
        sets = ["title=" + json.dumps(title, ensure_ascii=random.random() < 0.5), f"section.radius={radius}",
                "loads.0={name: gravity,\n  acceleration: [0, 0, -9]}"]
        random.shuffle(sets)
        assert run(folder, *sets) == sets
        with h5py.File(folder + "/rod.h5") as f:
            assert decoded(f.attrs["title"]) == title, (f.attrs["title"], title)
        code, out, err = withy("info", folder + "/rod.h5", "--json")
        assert code == 0 and json.loads(out)["title"] == title, (out, title)
        if trial % 5 == 0:
            mine = frequency(folder)
            run(folder, f"section.radius={radius}")
            assert frequency(folder, "loads.0={name: gravity, acceleration: [0, 0, -9]}") == mine


def a_list_that_is_none_is_refused(folder):
    run(folder, "title=a")
    for text in ("", "[", "[\"a", "[\"a\" \"b\"]", "[1]", "{}", "[\"\\q\"]", "[\"\\u00g0\"]",
                 "[\"\\ud800\"]", "[\"\\u0000\"]", "[\"a=1\"] x", "title=a\n"):
        with h5py.File(folder + "/rod.h5", "r+") as f:
            f.attrs["overrides"] = text
        code, out, err = withy("info", folder + "/rod.h5")
        assert code == 3 and "overrides" in err, (text, err)
    with h5py.File(folder + "/rod.h5", "r+") as f:  # what other writers of JSON make of it
        f.attrs["overrides"] = ' [ "title=\\u0061\\/\\ud83d\\udf02" ,"section.radius=0.02"\n]\n'
    code, out, err = withy("info", folder + "/rod.h5", "--scenario")
    assert code == 0 and "# --set title=a/🜂\n# --set section.radius=0.02\n" in out, out + err


main(a_line_break_in_a_value_is_no_override, random_overrides_come_back, a_list_that_is_none_is_refused)
