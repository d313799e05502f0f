"""No name, title or channel is a command or a path of its own, and nothing that is not withy's is replaced."""
import csv
import io
import json
import os
import resource
import shutil
import subprocess
import xml.dom.minidom
import zlib

import h5py

from check import BUILD, SANITIZE, SOURCE, WITHY, decoded, main, withy

BODY = os.path.join(SOURCE, "examples/rigid-body.yaml")
STUDY = "rigid-body-convergence"


def small(folder, name="run.h5", *more):
    path = os.path.join(folder, name)
    code, out, err = withy("run", BODY, "-o", path, "-q", "--set", "duration=1", *more)
    assert code == 0, err
    return path


def names_that_gnuplot_would_run(folder):
    """D3: gnuplot takes a name that begins with | for a command."""
    archive = small(folder)
    mark = folder + "/M"
    for name in ("|touch M;.svg", "|touch M;.png", "`touch M`.svg", "\"; system('touch M') #.svg", "$(touch M).svg"):
        code, out, err = withy("plot", archive, "-o", name, cwd=folder)
        assert not os.path.exists(mark), name
        assert code == 0 and os.path.getsize(os.path.join(folder, name)) > 1000, (name, code, err)
    shutil.copy(archive, folder + "/|touch M;.h5")
    code, out, err = withy("plot", "|touch M;.h5", cwd=folder)
    assert code == 0 and not os.path.exists(mark), err
    withy("reproduce", STUDY, "-o", "|touch M;", "-q", cwd=folder)
    assert not os.path.exists(mark)
    assert os.path.exists(folder + "/|touch M;/" + STUDY + ".svg")


TEXTS = ("'", "'quoted'", '"', "''", "`touch M`", "\\", "\\\"; system('touch M')", "@M", "%s%n", "$x", "a#b",
         "{/=40 x}", "<b>&amp;", "x]]>y", "=4", "-12.7e+3",
         "\u00fcml\u00e4ut \u2620", "\\n", "x" * 3000)


def words_of(node):
    return "".join(words_of(child) if child.childNodes else getattr(child, "data", "") for child in node.childNodes)


def titles_of_any_text(folder):
    """D14: a title that begins with a quote could not be drawn."""
    for i, text in enumerate(TEXTS):
        path = f"{folder}/{i}.svg"
        archive = small(folder, f"{i}.h5", "--set", "title=" + json.dumps(text, ensure_ascii=False))
        code, out, err = withy("plot", archive, "-o", path, cwd=folder)
        assert code == 0, (text, err)
        drawn = xml.dom.minidom.parse(path)
        words = "".join(map(words_of, drawn.getElementsByTagName("text")))
        assert text[:100].replace(" ", "") in words.replace(" ", "").replace("\u00a0", ""), (text, words[:300])
        assert not os.path.exists(folder + "/M"), text


def hostile_texts_of_an_archive(folder):
    """D20: what an archive says is shown and not obeyed; CSV and JSON stay CSV and JSON."""
    archive = small(folder)
    evil = b"\x1b]0;owned\x07\x1b[31m\x9b5n,\"\n\xff\xfe\xc2\x9b\xe2\x80\xae"
    channel = 'a,"b\x1b[5m'
    with h5py.File(archive, "r+") as f:
        text = h5py.string_dtype("utf-8")
        for name in ("title", "outcome", "withy_version"):
            del f.attrs[name]
            f.attrs.create(name, evil, dtype=text)
        f["state"].move("momentum", channel)
        f.attrs["channels"] = decoded(f.attrs["channels"]).replace("state/momentum", "state/" + channel)
        for name in ("unit", "description", "panel"):
            del f["state"][channel].attrs[name]
            f["state"][channel].attrs.create(name, evil, dtype=text)
    def plain(data):
        data.decode("utf-8")
        assert not [c for c in data.decode("utf-8") if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0
                    or ord(c) == 0x202e], data
    for args in (["info", archive], ["plot", archive, "-o", folder + "/x.svg"], ["info", archive + "\x1b[31m"],
                 ["export", archive, "--format", "csv", "--channel", "\x1b[31m"], ["\x1b[31m"],
                 ["run", "\x1b[31m.yaml"],
                 ["plot", archive, "-o", folder + "/\x1b.svg"]):
        done = subprocess.run([WITHY, *args], capture_output=True)
        plain(done.stdout)
        plain(done.stderr)
    xml.dom.minidom.parse(folder + "/x.svg")
    done = subprocess.run([WITHY, "export", archive, "--format", "json"], capture_output=True)
    data = json.loads(done.stdout.decode("utf-8"))
    assert channel in data["channels"] and data["title"].startswith("\x1b]0;owned"), data
    done = subprocess.run([WITHY, "export", archive, "--format", "csv"], capture_output=True)
    rows = list(csv.reader(io.StringIO(done.stdout.decode("utf-8"))))
    assert rows[0][0] == "time [s]" and [name for name in rows[0] if name.startswith(channel)] and all(len(row)
        == len(rows[0]) for row in rows), rows[0]


