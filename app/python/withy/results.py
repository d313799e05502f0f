"""What comes out: runs, equilibria, branches, vibrations, landings."""
import contextlib
import json
import math
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core, show
from .commands import command, options, written

Array = NDArray[np.float64]
Progress = None | bool | Callable[[float], object]


class Channel(NamedTuple):
    """What there is of a run: a number, or `shape` of them, in each frame."""

    name: str
    group: str
    unit: str
    doc: str
    shape: tuple[int, ...]
    whole: bool
    panel: str
    meaning: str
    object: str = ""

    @property
    def key(self) -> str:
        """What a run is asked for: "position", of a rod or rigid body of several "leg/position"."""
        return f"{self.object}/{self.name}" if self.object else self.name


class Named:
    """Channels as attributes: run.tip is run["tip"]."""

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except _core.BadInput as e:
            raise AttributeError(str(e)) from None


class Part(Named):
    """A rod or a rigid body of a run with several: its channels by their names, as those of a run."""

    def __init__(self, run: "Run", name: str) -> None:
        self._run, self.name = run, name

    def __getitem__(self, name: str) -> Any:
        return self._run[f"{self.name}/{name}"]

    def __dir__(self):
        return [*super().__dir__(), *(c.name for c in self._run.channels.values() if c.object == self.name)]

    def __repr__(self):
        return f"<{type(self).__name__} '{self.name}' of {self._run!r}>"


POINT_LABELS = ("", "EP", "LP", "BP", "UZ")


