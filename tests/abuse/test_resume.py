"""A run that was killed, and killed again, and resumed each time, ends with the numbers of the run that was left alone,
to the last bit."""
import os
import random
import re
import signal
import subprocess
import time

import h5py

from check import SANITIZE, WITHY, decoded, main, withy

SLOW = 4 if SANITIZE else 1  # less work where everything takes longer
SCENARIOS = {
    "rigid-body": f"""
kind: rigid-body
inertia: [2, 1, 2/3]
momentum: [0.3, -0.7, 1.1]
method: {{name: GL6, tolerance: 1e-12}}
duration: {6000 // SLOW}
step: 0.1
every: 7
""",
    "shaft": f"""
kind: shaft
n_elements: 400
compliance: 1e-3
end1: {{stiffness: 1000, damping: 10, speed: {{name: ramp, until: 2, high: 4}}}}
end2: {{torque: {{name: sine, amplitude: 3, frequency: 4, offset: -5}}}}
duration: {40 // SLOW}
step: 0.0007
every: 50
""",
    "dynamic, seen between steps": f"""
kind: dynamic
length: 0.4
elements: 8
section: {{name: circle, radius: 0.005, E: 1e6, nu: 0.3, density: 1100}}
loads: [{{name: gravity, acceleration: [0, 0, -9.81]}}]
method: gauss-director
duration: {3 / SLOW}
step: 0.0023
output_step: 0.001
""",
    "dynamic, flying": f"""
kind: dynamic
length: 0.4
elements: 8
section: {{name: circle, radius: 0.005, E: 1e6, nu: 0.3, density: 1100}}
first_end: free
start: {{spin: [3, 11, 2], velocity: [0.1, 0.2, 0.3]}}
duration: {6 / SLOW}
step: 0.003
""",
    "dynamic": f"""
kind: dynamic
length: 0.4
elements: 30
section: {{name: circle, radius: 0.005, E: 1e6, nu: 0.3, density: 1100}}
first_end: {{name: moved, displacement: [0.02, 0.01, 0], translation: {{name: sine, frequency: 3}}}}
loads: [{{name: gravity, acceleration: [0, 0, -9.81]}}]
duration: {3 / SLOW}
step: 0.001
every: 3
""",
}


def contents(path):
    """Every dataset but the checkpoint, as bytes."""
    found = {}
    with h5py.File(path) as f:
        assert decoded(f.attrs["outcome"]) == "done", decoded(f.attrs["outcome"])
        f.visititems(lambda name, item: found.update({name: item[()].tobytes()}) if isinstance(item, h5py.Dataset)
                     else None)
    return found


