"""Rods, shafts, bodies: what a scenario describes, made from keywords, a dictionary, a text or a file."""
import json
import os
import pickle
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from . import _core, own, show, tables
from .batch import Batch
from .commands import command, options, written
from .motion import Motion
from .results import Branches, Equilibrium, Modes, Progress, Run

Path = str | os.PathLike[str]
Same = TypeVar("Same", bound="Thing")

POWER = 1024.0  # a duration of so many steps: a power of two, so that the step is what was asked for, to the bit


class AccuracyWarning(UserWarning):
    """The answer of a run may be wrong: why, and what to do."""


def warn(text):
    """Warns at the line of the caller of this package."""
    here, frame, level = os.path.dirname(__file__), sys._getframe(1), 2
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == here:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, AccuracyWarning, stacklevel=level)


def is_default(param, value):
    """Whether a value is what a table says anyway; another kind's table may say something else."""
    return param["type"] in ("real", "integer", "bool", "name") and str(value) == str(param["default"])


class Thing:
    """What a scenario describes. `kinds` are the kinds of run that it can be asked for."""

    kinds: tuple[str, ...] = ()
    _tables = tables.KINDS  # of those kinds
    _complete = False  # what was run: nothing is left to be told

    def __init__(self, *, title: str | None = None, **settings: Any) -> None:
        self._text: str | None = None
        self._name: str | None = None
        self._overrides: list[str] = []
        self.kind: str | None = None
        names = {}
        for kind in self.kinds:
            names.update(tables.keys_of(self._tables[kind]["params"]))
        for key in settings:
            if key not in names:
                raise tables.unknown(key, list(names), type(self).__name__)
        self.settings = {names[k]["key"]: v for k, v in settings.items() if v is not None}
        if title is not None:
            self.settings["title"] = title
        self._check()

    @classmethod
    def _table(cls, kind):
        return {p["key"]: p for p in cls._tables[kind]["params"]}

    def _check(self):
        """Raises an error now, unless there is a kind of run for which it makes sense."""
        first = None
        for kind in self.kinds:
            try:
                self._read(kind, self._trial(kind))
                return
            except _core.Error as e:
                first = first or e
        raise first

    def _trial(self, kind):
        """What a kind must be told that is no property of the thing."""
        return {}

    def replace(self: Same, **changes: Any) -> Same:
        """The same with other settings; None leaves one out."""
        other = dict(self._settings())
        names = {tables.python_name(k): k for kind in self.kinds for k in self._table(kind)}
        for key, value in changes.items():
            if key not in names and key != "title":
                raise tables.unknown(key, list(names), type(self).__name__)
            other[names.get(key, key)] = value
        made = type(self)(**{tables.python_name(k): v for k, v in other.items()})
        made.kind = self.kind
        return made

    def _settings(self):
        """What was given; for a thing that was read from a text, what that says."""
        if self._text is None:
            return self.settings
        read = _core.Scenario(self._text, self._name, self._overrides)
        title = {"title": read.title} if read.title else {}
        table = self._table(self.kind)
        return {**title, **{k: v for k, v in read.settings().items() if not is_default(table[k], v) and v != {}}}

    def _read(self, kind, more):
        """A fresh scenario of a kind; own loads and ends are put in."""
        if self._text is not None and kind == self.kind and not more:
            return _core.Scenario(self._text, self._name, self._overrides)
        table, given = self._table(kind), {**self._settings(), **more}
        said, loads, ends = {"kind": kind}, [], {}
        for key, value in given.items():
            if key == "loads" and not isinstance(value, dict):
                loads = [v for v in value if isinstance(v, own.OwnLoad)]
                value = [v for v in value if not isinstance(v, own.OwnLoad)] or None
            if isinstance(value, own.OwnEnd):
                ends[0 if key == "first_end" else 1] = value
                value = "free"
            if value is not None and (key in table or key == "title"):
                said[key] = value
        scenario = _core.Scenario(tables.text(said), self._name or type(self).__name__.lower(), [], True)
        for load in loads:
            load.attach(scenario)
        for which, end in ends.items():
            end.attach(scenario, which)
        return scenario

    def scenario(self) -> Any:
        """A fresh scenario of its own kind, for the library."""
        kind = self.kind or self.kinds[0]
        return self._read(kind, {} if self._complete or self._text is not None else self._trial(kind))

    def __eq__(self, other):
        """The same class with the same settings."""
        return self._key() == other._key() if type(self) is type(other) else NotImplemented

    def __hash__(self):
        return hash(self._key()[:2])

    def _key(self):
        """What makes two of them equal; own loads and ends are compared as functions."""
        settings, laws = dict(self._settings()), []
        for key, value in settings.items():
            if isinstance(value, (list, tuple)) and any(isinstance(v, own.OwnLoad) for v in value):
                laws += [v.key() for v in value if isinstance(v, own.OwnLoad)]
                settings[key] = [v if not isinstance(v, own.OwnLoad) else "own" for v in value]
            elif isinstance(value, (own.OwnLoad, own.OwnEnd)):
                laws.append(value.key())
                settings[key] = "own"
        return self.kind, json.dumps(tables.plain(settings), sort_keys=True), laws

    def text(self) -> str:
        """As the text of a scenario, for `withy run`."""
        if self._text is not None and not self._overrides:
            return self._text
        said = {"kind": self._own_kind(), **self._settings()}
        return json.dumps(tables.plain(said), indent=1)

    def _own_kind(self):
        """The kind of run that it was read as; else the first that needs to be told nothing more: a rod without a
        duration is one at rest."""
        for kind in () if self.kind else self.kinds:
            try:
                self._read(kind, {})
                return kind
            except _core.Error:
                pass
        return self.kind or self.kinds[0]

    def __repr__(self):
        rest = ", ".join(f"{tables.python_name(k)}={v!r}" for k, v in self._settings().items())
        return f"{type(self).__name__}({rest})"

    def _run(self, kind, more, archive, resume, force, flush, progress, result=Run):
        scenario, notes, warned = self._read(kind, more), [], []
        frames = scenario.run(archive=archive, resume=resume, force=force, flush=flush,
                              progress=show.watcher(progress, kind), notes=notes, warnings=warned)
        path = os.fspath(archive) if frames is None else None
        if frames is None:  # also one that was finished before has its warnings
            frames = _core.Recording(archive)
            warned = frames.about()["warnings"].splitlines()
        for text in warned:
            warn(text)
        return result(frames, self._as(kind, more), notes, path, warned)

    def _as(self, kind, more):
        """Itself, as what was run: to be written with its frames, or taken up again."""
        made = type(self).__new__(type(self))
        made._text, made._name, made._overrides = self._text, self._name, self._overrides
        if self._text is None or kind != self.kind or more:
            made._text, made.settings = None, {**self._settings(), **more}
        else:
            made.settings = {}
        made.kind = kind
        made._complete = True
        return made

    def modes(self, count: int = 6, **more: Any) -> Run:
        """Natural vibrations as `withy modes` finds them, with damping ratios and errors: a Run with a frame for each
        mode. `more` are its options: spin=100 (whirl), response="1:20" (answer to shaking, with shake=..., points=...),
        at=..., tolerance=..., mode=..., swing=... ."""
        return self._asked("modes", "modes.h5", count=count, **more)

    def fmu(self, to: Path, *, fmi: int = 2, arrays: bool = False, force: bool = False, **more: Any) -> None:
        """Writes it in motion as an FMU, as `withy fmu`. `more` are settings of the motion, such as step and duration
        (s)."""
        said = {**self._settings(), **self._motion_settings(more)}
        kind = self.kinds[0]
        with written(self._as(kind, said)._save_text, "model.yaml") as path:
            command("fmu", path, "-o", to, *options(fmi=fmi, arrays=arrays, force=force))

    def _save_text(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.text())

    def _asked(self, word: str, name: str, **given: Any) -> Run:
        """What a sub-command makes of it: an archive, read."""
        with written(self._save_text, "thing.yaml") as path:
            made = os.path.join(os.path.dirname(path), name)
            command(word, path, "-o", made, *options(**given))
            return pickle.loads(pickle.dumps(open_archive(made)))  # it needs no file any more

    def _motion_settings(self, more: dict[str, Any]) -> dict[str, Any]:
        said = {self._key_of(key): value for key, value in more.items()}
        return self._times(said.pop("step", None), said.pop("duration", None), said)

    def _key_of(self, key: str) -> str:
        names = tables.keys_of(self._tables[self.kinds[0]]["params"])
        if key not in names:
            raise tables.unknown(key, list(names), f"kind {self.kinds[0]}")
        return str(names[key]["key"])

    def run(self, *, archive: Path | None = None, resume: bool = False, force: bool = False, flush: float = -1.0,
            progress: Progress = None) -> Run:
        """Runs it as its scenario says, from beginning to end: a Run. `archive` names a file to write instead of
        keeping the frames in memory; `resume` goes on with an interrupted one. Ctrl-C ends it, other threads go on
        meanwhile."""
        kind = self.kind or self.kinds[0]
        return self._run(kind, {}, archive, resume, force, flush, progress, RESULTS.get(kind, Run))

    def _times(self, step, duration, more):
        """What is said about the step and the duration of a motion, which has none of its own."""
        said, given = dict(more or {}), self._settings()
        if step is not None:
            said["step"] = tables.number(step, "step")
            said["duration"] = duration if duration is not None else POWER * said["step"]
        elif duration is not None:
            said["duration"] = duration
        elif "step" in given and "duration" not in given:
            said["duration"] = POWER * tables.number(given["step"], "step")
        return said

    def _motion(self, kind, step, duration, archive, every, force, flush, push_at=None, more=None):
        said = self._times(step, duration, more)
        return Motion(self._read(kind, said), archive=archive, every=every, force=force, flush=flush, push_at=push_at,
                      thing=self._as(kind, said))