class Run(Named):
    """Frames of a run: each channel is an array with a row for each frame, by its name: run.time, run.tip,
    run["state/position"].

    Made by Thing.run, Motion.run and withy.open. `channels` tells what there is, `axis` is the first of them. `verdict`
    says how accurate it is, `warnings` why it may be wrong, `notes` what else there is to know. Runs can be pickled and
    compared. Of a run with several rods, run.rods["leg"] and run.bodies["plate"] have the channels of each.
    """

    def __init__(self, store: Any, thing: Any = None, notes: Any = (), path: str | None = None, warnings: Any = ()):
        self._store, self._thing, self.path = store, thing, path
        self.notes: list[str] = list(notes)
        self.warnings: list[str] = list(warnings)
        self.channels: dict[str, Channel] = {c.key: c for c in (Channel(**c) for c in store.channels())}
        self.axis: str = next(iter(self.channels), "")
        self._arrays = {}

    def __len__(self) -> int:
        return self._store.count()

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"a run is asked for a channel by its name, such as run[{self.axis!r}], got {name!r}; a "
                            f"frame is a row of that")
        if name not in self._arrays:
            self._arrays[name] = np.asarray(self._store.values(name))
        return self._arrays[name]

    def __dir__(self):
        return [*super().__dir__(), *self.channels]

    def __repr__(self):
        return f"<{type(self).__name__}: {len(self)} frames of {', '.join(self.channels)}; {self.verdict}>"

    def __eq__(self, other):
        """The same channels with the same numbers."""
        if not isinstance(other, Run):
            return NotImplemented
        return (self.channels == other.channels and self.warnings == other.warnings and self.notes == other.notes
                and all(np.array_equal(self[name], other[name], equal_nan=True) for name in self.channels))

    __hash__ = None

    def __getstate__(self):
        """All frames: what comes out of the pickle needs no archive."""
        return {**self.__dict__, "_store": None, "path": None, "channels": list(self.channels.values()),
                "_arrays": {name: np.array(self[name]) for name in self.channels}}

    def __setstate__(self, state):
        arrays = state["_arrays"]
        self.__dict__.update(state, channels={c.key: c for c in state["channels"]}, _arrays={})
        self._store = _core.Frames([c._asdict() for c in state["channels"]], list(arrays.values()))

    @property
    def rods(self) -> dict[str, Part]:
        """The rods of a run with several, by their names: run.rods["leg"].position."""
        return self._parts("position")

    @property
    def bodies(self) -> dict[str, Part]:
        """Its rigid bodies: run.bodies["plate"].centre."""
        return self._parts("centre")

    def _parts(self, name: str) -> dict[str, Part]:
        return {c.object: Part(self, c.object) for c in self.channels.values() if c.object and c.name == name}

    @property
    def _kind(self):
        return self._thing.kind if self._thing is not None else getattr(self, "about", {}).get("kind", "")

    @property
    def certificate(self) -> dict[str, float]:
        """How well it was computed: the value that counts of each channel of that group, of a motion at its end, of
        equilibria the worst; nan where it is not known."""
        values, frame = {}, 0
        for c in self.channels.values():
            if c.group == "certificate" and not c.shape and len(self):
                row = np.ascontiguousarray(self[c.name], dtype=float)
                counts, known = _core.certified(self._kind, c.name, row)
                frame = frame if c.name == "layer_at" else counts  # where the channel before it has its worst
                values[c.name] = row[frame].item() if known else math.nan
        return values

    @property
    def verdict(self) -> str:
        """How accurate it is, in one line: what `withy run` ends with."""
        end = float(self[self.axis][-1]) if len(self) else math.nan
        return _core.verdict(self.certificate, self._kind, bool(self.warnings), end)

    def last(self) -> dict[str, Array]:
        """The last value of every channel, as a dictionary."""
        return {name: self[name][-1] for name in self.channels}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an archive, which `withy info`, `plot`, `view` and `export` read."""
        if self._thing is None:
            raise _core.Unsupported("this run came from an archive: copy that")
        self._thing.scenario().write(self._store, os.fspath(path), self.warnings)

    def html(self, plain: bool = False) -> str:
        """The viewer's page: one HTML file with all frames."""
        with self._archive() as path:
            return show.page_of(path, plain)

    def _archive(self) -> contextlib.AbstractContextManager[str]:
        """Its archive, or one that is made for the moment."""
        return contextlib.nullcontext(self.path) if self.path is not None else written(self.save, "run.h5")

    def plot(self, to: str | os.PathLike[str], *panels: str, force: bool = False) -> None:
        """Draws it, as `withy plot`: into a file.svg, .png or .pdf. `panels` are names of panels or channels; left out:
        the usual ones."""
        with self._archive() as path:
            command("plot", path, "-o", to, *options(panel=",".join(panels) or None, force=force))

    def animate(self, to: str | os.PathLike[str], *, seconds: float | None = None, force: bool = False) -> None:
        """A film of the rod, as `withy plot --animate`: into a file.mp4, .webm or .gif; it lasts `seconds`."""
        with self._archive() as path:
            command("plot", path, "--animate", to, *options(seconds=seconds, force=force))

    def export(self, to: str | os.PathLike[str], *channels: str, format: str | None = None, frame: int | None = None,
               time: float | None = None, scale: float | None = None, force: bool = False) -> None:
        """Writes it for other programs, as `withy export`: csv, json, gltf, vtk, obj, stl ..., by the ending of the
        file or by `format`; of all frames, of one, or of that nearest to a time (s); shapes times `scale`."""
        with self._archive() as path:
            command("export", path, "-o", to, *options(channel=channels, format=format, frame=frame, time=time,
                                                       scale=scale, force=force))

    def info(self) -> dict[str, Any]:
        """What `withy info --json` says of it: kind, outcome, channels, certificate, warnings."""
        with self._archive() as path:
            return dict(json.loads(command("info", path, "--json")))

    def _repr_html_(self):
        certificate = self.certificate
        text = show.badge(self.verdict, self.warnings) if len(self) else ""
        if certificate:
            text += show.table(list(certificate), [["unknown" if v != v else v for v in certificate.values()]])
        if "position" in self.channels and len(self):
            return show.frame(self.html()) + text
        small = [c for c in self.channels.values() if not c.shape]
        rows = [[self[c.name][i].item() for c in small] for i in range(min(len(self), 20))]
        return show.table([f"{c.name} / {c.unit}" for c in small], rows) + text

    def to_pandas(self) -> Any:
        """A DataFrame with the axis as its index: every channel that is a number or a vector, components numbered from
        0."""
        import pandas
        columns = {}
        for c in self.channels.values():
            if c.name != self.axis and not c.shape:
                columns[c.key] = self[c.key]
            elif len(c.shape) == 1:
                columns.update({f"{c.key}.{k}": self[c.key][:, k] for k in range(c.shape[0])})
        return pandas.DataFrame(columns, index=pandas.Index(self[self.axis], name=self.axis))

    def to_xarray(self) -> Any:
        """A Dataset: every channel with its unit and its meaning."""
        import xarray
        variables = {}
        for c in self.channels.values():
            if c.name != self.axis:
                dims = (self.axis, *(f"{c.key}_{k}" for k in range(len(c.shape))))
                variables[c.key] = (dims, self[c.key], {"units": c.unit, "long_name": c.doc, "group": c.group})
        axis = self.channels[self.axis]
        return xarray.Dataset(variables, coords={self.axis: (self.axis, self[self.axis],
                                                             {"units": axis.unit, "long_name": axis.doc})})