def same_to_the_last_bit(kind):
    def test(folder):
        scenario, whole, pieces = folder + "/s.yaml", folder + "/whole.h5", folder + "/pieces.h5"
        with open(scenario, "w") as f:
            f.write(SCENARIOS[kind])
        start = time.time()
        code, out, err = withy("run", scenario, "-o", whole, "-q")
        assert code == 0, err
        took = time.time() - start
        random.seed(len(kind))
        kills = 0
        for _ in range(60):
            run = subprocess.Popen([WITHY, "run", scenario, "-o", pieces, "--resume", "--flush", "0.01", "-q"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                out, err = run.communicate(timeout=random.uniform(0.2, 0.5) * took * (1 + kills / 10))
                assert run.returncode == 0, (run.returncode, err)
                break
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                run.communicate()
                kills += 1
        assert kills > 0, "never killed: the run is too short"
        a, b = contents(whole), contents(pieces)
        # a short run that is done does not carry a large checkpoint, nor the dimension scale of its length
        skip = {name for name in set(a) ^ set(b) if name == "checkpoint" or re.fullmatch(r"n\d+", name)}
        assert set(a) - skip == set(b) - skip
        differ = [name for name in set(a) - skip if a[name] != b[name]]
        assert not differ, differ
        print(f"     {kind}: {kills} kills, {len(a)} datasets equal")
        # what is done stays done
        code, out, err = withy("run", scenario, "-o", pieces, "--resume")
        assert code == 0 and "this run is done" in out, (code, out, err)
        assert contents(pieces) == b
    test.__name__ = kind.replace("-", "_")
    return test


def refusals(folder):
    scenario, archive = folder + "/s.yaml", folder + "/r.h5"
    with open(scenario, "w") as f:
        f.write(SCENARIOS["rigid-body"])
    # nothing there yet: a new run
    assert withy("run", scenario, "-o", archive, "--resume", "--set", "duration=1", "-q")[0] == 0
    code, out, err = withy("run", scenario, "-o", archive, "--resume", "--set", "duration=2")
    assert code == 2 and "other overrides" in err, (code, err)
    with open(scenario, "a") as f:
        f.write("# another\n")
    code, out, err = withy("run", scenario, "-o", archive, "--resume", "--set", "duration=1")
    assert code == 2 and "another scenario" in err, (code, err)
    with h5py.File(archive, "a") as f:
        f.attrs["scenario"] = open(scenario).read()
        f.attrs["outcome"] = "running"
        version = decoded(f.attrs["withy_version"])
        f.attrs["withy_version"] = "0.0.1"
    code, out, err = withy("run", scenario, "-o", archive, "--resume", "--set", "duration=1")
    assert code == 2 and "made by withy 0.0.1" in err, (code, err)
    with h5py.File(archive, "a") as f:
        f.attrs["withy_version"] = version
        del f["checkpoint"]
    code, out, err = withy("run", scenario, "-o", archive, "--resume", "--set", "duration=1")
    assert code == 3 and "nothing to go on from" in err, (code, err)
    with h5py.File(archive, "a") as f:
        f["checkpoint"] = [1, 2, 3]
        f["checkpoint"].attrs["frames"] = len(f["time"])
    code, out, err = withy("run", scenario, "-o", archive, "--resume", "--set", "duration=1")
    assert code == 2 and "3 bytes" in err, (code, err)
    with open(archive, "w") as f:
        f.write("not HDF5")
    assert withy("run", scenario, "-o", archive, "--resume")[0] == 3


def damage_is_not_gone_on_with(folder):
    """One flipped bit anywhere in an archive to be resumed: the numbers of the run that was left alone, all of them
    readable, or a sentence, and the archive as it was."""
    scenario, whole, path = folder + "/s.yaml", folder + "/whole.h5", folder + "/run.h5"
    with open(scenario, "w") as f:
        f.write("kind: dynamic\nlength: 0.4\nelements: 3\nsection: {name: circle, radius: 0.01, E: 1e8, nu: 0.4, "
                "density: 1200}\nfirst_end: clamped\nloads: [{name: gravity, acceleration: [1, 0, 0]}]\n"
                "duration: 0.1\nstep: 0.001\n")
    assert withy("run", scenario, "-o", whole, "-q")[0] == 0
    truth = contents(whole)
    run = subprocess.Popen([WITHY, "run", scenario, "-o", path, "--flush", "0", "--report-flush", "-q"],
                           stdout=subprocess.PIPE, text=True)
    for _ in range(8):
        run.stdout.readline()
    run.send_signal(signal.SIGKILL)
    run.communicate()
    with open(path, "rb") as f:
        good = f.read()
    with h5py.File(path) as f:  # of a frame that no step needs
        number = f["state/velocity"].id.get_chunk_info(0).byte_offset
    random.seed(36)
    refused = 0
    count = 5000 if os.environ.get("WITHY_LONG") else 15 if SANITIZE else 60
    for bit in [8 * number, *(random.randrange(8 * len(good)) for _ in range(count))]:
        data = bytearray(good)
        data[bit // 8] ^= 1 << bit % 8
        with open(path, "wb") as f:
            f.write(data)
        code, out, err = withy("run", scenario, "-o", path, "--resume", "-q")
        if code == 0:
            found = contents(path)
            assert all(found.get(name) == values for name, values in truth.items()), bit
            continue
        assert code in (2, 3) and err.startswith("withy: "), (bit, code, err)
        assert bit != 8 * number or "'state/velocity'" in err, err
        refused += 1
        with open(path, "rb") as f:
            assert f.read() == data, (bit, "the archive was changed")
    assert refused > count / 4, refused


main(*[same_to_the_last_bit(kind) for kind in SCENARIOS], refusals, damage_is_not_gone_on_with)
