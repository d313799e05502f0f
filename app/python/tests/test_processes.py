"""Forked processes, conversions that call back, garbage, and memory that is asked for first (B6, B7, L1, L2)."""
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import weakref

import h5py
import numpy
import pytest

import withy
from conftest import SANITIZED

LONG = bool(os.environ.get("WITHY_LONG"))
TRIALS = 200 if LONG else 6
LOOPS = 100000 if LONG else 300
SECTION = {"name": "circle", "radius": 0.01, "E": 1e8, "nu": 0.4, "density": 1200}


def rod(**more):
    return withy.load({"kind": "dynamic", "length": 0.4, "elements": 2, "section": SECTION,
                       "first_end": "clamped", "duration": 0.1, "step": 0.001, **more})


def in_child(act):
    """What a forked child answers: the text that `act` returns, or how it died."""
    get, put = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os.write(put, str(act()).encode()[:4000])
        finally:
            os._exit(0)
    os.close(put)
    with os.fdopen(get) as f:
        said = f.read()
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, (status, said)
    return said


def outcome(act):
    try:
        return act()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


@pytest.mark.parametrize("trial", range(TRIALS))
def test_a_forked_child_may_read_and_not_write(tmp_path, trial):
    path = tmp_path / "run.h5"
    m = rod().motion(archive=path)
    m.step(3 + trial)

    def child():
        words = [outcome(lambda: m.step(2)), outcome(lambda: m.push((0, 0, 1))), outcome(lambda: m.time),
                 outcome(lambda: m.position.shape)]
        if trial % 3 == 0:
            m.close()
        elif trial % 3 == 1:
            words.append(outcome(lambda: rod().motion(archive=path)))
        return words
    said = in_child(child)
    assert said.count("belongs to the process that made it") == 2, said
    assert str(m.time) in said and "(3, 3)" in said, said
    assert trial % 3 != 1 or "another run is writing" in said, said
    assert os.path.exists(str(path) + ".claim"), "the child has taken the claim away"
    m.step(5)
    m.close()
    with h5py.File(path) as f:
        assert len(f["time"]) == 9 + trial and f.attrs["outcome"] == b"done"
    assert sorted(os.listdir(tmp_path)) == ["run.h5"]


def test_a_forked_child_steps_a_motion_without_archive():
    m = rod().motion()
    m.step(2)
    there = in_child(lambda: (m.step(3), m.position[-1].tolist())[1])
    m.step(3)
    assert there == str(m.position[-1].tolist())


class Closes:
    """A number that closes a motion when it is asked for."""

    def __init__(self, thing):
        self.thing = thing

    def __index__(self):
        self.thing.close()
        return 1

    def __float__(self):
        self.thing.close()
        return 1.0


@pytest.mark.parametrize("trial", range(TRIALS))
def test_conversions_that_close(trial):
    for call in (lambda m: m.step(Closes(m)), lambda m: m.push((Closes(m), 0, 0)),
                 lambda m: m.push((0, 0, 1), (0, Closes(m), 0)), lambda m: m.push((0, 0, 1), end=Closes(m)),
                 lambda m: m.push((0, 0, 1), at=Closes(m)), lambda m: m.push((0, 0, 1), node=Closes(m))):
        m = rod().motion()
        with pytest.raises(RuntimeError, match="closed"):
            call(m)
        assert m.closed


def test_a_scenario_that_is_taken_while_its_arguments_are_read():
    core = withy._core
    text = json.dumps({"kind": "dynamic", "length": 0.4, "elements": 2, "section": SECTION, "duration": 0.1,
                       "step": 0.001})
    taken = []

    class Takes:
        def __float__(self):
            taken.append(core.Live(scenario))
            return 0.1
    for call in (lambda: core.Live(scenario, push_at=[Takes()]),
                 lambda: scenario.add_load("f", lambda p: None, [], breaks=[Takes()])):
        scenario = core.Scenario(text)
        with pytest.raises(RuntimeError, match="has become a motion"):
            call()
    assert len(taken) == 2


def test_states_that_are_none():
    m = rod().motion()
    state = m._save()
    for steps in (float("nan"), float("inf"), -1.0, 1e300):
        bad = numpy.array(state)
        bad[-1] = steps
        with pytest.raises(withy.Error):
            m._restore(bad)


@pytest.mark.parametrize("kind", ["motion", "scenario", "batch"])
def test_a_law_that_refers_to_its_motion_is_collected(kind):
    class Mark:
        pass
    marks = []

    def make():
        r, mark = rod(), Mark()
        held = {"mark": mark}
        r.loads = list(getattr(r, "loads", []) or []) + [withy.own_load(lambda point: held and None, varies=())]
        if kind == "motion":
            held["self"] = r.motion()
        elif kind == "batch":
            held["self"] = r.batch(2)
        else:
            held["self"] = r
        marks.append(weakref.ref(mark))
    for _ in range(5):
        make()
    gc.collect()
    assert all(mark() is None for mark in marks), f"{sum(m() is not None for m in marks)} of {len(marks)} stay"


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps 256 MB of what was freed")
def test_loops_of_every_type_do_not_grow(tmp_path):
    r = rod()
    r.motion(archive=tmp_path / "run.h5").close()
    core = withy._core
    text = '{"kind": "rigid-body", "inertia": [2, 1, 1], "momentum": [0.3, 0.7, 1], "duration": 0.1, "step": 0.1}'
    makers = [lambda: core.Scenario(text), lambda: core.Live(core.Scenario(text)),
              lambda: withy.open(tmp_path / "run.h5"), lambda: core.Scenario(text).run()]
    for make in makers:
        for _ in range(30):
            make()
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(LOOPS):
            make()
        gc.collect()
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096, "it grows"


def test_a_batch_asks_for_memory_first():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(withy.NoMemory, match="it needs"):
        rod(elements=200).batch(2**28)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000, "memory was filled first"


def test_long_lists_take_little_memory():
    """100 000 rows of a signal: 46 MB; in one line libfyaml alone took 120 MB more."""
    program = ("import resource, numpy as np, withy\n"
               "def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
               "rows, before = np.column_stack([np.arange(1e5), np.ones(100000)]), most()\n"
               "withy.load({'kind': 'dynamic', 'length': 0.3, 'section': {'name': 'circle', 'radius': 0.003, 'E': 1e6, "
               "'nu': 0.4, 'density': 1000}, 'duration': 0.1, 'step': 0.1, 'loads': [{'name': 'point-force', 'force': "
               "[0, 0, 1], 'at': 0.3, 'in_time': {'name': 'smooth', 'values': rows}}]})\n"
               "print(most() - before)\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert SANITIZED or int(done.stdout) < 100_000, done.stdout


def test_threads_that_open_step_and_close(tmp_path):
    errors = []

    def work(k):
        try:
            for i in range(TRIALS):
                m = rod().motion()
                m.step(3)
                m.close()
        except Exception as e:
            errors.append(e)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors, errors
