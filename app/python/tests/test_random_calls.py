"""Every call of every object of the extension with arguments that make no sense, in an order that makes none either:
exceptions, never a crash."""
import random
import subprocess
import sys

import numpy as np

import withy
from conftest import SECTION
from withy import _core

ROD = {"kind": "dynamic", "length": 0.27, "elements": 3, "section": {"name": "circle", **SECTION}, "step": 1e-3,
       "duration": 3e-3}
NAMES = ("position", "energy", "tip", "time", "state/position", "no such", "", "\0", "last_end.twist")


def objects(folder):
    scenario = _core.Scenario(str(ROD).replace("'", '"'), "rod")
    rest = withy.Rod(length=0.27, elements=3, section=withy.circle(**SECTION)).solve()
    run = withy.load(ROD).run()
    run.save(folder / "run.h5")
    return [scenario, _core.Scenario(str(ROD).replace("'", '"'), "rod"), withy.load(ROD).motion(),
            withy.load(ROD).motion(push_at=[0.1]),
            withy.Rod(**{k: v for k, v in ROD.items() if k != "kind"}).batch(3, threads=2), run._store,
            _core.Recording(str(folder / "run.h5")), rest._native(),
            withy.Sweep('{"scenario": %s, "over": {"length": [0.2, 0.3]}}' % str(ROD).replace("'", '"'))._sweep]


def arguments(pick, others, folder):
    pool = [None, True, 0, 1, 3, -1, 2**63, 2**70, 0.5, float("nan"), float("inf"), b"", b"x" * 100, [], (), {},
            (1, 2, 3), [0.1] * 6, object(), lambda *a: None, int,
            np.zeros(3), np.zeros((3, 6)), np.zeros((3, 3), dtype=np.float32), np.array(["a"]), np.zeros(0),
            str(folder), str(folder / "new.h5"), "x" * 5000, *NAMES, *others]
    return [pick.choice(pool) for _ in range(pick.choice((0, 1, 1, 2, 2, 3, 5)))]


def test_nothing_crashes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of the words become names of files
    pick, tried, went = random.Random(20261116), 0, 0
    for turn in range(4):
        things = objects(tmp_path)
        names = [[n for n in dir(t) if not n.startswith("__") or n == "__new__"] for t in things]
        for _ in range(300):
            which = pick.randrange(len(things))
            thing, name = things[which], pick.choice(names[which])
            # a release that is let go takes its time
            if name == "release" or (name == "close" and pick.random() < 0.9):
                continue
            tried += 1
            try:
                if name in ("state", "time", "dt", "closed") and pick.random() < 0.5:
                    setattr(thing, name, *arguments(pick, things, tmp_path)[:1])
                    continue
                value = getattr(type(thing) if name == "__new__" else thing, name)
                if callable(value):
                    words = ({pick.choice(("end", "node", "at", "force", "steps", "progress", "archive")): 1}
                             if pick.random() < 0.1 else {})
                    value(*arguments(pick, things, tmp_path), **words)
                went += 1
            except Exception:
                pass
            (tmp_path / "new.h5").unlink(missing_ok=True)
    assert tried > 1000 and went > 150


def test_they_go_in_any_order_when_python_ends():
    program = ("import withy\nr = withy.Rod(length=0.2, elements=3, section=withy.circle(radius=0.003, E=1e6, nu=0.4, "
               "density=1000))\n"
               "m = r.motion(step=1e-3); x = m.position; b = r.batch(4, step=1e-3, threads=2); b.step(2); e = "
               "r.solve(); h = e._native(); m.me = m; b.me = (b, x)\n")
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
