"""The n-th open, write, flush, fsync, rename or allocation fails: the right exit code and a sentence, no crash, no half
file under a final name. And the writes of a run, replayed up to every moment, torn at every block: what is under the
archive's name is whole. WITHY_LONG=1 fails every n; the suite the first 200 and every 97th."""
import os
import shutil
import subprocess
import tempfile
import zipfile

import h5py

from check import BUILD, SANITIZE, SOURCE, WITHY, decoded, main, withy

FAULTS = os.path.join(BUILD, "tests/faults.so")
BODY = os.path.join(SOURCE, "examples/rigid-body.yaml")
LONG = os.environ.get("WITHY_LONG") == "1"
FIRST = 200


def preloaded(args, cwd, **settings):
    env = dict(os.environ, LD_PRELOAD=FAULTS, **settings)
    return subprocess.run([WITHY, *args], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)


def is_whole(path):
    with h5py.File(path, "r") as f:
        frames = {len(f[name]) for name in decoded(f.attrs["channels"]).split("\n")}
        assert len(frames) == 1, frames
        return decoded(f.attrs["outcome"]), frames.pop()


def calls(args, folder):
    done = preloaded(args, folder, WITHY_FAULT_COUNT=folder + "/count")
    assert done.returncode == 0, done
    with open(folder + "/count") as f:
        return {line.split()[0]: int(line.split()[1]) for line in f}


COLUMN = """
kind: continuation
length: 1.3
section: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, EA: 1.5e4, rhoA: 0.8, rhoI1: 1e-4, \
rhoI2: 1e-4, rhoJ: 2e-4}
first_end: clamped
last_end: free
loads: [{name: gravity, acceleration: [0, 0, -1]}]
parameter: {number: loads.0.acceleration.2, from: -12, to: -1, start: -1, at: [-11]}
follow: {branches: 1, points: 20}
elements: 4
"""

SWEEP = """
scenario: s.yaml
over: {duration: [0.1, 0.2]}
"""