class Rod(Thing):
    kinds = tuple(k for k in ("dynamic", "static", "continuation") if k in tables.KINDS)

    def _trial(self, kind):
        given = self.settings
        if kind == "dynamic":
            step = {} if "step" in given or "accuracy" in given else {"step": 1.0}
            return {**step, **({} if "duration" in given else {"duration": 1.0})}
        if kind == "continuation" and "parameter" not in given:
            return {"parameter": {"number": "length"}}
        return {}

    def solve(self, *, progress: Progress = None, **more: Any) -> Equilibrium:
        """The equilibrium (branch="main", solver=... and what else `kind: static` takes): an Equilibrium."""
        run = self._run("static", self._named("static", more), None, False, False, -1.0, progress)
        return Equilibrium(run, len(run) - 1, run._thing)

    def vibrations(self, count: int = 6, **more: Any) -> Modes:
        """Natural vibrations about the equilibrium."""
        return self.solve(**more).vibrations(count)

    def continue_in(self, number: str, to: float, *, from_: float | None = None, start: float | None = None,
                    at: Sequence[float] | None = None, direction: str | None = None, archive: Path | None = None,
                    progress: Progress = None, **more: Any) -> Branches:
        """Follows the equilibria in one of the rod's numbers, such as "last_end.twist", from `from_` (left out: 0) to
        `to`: Branches.

        `at` lists values to hit exactly, `start` and `direction` say where to begin and which way; what else `kind:
        continuation` takes can be given too.
        """
        parameter = {"number": number, "to": to, "from": from_, "start": start, "at": at, "direction": direction}
        said = self._named("continuation", more)
        said["parameter"] = {k: v for k, v in parameter.items() if v is not None}
        return self._run("continuation", said, archive, False, False, -1.0, progress, Branches)

    def motion(self, step: float | None = None, *, duration: float | None = None, archive: Path | None = None,
               every: int = 1, force: bool = False, flush: float = -1.0,
               push_at: bool | Sequence[float] | None = None, **more: Any) -> Motion:
        """The rod in motion, at its start: a Motion, to be stepped and pushed. `step` is the length of a step in s.

        `archive` names a file that gets a frame each `every` steps. `push_at` lists the places (arc length, m) besides
        the ends that will be pushed; True: every node. What else `kind: dynamic` takes (method, start, accuracy ...)
        can be given too.
        """
        said = self._named("dynamic", more)
        given = {**self._settings(), **said}
        if push_at is True:
            length, n = tables.number(given["length"], "length"), int(given.get("elements")
                or self._table("dynamic")["elements"]["default"])
            push_at = [length * k / n for k in range(1, n)]
        elif push_at is not None:
            push_at = [tables.number(s, "a place of push_at") for s in np.atleast_1d(push_at).tolist()]
        return self._motion("dynamic", step, duration, archive, every, force, flush, push_at, said)

    def batch(self, count: int, step: float | None = None, *, duration: float | None = None,
              threads: int | None = None, **more: Any) -> Batch:
        """`count` states of the rod at its start, stepped together: a Batch. `threads`: on so many threads; left out: a
        thread for each core."""
        said = self._times(step, duration, self._named("dynamic", more))
        return Batch(self._read("dynamic", said), count, threads=threads, thing=self._as("dynamic", said))

    def _named(self, kind, more):
        names = tables.keys_of(self._tables[kind]["params"])
        for key in more:
            if key not in names:
                raise tables.unknown(key, list(names), f"kind {kind}")
        return {names[k]["key"]: v for k, v in more.items() if v is not None}

    def _repr_html_(self):
        try:
            return self.solve()._repr_html_()
        except _core.Error as e:
            return show.table(["rod", "its equilibrium"], [[repr(self), str(e)]])


