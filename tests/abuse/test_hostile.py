"""Forged archives: refused with the name of the wrong item; their sizes and paths are not trusted (D4, D13, D16)."""
import fcntl
import os
import shutil
import signal
import subprocess

import h5py
import numpy

from check import SANITIZE, SOURCE, WITHY, decoded, main, withy

BODY = os.path.join(SOURCE, "examples/rigid-body.yaml")
COLUMN = """
kind: continuation
length: 1.3
section: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, EA: 1.5e4, rhoA: 0.8, rhoI1: 1e-4, \
rhoI2: 1e-4, rhoJ: 2e-4}
first_end: clamped
last_end: free
loads: [{name: gravity, acceleration: [0, 0, -1]}]
parameter: {number: loads.0.acceleration.2, from: -10, to: -1, start: -1, at: [-9.3]}
follow: {branches: 2, negative: 2}
elements: 8
"""


def make(folder):
    with open(folder + "/s.yaml", "w") as f:
        f.write(COLUMN)
    assert withy("run", folder + "/s.yaml", "-o", folder + "/branches.h5", "-q")[0] == 0
    code, out, err = withy("run", BODY, "-o", folder + "/body.h5", "-q", "--set", "duration=1")
    assert code == 0, err


def commands(folder, path):
    """What opens an archive. The scenario is the one it was made from, so that a resume gets as far as it can."""
    return (["info", path], ["info", path, "--scenario"], ["plot", path, "-o", folder + "/x.svg"],
            ["export", path, "--format", "csv", "-o", folder + "/x.csv"],
            ["export", path, "--format", "json", "-o", folder + "/x.json"], ["modes", path, "--point", "BP1"],
            ["modes", path, "--point", "UZ1"],
            ["release", path, "--point", "UZ1", "--duration", "1e-3", "-q"],
            ["run", folder + "/s.yaml", "-o", path, "--resume", "-q"],
            ["run", BODY, "--set", "duration=1", "-o", path, "--resume", "-q"])


def survive(folder, name, damage, words=None, commands_that_must=(), only=()):
    """No crash, no hang; exit 2 or 3 with a sentence, or 0. `words`: at least one command says so."""
    bad = folder + "/bad.h5"
    shutil.copy(f"{folder}/{name}.h5", bad)
    with h5py.File(bad, "r+") as f:
        f.attrs["outcome"] = "running"
        damage(f)
    said = []
    for args in commands(folder, bad):
        if only and args[0] not in only:
            continue
        keep = open(bad, "rb").read()
        done = subprocess.run([WITHY, *args], capture_output=True, text=True, timeout=60, errors="replace")
        assert done.returncode in (0, 1, 2, 3), (args, done.returncode, done.stderr[-2000:])
        assert done.returncode == 0 or (done.stderr and "Sanitizer" not in done.stderr), (args, done)
        said.append(done.stderr)
        with open(bad, "wb") as f:
            f.write(keep)
        if args[0] in commands_that_must:
            assert done.returncode == 3, (args, done)
        if done.returncode and words and args[0] in commands_that_must:
            assert words in done.stderr, (args, done.stderr)
    assert words is None or any(words in text for text in said), (words, said)


def replace(f, name, data, **more):
    attributes = {key: value for key, value in f[name].attrs.items() if isinstance(value, bytes)}
    del f[name]
    f.create_dataset(name, data=data, **more)
    for key, value in attributes.items():
        f[name].attrs[key] = decoded(value)


def texts_of_two(folder):
    """D4: an attribute of two texts overran a pointer on the stack, in every command."""
    make(folder)
    text = h5py.string_dtype("utf-8")
    for name in ("title", "kind", "scenario", "channels", "outcome", "withy_version", "overrides", "resume"):
        def damage(f):
            del f.attrs[name]
            f.attrs.create(name, ["a" * 50] * 64, dtype=text)
        survive(folder, "body", damage, only=("info", "plot", "run"), words=None if name == "resume"
                else "its attributes are missing")
    for name in ("unit", "description", "panel"):
        def damage(f):
            del f["state/momentum"].attrs[name]
            f["state/momentum"].attrs.create(name, ["a"] * 1000, dtype=text)
        survive(folder, "body", damage, only=("info", "plot"), words=None if name == "panel"
                else "'state/momentum' is missing or damaged")
    # an empty one, one of numbers
    for value in (h5py.Empty("f8"), 3.5):
        survive(folder, "body", lambda f: f.attrs.__setitem__("title", value), "its attributes are missing")


