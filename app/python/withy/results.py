"""What comes out: runs, equilibria, branches, vibrations, landings."""
import os
import re
from collections import namedtuple

import numpy as np

from . import _core, show

Channel = namedtuple("Channel", "name group unit doc shape whole")
POINT_LABELS = ("", "EP", "LP", "BP", "UZ")


class Run:
    """Frames of a run: each channel is an array with a row for each frame, by its name: run.time, run.tip,
    run["state/position"].

    Made by Thing.run, Motion.run and withy.open. `channels` tells what there is, `axis` is the first of them.
    """

    def __init__(self, store, thing=None, notes=(), path=None):
        self._store, self._thing, self.notes, self.path = store, thing, list(notes), path
        self.channels = {c["name"]: Channel(**c) for c in store.channels()}
        self.axis = next(iter(self.channels), None)
        self._arrays = {}

    def __len__(self):
        return self._store.count()

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"a run is asked for a channel by its name, such as run[{self.axis!r}], got {name!r}; a "
                            f"frame is a row of that")
        if name not in self._arrays:
            self._arrays[name] = np.asarray(self._store.values(name))
        return self._arrays[name]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except _core.BadInput as e:
            raise AttributeError(str(e)) from None

    def __dir__(self):
        return [*super().__dir__(), *self.channels]

    def __repr__(self):
        return f"<{type(self).__name__}: {len(self)} frames of {', '.join(self.channels)}>"

    @property
    def certificate(self):
        """How well it was computed: the last value of each channel of that group."""
        return {c.name: self[c.name][-1].item() for c in self.channels.values() if c.group == "certificate"
                and not c.shape}

    def last(self):
        """The last value of every channel, as a dictionary."""
        return {name: self[name][-1] for name in self.channels}

    def save(self, path):
        """Writes an archive, which `withy info`, `plot`, `view` and `export` read."""
        if self._thing is None:
            raise _core.Unsupported("this run came from an archive: copy that")
        self._thing.scenario().write(self._store, os.fspath(path))

    def html(self, plain=False):
        """The viewer's page: one HTML file with all frames."""
        if self.path is not None:
            return show.page_of(lambda to: os.symlink(os.path.abspath(self.path), to), plain)
        return show.page_of(self.save, plain)

    def _repr_html_(self):
        certificate = self.certificate
        text = show.table(list(certificate), [list(certificate.values())]) if certificate else ""
        if "position" in self.channels and len(self):
            return show.frame(self.html()) + text
        small = [c for c in self.channels.values() if not c.shape]
        rows = [[self[c.name][i].item() for c in small] for i in range(min(len(self), 20))]
        return show.table([f"{c.name} / {c.unit}" for c in small], rows) + text

    def to_pandas(self):
        """A DataFrame with the axis as its index: every channel that is a number or a vector, components numbered from
        0."""
        import pandas
        columns = {}
        for c in self.channels.values():
            if c.name != self.axis and not c.shape:
                columns[c.name] = self[c.name]
            elif len(c.shape) == 1:
                columns.update({f"{c.name}.{k}": self[c.name][:, k] for k in range(c.shape[0])})
        return pandas.DataFrame(columns, index=pandas.Index(self[self.axis], name=self.axis))

    def to_xarray(self):
        """A Dataset: every channel with its unit and its meaning."""
        import xarray
        variables = {}
        for c in self.channels.values():
            if c.name != self.axis:
                dims = (self.axis, *(f"{c.name}_{k}" for k in range(len(c.shape))))
                variables[c.name] = (dims, self[c.name], {"units": c.unit, "long_name": c.doc, "group": c.group})
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

    def __init__(self, found):
        self.omega2 = np.asarray(found["eigenvalues"])
        self.shapes = np.asarray(found["shapes"])
        self.arc_length = np.asarray(found["arc_length"])
        self.negative, self.symmetries = found["negative"], found["symmetries"]
        self.frequency = np.sqrt(np.maximum(self.omega2, 0.0)) / (2 * np.pi)
        rate = np.sqrt(np.abs(self.omega2))
        unknown = np.full_like(rate, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.growth_time = np.where(self.omega2 < 0, 1 / rate, np.inf)
            errors, damping = found["errors"], found["damping"]
            self.error = unknown if errors is None else np.minimum(1.0, 0.5 * np.asarray(errors) / rate**2)
            self.damping_ratio = (unknown if damping is None
                                  else np.where(self.omega2 > 0, 0.5 * np.asarray(damping) / rate, np.nan))

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

    def __init__(self, run, frame, thing):
        self._run, self._frame, self._thing = run, frame, thing
        self._known = {}
        self.label = ""

    def __getattr__(self, name):
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
    def parameter(self):
        """The value of the number that was varied."""
        return self._run[self._run.axis][self._frame].item()

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
    def negative(self):
        """Directions in which the potential energy falls; -1: the loads have no potential, and it is not known."""
        return int(self._ask("negative", lambda held: held.vibrations(1, stored=True)["negative"]))

    @property
    def stable(self):
        """True or False; None where it is not known."""
        return None if self.negative < 0 else self.negative == 0

    @property
    def error(self):
        """Estimate of the largest error of a node: see the channel `error` of a continuation."""
        return self._ask("error", lambda held: held.refine(1e300, len(self.position)))

    def vibrations(self, count=6):
        """The lowest natural vibrations about it. The section needs mass."""
        return Modes(self._native().vibrations(count))

    def release(self, *, push=None, backwards=False, damping=None, duration=None, tolerance=None, elements=None,
                progress=None):
        """Lets it go with a small push along its most unstable mode, damped, and tells which equilibrium it reaches: a
        Landing."""
        given = dict(push=push, damping=damping, duration=duration, tolerance=tolerance, elements=elements)
        title = f"released{' from ' + self.label if self.label else ''}"
        landing, frames, text = self._native().release(backwards=backwards, title=title,
                                                     progress=show.watcher(progress, "release"),
                                                     **{k: v for k, v in given.items() if v is not None})
        from .things import from_text
        return Landing(landing, Run(frames, from_text(text, "release")))

    def html(self, plain=False):
        return self._run.html(plain)

    def _repr_html_(self):
        return self._run._repr_html_()


class Point(Equilibrium):
    """An equilibrium on a branch; label says what it is: EP1, LP2, BP1, UZ3, or nothing."""


class Branch:
    """One branch of equilibria: parameter, and every channel, as arrays along it; points, stable."""

    def __init__(self, branches, number, rows):
        self._branches, self.number, self.rows = branches, number, rows

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._branches, name)[self.rows]

    def __len__(self):
        return len(self.rows)

    def __repr__(self):
        return f"<Branch {self.number}: {len(self)} points, {self.parameter.min():.6g} to {self.parameter.max():.6g}>"

    @property
    def parameter(self):
        return self._branches[self._branches.axis][self.rows]

    @property
    def stable(self):
        return self._branches["negative"][self.rows] == 0

    @property
    def points(self):
        return [self._branches.point(int(i)) for i in self.rows]


