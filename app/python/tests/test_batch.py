"""Many states of one rod: the bits of each alone, on any number of threads; one that fails harms no other."""
import gc
import os
import signal
import threading
import time

import numpy as np
import pytest

import withy
from conftest import SANITIZED

PUSHES = np.array([(0.0, 1.1e-3 * k, -0.4e-3 * k * k) for k in range(5)])


def alone(rod, force, steps):
    m = rod.motion(step=1e-3)
    m.push(force)
    m.step(steps)
    return m


@pytest.mark.parametrize("threads", (1, 2, 3, 64))
def test_a_batch_is_each_state_alone(rod, threads):
    with rod.batch(5, step=1e-3, threads=threads) as b:
        x, w, e = b.position, b.wrench, b.energy
        assert x.shape == (5, 9, 3) and w.shape == (5, 8, 6) and not x.flags.writeable and len(b) == 5
        b.push(PUSHES)
        b.step(70)
        b.step()
        assert b.position is x and np.allclose(b.time, 0.071)
        for k, force in enumerate(PUSHES):
            m = alone(rod, force, 71)
            assert (np.array_equal(x[k], m.position) and np.array_equal(w[k], m.wrench)
                    and e.kinetic[k] == m.energy.kinetic)
        saved = b.state
        b.step(3)
        there = x.copy()
        b.state = saved
        assert not np.array_equal(there, x)
        b.step(3)
        assert np.array_equal(there, x)
    assert np.array_equal(there, x) and b.closed  # they stay when the batch is gone
    with pytest.raises(RuntimeError, match="closed"):
        b.step()


def test_from_a_motion_and_one_push_for_all(rod):
    m = alone(rod, (0, 1e-3, 0), 20)
    b = rod.batch(3, step=1e-3)
    b.start_from(m)
    assert np.allclose(b.time, 0.02)
    b.push((0, 0, 1e-3), moment=(0, 0, 1e-7))
    m.push((0, 0, 1e-3), moment=(0, 0, 1e-7))
    b.step(9), m.step(9)
    assert all(np.array_equal(b.position[k], m.position) for k in range(3))
    with pytest.raises(ValueError, match="expected"):
        rod.replace(elements=7).batch(2, step=1e-3).start_from(m)


def test_ends_that_are_carried(rod):
    driven = rod.replace(first_end=withy.driven())
    b = driven.batch(3, step=1e-3, threads=2)
    turned = (np.cos(0.1), 0.0, 0.0, np.sin(0.1))
    for k in range(1, 6):
        b.carry([(1e-4 * k * i, 0, 0) for i in range(3)])
        b.step()
    b.carry((0, 0, 0), turned)
    b.step()
    forces = b.end_forces
    for i in range(3):
        m = driven.motion(step=1e-3)
        for k in range(1, 6):
            m.carry((1e-4 * k * i, 0, 0))
            m.step()
        m.carry((0, 0, 0), turned)
        m.step()
        assert np.array_equal(b.position[i], m.position) and np.array_equal(forces[i], m.end_forces)
    for bad in (((0, 0),), (np.zeros((2, 3)),), ((0, 0, np.nan),), ((0, 0, 0), (0, 0, 0, 0))):
        with pytest.raises(ValueError):
            b.carry(*bad)
    with pytest.raises(withy.Error, match="only a driven end"):
        b.carry((0, 0, 0), end=1)


def test_reset_of_some_and_of_all(rod):
    b = rod.batch(4, step=1e-3, threads=2)
    start = b.state
    b.push([(0, 1e-3 * k, 0) for k in range(4)])
    b.step(3)
    x, there = b.position, b.state
    b.reset([1, 3])
    assert np.array_equal(b.state[[1, 3]], start[[1, 3]]) and np.array_equal(b.state[[0, 2]], there[[0, 2]])
    assert list(b.time) == [b.time[0], 0.0, b.time[0], 0.0] and np.array_equal(x[1], x[3])
    b.reset(np.array([True, False, False, False]))
    assert np.array_equal(b.state[0], start[0]) and np.array_equal(b.state[2], there[2])
    b.reset()
    assert np.array_equal(b.state, start)
    with pytest.raises(IndexError):
        b.reset(4)
    with pytest.raises(ValueError):
        b._reset(np.zeros(3, dtype=bool))


def test_one_that_fails_harms_no_other(rod):
    b = rod.batch(3, step=1e-3, threads=2)
    states = b.state
    states[1, -1] = np.nan
    b.state = states
    with pytest.raises(withy.Error, match="state 1 of 3"):
        b.step(4)
    assert list(b.failed) == [1]
    x = alone(rod, (0, 0, 0), 4).position
    assert np.array_equal(b.position[0], x) and np.array_equal(b.position[2], x)


def test_what_cannot_be(rod):
    for count, threads in ((0, 1), (-3, 1), (2, 0), (10**12, 1)):
        with pytest.raises((ValueError, withy.Error)):
            rod.batch(count, step=1e-3, threads=threads)
    b = rod.batch(2, step=1e-3)
    for bad in (((1, 2),), (np.zeros((3, 3)),), ("abc",), ((1, 2, np.nan),)):
        with pytest.raises((ValueError, TypeError)):
            b.push(*bad)
    with pytest.raises(withy.BadInput, match="clamped"):
        b.push((0, 0, 1), end=0)
    with pytest.raises(ValueError):
        b.step(-1)
    with pytest.raises(ValueError):
        b.state = b.state[:, :-1]
    with pytest.raises(AttributeError, match="position"):
        b.positions
    with pytest.raises(withy.Unsupported, match="only a rod"):
        withy.Batch(withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.5).scenario(), 2)


def test_a_second_thread_is_refused(rod):
    b, seen = rod.batch(2, step=1e-4, threads=1), []
    t = threading.Thread(target=lambda: b.step(2000))
    t.start()
    while t.is_alive() and not seen:
        try:
            b.push((0, 0, 0))
        except RuntimeError as e:
            seen.append(str(e))
    t.join()
    assert seen and "another thread" in seen[0]
    b.step()


@pytest.mark.parametrize("threads", (1, 2))
def test_ctrl_c_ends_it(rod, threads):
    b = rod.batch(4, step=1e-5, threads=threads)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        b.step(10_000_000)
    assert time.monotonic() - began < 30
    b.step()


def test_a_law_of_python_in_a_batch(rod):
    def fails(point):
        if point.t > 0.003:
            raise LookupError("no such wind")
        return (0, 1e-3, 0)
    mine = rod.replace(loads=[withy.own_load(fails, varies=("time",))])
    b = mine.batch(3, step=1e-3, threads=2)
    b.step(2)
    m = mine.motion(step=1e-3)
    m.step(2)
    assert all(np.array_equal(b.position[k], m.position) for k in range(3))
    with pytest.raises(LookupError, match="no such wind"):
        b.step(9)


@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps freed memory")
def test_no_leak(rod):
    def resident():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def use(count):
        for _ in range(count):
            b = rod.batch(4, step=1e-3, threads=1)
            b.position, b.energy, b.state
            b.step()
    use(50)
    gc.collect()
    before = resident()
    use(500)
    gc.collect()
    assert resident() - before < 4e6