class Moving(Thing):
    """What only moves."""

    def _trial(self, kind):
        return {k: 1.0 for k in ("duration", "step") if self._table(kind)[k]["required"] and k not in self.settings}

    def motion(self, step: float | None = None, *, duration: float | None = None, archive: Path | None = None,
               every: int = 1, force: bool = False, flush: float = -1.0) -> Motion:
        """It in motion, at its start: a Motion, to be stepped. `step` is the length of a step in s."""
        return self._motion(self.kinds[0], step, duration, archive, every, force, flush)

    def _repr_html_(self):
        return show.table(["key", "value"], [[k, repr(v)] for k, v in self._settings().items()])


class Shaft(Moving):
    kinds = tuple(k for k in ("shaft",) if k in tables.KINDS)


class Body(Moving):
    kinds = tuple(k for k in ("rigid-body",) if k in tables.KINDS)


class System(Thing):
    kinds = tuple(tables.KINDS_WITH_RODS)
    _tables = tables.KINDS_WITH_RODS

    def _trial(self, kind):
        return {k: 1.0 for k in ("duration", "step") if self._table(kind)[k]["required"] and k not in self.settings}

    @property
    def rods(self) -> list[str]:
        """The names of its rods."""
        return list(self._settings()["rods"])

    def _repr_html_(self):
        return show.table(["key", "value"], [[k, repr(v)] for k, v in self._settings().items()])


