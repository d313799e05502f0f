"""Readers do not harm a run and see a whole archive that does not change under them; there is one writer, claimed
before anything is read; what takes no checkpoint is resumed all the same; damage is named."""
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import time

import h5py
import numpy

from check import SANITIZE, SOURCE, WITHY, decoded, main, withy

BODY = os.path.join(SOURCE, "examples/rigid-body.yaml")
LONG = """
kind: rigid-body
inertia: [2, 1, 2/3]
momentum: [0.3, -0.7, 1.1]
method: rk4
duration: 1e7
step: 0.05
"""
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
elements: 20
"""


def write(path, text):
    with open(path, "w") as f:
        f.write(text)
    return path


def start(folder, *more, flush="0.02"):
    run = subprocess.Popen([WITHY, "run", write(folder + "/s.yaml", LONG), "-o", folder + "/run.h5", "--flush", flush,
                            "--report-flush",
                            "-q", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout.readline().startswith("flushed"), run.stderr.read()
    return run


def flushes(run, count):
    """Waits until it has flushed so many times more; gives the last number of frames."""
    for _ in range(count):
        line = run.stdout.readline()
        assert line.startswith("flushed"), (line, run.stderr.read())
    return int(line.split()[1])


def stop(run):
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 1 and "stopped at" in err, (run.returncode, err)
    return [int(line.split()[1]) for line in out.split("\n") if line.startswith("flushed")][-1]


def contents(path, but=("checkpoint",)):
    found = {}
    with h5py.File(path, "r") as f:
        f.visititems(lambda name, item: found.update({name: item[()].tobytes()}) if isinstance(item, h5py.Dataset)
                     and name not in but else None)
    return found


def held_open(folder):
    """D1: a reader that kept the archive open killed the run."""
    run = start(folder)
    path = folder + "/run.h5"
    readers, seen = [], []
    for _ in range(6):
        f = h5py.File(path, "r")
        readers.append(f)
        seen.append((len(f["time"]), f["time"][:].tobytes(), f["state/momentum"][:].tobytes()))
        flushes(run, 3)
    # one without HDF5's locks, and one that only has the file open
    plain = open(path, "rb")
    bytes_then = plain.read()
    env = dict(os.environ, HDF5_USE_FILE_LOCKING="FALSE")
    holder = subprocess.Popen(["/usr/bin/python3", "-c",
                               "import h5py,sys\nf=h5py.File(sys.argv[1],'r')\nn=len(f['time'])\n"
                               "print(n,flush=True)\nsys.stdin.readline()\n"
                               "t=f['time'][:]\nassert len(t)==n and (abs(t[1:]-t[:-1]-0.05)<1e-6).all()\n", path],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
    holder.stdout.readline()
    flushes(run, 20)
    assert run.poll() is None
    plain.seek(0)
    assert plain.read() == bytes_then, "what a reader had open was changed"
    holder.communicate("go\n")
    assert holder.returncode == 0
    for f, (n, t, m) in zip(readers, seen):
        f["time"].refresh()
        assert len(f["time"]) == n and f["time"][:].tobytes() == t and f["state/momentum"][:].tobytes() == m
        f.close()
    frames = stop(run)
    with h5py.File(path, "r") as f:
        assert len(f["time"]) == len(f["state/momentum"]) == frames
    plain.close()
    assert sorted(os.listdir(folder)) == ["run.h5", "s.yaml"], os.listdir(folder)


def opened_again_and_again(folder):
    run = start(folder, flush="0")
    path, seen = folder + "/run.h5", 0
    end = time.time() + (3 if not SANITIZE else 6)
    while time.time() < end:
        with h5py.File(path, "r") as f:
            n = len(f["time"])
            assert n >= seen and all(len(f[name]) == n for name in decoded(f.attrs["channels"]).split("\n"))
            seen = n
        code, out, err = withy("info", path)
        assert code == 0, err
    for args in (["plot", path, "-o", folder + "/x.svg"], ["export", path, "--format", "csv", "-o", folder + "/x.csv"]):
        code, out, err = withy(*args)
        assert code == 0, err
    assert run.poll() is None
    stop(run)


def a_removed_archive_is_read_to_its_end(folder):
    """A run removes what a reader has open; HDF5 must not ask for the name of it."""
    path = folder + "/run.h5"
    code, out, err = withy("run", BODY, "-o", path, "-q")
    assert code == 0, err
    whole = withy("info", path)[1].split(":", 1)[1]
    with open(path, "rb") as f:
        os.remove(path)
        shown = subprocess.run([WITHY, "info", f"/dev/fd/{f.fileno()}"], pass_fds=[f.fileno()], capture_output=True,
                               text=True)
    assert shown.returncode == 0 and shown.stdout.split(":", 1)[1] == whole, shown.stderr


def a_second_writer_is_refused_by_name(folder):
    """D2: a resume beside a live run ended well, and frames were missing."""
    run = start(folder)
    for _ in range(8):
        for more in (["--resume"], [], ["--take-over"], ["--resume", "--force"]):
            code, out, err = withy("run", folder + "/s.yaml", "-o", folder + "/run.h5", "-q", *more)
            assert code == 3 and "another run is writing" in err, (more, code, err)
            assert f"process {run.pid} on {socket.gethostname()}, since 20" in err and "sign of life" in err, err
    # through another name of the same file
    os.symlink("run.h5", folder + "/link.h5")
    code, out, err = withy("run", folder + "/s.yaml", "-o", folder + "/link.h5", "--resume")
    assert code == 3 and "another run is writing" in err, (code, err)
    os.remove(folder + "/link.h5")
    frames = stop(run)
    with h5py.File(folder + "/run.h5", "r") as f:
        t = f["time"][:]
        assert len(t) == frames and numpy.allclose(t, 0.05 * numpy.arange(frames), rtol=1e-9)


def resumes_that_race(folder):
    """D2: of several resumes at once one goes on, and no frame is lost."""
    scenario, path = write(folder + "/s.yaml", LONG.replace("1e7", "2000" if not SANITIZE
                                                            else "500")), folder + "/run.h5"
    assert withy("run", scenario, "-o", folder + "/whole.h5", "-q")[0] == 0
    for round_ in range(6):
        if os.path.exists(path):
            os.remove(path)
        run = subprocess.Popen([WITHY, "run", scenario, "-o", path, "--flush", "0", "--report-flush", "-q"],
                               stdout=subprocess.PIPE, text=True)
        for _ in range(3 + round_):
            run.stdout.readline()
        run.kill()
        run.communicate()
        rivals = [subprocess.Popen([WITHY, "run", scenario, "-o", path, "--resume", "-q"], stderr=subprocess.PIPE,
                                   text=True)
                  for _ in range(4)]
        codes = []
        for rival in rivals:
            err = rival.communicate()[1]
            codes.append(rival.returncode)
            assert rival.returncode == 0 or "another run is writing" in err, err
        assert 0 in codes, codes
        a, b = contents(folder + "/whole.h5"), contents(path)
        assert a == b, [name for name in a if a[name] != b.get(name)]


def claims_of_the_dead(folder):
    claim = folder + "/run.h5.claim"
    run = start(folder)
    flushes(run, 3)
    run.kill()
    run.communicate()
    assert os.path.exists(claim)
    text = open(claim).read()
    assert f"process {run.pid}\n" in text
    # of another machine: only when told so
    foreign = re.sub(r"boot .*", "boot elsewhere", re.sub(r"host .*", "host far-away", text))
    write(claim, foreign)
    short = ["run", folder + "/s.yaml", "-o", folder + "/run.h5", "-q"]
    code, out, err = withy(*short, "--resume")
    assert code == 3 and "on far-away" in err and "--take-over" in err and "sign of life" in err, (code, err)
    assert open(claim).read() == foreign
    with h5py.File(folder + "/run.h5", "r") as f:
        before = len(f["time"])
    run = subprocess.Popen([WITHY, *short, "--resume", "--take-over", "--report-flush", "--flush", "0.02"],
                           stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    assert flushes(run, 2) > before
    # and who is taken over notices
    write(claim, foreign)
    err = run.communicate(timeout=60)[1]
    assert run.returncode == 3 and "far-away has taken over" in err, (run.returncode, err)
    assert open(claim).read() == foreign
    # of this machine: by itself
    write(claim, text)
    code, out, err = withy(*short, "--set", "duration=1")
    assert code == 0, err
    assert sorted(os.listdir(folder)) == ["run.h5", "s.yaml"], os.listdir(folder)
    # a claim that is a link, or rubbish
    os.symlink("/etc/passwd", claim)
    code, out, err = withy(*short)
    assert code == 3 and "cannot claim it" in err, (code, err)
    os.remove(claim)
    for rubbish in ("", "\0" * 5000, "process -1\nhost \npart ../../x\n", "part .x/../../y.part\nhost \x1b[31m\n"):
        write(claim, rubbish)
        code, out, err = withy(*short, "--set", "duration=1")
        assert code == 0, (rubbish, err)


def a_killed_continuation_goes_on(folder):
    """D7: it could never be resumed."""
    scenario, whole, pieces = write(folder + "/s.yaml", COLUMN), folder + "/whole.h5", folder + "/pieces.h5"
    code, out, err = withy("run", scenario, "-o", whole, "-q")
    assert code == 0, err
    for flushed in (1, 5, 12):
        run = subprocess.Popen([WITHY, "run", scenario, "-o", pieces, "--resume", "--flush", "0", "--report-flush",
                                "-q"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(flushed):
            assert run.stdout.readline().startswith("flushed")
        run.kill()
        run.communicate()
    with h5py.File(pieces, "r") as f:
        there = len(decoded(f.attrs["channels"])) and len(f[decoded(f.attrs["channels"]).split("\n")[0]])
        assert 17 <= there and decoded(f.attrs["outcome"]) == "running", there
    code, out, err = withy("run", scenario, "-o", pieces, "--resume", "-q")
    assert code == 0, err
    assert contents(whole) == contents(pieces)
    # another run is noticed, and what is there stays
    with h5py.File(pieces, "r+") as f:
        f.attrs["outcome"] = "running"
        f["state/position"][3, 2, 1] += 1e-13
    before = contents(pieces)
    code, out, err = withy("run", scenario, "-o", pieces, "--resume", "-q")
    assert code == 2 and "'position' of frame 3 is" in err, (code, err)
    assert contents(pieces) == before


def a_killed_release_goes_on(folder):
    """D7: the same of a release."""
    scenario, branches = write(folder + "/s.yaml", COLUMN), folder + "/b.h5"
    assert withy("run", scenario, "-o", branches, "-q")[0] == 0
    args = [WITHY, "release", branches, "--point", "UZ1", "-q", "--tolerance", "1e-2", "--elements", "16"]
    done = subprocess.run([*args, "-o", folder + "/whole.h5"], capture_output=True, text=True)
    assert done.returncode == 0, done
    run = subprocess.Popen([*args, "-o", folder + "/pieces.h5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not os.path.exists(folder + "/pieces.h5") and run.poll() is None:
        time.sleep(0.002)
    run.kill()
    run.communicate()
    again = subprocess.run([*args, "-o", folder + "/pieces.h5", "--resume"], capture_output=True, text=True)
    assert again.returncode == 0 or "is done" in again.stderr, again
    assert contents(folder + "/whole.h5") == contents(folder + "/pieces.h5")
    if again.returncode == 0:
        assert again.stdout == done.stdout


def a_checkpoint_of_another_frame(folder):
    """D2: the checkpoint belongs to a frame, and is checked against the axis."""
    run = start(folder)
    flushes(run, 3)
    run.kill()
    run.communicate()
    with h5py.File(folder + "/run.h5", "r+") as f:
        frames = decoded(f["checkpoint"].attrs["frames"])
        assert frames == len(f["time"])
        f["checkpoint"].attrs.modify("frames", frames - 1)
    code, out, err = withy("run", folder + "/s.yaml", "-o", folder + "/run.h5", "--resume")
    assert code == 3 and f"belongs to frame {frames - 1}" in err, (code, err)


def small(folder, *more):
    path = folder + "/run.h5"
    code, out, err = withy("run", BODY, "-o", path, "-q", *more)
    assert code == 0, err
    return path


def flipped_bits(folder):
    """D19: a flipped bit was not noticed. Every number of every channel is under a checksum."""
    path = small(folder)
    good = open(path, "rb").read()
    with h5py.File(path, "r") as f:
        names = decoded(f.attrs["channels"]).split("\n")
        values = {name: f[name][:] for name in names}
        sums = {name: f[name].fletcher32 for name in names + ["checkpoint"]}
        chunks = {name: [f[name].id.get_chunk_info(i) for i in range(f[name].id.get_num_chunks())] for name in names}
    assert all(sums.values()), sums
    random.seed(1)
    for name in names:
        for _ in range(3):
            chunk = random.choice(chunks[name])
            rows = min(len(values[name]) - chunk.chunk_offset[0], 3)
            at = chunk.byte_offset + random.randrange(8 * rows)
            data = bytearray(good)
            data[at] ^= 1 << random.randrange(8)
            with open(path, "wb") as f:
                f.write(data)
            code, out, err = withy("export", path, "--format", "csv", "--channel", name, "-o", folder + "/x.csv")
            assert code == 3 and f"'{name}'" in err and "checksum does not agree" in err, (name, code, err)
    # anywhere in the file: noticed, or the numbers are right
    csv = None
    for _ in range(40 if not SANITIZE else 10):
        data = bytearray(good)
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        with open(path, "wb") as f:
            f.write(data)
        done = subprocess.run([WITHY, "export", path, "--format", "csv"], capture_output=True, text=True)
        if done.returncode == 0:
            csv = csv or done.stdout
            assert done.stdout.split("\n", 1)[1] == csv.split("\n", 1)[1]
        else:
            assert done.returncode == 3 and done.stderr, done


def sizes(folder):
    path = folder + "/one.h5"
    code, out, err = withy("run", SOURCE + "/examples/soft-rod.yaml", "-o", path, "--set", "elements=20", "--set",
                           "duration=0.01", "--set", "every=5")
    assert code == 0, err
    with h5py.File(path, "r") as f:
        assert len(f["time"]) <= 2
    assert os.path.getsize(path) < 110e3, os.path.getsize(path)
    code, out, err = withy("run", SOURCE + "/examples/soft-rod.yaml", "-o", path, "--set", "duration=10")
    stored, numbers = map(float, re.search(r"([0-9.]+) MB for 1000 frames \(([0-9.]+) MB of numbers\)", out).groups())
    assert code == 0 and numbers < stored < 1.15 * numbers, out
    assert abs(os.path.getsize(path) / 1001 * 1e-3 / stored - 1) < 0.01
    assert f"{stored:.3g} MB for 1000 frames" in withy("info", path)[1]


main(held_open, opened_again_and_again, a_removed_archive_is_read_to_its_end, a_second_writer_is_refused_by_name,
     resumes_that_race, claims_of_the_dead, a_killed_continuation_goes_on, a_killed_release_goes_on,
     a_checkpoint_of_another_frame, flipped_bits, sizes)
