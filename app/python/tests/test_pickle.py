"""What goes through a pickle, and what is equal."""
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import withy
from conftest import command, example


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def follow(point):
    return 0.1 * point.s, 0.0, 0.0


def tip_after(motion):
    motion.step(5)
    return motion.state


def test_rods_shafts_and_bodies(rod):
    body = withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.5)
    loaded = withy.load(example("soft-rod.yaml"), set={"section.radius": 0.004})
    own = rod.replace(loads=[withy.own_load(follow, varies=("along",))])
    for thing in (rod, body, loaded, own, rod.replace(length=np.float64(0.3))):
        assert again(thing) == thing and hash(again(thing)) == hash(thing)
        assert again(thing).scenario().settings() == thing.scenario().settings()
    assert rod != rod.replace(elements=9) and rod != body and rod != 3 and own != rod
    assert own != rod.replace(loads=[withy.own_load(lambda p: (0, 0, 0), varies=("along",))])


def test_runs(rod, tmp_path):
    run = rod.motion(step=1e-3).run(steps=6)
    copy = again(run)
    assert copy == run and copy.verdict == run.verdict and list(copy.channels) == list(run.channels)
    assert all(copy[name].tobytes() == run[name].tobytes() for name in run.channels)
    assert copy != rod.motion(step=1e-3).run(steps=5) and run != 3
    for path, saved in ((tmp_path / "a.h5", run), (tmp_path / "b.h5", copy)):
        saved.save(path)
    assert command("export", tmp_path / "a.h5", "--format", "csv", "-o", "-") == command("export", tmp_path / "b.h5",
                                                                                        "--format", "csv", "-o", "-")
    opened = withy.open(tmp_path / "a.h5")
    kept = again(opened)
    (tmp_path / "a.h5").unlink()
    assert kept == opened == run and kept.path is None and "<html" in kept.html(plain=True)


def test_equilibria_and_branches(rod, strut):
    rest = rod.solve()
    assert again(rest) == rest and np.array_equal(again(rest).position, rest.position)
    assert again(rest).vibrations(2) == rest.vibrations(2) == again(rest.vibrations(2))
    found = strut.continue_in("last_end.shortening", to=0.01, follow={"branches": 1})
    copy = again(found)
    assert copy == found and [p.label for p in copy.points] == [p.label for p in found.points]
    assert again(found.points[0]) == found.points[0] != found.points[-1]


def test_a_motion_goes_on_in_another_process(rod):
    motion = rod.motion(step=1e-3, push_at=[0.1])
    motion.push((0, 0.02, 0), at=0.1)
    motion.step(3)
    copy = again(motion)
    assert copy == motion and copy.steps == 3
    with ProcessPoolExecutor(1) as pool:
        there = pool.submit(tip_after, motion).result()
    assert np.array_equal(there, tip_after(copy)) and np.array_equal(there, tip_after(motion))
    assert copy == motion != rod.motion(step=1e-3, push_at=[0.1])


def test_a_batch(rod):
    batch = rod.batch(3, step=1e-3, threads=2)
    batch.push([(0, 1e-3 * k, 0) for k in range(3)])
    batch.step(4)
    copy = again(batch)
    assert copy == batch and len(copy) == 3
    copy.step(2)
    assert copy != batch
    batch.step(2)
    assert copy == batch != rod.batch(3, step=1e-3)


def test_what_cannot(rod, tmp_path):
    with pytest.raises(TypeError, match="two writers"):
        pickle.dumps(rod.motion(step=1e-3, archive=tmp_path / "run.h5"))
    with pytest.raises(TypeError, match="that a rod made"):
        pickle.dumps(withy.Batch(rod.replace(step=1e-3, duration=1).scenario(), 2))
    for channels, arrays in (([], []), ([{"name": "x"}], [np.zeros(3)]), ([3], [np.zeros(3)])):
        with pytest.raises(ValueError):
            withy._core.Frames(channels, arrays)
    whole = rod.solve()._run
    described = [c._asdict() for c in whole.channels.values()]
    with pytest.raises(withy.BadInput, match="expected"):
        withy._core.Frames(described, [np.zeros(1)] * len(described))
