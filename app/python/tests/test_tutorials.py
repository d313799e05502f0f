"""The tutorials run as printed: every cell of every notebook, and the Python programs of the documents."""
import contextlib
import glob
import io
import json
import os
import re

import pytest

from conftest import SANITIZED, SOURCE

NOTEBOOKS = sorted(glob.glob(os.path.join(SOURCE, "docs/tutorials/*.ipynb")))


@pytest.fixture(autouse=True)
def without_a_screen(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")


def run_all(programs, name):
    space = {"__name__": name}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for program in programs:
            exec(compile(program, name, "exec"), space)
    return out.getvalue()


def test_there_is_one_for_each_question():
    assert len(NOTEBOOKS) == 6


@pytest.mark.skipif(SANITIZED, reason="they take too long there, and the other tests go the same ways")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=os.path.basename)
def test_notebook(path):
    if "matplotlib" in open(path).read():
        pytest.importorskip("matplotlib")
    cells = json.load(open(path))["cells"]
    programs = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    assert any("assert" in p for p in programs), "a tutorial checks its own result"
    assert any("image/png" in o.get("data", {}) for c in cells if c["cell_type"] == "code" for o in c["outputs"]), (
        "a tutorial has a picture")
    run_all(programs, os.path.basename(path))


@pytest.mark.skipif(SANITIZED, reason="as above")
@pytest.mark.parametrize("page, programs", (("python.md", 2), ("accuracy.md", 1), ("install.md", 1), ("theory.md", 3),
                                            ("sweeps.md", 1), ("../README.md", 1)))
def test_the_programs_of_a_page(page, programs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"```python\n(.*?)```", open(os.path.join(SOURCE, "docs", page)).read(), re.S)
    assert len(found) >= programs
    run_all(found, "docs/" + page)


@pytest.mark.skipif(SANITIZED, reason="as above")
@pytest.mark.parametrize("picture, draw", (("frames.svg", "draw"), ("orientation.svg", "draw_orientation")))
def test_the_pictures_of_frames_are_what_withy_computes(picture, draw):
    space = {"__name__": "frames"}
    with open(os.path.join(SOURCE, "docs/images/frames.py")) as f:
        exec(compile(f.read(), "docs/images/frames.py", "exec"), space)
    with open(os.path.join(SOURCE, "docs/images", picture)) as f:
        assert f.read() == space[draw](), "./dev docs draws it anew"