def prepare(folder):
    """What the commands below need, in good order."""
    with open(folder + "/column.yaml", "w") as f:
        f.write(COLUMN)
    shutil.copy(BODY, folder + "/s.yaml")
    with open(folder + "/sweep.yaml", "w") as f:
        f.write(SWEEP)
    for args in (["run", BODY, "-o", "good.h5", "-q", "--set", "duration=0.2", "--flush", "0"],
                 ["run", "column.yaml", "-o", "column.h5", "-q"]):
        done = subprocess.run([WITHY, *args], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done


def whole_run(path, ended_well):
    outcome, frames = is_whole(path)
    assert not ended_well or (outcome == "done" and frames == 5), (outcome, frames)


def whole_motion(path, _):
    is_whole(path)


def whole_zip(path, _):
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None and "modelDescription.xml" in z.namelist()


def ends_in(words):
    def check_ending(path, _):
        with open(path) as f:
            assert f.read().rstrip().endswith(words), path
    return check_ending


def whole_table(path, ended_well):
    with h5py.File(path, "r") as f:
        assert list(f.keys())


# the command, what it leaves, and how to see that it is whole
COMMANDS = {
    "run": (["run", BODY, "-o", "run.h5", "-q", "--set", "duration=0.2", "--flush", "0"], "run.h5", whole_run),
    "plot": (["plot", "good.h5", "-o", "x.svg"], "x.svg", ends_in("<!-- drawn by withy -->")),
    "export": (["export", "good.h5", "--format", "csv", "-o", "x.csv"], "x.csv", None),
    "info": (["info", "good.h5"], None, None),
    "list": (["list", "--json"], None, None),
    "view": (["view", "good.h5", "-o", "x.html"], "x.html", ends_in("</html>")),
    "fmu": (["fmu", "shaft", "-o", "x.fmu"], "x.fmu", whole_zip),
    "fmu of a scenario": (["fmu", "s.yaml", "-o", "y.fmu"], "y.fmu", whole_zip),
    "modes": (["modes", "column.h5", "--point", "UZ1"], None, None),
    "release": (["release", "column.h5", "--point", "UZ1", "--elements", "4", "--duration", "0.5", "--tolerance",
                 "1e-2", "-o", "let.h5", "-q"],
                "let.h5", whole_motion),
    "reproduce": (["reproduce", "lumped-rod", "-o", "pictures"], None, None),
    "sweep": (["sweep", "sweep.yaml", "-o", "sweep.h5", "-q"], "sweep.h5", whole_table),
}


def fail_one(folder, name, sort, n, good):
    """Runs a command with one call that fails; what it left is whole or not there."""
    args, result, check_result = COMMANDS[name]
    if result and os.path.exists(f"{folder}/{result}"):
        os.remove(f"{folder}/{result}")
    shutil.rmtree(f"{folder}/{result}.rows", ignore_errors=True)
    done = preloaded(args, folder, WITHY_FAULT=f"{sort}:{n}")
    where = (name, sort, n, done.returncode, done.stderr[-300:])
    assert done.returncode in (0, 1, 2, 3), where
    assert done.returncode == 0 or done.stderr.startswith("withy"), where
    if sort != "malloc":  # what failed is a file; a message, a font or a look at /proc that is not had is no failure
        assert done.returncode in (0, 3), where
    there = result and os.path.exists(f"{folder}/{result}")
    if done.returncode == 0 and result:
        assert there, where
    # The file is whole or absent. A failed fsync of the folder is an error too, although the file is whole.
    if there and check_result:
        try:
            check_result(f"{folder}/{result}", done.returncode == 0)
        except Exception as e:
            raise AssertionError(where) from e
    elif there:
        with open(f"{folder}/{result}") as f:
            assert f.read() == good, where
    for k in os.listdir(folder):  # a claim that could not be taken back is cleared away by the next run
        if k.endswith((".part", ".claim")):
            os.remove(f"{folder}/{k}")


def each_call_fails(folder):
    if SANITIZE:
        return
    prepare(folder)
    good = subprocess.run([WITHY, "export", "good.h5", "--format", "csv"], cwd=folder, capture_output=True,
                          text=True).stdout
    tried = {}
    for name, (args, result, _) in COMMANDS.items():
        total, tried[name] = calls(args, folder), 0
        for sort in ("open", "write", "flush", "fsync", "rename", "malloc"):
            for n in range(1, total[sort] + 1):
                if LONG or n <= FIRST or n % 97 == 0:
                    fail_one(folder, name, sort, n, good)
                    tried[name] += 1
    assert min(tried.values()) > 0 and sum(tried.values()) > 1000, tried
    print(f"     {sum(tried.values())} calls failed: {tried}")


# ---- the writes of a run, replayed
# -------------------------------------------------------------------------------------


class File:
    def __init__(self):
        self.now, self.safe = bytearray(), b""


class Disk:
    """Names and files as they are, and as a power cut would leave them: what was forced, and nothing else."""

    def __init__(self):
        self.names, self.safe_names, self.open, self.at = {}, {}, {}, {}

    def do(self, words, data):
        what = words[0]
        if what == "open":
            fd, flags, path = int(words[1]), int(words[2]), " ".join(words[3:])
            if path.startswith("/proc/self/fd/"):
                self.open[fd] = self.open.get(int(path.rsplit("/", 1)[1]))
            elif os.path.isdir(path):
                self.open[fd] = "folder"
            else:
                if path not in self.names and flags & os.O_CREAT:
                    self.names[path] = File()
                self.open[fd] = self.names.get(path)
            self.at[fd] = 0
            if flags & os.O_TRUNC and isinstance(self.open[fd], File):
                del self.open[fd].now[:]
        elif what == "write":
            fd, at = int(words[1]), int(words[2])
            f = self.open.get(fd)
            if isinstance(f, File):
                at = at if at >= 0 else self.at[fd]
                f.now.extend(bytes(max(0, at + len(data) - len(f.now))))
                f.now[at:at + len(data)] = data
                self.at[fd] = at + len(data)
        elif what == "truncate":
            f, size = self.open.get(int(words[1])), int(words[2])
            if isinstance(f, File):
                f.now.extend(bytes(max(0, size - len(f.now))))
                del f.now[size:]
        elif what == "fsync":
            f = self.open.get(int(words[1]))
            if f == "folder":
                self.safe_names = dict(self.names)
            elif isinstance(f, File):
                f.safe = bytes(f.now)
        elif what == "rename":
            old, new = " ".join(words[2:]).split("\t")
            if int(words[1]) & 2:
                self.names[old], self.names[new] = self.names[new], self.names[old]
            else:
                self.names[new] = self.names.pop(old)
        elif what == "unlink":
            self.names.pop(" ".join(words[1:]), None)


def read_log(path):
    with open(path, "rb") as f:
        while line := f.readline():
            words = line.decode().rstrip("\n").split(" ")
            yield words, f.read(int(words[3])) if words[0] == "write" else b""


def every_prefix_is_whole(folder):
    """D17: a power cut at every moment of a run."""
    if SANITIZE:
        return
    with open(folder + "/s.yaml", "w") as f:
        f.write("kind: rigid-body\ninertia: [2, 1, 2/3]\nmomentum: [0.3, -0.7, 1.1]\nmethod: rk4\nduration: 40\nstep: "
                "0.05\n")
    name = folder + "/run.h5"
    done = preloaded(["run", folder + "/s.yaml", "-o", name, "--flush", "0", "--report-flush", "-q", "--set",
                      "every=40"], folder,
                     WITHY_FAULT_LOG=folder + "/log")
    assert done.returncode == 0, done
    flushed = [int(line.split()[1]) for line in done.stdout.split("\n") if line.startswith("flushed")]
    disk, checked, torn, moments, seen, reported = Disk(), {}, 0, 0, None, 0
    with tempfile.TemporaryDirectory() as scratch:
        def check(data, at_least):
            key = hash(bytes(data))
            if key not in checked:
                with open(scratch + "/x.h5", "wb") as f:
                    f.write(data)
                checked[key] = is_whole(scratch + "/x.h5")[1]
            assert checked[key] >= at_least, (checked[key], at_least)

        for words, data in read_log(folder + "/log"):
            if words[0] == "write":  # torn: the visible file must not notice any part of it
                target = disk.open.get(int(words[1]))
                assert target is None or target is not disk.names.get(name), "the visible file was written to"
                torn += len(data) // 4096
            before = disk.names.get(name)
            disk.do(words, data)
            moments += 1
            now = disk.names.get(name)
            if now is not None and now is not before:  # it has just got its name
                assert bytes(now.now) == now.safe, "put in place before it was forced to the disk"
                seen = now
            if now is not None:
                check(now.now, reported)
            safe = disk.safe_names.get(name)
            if safe is not None:
                check(safe.safe, reported)
            if words[0] == "fsync" and disk.open.get(int(words[1])) == "folder" and seen is not None:
                # the folder is forced: from here on the run may say so
                reported = checked[hash(bytes(disk.names[name].now))]
    assert reported == flushed[-1] and len(checked) >= len(set(flushed)), (reported, flushed, len(checked))
    print(f"     {moments} moments, {torn} of them within a write; {len(checked)} archives, all whole")


main(each_call_fails, every_prefix_is_whole)
