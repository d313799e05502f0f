"""Stepping, pushing, looking without a copy, going back, recording."""
import gc
import os
import threading
import time

import numpy as np
import pytest

import withy
from conftest import SANITIZED, SECTION, example


def test_views_follow_without_a_copy(rod):
    m = rod.motion(step=1e-3)
    x, v, strain, wrench, energy = m.position, m.velocity, m.strain, m.wrench, m.energy
    assert x.shape == (9, 3) and v.shape == (9, 6) and strain.shape == wrench.shape == (8, 6)
    assert not x.flags.owndata and not x.flags.writeable
    before = x.copy()
    m.step(5)
    assert m.position is x and not np.array_equal(before, x)
    assert np.array_equal(x[-1], m.tip) and m.steps == 5 and m.time == pytest.approx(5e-3, abs=1e-15)
    assert energy.kinetic == m.kinetic > 0 and energy.balance == m.balance
    frames = m.run(steps=3)
    assert (np.array_equal(frames.position[-1], x) and np.array_equal(frames.velocity[-1], v)
            and np.array_equal(frames.wrench[-1], wrench))
    kept = x.copy()
    m.close()
    gc.collect()
    assert np.array_equal(kept, x)  # they stay when the motion is gone
    with pytest.raises(RuntimeError, match="closed"):
        m.step()


def test_the_step_is_what_was_asked_for(rod):
    for step in (1e-3, 3e-3, 0.7e-4):
        assert rod.motion(step=step).dt == step


def test_a_checkpoint_goes_back_to_the_bit(rod):
    m = rod.motion(step=2e-3, push_at=[0.1])
    m.push((0, 0.01, 0))
    m.push((0, 0.0, 0.002), at=0.1)
    m.step(7)
    saved = m.state
    m.step(9)
    there, t = m.state, m.time
    m.push((0.3, 0, 0), at=0.1)
    m.step(1)
    m.state = saved
    m.step(9)
    assert np.array_equal(there, m.state) and m.time == t
    other = rod.motion(step=2e-3, push_at=[0.1])
    other.state = saved
    other.step(9)
    assert np.array_equal(there, other.state)
    with pytest.raises(withy.BadInput, match="state of something else"):
        m.state = saved[:-1]


def test_a_push_does_its_work(rod):
    """Power in = what the energies gain: a constant push through the displacement of its node."""
    free = rod.replace(loads=None)
    for where in ({"end": 1}, {"node": 3}, {"at": 0.27 * 3 / 8}, {"node": -1}):
        m = free.motion(step=1e-3, push_at=True)
        force = np.array([0.004, -0.003, 0.0])
        m.push(force, **where)
        node = where.get("node", -1 if "end" in where else 3)
        start = m.position[node].copy()
        m.step(40)
        assert m.energy.work == pytest.approx(force @ (m.position[node] - start), rel=2e-3)
        assert abs(m.energy.balance) < 1e-10 * m.energy.largest


def test_an_end_that_is_carried_by_the_caller(rod):
    m = rod.motion(step=1e-3, first_end=withy.driven())
    forces = m.end_forces
    assert forces.shape == (2, 6) and not forces.flags.writeable
    velocity, rate = np.array([0.03, -0.02, 0.01]), 4.0  # m/s, rad/s about e3

    def there(k):
        return 1e-3 * k * velocity, np.array([np.cos(5e-4 * k * rate), 0, 0, np.sin(5e-4 * k * rate)])
    for k in range(1, 41):
        m.carry(*there(k))
        m.step()
        assert np.allclose(m.position[0], there(k)[0], rtol=0, atol=1e-17)
        assert np.allclose(m.orientation[0], there(k)[1], rtol=0, atol=1e-13)
        assert np.array_equal(forces[0], np.hstack([m.first_end_force, m.first_end_moment]))
        assert not forces[1].any()  # the free end
        if k == 1:  # the jerk at the start is over
            work = m.energy.work
        else:
            work += 1e-3 * (forces[0, :3] @ velocity + forces[0, 5] * rate)
    assert m.energy.work == pytest.approx(work, rel=1e-9) and abs(m.balance) < 1e-12
    m.step(3)  # without a word it goes on with the same velocity
    assert np.allclose(m.position[0], there(43)[0], rtol=0, atol=1e-16)
    m.carry((0, 0, 0))  # the orientation stays
    m.step()
    assert np.allclose(m.orientation[0], there(43)[1], atol=1e-13)


