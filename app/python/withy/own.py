"""Loads and ends written in Python, for trying things out.

A solver asks a load at every quadrature point of every iteration, and once or twice more for each derivative: a step of
a rod with 20 elements calls the function some thousand times, each a microsecond or two. That is a hundred times slower
than a load in C (CONTRIBUTING.md shows one), and only one thread at a time can ask. What is tried out is then worth the
dozen lines.
"""
from collections.abc import Callable, Sequence
from math import nan
from typing import Any

from ._core import MaterialPoint


class OwnLoad:
    """A load along the rod: see withy.own_load."""

    def __init__(self, function, varies, from_, until, potential, name, breaks):
        self.function, self.varies, self.from_, self.until, self.potential, self.name = (function, varies, from_,
            until, potential, name)
        self.breaks = breaks

    def attach(self, scenario):
        scenario.add_load(self.name, self.function, self.varies, self.from_, self.until, self.potential, self.breaks)

    def key(self):
        return self.function, self.varies, repr((self.from_, self.until)), self.potential, self.name, self.breaks

    def __repr__(self):
        return f"own_load({self.name})"


class OwnEnd:
    """What acts on an end: see withy.own_end."""

    def __init__(self, function, varies, potential, name, breaks):
        self.function, self.varies, self.potential, self.name, self.breaks = function, varies, potential, name, breaks

    def attach(self, scenario, which):
        scenario.set_end(which, self.name, self.function, self.varies, self.potential, self.breaks)

    def key(self):
        return self.function, self.varies, self.potential, self.name, self.breaks

    def __repr__(self):
        return f"own_end({self.name})"


def own_load(function: Callable[[MaterialPoint], Any], *,
             varies: Sequence[str] = ("time", "velocity", "place", "turn", "along"), from_: float | None = None,
             until: float | None = None, potential: Callable[[MaterialPoint], float] | None = None,
             name: str | None = None, breaks: Sequence[float] = ()) -> OwnLoad:
    """A load written in Python: function(point) answers the force per length (N/m), or (force, moment), in space; None:
    nothing.

    The point has s, length, t, x, d1, d2, d3, v, omega (see withy.MaterialPoint). It must depend on these alone,
    smoothly. `varies` says on which of time, velocity, place (its position), turn (its directors) and along (s):
    derivatives are taken by those only, each by two more calls, so saying less is faster. `from_` and `until` (m)
    bound the part of the rod on which it acts; where both are the same it is a force (N) at that point.
    `potential(point)`, in J/m, tells statics whether an equilibrium is stable. An equilibrium knows neither time
    nor velocity: leave those out of `varies` for solve(). `breaks` are the times (s, rising) at which it jumps or
    has a kink: steps end there. At a jump it answers with what is before it.
    """
    at = nan if from_ is None and until is None else float(from_ or 0.0)
    end = nan if until is None else float(until)
    return OwnLoad(function, tuple(varies), at, end, potential, name or getattr(function, "__name__", "own load"),
                   tuple(breaks))


def own_end(function: Callable[[MaterialPoint], Any], *, varies: Sequence[str] = ("time", "velocity", "place", "turn"),
            potential: Callable[[MaterialPoint], float] | None = None, name: str | None = None,
            breaks: Sequence[float] = ()) -> OwnEnd:
    """An end written in Python, free but for what function(point) answers: a force (N), or (force, moment), in space.
    Otherwise as own_load."""
    return OwnEnd(function, tuple(varies), potential, name or getattr(function, "__name__", "own end"), tuple(breaks))