def channels_of_another_shape(folder):
    """D4: wide channels into one number, shapes that are no n x 3."""
    make(folder)
    with h5py.File(folder + "/branches.h5") as f:
        names = decoded(f.attrs["channels"]).split("\n")
        n = len(f[names[0]])
    for name in ("branch/label", "branch/label_number", "branch/branch", "branch/negative", "branch/end", "thrust",
                 "torque"):
        full = next(k for k in names if k == name or k.endswith("/" + name))
        for shape in ((n, 70, 70), (n, 0)):
            survive(folder, "branches", lambda f: replace(f, full, numpy.zeros(shape)),
                    only=("plot", "modes", "release"))
    for name in ("state/position", "state/force", "state/moment", "state/orientation", "arc_length"):
        full = next(k for k in names if k == name or k.endswith("/" + name))
        for shape in ((n, 9, 2), (n, 0, 3), (n,), (n, 9, 5000)):
            survive(folder, "branches", lambda f: replace(f, full, numpy.full(shape, 0.3)), only=("plot", "release"))
    for value in (1e300, -1e300, 0.5):
        for name in ("branch/label", "branch/label_number"):
            survive(folder, "branches", lambda f: replace(f, name, numpy.full(n, value)), only=("plot", "modes"))


def numbers_of_another_type(folder):
    make(folder)
    with h5py.File(folder + "/body.h5") as f:
        n = len(f["time"])
    for kind in ("S3", "c16", "f2", [("a", "f8"), ("b", "f8")], h5py.string_dtype(), h5py.ref_dtype, "?"):
        survive(folder, "body", lambda f: odd(f, "time", n, kind), "does not hold numbers", only=("info",))


def odd(f, name, n, kind):
    attributes = {key: value for key, value in f[name].attrs.items() if isinstance(value, bytes)}
    del f[name]
    f.create_dataset(name, shape=(n,), dtype=kind)
    for key, value in attributes.items():
        f[name].attrs[key] = decoded(value)


def a_scenario_of_another_kind(folder):
    """D4: the attribute says continuation, the scenario is of a rigid body."""
    make(folder)
    def damage(f):
        f.attrs["scenario"] = open(BODY).read()
    survive(folder, "branches", damage, "holds a scenario of kind 'rigid-body'", ("modes", "release"))


ROD = """
kind: dynamic
length: 1.3
section: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, EA: 1.5e4, rhoA: 0.8, rhoI1: 1e-4, \
rhoI2: 1e-4, rhoJ: 2e-4}
loads: [{name: gravity, acceleration: [1, 0, 0]}]
elements: 2
duration: 0.4
step: 0.001
"""