CLASSES = (Rod, Shaft, Body)
# The result of a kind of run, where it is more than a Run.
RESULTS: dict[str, type[Run]] = {"continuation": Branches}


def document(cls, what):
    """The docstring of a class, from the tables of its kinds."""
    lines, seen = [what, ""], set()
    for kind in cls.kinds:
        fresh = [p for p in cls._tables[kind]["params"] if p["key"] not in seen]
        seen.update(p["key"] for p in fresh)
        if fresh:
            lines += [f"Of kind {kind}:" if kind != cls.kinds[0] else "Keywords:"] + ["  " + tables.parameter_doc(p)
                for p in fresh] + [""]
    cls.__doc__ = "\n".join(lines).rstrip()


document(Rod, "An elastic rod: solve() for its rest, motion() for its motion, continue_in() for its branches.")
document(Shaft, "A shaft that twists: motion() or run().")
document(Body, "A free rigid body: motion() or run().")
document(System, "Rods and rigid bodies that are joined: run().")


def class_of(scenario):
    kind = scenario.kind
    if "rods" in scenario.settings():
        return System
    for cls in CLASSES:
        if kind in cls.kinds:
            return cls
    return Thing


def from_text(text, name, overrides=(), files=True):
    """A Thing from the text of a scenario. What it names of files is read now, where that is allowed."""
    scenario = _core.Scenario(text, name, list(overrides), files)
    cls = class_of(scenario)
    made = cls.__new__(cls)
    made._text, made._name, made._overrides = text, name, scenario.overrides
    made.settings, made.kind = {}, scenario.kind
    return made


def load(source: Path | Mapping[str, Any], set: Mapping[str, Any] | None = None) -> Any:
    """A Rod, Shaft, Body or System from a scenario: the name of a file, a text with line breaks, or a dictionary. `set`
    overrides numbers: {"section.radius": 0.004}, as --set does."""
    if set is not None and not isinstance(set, dict):
        raise TypeError(f"set: expected a dictionary such as {{'section.radius': 0.004}}, got {set!r}")
    overrides = [f"{k}={json.dumps(tables.plain(v)) if not isinstance(v, str) else v}" for k, v in (set or {}).items()]
    if isinstance(source, dict):
        return from_text(tables.text(source), "dict", overrides)
    if isinstance(source, str) and "\n" in source:
        return from_text(source, "text", overrides)
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"load: expected the name of a file, a text with line breaks or a dictionary, got {source!r}")
    return from_text(read_file(source), os.fspath(source), overrides)


class NotFound(_core.CannotRead, FileNotFoundError):
    """There is no such file."""


def read_file(path):
    """The text of a file, or CannotRead."""
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError as e:
        raise NotFound(f"cannot read '{os.fspath(path)}': {e.strerror}") from None
    except (OSError, UnicodeDecodeError) as e:
        raise _core.CannotRead(f"cannot read '{os.fspath(path)}': {getattr(e, 'strerror', None) or e}") from None


def open_archive(path: Path) -> Run:
    """An archive of `withy run`, read: a Run (Branches of a continuation, a Table of a sweep)."""
    if not os.path.exists(path):
        raise NotFound(f"cannot read '{os.fspath(path)}': no such file")
    recording = _core.Recording(path)
    about = recording.about()
    thing = None
    if about["kind"] in tables.KINDS:
        try:
            thing = from_text(about["scenario"], about["path"], about["overrides"], files=False)
        except _core.Error:
            pass  # of another version: its numbers can be read all the same
    from .sweeps import Table
    made = {**RESULTS, "sweep": Table}.get(about["kind"], Run)
    run = made(recording, thing, (), os.fspath(path), about["warnings"].splitlines())
    run.about = about
    return run
