"""Sweeps: one scenario, many values, on whatever runs things: threads, processes, a cluster."""
import csv
import functools
import json
import os
import socket
import time

from collections.abc import Mapping, Sequence
from typing import Any

from . import _core, own, show, tables
from .results import Progress, Run
from .things import Thing, read_file, warn


@functools.lru_cache(maxsize=4)
def _read(text, path, overrides):
    # opens no file: what the sweep had from files is among the overrides
    return _core.Sweep(text, path, list(overrides))


def run_point(text, path, overrides, point):
    """Runs a point of a sweep: (row, seconds, host). Made to be sent to another process or machine."""
    began = time.perf_counter()
    row = _read(text, path, tuple(overrides)).run(point)
    return row, time.perf_counter() - began, socket.gethostname()


class Sweep:
    """A sweep that is read and checked: len() points; list() tells their values, run() runs them."""

    def __init__(self, text: str, path: str = "sweep", overrides: Sequence[str] = ()) -> None:
        self._sweep = _core.Sweep(text, path, list(overrides), True)
        self.text, self.path, self.overrides = text, path, tuple(self._sweep.overrides)

    def __len__(self) -> int:
        return self._sweep.points

    @property
    def axes(self) -> list[str]:
        """The paths that are varied."""
        return self._sweep.axes

    def list(self) -> "list[dict[str, Any]]":
        """The values of every point: a list of dictionaries."""
        axes = self.axes

        def plain(value):  # a text is quoted there, as it would stand in a scenario
            return json.loads(value) if isinstance(value, str) and value.startswith('"') else value
        return [dict(zip(axes, map(plain, self._sweep.values(k)))) for k in range(len(self))]

    def __repr__(self):
        return f"<Sweep over {', '.join(self.axes)}: {len(self)} points>"

    def run(self, executor: Any = None, out: str | os.PathLike[str] | None = None,
            progress: Progress = None) -> "Table":
        """Runs every point: the table, as a Run with a frame for each point (failed ones say why in their status;
        withy.open(out) reads it again).

        executor: None runs them here, one after the other; anything with `submit` (concurrent.futures,
        dask.distributed.Client, mpi4py.futures) or `map`, or a joblib.Parallel, runs them there. The table does not
        depend on it.
        """
        import tempfile
        rows = _on(executor, functools.partial(run_point, self.text, self.path, self.overrides), len(self), progress)
        if out is not None:
            self._sweep.write(os.fspath(out), rows)
            return _table(out)
        with tempfile.TemporaryDirectory(prefix="withy-") as folder:
            path = os.path.join(folder, "sweep.h5")
            self._sweep.write(path, rows)
            table = _table(path, keep=True)
        table._write = lambda to: self._sweep.write(os.fspath(to), rows)
        return table


class Table(Run):
    """A frame for each point of a sweep; `warned` tells which have warnings, `verdict` is that of the worst. csv() is
    what `withy export` writes."""

    _write: Any = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table, for `withy plot` and `export`."""
        if self._write is None:
            raise _core.Unsupported("this table came from a file or a pickle: copy that, or run the sweep again")
        self._write(path)

    def __getstate__(self):
        return {**super().__getstate__(), "_write": None}

    def csv(self) -> str:
        """The table as text."""
        return self._store.export("csv").decode()

    def _repr_html_(self):
        lines = list(csv.reader(self.csv().splitlines()))
        return show.badge(self.verdict, self.warnings) + show.table(lines[0], lines[1:21])


def _table(path, keep=False):
    recording = _core.Recording(path)
    warned = recording.about()["warnings"].splitlines()
    table = Table(recording, None, (), None if keep else os.fspath(path), warned)
    table.about = recording.about()
    for text in warned:
        warn(text)
    if keep:  # the file goes: read all of it now
        for name in table.channels:
            table[name]
    return table


def _on(executor, function, count, progress):
    watch = show.watcher(progress, "sweep")
    rows = []

    def took(row):
        rows.append(tuple(row))
        if watch:
            watch(len(rows) / count)

    if executor is None:
        for k in range(count):
            took(function(k))
    elif hasattr(executor, "submit"):
        futures = [executor.submit(function, k) for k in range(count)]
        for future in futures:
            took(future.result())
    elif hasattr(executor, "map"):
        for row in executor.map(function, range(count)):
            took(row)
    elif callable(executor):  # joblib.Parallel takes pairs of a function and its arguments
        for row in executor((function, (k,), {}) for k in range(count)):
            took(row)
    else:
        raise TypeError(f"executor {executor!r}: expected something with submit or map, or a joblib.Parallel")
    return rows


def things_of(thing):
    """Its loads and ends."""
    given = thing._settings()
    loads = given.get("loads")
    return [*(loads if isinstance(loads, (list, tuple)) else ()), given.get("first_end"), given.get("last_end")]


def sweep(source: Any, over: Mapping[str, Any] | None = None, *, design: str | None = None, count: int | None = None,
          seed: int | None = None, keep: Sequence[str] | None = None, title: str | None = None, executor: Any = None,
          out: str | os.PathLike[str] | None = None, progress: Progress = None) -> Table:
    """Runs a scenario at many values: sweep(rod, {"section.radius": [0.004, 0.005]}), or sweep("sweep.yaml").

    source: a Rod (or what load gives; a rod without a duration is swept at rest), a dictionary that is a scenario, or
    the name of a sweep file. over: paths and their values: lists, arrays, or ranges {"from": 0, "to": 1, "count": 5}.
    design: "grid", "zip", "latin-hypercube", "random" (count, seed). keep: channels, such as ["tip", "max(kinetic)"].
    executor: see Sweep.run. out: a file for the table. The result is a table with a row for each point.
    """
    if over is None:
        if not isinstance(source, (str, os.PathLike)):
            raise TypeError("sweep: over what? Expected a dictionary of paths and their values, or the name of a sweep "
                            "file alone")
        return Sweep(read_file(source), os.fspath(source)).run(executor, out, progress)
    if isinstance(source, Thing) and any(isinstance(v, (own.OwnLoad, own.OwnEnd)) for v in things_of(source)):
        raise _core.Unsupported("loads and ends written in Python cannot be sent to the process that runs a point of a "
                                "sweep: call the rod's own methods in a loop")
    scenario = json.loads(source.text()) if isinstance(source, Thing) and source._text is None else source
    if isinstance(scenario, Thing):
        scenario = {"kind": scenario.kind, **scenario._settings()}
    said = {"scenario": scenario, "over": over, "design": design, "count": count, "seed": seed, "keep": keep,
            "title": title}
    return Sweep(tables.text({k: v for k, v in said.items() if v is not None}), "sweep").run(executor, out, progress)