def checkpoints_that_lie(folder):
    """A rod's checkpoint ends with its open window of steps, whose last number is how many there are (an integer),
    after where they begin and end (5 numbers, ten more between), and with what the coarse runs have shown: RECORDS
    numbers, the last of which are whether they have parted and by how much (1 and 4), which are alive (3), an error,
    and four times. Impossible values cause neither a crash nor an endless run."""
    RECORDS = 337
    scenario, good, bad = folder + "/rod.yaml", folder + "/rod.h5", folder + "/bad.h5"
    with open(scenario, "w") as f:
        f.write(ROD)
    run = subprocess.Popen([WITHY, "run", scenario, "-o", good, "--flush", "0", "--report-flush", "-q"],
                           stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
    for _ in range(5):
        assert run.stdout.readline().startswith("flushed ")
    run.send_signal(signal.SIGTERM)
    run.communicate()
    with h5py.File(good) as f:
        last = f["checkpoint"][:]
    assert sorted(last.view("f8")[-8:-5]) == [0.0, 1.0, 1.0], last.view("f8")[-10:]  # two elements have no third mesh
    # the open window begins where the last one that was compared ends
    assert 0 <= last.view("i8")[-RECORDS - 1] < 4 and last.view("f8")[-RECORDS - 10] == last.view("f8")[-3] > 0, RECORDS
    nan = float("nan")
    for alive, times, window, steps in ((None, None, None, 1 << 60), (None, None, None, -(1 << 60)),
                                        (1.0, None, None, -10**6), (1.0, None, None, 0), (nan, None, None, 2),
                                        (None, nan, None, 1), (None, -1e300, None, 0),
                                        (None, None, nan, 2), (None, None, 7.0, 3), (None, None, 1e308, 1)):
        shutil.copy(good, bad)
        with h5py.File(bad, "r+") as f:
            words = last.copy()
            words.view("i8")[-RECORDS - 1] = steps
            if alive is not None:
                words.view("f8")[-8:-5] = alive
            if times is not None:
                words.view("f8")[-4:] = times
            if window is not None:
                words.view("f8")[-13:-8] = window
                words.view("f8")[-RECORDS - 15:-RECORDS - 10] = window
            f["checkpoint"][:] = words
        done = subprocess.run([WITHY, "run", scenario, "-o", bad, "--resume"], capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == 0 and "Sanitizer" not in done.stderr, (
            alive, times, window, steps, done.returncode, done.stderr[-1000:])
        assert "warning" in done.stderr, (alive, times, window, steps, done.stderr)


def parts_of_another_length(folder):
    """HDF5 1.10 believes a stored chunk about its length: it read memory beyond it (info and export died, or showed
    it), and a run that went on wrote there."""
    make(folder)

    def cut(name, length, skipped):
        def damage(f):
            f[name].id.write_direct_chunk((0,) * f[name].ndim, b"\1" * length, skipped)
        return damage

    for name, reader in (("time", "info"), ("state/momentum", "export"), ("checkpoint", "run")):
        words = "has not the length that it must have"
        for length in (1, 3, 8, 5000):
            for skipped in (0, 1):
                survive(folder, "body", cut(name, length, skipped), words, (), (reader,))


def packed(folder):
    """Nor is there a way to know how long a packed chunk is before it is unpacked."""
    make(folder)

    def pack(f):
        values = f["time"][:]
        notes = dict(f["time"].attrs)
        del f["time"]
        made = f.create_dataset("time", data=values, chunks=(8,), maxshape=(None,), compression="gzip")
        made.attrs.update(notes)

    survive(folder, "body", pack, "packed in a way that archives do not use", ("info", "export"), ("info", "export"))


def frames_that_are_not_there(folder):
    """D13: 2^40 frames claimed: info, export, modes and release went through them."""
    make(folder)
    for name in ("body", "branches"):
        for frames in (2**40, 2**62, 2**33):
            def damage(f):
                for channel in decoded(f.attrs["channels"]).split("\n"):
                    f[channel].resize((frames,) + f[channel].shape[1:])
            survive(folder, name, damage, "frames are stored", ("info", "plot", "export"))
    # one chunk is missing in the middle
    def hole(f):
        n = len(f["time"])
        attributes = dict(f["time"].attrs)
        del f["time"]
        f.create_dataset("time", shape=(n,), chunks=(4,), maxshape=(None,), dtype="f8")
        f["time"].attrs.update(attributes)
        f["time"][:8] = 0.05 * numpy.arange(8)
    survive(folder, "body", hole, "not all of its 21 frames are stored", ("info", "plot", "export"))


def links_and_foreign_storage(folder):
    """D16: a resume wrote through external links and external storage into other files."""
    make(folder)
    victim, raw = folder + "/victim.h5", folder + "/raw.bin"
    with h5py.File(victim, "w") as f:
        with h5py.File(folder + "/body.h5") as g:
            g.copy("state/momentum", f, "precious")
            g.copy("checkpoint", f, "checkpoint")
    with open(raw, "wb") as f:
        f.write(bytes(100000))
    def external_link(f):
        del f["state/momentum"]
        f["state"]["momentum"] = h5py.ExternalLink(victim, "/precious")
    def external_group(f):
        del f["state"]
        f["state"] = h5py.ExternalLink(victim, "/")
    def soft_link(f):
        f.move("state/momentum", "elsewhere")
        f["state"]["momentum"] = h5py.SoftLink("/elsewhere")
    def external_storage(f):
        attributes = dict(f["state/momentum"].attrs)
        shape = f["state/momentum"].shape
        del f["state/momentum"]
        f.create_dataset("state/momentum", shape=shape, dtype="f8", external=[(raw, 0, 24 * shape[0])])
        f["state/momentum"].attrs.update(attributes)
    def virtual(f):
        attributes = dict(f["state/momentum"].attrs)
        layout = h5py.VirtualLayout(shape=f["state/momentum"].shape, dtype="f8")
        layout[:] = h5py.VirtualSource(victim, "precious", shape=f["state/momentum"].shape)
        del f["state/momentum"]
        f.create_virtual_dataset("state/momentum", layout)
        f["state/momentum"].attrs.update(attributes)
    def linked_checkpoint(f):
        del f["checkpoint"]
        f["checkpoint"] = h5py.ExternalLink(victim, "/checkpoint")
    before = open(victim, "rb").read(), open(raw, "rb").read()
    for damage in (external_link, external_group, soft_link, external_storage, virtual):
        survive(folder, "body", damage, "'state/momentum' is missing or damaged", ("info", "plot", "export"))
    survive(folder, "body", linked_checkpoint, "'checkpoint'")
    assert (open(victim, "rb").read(), open(raw, "rb").read()) == before
    # ways out of the list of channels
    for path in ("/etc/passwd", "../time", "state/../time", "state//momentum", "./time", "state/.", ".", "/", "state",
                 "state/momentum/x", "a" * 100000):
        survive(folder, "body", lambda f: f.attrs.__setitem__("channels", "time\n" + path), only=("info", "export"))
    survive(folder, "body", lambda f: f.attrs.__setitem__("channels", "\n".join(["time"] * 20000)), only=("info",))


def channels_listed_twice(folder):
    """B2: a repeated list overran the 16 channels of a panel."""
    make(folder)
    def damage(f):
        f.attrs["channels"] = "\n".join([decoded(f.attrs["channels"])] * 50)
    survive(folder, "branches", damage, "is listed twice", ("info", "plot", "export"))
    def many(f):  # of one name in other groups: no panel has room for all
        names = decoded(f.attrs["channels"]).split("\n")
        thrust = next(k for k in names if k.split("/")[-1] == "thrust")
        for i in range(40):
            f.copy(f[thrust], f.create_group(f"g{i}"), "thrust")
        f.attrs["channels"] = "\n".join(names + [f"g{i}/thrust" for i in range(40)])
    survive(folder, "branches", many, only=("info", "plot", "export"))
    listed = "\n".join(["time"] + [f"c{i}" for i in range(70000)])
    survive(folder, "body", lambda f: f.attrs.__setitem__("channels", listed), "expected at most 65536", ("info",))


def a_header_that_is_a_formula(folder):
    """L4: spreadsheets run a cell that begins with one of =+-@."""
    make(folder)
    for word in ("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)"):
        bad = folder + "/formula.h5"
        shutil.copy(folder + "/body.h5", bad)
        with h5py.File(bad, "r+") as f:
            f.move("state/momentum", "state/" + word.replace("/", "_"))
            f.attrs["channels"] = decoded(f.attrs["channels"]).replace("state/momentum",
                                                                       "state/" + word.replace("/", "_"))
        code, out, err = withy("export", bad, "--format", "csv")
        assert code == 0, err
        cells = [c for c in out.split("\n")[0].split(",") if c.endswith(' [kg m^2/s]"') and "_d" in c]
        assert len(cells) == 3 and all(c.startswith('"\'' + word[0]) for c in cells), cells


def a_lock_of_another_program(folder):
    """L7: who holds the file is said, not that a resource is temporarily unavailable."""
    make(folder)
    with open(folder + "/body.h5", "rb") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        answers = [withy("info", folder + "/body.h5"),
                   withy("run", BODY, "-q", "-o", folder + "/body.h5")]
    for code, out, err in answers:
        assert code == 3 and "another program holds it" in err and "unavailable" not in err, err


def a_file_that_breaks_hdf5(folder):
    """B1: sizes in the heap of texts of variable length, as 0.2.0 wrote them: HDF5 crashed, or did not come to an end,
    in every command."""
    data = open(os.path.join(SOURCE, "tests/data/archives-0.2.0/rigid-body.h5"), "rb").read()
    bad, said, at = folder + "/bad.h5", set(), data.find(b"GCOL")
    assert at > 0
    offsets = []
    while at >= 0:  # sizes of the first objects of each heap, and of the heap itself
        offsets += [at + 8, at + 9, at + 16 + 8, at + 16 + 9, at + 16 + 15, at + 16]
        at = data.find(b"GCOL", at + 1)
    for offset in offsets:
        for bit in range(0, 8, 4 if SANITIZE else 1):
            with open(bad, "wb") as f:
                f.write(data[:offset] + bytes([data[offset] ^ (1 << bit)]) + data[offset + 1:])
            done = subprocess.run([WITHY, "info", bad], capture_output=True, text=True, timeout=300 if SANITIZE else 60)
            assert done.returncode in (0, 3), (offset, bit, done)
            if done.returncode:
                lines = done.stderr.splitlines()  # a sanitizer of the child process may report what HDF5 does before
                assert lines[-1].startswith("withy: ") and (SANITIZE or len(lines) == 1), (offset, bit, done)
                said.add(lines[-1].split(": ", 2)[-1])
    assert any("breaks down over it" in s or "come to an end" in s for s in said), said


def truncated(folder):
    make(folder)
    data = open(folder + "/body.h5", "rb").read()
    bad = folder + "/bad.h5"
    for size in sorted({0, 1, 8, 100, 511, 512, 2048, *range(3000, len(data), len(data) // (6 if SANITIZE else 15)),
                        len(data) - 1}):
        with open(bad, "wb") as f:
            f.write(data[:size])
        for args in commands(folder, bad)[:4:2]:
            done = subprocess.run([WITHY, *args], capture_output=True, text=True, timeout=60)
            assert done.returncode == 3 and done.stderr.startswith("withy: "), (size, args, done)


main(texts_of_two, channels_of_another_shape, numbers_of_another_type, a_scenario_of_another_kind,
     checkpoints_that_lie, parts_of_another_length, packed, frames_that_are_not_there, links_and_foreign_storage,
     channels_listed_twice, a_header_that_is_a_formula, a_lock_of_another_program, a_file_that_breaks_hdf5, truncated)