def start_files_of_the_user(folder):
    """D21: ~/.gnuplot was executed."""
    archive = small(folder)
    with open(folder + "/.gnuplot", "w") as f:
        f.write("system('touch M')\nset terminal dumb\n")
    code, out, err = withy("plot", archive, "-o", folder + "/x.svg", cwd=folder, env=dict(os.environ, HOME=folder))
    assert code == 0 and not os.path.exists(folder + "/M"), err


def links_are_not_followed(folder):
    """D8: NAME.part was opened through a symbolic link at that path."""
    archive = small(folder)
    victim = folder + "/victim"
    for name in ("x.svg.part", "x.csv.part", "y.h5.part", "x.csv"):
        with open(victim, "w") as f:
            f.write("precious")
        os.symlink(victim, f"{folder}/{name}")
    assert withy("plot", archive, "-o", folder + "/x.svg")[0] == 0
    withy("run", BODY, "-o", folder + "/y.h5", "-q", "--set", "duration=1")
    withy("export", archive, "--format", "csv", "-o", folder + "/x.csv")
    assert open(victim).read() == "precious"


def nothing_foreign_is_replaced(folder):
    """D15: an archive, a scenario, or what withy did not make stays, but for --force."""
    archive = small(folder)
    as_picture = folder + "/x.svg"
    shutil.copy(archive, as_picture)
    scenario, notes = folder + "/s.yaml", folder + "/notes.txt"
    shutil.copy(BODY, scenario)
    with open(notes, "w") as f:
        f.write("my notes\n")
    before = {path: open(path, "rb").read() for path in (archive, as_picture, scenario, notes)}
    foreign = folder + "/drawing.svg"
    with open(foreign, "w") as f:
        f.write('<?xml version="1.0" encoding="utf-8"  standalone="no"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    before[foreign] = open(foreign, "rb").read()
    for args in (["plot", as_picture], ["plot", archive, "-o", as_picture], ["plot", archive, "-o", foreign],
                 ["export", archive, "--format", "csv", "-o", scenario],
                 ["export", archive, "--format", "json", "-o", notes],
                 ["export", archive, "--format", "csv", "-o", as_picture]):
        code, out, err = withy(*args, cwd=folder)
        assert code in (2, 3) and "cannot write" in err, (args, code, err)
        for path, data in before.items():
            assert open(path, "rb").read() == data, (args, path)
    assert sorted(os.listdir(folder)) == ["drawing.svg", "notes.txt", "run.h5", "s.yaml", "x.svg"]
    assert withy("plot", archive, "-o", foreign, "--force")[0] == 0
    assert withy("export", archive, "--format", "json", "-o", notes, "--force")[0] == 0
    # what withy made may be made anew
    for ending in ("svg", "png", "pdf"):
        for _ in range(2):
            code, out, err = withy("plot", archive, "-o", folder + "/again." + ending)
            assert code == 0, (ending, err)
    for form in ("csv", "json"):
        for _ in range(2):
            assert withy("export", archive, "--format", form, "-o", folder + "/again." + form)[0] == 0
    for _ in range(2):
        assert withy("reproduce", STUDY, "-o", folder + "/out", "-q")[0] == 0
    # a folder of studies with a file in it that withy did not write
    with open(f"{folder}/out/{STUDY}.txt", "w") as f:
        f.write("mine")
    code, out, err = withy("reproduce", STUDY, "-o", folder + "/out", "-q")
    assert code == 3 and open(f"{folder}/out/{STUDY}.txt").read() == "mine", err


def pictures_bear_a_mark_and_stay_valid(folder):
    archive = small(folder)
    for ending in ("svg", "png", "pdf"):
        assert withy("plot", archive, "-o", f"{folder}/x.{ending}")[0] == 0
    xml.dom.minidom.parse(folder + "/x.svg")
    data, at, kinds = open(folder + "/x.png", "rb").read(), 8, []
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        body = data[at + 4:at + 8 + size]
        assert zlib.crc32(body) == int.from_bytes(data[at + 8 + size:at + 12 + size], "big"), body[:20]
        kinds.append(body[:4])
        at += 12 + size
    assert kinds[0] == b"IHDR" and kinds[-2:] == [b"tEXt", b"IEND"] and at == len(data), kinds
    assert b"%%EOF" in open(folder + "/x.pdf", "rb").read()[-64:]


def read_only_files_stay(folder):
    """D21: a file of mode 0444 was replaced."""
    archive = small(folder)
    table, picture = folder + "/x.csv", folder + "/x.svg"
    assert withy("export", archive, "--format", "csv", "-o", table)[0] == 0
    assert withy("plot", archive, "-o", picture)[0] == 0
    for path in (table, picture):
        os.chmod(path, 0o444)
        before = os.stat(path).st_ino
        args = ["plot", archive, "-o", path] if path == picture else ["export", archive, "--format", "csv", "-o", path]
        code, out, err = withy(*args)
        assert code == 3 and "may not be written to" in err and os.stat(path).st_ino == before, (code, err)


def an_export_that_fails_keeps_the_old_one(folder):
    """D21: export emptied the file before it knew that it could fill it."""
    archive, table = small(folder), folder + "/x.csv"
    assert withy("export", archive, "--format", "csv", "-o", table)[0] == 0
    before = open(table).read()
    done = subprocess.run([WITHY, "export", archive, "--format", "csv", "-o", table], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)),
                          restore_signals=False)
    assert done.returncode == 3 and "cannot write" in done.stderr, done
    assert open(table).read() == before
    assert withy("export", archive, "--format", "csv", "--channel", "none", "-o", table)[0] == 2
    assert open(table).read() == before and sorted(os.listdir(folder)) == ["run.h5", "x.csv"]


