"""Many states of one rod, stepped together: for ensembles, predictive controllers and learners."""
import os
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .motion import ENERGY, FOLLOW, POSES, Motion
from .results import Array


def cores():
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Batch(_core.Batch):
    """`count` states of one rod: step(n) takes n steps with each, on `threads` threads; the bits are those of each
    state alone.

    `position` (count x nodes x 3), `orientation`, `velocity`, `strain`, `wrench`, `energy` and `end_forces` follow
    each step, as those of a Motion; `time` has the time of each state. `push(force, moment, end)` and `carry(position,
    orientation, end)` take one for all or a row for each; `reset(which)` puts states back to the start. `state` is
    everything as one array, a row for each state: keep it, assign it, or start_from() a Motion of the same rod. A state
    whose step fails stays where it was before that step while the others go on; step() then raises, and `failed` tells
    which.
    """

    position: Array
    orientation: Array
    velocity: Array
    strain: Array
    wrench: Array
    end_forces: Array
    energy: Any

    def __new__(cls, scenario: Any, count: int, *, threads: int | None = None, thing: Any = None) -> "Batch":
        count, threads = int(count), cores() if threads is None else int(threads)
        self = super().__new__(cls, scenario, count, min(threads, max(count, 1)))
        self._one, self._thing, self._threads = Lock(), thing, threads
        self._pool = ThreadPoolExecutor(self._parts, "withy-batch") if self._parts > 1 else None
        return self

    def __init__(self, *args: Any, **keywords: Any) -> None:
        pass

    def __len__(self) -> int:
        return self._count

    def __getattr__(self, name: str) -> Any:
        if name not in FOLLOW:
            raise AttributeError(f"a batch has no '{name}': what follows its steps is {', '.join(FOLLOW)}")
        if name == "end_forces":
            for needed in POSES:
                getattr(self, needed)
        value = np.asarray(self._follow(name))
        value.flags.writeable = False
        if name == "energy":
            value = value.view(ENERGY)[:, 0].view(np.recarray)
        self.__dict__[name] = value
        return value

    def __dir__(self):
        return [*super().__dir__(), *FOLLOW]

    def __repr__(self):
        return "<Batch: closed>" if self.closed else f"<Batch: {len(self)} states, step {self.dt:.6g} s>"

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def close(self) -> None:
        """Frees the memory; arrays that were handed out stay."""
        super().close()
        if self._pool:
            self._pool.shutdown()

    @property
    def time(self) -> Array:
        """The time of each state, s."""
        return np.asarray(self._times)

    @property
    def failed(self) -> NDArray[np.intp]:
        """The numbers of the states whose last step() failed."""
        return np.flatnonzero(self._statuses)

    @property
    def state(self) -> Array:
        """Everything that the future depends on, a row for each state."""
        return np.asarray(self._save())

    @state.setter
    def state(self, rows: ArrayLike) -> None:
        self._restore(np.ascontiguousarray(rows, dtype=float))

    def reset(self, which: Any = None) -> None:
        """Puts states back to the start, bit for bit: all, or those with these numbers (or a mask)."""
        mask = np.zeros(len(self), dtype=bool)
        mask[slice(None) if which is None else which] = True
        self._reset(mask)

    def __eq__(self, other):
        """As many states of the same rod, each the same."""
        if not isinstance(other, Batch):
            return NotImplemented
        return self._thing == other._thing and np.array_equal(self.state, other.state)

    __hash__ = None

    def __reduce__(self):
        if self._thing is None:
            raise TypeError("only a batch that a rod made can be pickled")
        return rebuild, (type(self), self._thing, len(self), self._threads, self.state)

    def start_from(self, motion: Motion) -> None:
        """Puts every state where a Motion of the same rod is."""
        row = np.asarray(motion._rod_state())
        self.state = np.tile(row, (len(self), 1))

    def push(self, force: ArrayLike = (0.0, 0.0, 0.0), moment: ArrayLike = (0.0, 0.0, 0.0), end: int = 1) -> None:
        """Holds a force (N) and a moment (N m), in space, on an end of each rod from now on: three numbers for all, or
        a row for each state."""
        self._push(self._rows((force, 3, "a force"), (moment, 3, "a moment")), end)

    def carry(self, position: ArrayLike, orientation: ArrayLike | None = None, end: int = 0) -> None:
        """Says where a `driven` end (0 or 1) is at the end of the next step: a position (m, space) and a quaternion
        (scalar first, body to space; left out: as it is now), one for all or a row for each state. Call it before each
        step; without a call it goes on with the same velocity."""
        if orientation is None:
            orientation = self.orientation[:, -1 if end else 0]
        self._carry(self._rows((position, 3, "a position"), (orientation, 4, "an orientation")), end)

    def _rows(self, *parts):
        """The numbers of each state as a row; of each part one for all is given, or a row for each."""
        rows = np.empty((len(self), sum(size for _, size, _ in parts)))
        column = 0
        for value, size, what in parts:
            value = np.asarray(value, dtype=float)
            if value.shape not in ((size,), (len(self), size)):
                raise _core.BadInput(f"{what} of shape {value.shape}, expected ({size},) or ({len(self)}, {size})")
            rows[:, column:column + size] = value
            column += size
        return rows

    def step(self, n: int = 1) -> None:
        """Takes n steps with each state. Other threads go on meanwhile; Ctrl-C ends it, and leaves the states at times
        of their own."""
        if not self._one.acquire(blocking=False):
            raise RuntimeError("another thread is stepping this batch")
        try:
            errors = [self._error(0, n)] if self._pool is None or self.closed else self._by_threads(n)
            self._raise_laws()
        finally:
            self._one.release()
        for error in errors:
            if error is not None:
                raise error

    def _by_threads(self, n):
        futures = [self._pool.submit(self._error, part, n) for part in range(self._parts)]
        try:
            wait(futures)
        except BaseException:  # Ctrl-C comes to the thread that waits
            self._stop(True)
            wait(futures)
            self._stop(False)
            raise
        return [f.result() for f in futures]

    def _error(self, part, n):
        try:
            self._step(part, n)
        except BaseException as e:
            return e
        return None


def rebuild(cls, thing, count, threads, state):
    """A batch out of a pickle."""
    batch = cls(thing.scenario(), count, threads=threads, thing=thing)
    batch.state = state
    return batch