def states_of(run, frame):
    """The state of an equilibrium as the solver has it: P, M, q, x for each node."""
    return np.ascontiguousarray(np.hstack([run[name][frame] for name in ("state/force", "state/moment",
        "state/orientation", "state/position")]))


class Modes:
    """Natural vibrations: omega2 (1/s^2, negative: it departs), frequency (Hz), error (of the frequency, relative),
    damping_ratio, shapes (mode, node, [turn; displacement]). Errors and damping are NaN at a fold."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.omega2: Array = np.asarray(found["eigenvalues"])
        self.shapes: Array = np.asarray(found["shapes"])
        self.arc_length: Array = np.asarray(found["arc_length"])
        self.negative: int = found["negative"]
        self.symmetries: int = found["symmetries"]
        self.frequency: Array = np.sqrt(np.maximum(self.omega2, 0.0)) / (2 * np.pi)
        rate = np.sqrt(np.abs(self.omega2))
        unknown = np.full_like(rate, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.growth_time: Array = np.where(self.omega2 < 0, 1 / rate, np.inf)
            errors, damping = found["errors"], found["damping"]
            self.error: Array = unknown if errors is None else np.minimum(1.0, 0.5 * np.asarray(errors) / rate**2)
            self.damping_ratio: Array = (unknown if damping is None
                                         else np.where(self.omega2 > 0, 0.5 * np.asarray(damping) / rate, np.nan))

    def __eq__(self, other):
        if not isinstance(other, Modes):
            return NotImplemented
        return np.array_equal(self.omega2, other.omega2) and np.array_equal(self.shapes, other.shapes)

    __hash__ = None

    def __repr__(self):
        modes = zip(self.frequency, self.omega2, self.growth_time)
        return f"<Modes: {', '.join(f'{f:.6g} Hz' if w >= 0 else f'grows in {g:.6g} s' for f, w, g in modes)}>"

    def _repr_html_(self):
        return show.table(["mode", "omega^2 / s^-2", "frequency / Hz", "growth time / s"],
                          [[i + 1, float(w), float(f), float(g)]
                           for i, (w, f, g) in enumerate(zip(self.omega2, self.frequency, self.growth_time))])


class Equilibrium:
    """A rod at rest. Channels by their names: position, force, moment, curvature ...; stable, negative, error,
    vibrations(), release()."""

    def __init__(self, run: Run, frame: int, thing: Any) -> None:
        self._run, self._frame, self._thing = run, frame, thing
        self._known: dict[str, Any] = {}
        self.label = ""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._run, name)[self._frame]
        return value if np.ndim(value) else value.item()

    def __dir__(self):
        return [*super().__dir__(), *self._run.channels]

    def __repr__(self):
        where = f" at {self._run.axis} = {self.parameter:.9g}" if self._run.axis != "parameter" else ""
        return f"<{type(self).__name__}{' ' + self.label if self.label else ''}{where}: {len(self.position)} nodes>"

    @property
    def parameter(self) -> float:
        """The value of the number that was varied."""
        return self._run[self._run.axis][self._frame].item()

    @property
    def notes(self) -> list[str]:
        """What there is to know besides."""
        return self._run.notes

    @property
    def warnings(self) -> list[str]:
        """Why it may be wrong."""
        return self._run.warnings

    @property
    def verdict(self) -> str:
        """How accurate it is, in one line."""
        return self._run.verdict

    def __eq__(self, other):
        if not isinstance(other, Equilibrium):
            return NotImplemented
        return self._frame == other._frame and self._run == other._run

    __hash__ = None

    def _native(self, massive=False):
        return _core.Held(self._thing.scenario(), states_of(self._run, self._frame), self.parameter, massive)

    def _ask(self, name, compute):
        """A number that the run may have recorded; else it is computed from the solution, once."""
        if name in self._run.channels:
            return self._run[name][self._frame].item()
        if name not in self._known:
            self._known[name] = compute(self._native(massive=True))
        return self._known[name]

    @property
    def negative(self) -> int:
        """Directions in which the potential energy falls; -1: the loads have no potential, and it is not known."""
        return int(self._ask("negative", lambda held: held.vibrations(1, stored=True)["negative"]))

    @property
    def stable(self) -> bool | None:
        """True or False; None where it is not known."""
        return None if self.negative < 0 else self.negative == 0

    @property
    def error(self) -> float:
        """Estimate of the largest error of a node: see the channel `error` of a continuation."""
        return self._ask("error", lambda held: held.refine(1e300, len(self.position)))

    def vibrations(self, count: int = 6) -> Modes:
        """The lowest natural vibrations about it. The section needs mass."""
        return Modes(self._native().vibrations(count))

    def release(self, *, push: float | None = None, backwards: bool = False, damping: float | None = None,
                duration: float | None = None, tolerance: float | None = None, elements: int | None = None,
                progress: Progress = None) -> "Landing":
        """Lets it go with a small push along its most unstable mode, damped, and tells which equilibrium it reaches: a
        Landing."""
        given = dict(push=push, damping=damping, duration=duration, tolerance=tolerance, elements=elements)
        title = f"released{' from ' + self.label if self.label else ''}"
        landing, frames, text = self._native().release(backwards=backwards, title=title,
                                                     progress=show.watcher(progress, "release"),
                                                     **{k: v for k, v in given.items() if v is not None})
        from .things import from_text
        return Landing(landing, Run(frames, from_text(text, "release")))

    def html(self, plain: bool = False) -> str:
        """The viewer's page of its run: one HTML file."""
        return self._run.html(plain)

    def _repr_html_(self):
        return self._run._repr_html_()


