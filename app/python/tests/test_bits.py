"""The same scenario by command and by Python gives the same archive; so do frames in memory."""
import os
import subprocess

import h5py
import numpy as np
import pytest

import withy
from conftest import SOURCE, command, example

BY_C = os.path.join(os.environ.get("WITHY_BUILD") or os.path.join(SOURCE, "build/release"), "tests/step_by_c")
SHORT = {"soft-rod.yaml": {}, "rigid-body.yaml": {}, "shaft.yaml": {"duration": "0.5"},
         "twist-shortening.yaml": {"sweep.frames": "3"}, "flying-rod.yaml": {"duration": "0.1"}}


def datasets(path):
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, item: found.update({name: item[...]}) if isinstance(item, h5py.Dataset) else None)
        attributes = {k: v for k, v in f.attrs.items()}
    return found, attributes


def same(one, other):
    """Every byte of every dataset, and the attributes but for times and hosts."""
    a, about_a = datasets(one)
    b, about_b = datasets(other)
    assert a.keys() == b.keys()
    for key in a:
        assert a[key].dtype == b[key].dtype and a[key].tobytes() == b[key].tobytes(), key
    for key in about_a:
        if "time" not in key and "elapsed" not in key and "host" not in key:
            assert np.array_equal(about_a[key], about_b[key]), key


@pytest.mark.parametrize("name", SHORT)
def test_command_and_python_write_the_same_archive(name, tmp_path):
    changes = [word for key, value in SHORT[name].items() for word in ("--set", f"{key}={value}")]
    command("run", example(name), "-q", "-o", tmp_path / "command.h5", *changes)
    run = withy.load(example(name), set=SHORT[name]).run(archive=tmp_path / "python.h5")
    same(tmp_path / "command.h5", tmp_path / "python.h5")
    memory = withy.load(example(name), set=SHORT[name]).run()
    for channel in memory.channels:
        assert np.array_equal(memory[channel], run[channel]), channel
    memory.save(tmp_path / "memory.h5")
    saved = withy.open(tmp_path / "memory.h5")
    assert all(np.array_equal(saved[c], run[c]) for c in run.channels)


@pytest.mark.skipif(not os.path.exists(BY_C), reason="the program in C is built with the tests")
def test_a_program_in_c_writes_the_same_archive(tmp_path):
    path = tmp_path / "rod.yaml"  # who steps by hand has no coarse runs
    with open(example("soft-rod.yaml")) as f:
        path.write_text(f.read() + "\nestimate: false\n")
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run([BY_C, path, tmp_path / "c.h5"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    with withy.load(path).motion(archive=tmp_path / "motion.h5") as motion:
        motion.step(100)
    command("run", path, "-q", "-o", tmp_path / "command.h5")
    same(tmp_path / "c.h5", tmp_path / "command.h5")
    same(tmp_path / "c.h5", tmp_path / "motion.h5")


def test_resume(tmp_path):
    rod = withy.load(example("soft-rod.yaml"))
    whole = rod.run(archive=tmp_path / "whole.h5")

    class Enough(Exception):
        pass

    def stop(fraction):
        if fraction > 0.3:
            raise Enough
    long = withy.load(example("soft-rod.yaml"), set={"duration": 6})
    with pytest.raises(Enough):
        long.run(archive=tmp_path / "cut.h5", flush=0.02, progress=stop)
    frames = len(withy.open(tmp_path / "cut.h5"))
    assert 2 < frames < 601
    done = long.run(archive=tmp_path / "cut.h5", resume=True)
    assert len(done) == 601 and np.array_equal(done.position[:101], whole.position)
    assert not os.path.exists(tmp_path / "cut.h5.claim")