class Branches(Run):
    """All branches that a continuation found. branches["BP1"] is a labelled point, branches.branches the branches,
    .points the labelled points."""

    @property
    def branches(self):
        numbers = self["branch/branch"].astype(int)
        return [Branch(self, int(n), np.flatnonzero(numbers == n)) for n in np.unique(numbers)]

    def label(self, frame):
        sort, number = int(self["branch/label"][frame]), int(self["branch/label_number"][frame])
        return f"{POINT_LABELS[sort]}{number}" if 0 < sort < len(POINT_LABELS) else ""

    def point(self, frame):
        p = Point(self, frame, self._thing)
        p.label = self.label(frame)
        return p

    @property
    def points(self):
        return [self.point(int(i)) for i in np.flatnonzero(self["branch/label"] > 0)]

    def __getitem__(self, name):
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

    def __init__(self, about, run):
        self.about, self.run = about, run

    def __getattr__(self, name):
        if name.startswith("_") or name not in self.about:
            raise AttributeError(name)
        return self.about[name]

    def __dir__(self):
        return [*super().__dir__(), *self.about]

    def __repr__(self):
        return (f"<Landing: {'at rest' if self.rest else 'not at rest'} after {self.time:.6g} s, end force "
                f"{np.linalg.norm(self.force):.9g} N>")

    def _repr_html_(self):
        levels = self.about["levels"]
        head = ["elements", "force", "off_force", "off_moment", "off_middle"]
        return show.table(head, [["" if v[h] is None else v[h] for h in head] for v in levels]) + self.run._repr_html_()