def test_a_carried_end_is_a_moved_end_of_the_scenario(rod):
    rod = rod.replace(damping=withy.proportional(time=0.01))  # corners of the path do not ring
    sine = {"name": "sine", "frequency": 7}
    said = rod.motion(step=5e-4, first_end=withy.moved(displacement=(0.002, 0, 0), turn=(0, 0.1, 0), translation=sine,
                                                       rotation=sine))
    driven = rod.motion(step=5e-4, first_end=withy.driven())
    for k in range(100):
        said.step()
        driven.carry(said.position[0], said.orientation[0])
        driven.step()
    assert np.allclose(driven.position, said.position, atol=1e-6) and abs(said.position[0, 0]) > 5e-4
    assert np.allclose(driven.end_forces[0, 3:], said.end_forces[0, 3:], rtol=0, atol=1e-6)


def test_an_end_that_cannot_be_carried(rod):
    m = rod.motion(step=1e-3, first_end=withy.driven())
    for position, orientation in (((1, 2), None), ((0, 0, np.nan), None), ((0, 0, 0), (0, 0, 0, 0)), ("abc", None)):
        with pytest.raises((ValueError, TypeError)):
            m.carry(position, orientation)
    with pytest.raises(withy.Error, match="only a driven end"):
        m.carry((0, 0, 0), end=1)
    with pytest.raises(withy.Error):
        m.carry((0, 0, 0), (1, 0, 0, 0), end=2)
    body = withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.5).motion()
    with pytest.raises(withy.Unsupported, match="only a rod"):
        body.carry((0, 0, 0), (1, 0, 0, 0))


def test_reset_goes_back_to_the_start(rod):
    m = rod.motion(step=1e-3, push_at=[0.1])
    start = m.state
    m.push((0, 0.02, 0), at=0.1)
    m.step(5)
    first = m.state
    m.reset()
    assert np.array_equal(m.state, start) and m.time == 0.0 and m.steps == 0
    m.push((0, 0.02, 0), at=0.1)
    m.step(5)
    assert np.array_equal(m.state, first)


def test_a_push_that_cannot_be(rod):
    m = rod.motion(step=1e-3)
    with pytest.raises(withy.BadInput, match="push_at"):
        m.push((0, 0, 1), node=3)
    with pytest.raises(withy.BadInput, match="clamped"):
        m.push((0, 0, 1), end=0)
    with pytest.raises(IndexError):
        m.push((0, 0, 1), node=9)
    with pytest.raises(withy.BadInput):
        m.push((0, 0, float("nan")))
    with pytest.raises(withy.BadInput, match="0.3 m"):
        rod.motion(step=1e-3, push_at=[0.3])
    for bad in ((1, 2), "abc", 3, (1, 2, "x"), None):
        with pytest.raises((TypeError, ValueError)):
            m.push(bad)
    with pytest.raises(TypeError):
        m.push((0, 0, 0), sideways=1)
    with pytest.raises(TypeError):
        m.push((0, 0, 0), end=1, node=2)


def test_the_archive_of_a_motion_is_that_of_a_run(tmp_path):
    rod = withy.load(example("soft-rod.yaml"), set={"estimate": False})  # who steps by hand has no coarse runs
    whole = rod.run(archive=tmp_path / "whole.h5")
    with rod.motion(archive=tmp_path / "steps.h5") as m:
        m.step(40)
        m.run(0.3)
        for _ in range(30):
            m.step()
    steps = withy.open(tmp_path / "steps.h5")
    assert len(steps) == len(whole) == 101
    for name in whole.channels:
        assert np.array_equal(whole[name], steps[name]), name


