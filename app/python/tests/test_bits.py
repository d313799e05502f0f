"""The same scenario by command and by Python gives the same archive; so do frames in memory."""
import os

import h5py
import numpy as np
import pytest

import withy
from conftest import command, example

SHORT = {"soft-rod.yaml": {}, "rigid-body.yaml": {}, "shaft.yaml": {}, "twist-shortening.yaml": {}, "flying-rod.yaml": {}}


def datasets(path):
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, item: found.update({name: item[...]}) if isinstance(item, h5py.Dataset) else None)
        attributes = {k: v for k, v in f.attrs.items()}
    return found, attributes


@pytest.mark.parametrize("name", SHORT)
def test_command_and_python_write_the_same_archive(name, tmp_path):
    command("run", example(name), "-q", "-o", tmp_path / "command.h5")
    run = withy.load(example(name)).run(archive=tmp_path / "python.h5")
    a, about_a = datasets(tmp_path / "command.h5")
    b, about_b = datasets(tmp_path / "python.h5")
    assert a.keys() == b.keys()
    for key in a:
        assert a[key].dtype == b[key].dtype and a[key].tobytes() == b[key].tobytes(), key
    for key in about_a:
        if "time" not in key and "elapsed" not in key and "host" not in key:
            assert np.array_equal(about_a[key], about_b[key]), key
    memory = withy.load(example(name)).run()
    for channel in memory.channels:
        assert np.array_equal(memory[channel], run[channel]), channel
    memory.save(tmp_path / "memory.h5")
    saved = withy.open(tmp_path / "memory.h5")
    assert all(np.array_equal(saved[c], run[c]) for c in run.channels)


def test_resume(tmp_path):
    rod = withy.load(example("soft-rod.yaml"))
    whole = rod.run(archive=tmp_path / "whole.h5")

    class Enough(Exception):
        pass

    def stop(fraction):
        if fraction > 0.3:
            raise Enough
    long = withy.load(example("soft-rod.yaml"), set={"duration": 30})
    with pytest.raises(Enough):
        long.run(archive=tmp_path / "cut.h5", flush=0.0, progress=stop)
    frames = len(withy.open(tmp_path / "cut.h5"))
    assert 2 < frames < 3001
    done = long.run(archive=tmp_path / "cut.h5", resume=True)
    assert len(done) == 3001 and np.array_equal(done.position[:101], whole.position)
    assert not os.path.exists(tmp_path / "cut.h5.claim")
