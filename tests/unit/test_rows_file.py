"""Rows from a file (`values: gust.csv`): the same bits as rows in the scenario; they are kept in the archive; errors
have their line."""
import os

import h5py

from check import decoded, main, withy

ROWS = [(0, 0), (0.05, 1.5), (0.1, -0.25), (0.2, 0.1)]
ROD = """kind: dynamic
length: 0.3
elements: 3
section: {name: circle, radius: 0.004, E: 4e6, nu: 0.45, density: 1100}
loads:
  - {name: gravity, acceleration: [-9.81, 0, 0]}
  - {name: point-force, force: [0, 0.01, 0], at: 0.3, in_time: {name: smooth, values: %s}}
duration: 0.2
step: 0.01
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", newline="") as f:
        f.write(text)
    return path


def rod(folder, values="gust.csv", name="rod.yaml"):
    return write(folder, name, ROD % values)


def numbers(path):
    with h5py.File(path) as f:
        return f["state/position"][...].tobytes()


def the_bits_are_those_of_rows_in_the_scenario(folder):
    assert (withy("run", rod(folder, str([list(r) for r in ROWS]), "typed.yaml"), "-q", "-o", folder + "/typed.h5")[0]
            == 0)
    forms = {"plain": "".join(f"{t},{v}\n" for t, v in ROWS),
             "heading": "# measured\ntime [s],wind\n\n" + "".join(f"{t}, {v}\r\n" for t, v in ROWS),
             "blanks": "\n".join(f"  {t}\t {v}" for t, v in ROWS),
             "mark": "\ufeff" + "".join(f"{t},{v}\n" for t, v in ROWS),
             "semicolons": "'t';'f'\n" + "\n".join(f"{t};{v}" for t, v in ROWS) + "\n#end"}
    for form, text in forms.items():
        write(folder, "gust.csv", text)
        code, out, err = withy("run", rod(folder), "-q", "-o", f"{folder}/{form}.h5")
        assert code == 0, err
        assert numbers(f"{folder}/{form}.h5") == numbers(folder + "/typed.h5"), form


def the_archive_has_them_and_opens_nothing(folder):
    write(folder, "gust.csv", "".join(f"{t},{v}\n" for t, v in ROWS))
    path = rod(folder)
    assert withy("run", path, "-q", "-o", folder + "/a.h5", "--set", "duration=0.1")[0] == 0
    with h5py.File(folder + "/a.h5") as f:
        kept = decoded(f.attrs["overrides"])
    assert kept == '["duration=0.1", "loads.1.in_time.values=[[0, 0], [0.05, 1.5], [0.1, -0.25], [0.2, 0.1]]"]', kept
    code, out, err = withy("run", path, "--resume", "-o", folder + "/a.h5", "--set", "duration=0.1")
    assert code == 0, err
    write(folder, "gust.csv", "0,0\n1,1\n")  # another wind is another run
    code, out, err = withy("run", path, "--resume", "-o", folder + "/a.h5", "--set", "duration=0.1")
    assert code == 2 and "other overrides" in err, err
    os.remove(folder + "/gust.csv")
    for words in (("modes", folder + "/a.h5"), ("view", folder + "/a.h5", "-o", folder + "/a.html"),
                  ("info", "--scenario", folder + "/a.h5")):
        code, out, err = withy(*words)
        assert "gust.csv'" not in err, err
    write(folder, "gust.csv", "0,0\n1,1\n")  # an archive that names a file and lacks its rows
    with h5py.File(folder + "/a.h5", "r+") as f:
        f.attrs["overrides"] = '["duration=0.1"]'
    code, out, err = withy("modes", folder + "/a.h5")
    assert code != 0, out
    # the same file from another folder: it is looked for beside the scenario
    here = os.getcwd()
    os.chdir("/")
    try:
        assert withy("run", path, "--check")[0] == 0
    finally:
        os.chdir(here)


def errors_in_files_have_their_line(folder):
    path = rod(folder)
    for text, words in (("0,0\n0.1,a\n", ["rod.yaml:7:", "'values'", "gust.csv', line 2", "'a'"]),
                        ("0,0\n1\n", ["line 2: 1 numbers, expected 2"]),
                        ("0,0,0\n", ["line 1: more than 2"]), ("", ["no rows"]), ("time,wind\n", ["no rows"]),
                        ("0,0\nt,v\n", ["line 2"]),
                        ("0,nan\n", ["line 1"]), ("0,1e999\n", ["line 1"]), ("1,0\n0,1\n", ["does not come after"]),
                        ("0,0\0\n", ["no text"]), ("0,,1\n", ["line 1"])):
        write(folder, "gust.csv", text)
        code, out, err = withy("run", path, "--check")
        assert code == 2 and all(w in err for w in words), (text, err)
    os.remove(folder + "/gust.csv")
    code, out, err = withy("run", path, "--check")
    assert code == 2 and "cannot open rows" in err and "gust.csv" in err, err
    code, out, err = withy("run", rod(folder, "gust"), "--check")
    assert code == 2 and "expected a list of rows of 2 numbers" in err, err


def a_sweep_reads_them_once(folder):
    typed = rod(folder, "[[0, 0], [1, 1]]", "typed.yaml")
    write(folder, "gust.csv", "0,0\n1,1\n")
    path = rod(folder)
    over = "over: {section.radius: [0.004, 0.005]}\nkeep: [tip]\n"
    mine, theirs = write(folder, "sweep.yaml", "scenario: rod.yaml\n" + over), write(folder, "typed-sweep.yaml",
        f"scenario: {os.path.basename(typed)}\n" + over)
    for sweep, to in ((mine, "/s.h5"), (theirs, "/t.h5")):
        code, out, err = withy("sweep", sweep, "-q", "-o", folder + to, "--jobs", "2", "--set", "duration=0.1")
        assert code == 0, err
    assert (withy("export", folder + "/s.h5", "--format", "csv")[1] == withy("export", folder + "/t.h5", "--format",
        "csv")[1])
    with h5py.File(folder + "/s.h5") as f:
        kept = decoded(f.attrs["overrides"])
        assert kept == '["duration=0.1", "loads.1.in_time.values=[[0, 0], [1, 1]]"]'
    # a point alone, then another wind: that is another sweep
    assert withy("sweep", mine, "-q", "--point", "0", "-o", folder + "/p.h5")[0] == 0
    write(folder, "gust.csv", "0,0\n1,2\n")
    code, out, err = withy("sweep", mine, "-q", "--point", "1", "-o", folder + "/p.h5")
    assert code == 2 and "another sweep" in err, err
    # what an axis itself says is not taken from a file
    write(folder, "axis.yaml", "scenario: rod.yaml\nover: {loads.1.in_time.values: [gust.csv]}\n")
    code, out, err = withy("sweep", folder + "/axis.yaml", "-o", folder + "/x.h5")
    assert code == 2 and "names the file 'gust.csv': here the rows themselves are expected" in err, err
    os.remove(folder + "/gust.csv")
    code, out, err = withy("sweep", mine, "-o", folder + "/y.h5")
    assert code == 2 and "gust.csv" in err, err


main(the_bits_are_those_of_rows_in_the_scenario, the_archive_has_them_and_opens_nothing,
     errors_in_files_have_their_line, a_sweep_reads_them_once)
