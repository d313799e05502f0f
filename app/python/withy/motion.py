"""A thing in motion, stepped by the caller."""
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core, show
from .results import Array, Channel, Progress, Run

FOLLOW = ("position", "orientation", "velocity", "strain", "wrench", "energy", "end_forces")
POSES = ("position", "orientation", "velocity")  # what end_forces is computed from
ENERGY = np.dtype([(name, float) for name in ("kinetic", "strain", "gravity", "dissipated", "work", "balance",
                                              "largest", "numerical")])


class Motion(_core.Live):
    """step(n), push(force, moment, end), carry(position, orientation, end), run(duration), reset(); time, dt, steps;
    close().

    Of a rod `position` (nodes x 3, space), `orientation` (quaternions), `velocity` ([omega; v], body frame), `strain`
    and `wrench` (elements x 6, body frame) and `energy` (.kinetic, .strain, .gravity, .dissipated, .work, .balance,
    .largest, .numerical) are arrays that follow each step: ask once, look for ever, nothing is copied by you. So does
    `end_forces` (2 x 6, space): force and moment on the first and on the last end by all that holds, loads or drives
    it. The other channels (`channels` lists them) are as they were when asked for. `state` is everything as one array:
    keep it, and assign it to go back. One thread at a time; threads with a motion each run side by side.
    """

    position: Array
    orientation: Array
    velocity: Array
    strain: Array
    wrench: Array
    end_forces: Array
    energy: Any

    def __new__(cls, scenario: Any, *, archive: str | os.PathLike[str] | None = None, every: int = 1,
                force: bool = False, flush: float = -1.0, push_at: Sequence[float] | None = None,
                thing: Any = None) -> "Motion":
        self = super().__new__(cls, scenario, archive, every, force, flush, push_at)
        self._thing, self._made = thing, (archive, push_at)
        self._start = self._save()
        return self

    def __init__(self, *args: Any, **keywords: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            if name not in FOLLOW:
                raise KeyError(name)
            if name == "end_forces":
                for needed in POSES:
                    getattr(self, needed)
            value = np.asarray(self._follow(name))
            value.flags.writeable = False
            if name == "energy":
                value = value.view(ENERGY).view(np.recarray)[0]
            self.__dict__[name] = value
            return value
        except KeyError:
            pass
        try:
            value = np.asarray(self._values(name))
        except _core.BadInput as e:
            raise AttributeError(str(e)) from None
        return value if value.shape else value[()]

    def __dir__(self):
        return [*super().__dir__(), *(() if self.closed else [c["name"] for c in self._channels()] + ["energy"])]

    def __repr__(self):
        return "<Motion: closed>" if self.closed else f"<Motion: t = {self.time:.6g} s, step {self.dt:.6g} s>"

    def __enter__(self) -> "Motion":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    @property
    def channels(self) -> dict[str, Channel]:
        """What there is to look at: name, unit, meaning."""
        return {c["name"]: (c["unit"], c["doc"]) for c in self._channels()}

    @property
    def arc_length(self) -> Array:
        """Of the nodes of a rod, m."""
        return np.asarray(self._arc_length)

    @property
    def state(self) -> Array:
        """Everything that the future depends on, as one array of its own. Assign it (to this motion or to one of the
        same rod) to go back."""
        return np.asarray(self._save())

    @state.setter
    def state(self, saved: ArrayLike) -> None:
        self._restore(np.ascontiguousarray(saved, dtype=float))

    def reset(self) -> None:
        """Goes back to the start, bit for bit."""
        self._restore(self._start)

    def carry(self, position: ArrayLike, orientation: ArrayLike | None = None, end: int = 0) -> None:
        """Says where a `driven` end (0 or 1) is at the end of the next step: a position (m, space) and a quaternion
        (scalar first, body to space; left out: as it is now). Call it before each step; without a call it goes on
        with the same velocity."""
        if orientation is None:
            orientation = self.orientation[-1 if end else 0]
        self._carry(position, orientation, end)

    def __eq__(self, other):
        """The same thing in the same state."""
        if not isinstance(other, Motion):
            return NotImplemented
        return self._thing == other._thing and np.array_equal(self.state, other.state)

    __hash__ = None

    def __reduce__(self):
        archive, push_at = self._made
        if archive is not None:
            raise TypeError("a motion that writes an archive cannot be pickled: there would be two writers")
        return rebuild, (type(self), self._thing, push_at, self.state)

    def run(self, duration: float | None = None, *, steps: int | None = None, every: int = 1,
            progress: Progress = None) -> Run:
        """Goes on for a time in s (made whole steps), or for so many steps: a Run with the frames on the way, the
        present one first."""
        if (duration is None) == (steps is None):
            raise TypeError("run: either a duration or steps")
        if steps is None:
            if not duration >= 0 or duration == float("inf"):
                raise _core.BadInput(f"run for {duration} s, expected 0 or more")
            steps = round(duration / self.dt)
        if not 0 <= steps < 2**62:
            raise _core.BadInput(f"run for {steps} steps, expected 0 or more, and fewer than anybody can wait for")
        return Run(self._run(steps, every, show.watcher(progress, "run")), self._thing)

    def _repr_html_(self):
        return self.run(steps=0)._repr_html_()


def rebuild(cls, thing, push_at, state):
    """A motion out of a pickle."""
    motion = cls(thing.scenario(), push_at=push_at, thing=thing)
    motion.state = state
    return motion
