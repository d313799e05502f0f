"""Loads and ends written in Python do what the same laws in C do."""
import numpy as np
import pytest

import withy
from conftest import SECTION

G = np.array((-9.7, 0.3, 0.0))
A = np.pi * SECTION["radius"]**2 * SECTION["density"]


def weight(point):
    return tuple(A * G)


def test_weight_in_motion(rod):
    mine = rod.replace(loads=[withy.own_load(weight, varies=())])
    a, b = rod.motion(step=1e-3), mine.motion(step=1e-3)
    a.step(40), b.step(40)
    assert np.allclose(a.position, b.position, rtol=0, atol=1e-12)
    assert (abs(b.energy.balance) < 1e-10 * b.energy.largest
            and b.energy.work == pytest.approx(-(a.energy.gravity - rod.motion(step=1e-3).energy.gravity), rel=1e-9))


def test_weight_at_rest(rod):
    mine = rod.replace(loads=[withy.own_load(weight, varies=(), potential=lambda point: -A * float(G @ point.x))])
    a, b = rod.solve(), mine.solve()
    assert np.allclose(a.position, b.position, rtol=0, atol=1e-10) and b.stable is True
    assert np.allclose(rod.vibrations(3).frequency, mine.vibrations(3).frequency, rtol=1e-6)


def test_drag(rod):
    c = 0.02
    theirs = rod.replace(loads=[withy.gravity(tuple(G)), withy.drag(linear=c, angular=0.0)])
    mine = rod.replace(loads=[withy.gravity(tuple(G)), withy.own_load(lambda p: tuple(-c * v for v in p.v),
        varies=("velocity",))])
    a, b = theirs.motion(step=2e-3), mine.motion(step=2e-3)
    a.step(40), b.step(40)
    assert np.allclose(a.position, b.position, rtol=0, atol=1e-9)


def test_a_spring_at_the_end_and_a_couple(rod):
    """The end on a spring: at rest the spring holds what the rod pulls."""
    k, home = 3.0, np.array((0.0, 0.0, 0.3))

    def spring(point):
        return tuple(-k * (np.array(point.x) - home)), (0.0, 0.0, 1e-5)
    held = rod.replace(loads=None, last_end=withy.own_end(spring, varies=("place",)))
    eq = held.solve()
    pulled = np.array(spring(type("P", (), {"x": eq.position[-1]}))[0])
    assert np.allclose(eq.space_force[-1], pulled, rtol=1e-9, atol=1e-12)
    assert np.allclose(eq.moment[-1], (0, 0, 1e-5), atol=1e-12)
    m = held.motion(step=1e-3)
    m.step(20)
    assert abs(m.energy.balance) < 1e-10 * m.energy.largest


def test_a_force_at_a_point_and_on_a_part(rod):
    L = 0.27
    at = rod.replace(loads=[withy.own_load(lambda p: (0, 0.01, 0), varies=(), from_=L / 2, until=L / 2)]).solve()
    assert np.allclose(at.position, rod.replace(loads=[withy.point_force(force=(0, 0.01, 0),
        at=L / 2)]).solve().position, atol=1e-10)
    with pytest.raises(withy.BadInput, match="0.1 m until 0.5 m"):
        rod.replace(loads=[withy.own_load(weight, varies=(), from_=0.1, until=0.5)])


def test_an_exception_in_it_comes_out(rod):
    def fails(point):
        if point.t > 0.004:
            raise LookupError("no such wind")
        return (0, 0, 0)
    m = rod.replace(loads=[withy.own_load(fails, varies=("time",))]).motion(step=1e-3)
    with pytest.raises(LookupError, match="no such wind"):
        m.step(20)
    assert 3 <= m.steps <= 5
    wrong = rod.replace(loads=[withy.own_load(lambda p: "strong", varies=())])
    with pytest.raises(TypeError, match="force of a load"):
        wrong.solve()
    with pytest.raises(ValueError, match="expected 'time'"):
        rod.replace(loads=[withy.own_load(weight, varies=("weather",))])
    with pytest.raises(TypeError):
        rod.replace(loads=[withy.own_load(3, varies=())])


def test_breaks_end_steps(rod):
    """A push of 0.1 ms within a step of 1 ms gives its whole impulse to a free rod."""
    free = rod.replace(loads=None, first_end=withy.free())

    def push(point):
        return (0, 1e-2, 0) if 2.2e-3 < point.t <= 2.3e-3 else (0, 0, 0)
    end = withy.own_end(push, varies=("time",), breaks=[2.2e-3, 2.3e-3])
    m = free.replace(last_end=end).motion(step=1e-3)
    m.step(5)
    assert m.linear_momentum[1] == pytest.approx(1e-6, rel=1e-9)
    for wrong in ([1, 1], [2, 1], [float("nan")]):
        with pytest.raises(ValueError, match="rise"):
            free.replace(last_end=withy.own_end(push, varies=("time",), breaks=wrong)).motion(step=1e-3)


def test_no_number_raises_an_error(rod):
    for law in (lambda p: (float("nan"), 0, 0), lambda p: ((0, 0, 0), (0, float("nan"), 0))):
        mine = rod.replace(loads=[withy.own_load(law, varies=(), name="calm")])
        with pytest.raises(withy.NotFinite, match="'calm' answered .* no number, at s = "):
            mine.solve()
        with pytest.raises(withy.NotFinite, match="calm"):
            mine.motion(step=1e-3).step()
    with pytest.raises(withy.Unsupported, match="written in Python"):
        withy.sweep(mine, {"length": [0.2, 0.3]})


def test_a_shaft_has_no_use_for_it():
    scenario = withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.5).scenario()
    with pytest.raises(withy.Unsupported, match="no rod"):
        scenario.add_load("x", weight, ())