def test_threads_run_side_by_side(rod):
    results = [None] * 4

    def work(k):
        m = rod.motion(step=1e-3)
        m.push((0, 0.001 * (k % 2), 0))
        m.step(200)
        results[k] = m.state
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert np.array_equal(results[0], results[2]) and np.array_equal(results[1], results[3])
    assert not np.array_equal(results[0], results[1])


def test_other_threads_go_on_while_it_steps(rod):
    m, counted, stop = rod.motion(step=1e-4), [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
    t = threading.Thread(target=count)
    t.start()
    m.step(500)
    stop.set()
    t.join()
    assert counted[0] > 1000


def test_a_second_thread_is_refused(rod):
    m, seen = rod.motion(step=1e-4), []
    t = threading.Thread(target=lambda: m.step(3000))
    t.start()
    while t.is_alive() and not seen:
        try:
            m.push((0, 0, 0))
        except RuntimeError as e:
            seen.append(str(e))
    t.join()
    assert seen and "another thread" in seen[0]
    m.step()  # and it lives on


def test_progress_and_an_exception_in_it(rod):
    seen = []
    rod.motion(step=1e-4).run(steps=300, progress=seen.append)
    assert seen and seen[-1] == 1.0

    def fail(fraction):
        raise ZeroDivisionError("mine")
    with pytest.raises(ZeroDivisionError, match="mine"):
        rod.motion(step=1e-4).run(steps=300, progress=fail)


def test_ctrl_c_ends_it(rod):
    import signal
    m = rod.motion(step=1e-5)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        m.step(10_000_000)
    assert time.monotonic() - began < 30 and m.steps > 0
    m.step()


def test_a_failed_step_leaves_the_state(rod):
    m = rod.motion(step=1e-3, method={"name": "gauss-director", "exact_only": True})
    m.step(3)
    before = m.state
    m.push((1e30, 0, 0))
    with pytest.raises(withy.Error):
        m.step()
    m.push((0, 0, 0))
    assert np.array_equal(before[:-1], m.state[:-1]) or m.time == pytest.approx(3e-3)
    m.step()


def test_shaft_and_body():
    shaft = withy.load(example("shaft.yaml")).motion()
    body = withy.load(example("rigid-body.yaml")).motion()
    for m in (shaft, body):
        m.step(10)
        for name in m.channels:
            assert np.all(np.isfinite(getattr(m, name)))
        with pytest.raises(NotImplementedError):
            m.push((0, 0, 1))
        with pytest.raises(AttributeError, match="no channel"):
            m.nothing
    run = withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.05).run()
    assert np.allclose(np.linalg.norm(run.momentum, axis=1), np.linalg.norm((0.4, 0.3, 0.9)), rtol=1e-12)


def test_a_thousand_control_steps(rod):
    """The control loop of the tutorial: a damper in Python brings the rod to rest."""
    m = rod.motion(step=1e-3, elements=20)
    x, v = m.position, m.velocity
    m.step(50)
    moving = m.energy.kinetic
    last = x[-1].copy()
    for _ in range(1000):
        m.push(force=tuple(-0.05 * (x[-1] - last) / m.dt))
        last = x[-1].copy()
        m.step()
    assert m.energy.kinetic < 0.2 * moving and v.shape == (21, 6)


@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps freed memory")
def test_no_leak_over_ten_thousand_objects():
    def resident():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    body = dict(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1.0, step=0.5)
    rod = withy.Rod(length=0.27, elements=2, section=withy.circle(**SECTION))

    def use(count):
        for _ in range(count):
            b = withy.load({"kind": "rigid-body", **body}).motion()
            b.step()
            b.momentum, b.state
            m = rod.motion(step=1e-2, push_at=[0.1])
            m.position, m.energy, m.tip, m.state
            m.push((0, 1e-3, 0), at=0.1)
            try:
                m.push("no")
            except TypeError:
                pass
    use(500)
    gc.collect()
    before = resident()
    use(5000)
    gc.collect()
    assert resident() - before < 6e6, (resident() - before) / 5000
