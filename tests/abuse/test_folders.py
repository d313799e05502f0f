"""Exports of several files appear whole, or not at all, and leave nothing behind (B5, L5): full disks, kills,
leftovers, foreign files."""
import fcntl
import hashlib
import os
import random
import signal
import subprocess
import time

import h5py

from check import SANITIZE, WITHY, decoded, main, withy

ROD = """kind: dynamic
length: 0.4
elements: 8
section: {name: circle, radius: 0.01, E: 1e8, nu: 0.4, density: 1200}
first_end: clamped
duration: %s
step: 0.005
"""


def make(folder, name="run", duration="0.2"):
    with open(f"{folder}/{name}.yaml", "w") as f:
        f.write(ROD % duration)
    code, out, err = withy("run", f"{folder}/{name}.yaml", "-q", "-o", f"{folder}/{name}.h5")
    assert code == 0, err
    return f"{folder}/{name}.h5"


def contents(path):
    return {name: hashlib.sha256(open(os.path.join(path, name), "rb").read()).hexdigest()
            for name in sorted(os.listdir(path))}


def leftovers(folder):
    return [n for n in os.listdir(folder) if n.endswith(".part") or ".part." in n]


def replaced_as_a_whole(folder):
    short, long = make(folder, "short", "0.1"), make(folder, "long", "0.2")
    to = folder + "/vtk"
    for path, files in ((long, 42), (short, 22), (long, 42)):
        code, out, err = withy("export", path, "--format", "vtk", "-o", to)
        assert code == 0 and len(os.listdir(to)) == files, (err, len(os.listdir(to)))
    assert not leftovers(folder)
    os.mkdir(folder + "/empty")
    os.symlink(folder + "/empty", folder + "/link")
    for name in ("empty", "empty/", "link"):
        code, out, err = withy("export", short, "--format", "vtk", "-o", f"{folder}/{name}")
        assert code == 0 and len(os.listdir(folder + "/empty")) == 22, err
    assert os.path.islink(folder + "/link")


def foreign_files_stay(folder):
    path, to = make(folder), folder + "/mine"
    os.mkdir(to)
    for name, text, force in (("notes.txt", "mine", True), ("rod_000001.vtp", "mine too, and not VTK", False),
                              ("sub", None, True)):
        if text is None:
            os.mkdir(f"{to}/{name}")
        else:
            with open(f"{to}/{name}", "w") as f:
                f.write(text)
        for more in ([], ["--force"]) if force else ([],):
            code, out, err = withy("export", path, "--format", "vtk", "-o", to, *more)
            assert code == 3 and name in err, (name, more, code, err)
            assert os.listdir(to) == [name], os.listdir(to)
        (os.rmdir if text is None else os.remove)(f"{to}/{name}")
    with open(to + "/rod_000001.vtp", "w") as f:
        f.write("mine too, and not VTK")
    code, out, err = withy("export", path, "--format", "vtk", "-o", to, "--force")
    assert code == 0 and len(os.listdir(to)) == 42, err
    assert not leftovers(folder)


def a_full_disk_leaves_the_old_one(folder):
    """On a file system of 1 MB, where that can be mounted; else with a limit of the size of files, which fails in the
    middle too."""
    path, small = make(folder, duration="1"), folder + "/small"
    os.mkdir(small)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small],
                             capture_output=True).returncode == 0
    try:
        few = make(folder, "few", "0.02")
        code, out, err = withy("export", few, "--format", "vtk", "-o", small + "/vtk")
        assert code == 0, err
        before = contents(small + "/vtk")
        for turn in range(3):
            if mounted:
                done = subprocess.run([WITHY, "export", path, "--format", "vtk", "-o", small + "/vtk", "--force"],
                                      capture_output=True, text=True)
            else:
                done = subprocess.run(["sh", "-c", 'ulimit -f 4; exec "$@"', "sh", WITHY, "export", path, "--format",
                                       "vtk", "-o", small + "/vtk", "--force"], capture_output=True, text=True)
            assert done.returncode == 3 and "cannot write" in done.stderr, done
            assert contents(small + "/vtk") == before and not leftovers(small), leftovers(small)
    finally:
        if mounted:
            subprocess.run(["umount", small], check=True)


def writers(path, to):
    """Every command that writes a result in one go, with the name of what it writes."""
    return [(["export", path, "--format", "vtk", "-o", to + "/vtk"], "vtk"),
            (["export", path, "-o", to + "/x.csv"], "x.csv"), (["export", path, "-o", to + "/x.json"], "x.json"),
            (["export", path, "-o", to + "/x.glb", "--force"], "x.glb"),
            (["export", path, "-o", to + "/x.stl"], "x.stl"), (["plot", path, "-o", to + "/x.svg"], "x.svg"),
            (["view", path, "--plain", "-o", to + "/x.html"], "x.html"),
            (["modes", path[:-3] + ".yaml", "-o", to + "/modes.h5"], "modes.h5"),
            (["fmu", path[:-3] + ".yaml", "-o", to + "/x.fmu"], "x.fmu")]


def result(path):
    """What is there, whole; None if nothing is."""
    if os.path.isdir(path):
        return contents(path)
    if path.endswith(".h5") and os.path.exists(path):  # HDF5 writes the time of day into it
        with h5py.File(path) as f:
            return {name: f[name][()].tobytes() for name in decoded(f.attrs["channels"]).split("\n")}
    return hashlib.sha256(open(path, "rb").read()).hexdigest() if os.path.exists(path) else None


