"""Exports of several files appear whole, or not at all, and leave nothing behind (B5, L5): full disks, kills,
leftovers, foreign files."""
import fcntl
import hashlib
import os
import random
import signal
import subprocess
import time

from check import SANITIZE, WITHY, main, withy

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


def kills(folder):
    """SIGKILL at any moment: the old folder or the new one, and the next command clears away what is left."""
    short, long = make(folder, "short", "0.1"), make(folder, "long", "0.3")
    vtk, csv = folder + "/vtk", folder + "/x.csv"
    good = {}
    for path in (short, long):
        assert withy("export", path, "--format", "vtk", "-o", vtk)[0] == 0 and withy("export", path, "-o", csv)[0] == 0
        good[path] = contents(vtk), open(csv).read()
    begin = time.monotonic()
    assert withy("export", long, "--format", "vtk", "-o", vtk)[0] == 0
    took, left, killed = time.monotonic() - begin, 0, 0
    random.seed(36)
    trials = 1000 if os.environ.get("WITHY_LONG") else 12 if SANITIZE else 40
    for trial in range(trials):
        path = random.choice((short, long))
        words = ["export", path, "--format", "vtk", "-o", vtk] if trial % 4 else ["export", path, "-o", csv]
        run = subprocess.Popen([WITHY, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            run.wait(timeout=random.uniform(0, 1.1 * took))
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            killed += 1
        run.communicate()
        assert contents(vtk) in (good[short][0], good[long][0]) and open(csv).read() in (good[short][1], good[long][1])
        left += bool(leftovers(folder))
    assert killed > trials / 4 and left > 0, (killed, left)
    assert withy("export", long, "--format", "vtk", "-o", vtk)[0] == 0 and withy("export", long, "-o", csv)[0] == 0
    assert not leftovers(folder), leftovers(folder)
    print(f"     {killed} of {trials} killed, {left} times something was left, and cleared away")


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


main(replaced_as_a_whole, foreign_files_stay, a_full_disk_leaves_the_old_one, kills, only_leftovers_are_cleared)