def a_full_disk_leaves_no_picture(folder):
    """D6: gnuplot does not notice a full disk, and plot ended well with a picture of 0 bytes."""
    archive = small(folder)
    os.mkdir(folder + "/bin")
    real = shutil.which("gnuplot")
    for cut in (0, 1, 500, 4096):  # a gnuplot on a disk with so much room: it ends well, whatever was lost
        with open(folder + "/bin/gnuplot", "w") as f:
            f.write(f'#!/bin/sh\n"{real}" "$@" | head -c {cut}\ncat >/dev/null\nexit 0\n')
        os.chmod(folder + "/bin/gnuplot", 0o755)
        for ending in ("svg", "png", "pdf"):
            path = f"{folder}/x.{ending}"
            code, out, err = withy("plot", archive, "-o", path, env=dict(os.environ,
                PATH=folder + "/bin:" + os.environ["PATH"]))
            assert code == 3 and "not whole" in err, (cut, ending, code, err)
            assert sorted(os.listdir(folder)) == ["bin", "run.h5"], os.listdir(folder)


def pipes_without_an_end(folder):
    """D21: a pipe without writer or reader blocked the program."""
    archive = small(folder)
    pipe = folder + "/pipe"
    os.mkfifo(pipe)
    for args in (["info", pipe], ["run", pipe], ["plot", pipe], ["export", pipe, "--format", "csv"],
                 ["modes", pipe, "--point", "BP1"],
                 ["export", archive, "--format", "csv", "-o", pipe], ["run", BODY, "-o", pipe, "--resume"],
                 ["run", BODY, "-o", pipe]):
        done = subprocess.run([WITHY, *args], capture_output=True, text=True, timeout=20)
        assert done.returncode in (2, 3) and pipe in done.stderr, (args, done)
    # a pipe with a reader is written to
    done = subprocess.run(["sh", "-c", 'cat "$2" & "$0" export "$1" --format csv -o "$2"; wait', WITHY, archive, pipe],
                          capture_output=True, text=True, timeout=60)
    if "cannot write" not in done.stderr:  # the reader may come late
        assert done.stdout.startswith("time [s],"), done
    # and a scenario may come through one
    done = subprocess.run(["bash", "-c", '"$0" run <(cat "$1") --check', WITHY, BODY], capture_output=True, text=True,
                          timeout=20)
    assert done.returncode == 0, done


def libraries_of_the_current_folder(folder):
    """D5: an empty entry in the RUNPATH is the current folder. And the command is hardened."""
    if SANITIZE:
        return
    out = subprocess.run(["readelf", "-dlW", WITHY], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        if "RPATH" in line or "RUNPATH" in line:
            entries = line.split("[")[1].split("]")[0].split(":")
            assert all(entry.startswith(("/", "$ORIGIN")) for entry in entries), line
    assert "GNU_RELRO" in out and "NOW" in out and "GNU_STACK" in out, out
    assert not [line for line in out.splitlines() if "GNU_STACK" in line and "RWE" in line], out
    symbols = subprocess.run(["nm", "-D", WITHY], capture_output=True, text=True, check=True).stdout
    assert "__stack_chk_fail" in symbols
    if BUILD.endswith("release"):
        assert "_chk@" in symbols.replace("__stack_chk_fail", ""), "no _FORTIFY_SOURCE"


main(names_that_gnuplot_would_run, titles_of_any_text, hostile_texts_of_an_archive, start_files_of_the_user,
     links_are_not_followed,
     nothing_foreign_is_replaced, pictures_bear_a_mark_and_stay_valid, read_only_files_stay,
     an_export_that_fails_keeps_the_old_one,
     a_full_disk_leaves_no_picture, pipes_without_an_end, libraries_of_the_current_folder)