def kills(folder):
    """SIGKILL at any moment of any command: the old result or the new one; the next command removes what is left."""
    paths, to = (make(folder, "short", "0.1"), make(folder, "long", "0.3")), folder + "/to"
    os.mkdir(to)
    good, took = {}, {}
    for path in paths:
        for words, name in writers(path, to):
            begin = time.monotonic()
            code, out, err = withy(*words)
            assert code == 0, (words, err)
            took[name] = time.monotonic() - begin
            good.setdefault(name, []).append(result(f"{to}/{name}"))
    random.seed(36)
    left, killed, trials = 0, 0, 1000 if os.environ.get("WITHY_LONG") else 14 if SANITIZE else 56
    for trial in range(trials):
        words, name = writers(random.choice(paths), to)[trial % len(good)]
        run = subprocess.Popen([WITHY, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            run.wait(timeout=random.uniform(0, 1.1 * took[name]))
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            killed += 1
        run.communicate()
        for each in good:
            assert result(f"{to}/{each}") in good[each], (trial, words, each)
        left += bool(leftovers(to))
    assert killed > trials / 4 and left > 0, (killed, left)
    for words, name in writers(paths[0], to):
        assert withy(*words)[0] == 0 and result(f"{to}/{name}") == good[name][0], words
    assert not leftovers(to), leftovers(to)
    print(f"     {killed} of {trials} killed, {left} times something was left, and cleared away")


def small_disks(folder):
    """File systems of 1 to 2 MB, filled so far that some results fit and others do not: each is old or new, nothing is
    left, an archive opens."""
    paths, to = (make(folder, "short", "0.1"), make(folder, "long", "0.5")), folder + "/small"
    os.mkdir(to)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", to], capture_output=True).returncode:
        print("     no file system can be mounted here")
        return
    subprocess.run(["umount", to], check=True)
    random.seed(3606)
    full = done = 0
    for trial in range(200 if os.environ.get("WITHY_LONG") else 4 if SANITIZE else 12):
        size = random.randrange(1024, 2049)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", to], check=True)
        try:
            before = {name: None for _, name in writers(paths[0], to)}
            for words, name in random.sample(writers(paths[0], to), 2):
                withy(*words)
                before[name] = result(f"{to}/{name}")
            free = os.statvfs(to).f_bavail * os.statvfs(to).f_frsize
            with open(to + "/filler", "wb") as f:
                f.write(bytes(max(0, free - random.choice((0, 4096, 20000, 100000, 300000)))))
            for words, name in random.sample(writers(paths[1], to), 3):
                code, out, err = withy(*words, *(["--force"] if words[0] == "export" else []))
                assert code in (0, 3) and (code == 0 or err.startswith("withy: ")), (trial, words, code, err)
                assert code == 0 or result(f"{to}/{name}") == before[name], (trial, words, err)
                before[name] = result(f"{to}/{name}")
                full += code == 3
                done += code == 0
                assert not leftovers(to), (trial, words, leftovers(to))
            code, out, err = withy("run", folder + "/long.yaml", "--flush", "0", "-q", "-o", to + "/run.h5")
            assert code in (0, 3), (trial, code, err)
            full += code == 3
            if os.path.exists(to + "/run.h5"):
                assert withy("export", to + "/run.h5", "--format", "csv")[0] == 0, trial
            assert not leftovers(to) and not os.path.exists(to + "/run.h5.claim"), (trial, os.listdir(to))
            assert {name: result(f"{to}/{name}") for name in before} == before
        finally:
            subprocess.run(["umount", to], check=True)
    assert full and done, (full, done)
    print(f"     {full} commands found the disk full, {done} did not")


def only_leftovers_are_cleared(folder):
    """Temporary files in use, files with other names and those of an unfinished archive stay."""
    path = make(folder)
    keep = ["x.csv.part", "x.csv.abc.part", "y.csv.abcdefghijkl.part", "x.csv.ABCDEFGHIJKL.part",
            "x.csv.abcdefghijkl.part.txt", "x.csv.aaaaaaaaaaaa.part"]
    for name in [*keep, "x.csv.abcdefghijkl.part"]:
        with open(f"{folder}/{name}", "w") as f:
            f.write("something")
    os.mkdir(folder + "/x.csv.bbbbbbbbbbbb.part")
    with open(folder + "/x.csv.aaaaaaaaaaaa.part", "r+") as living:
        fcntl.lockf(living, fcntl.LOCK_EX)
        assert withy("export", path, "-o", folder + "/x.csv")[0] == 0
        assert sorted(n for n in os.listdir(folder) if ".part" in n) == sorted(keep)
    assert withy("export", path, "-o", folder + "/x.csv")[0] == 0
    assert not os.path.exists(folder + "/x.csv.aaaaaaaaaaaa.part")
    hidden = folder + "/z.csv.abcdefghijkl.part"
    for name in (hidden, folder + "/z.csv.claim"):
        with open(name, "w") as f:
            f.write("process 1\n")
    assert withy("export", path, "-o", folder + "/z.csv")[0] == 0 and os.path.exists(hidden)


main(replaced_as_a_whole, foreign_files_stay, a_full_disk_leaves_the_old_one, kills, small_disks,
     only_leftovers_are_cleared)