class Point(Equilibrium):
    """An equilibrium on a branch; label says what it is: EP1, LP2, BP1, UZ3, or nothing."""


class Branch:
    """One branch of equilibria: parameter, and every channel, as arrays along it; points, stable."""

    def __init__(self, branches: "Branches", number: int, rows: NDArray[np.intp]) -> None:
        self._branches, self.number, self.rows = branches, number, rows

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._branches, name)[self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self):
        return f"<Branch {self.number}: {len(self)} points, {self.parameter.min():.6g} to {self.parameter.max():.6g}>"

    @property
    def parameter(self) -> Array:
        """The number that varies, along the branch."""
        return self._branches[self._branches.axis][self.rows]

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether each solution is stable."""
        return self._branches["negative"][self.rows] == 0

    @property
    def points(self) -> list[Point]:
        """Its solutions, one by one."""
        return [self._branches.point(int(i)) for i in self.rows]


class Branches(Run):
    """All branches that a continuation found. branches["BP1"] is a labelled point, branches.branches the branches,
    .points the labelled points."""

    @property
    def branches(self) -> list[Branch]:
        """The branches, in the order in which they were found."""
        numbers = self["branch/branch"].astype(int)
        return [Branch(self, int(n), np.flatnonzero(numbers == n)) for n in np.unique(numbers)]

    def label(self, frame: int) -> str:
        """The label of a frame, such as BP1; "" for none."""
        sort, number = int(self["branch/label"][frame]), int(self["branch/label_number"][frame])
        return f"{POINT_LABELS[sort]}{number}" if 0 < sort < len(POINT_LABELS) else ""

    def point(self, frame: int) -> Point:
        """A frame as an equilibrium."""
        p = Point(self, frame, self._thing)
        p.label = self.label(frame)
        return p

    @property
    def points(self) -> list[Point]:
        """The labelled points."""
        return [self.point(int(i)) for i in np.flatnonzero(self["branch/label"] > 0)]

    def __getitem__(self, name: str) -> Any:
        if isinstance(name, str) and re.fullmatch(r"[A-Z]{2}[0-9]+", name):
            for i in np.flatnonzero(self["branch/label"] > 0):
                if self.label(int(i)) == name:
                    return self.point(int(i))
            raise _core.BadInput(f"there is no point '{name}': the labels are "
                                 f"{', '.join(p.label for p in self.points)}")
        return super().__getitem__(name)

    def _repr_html_(self):
        rows = [[p.label, float(p.parameter), int(p.branch), p.negative] for p in self.points]
        return show.table(["point", self.axis, "branch", "negative directions"], rows) + super()._repr_html_()


class Landing:
    """Where a rod that was let go came to rest: force, moment, levels (finer and finer rods), run (its motion), and
    what else is in `about`."""

    def __init__(self, about: dict[str, Any], run: Run) -> None:
        self.about, self.run = about, run

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.about:
            raise AttributeError(name)
        return self.about[name]

    def __dir__(self):
        return [*super().__dir__(), *self.about]

    def __eq__(self, other):
        return self.about == other.about and self.run == other.run if isinstance(other, Landing) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return (f"<Landing: {'at rest' if self.rest else 'not at rest'} after {self.time:.6g} s, end force "
                f"{np.linalg.norm(self.force):.9g} N>")

    def _repr_html_(self):
        levels = self.about["levels"]
        head = ["elements", "force", "off_force", "off_moment", "off_middle"]
        return show.table(head, [["" if v[h] is None else v[h] for h in head] for v in levels]) + self.run._repr_html_()
