"""Every signature has types, and mypy --strict takes a program that uses the package."""
import inspect
import os
import shutil
import subprocess
import sys

import pytest

import withy

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(withy.__file__)))


def public(owner):
    for name, member in vars(owner).items():
        if not name.startswith("_"):
            yield name, member.fget if isinstance(member, property) else member


def test_every_signature_is_typed():
    bare, seen = [], 0
    for word in ("Rod", "Shaft", "Body", "Thing", "Motion", "Batch", "Run", "Equilibrium", "Branch", "Branches",
                 "Modes", "Sweep", "Table"):
        for name, function in public(getattr(withy, word)):
            if not inspect.isfunction(function):
                continue
            seen += 1
            signature = inspect.signature(function)
            given = [p for p in list(signature.parameters.values())[1:] if p.annotation is p.empty]
            if given or signature.return_annotation is signature.empty:
                bare.append(f"{word}.{name}")
            assert function.__doc__, f"{word}.{name} has no words"
    assert seen > 40 and not bare, bare
    for function in (withy.load, withy.open, withy.sweep, withy.own_load, withy.own_end):
        signature = inspect.signature(function)
        assert all(p.annotation is not p.empty for p in signature.parameters.values()), function
        assert signature.return_annotation is not signature.empty, function


def test_a_typed_program_runs():
    done = subprocess.run([sys.executable, os.path.join(HERE, "typed_program.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("mypy"), reason="no mypy")
def test_mypy_has_nothing_to_say(tmp_path):
    def check(text):
        (tmp_path / "program.py").write_text(text)
        environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        if "site-packages" not in PACKAGE:  # where it is installed, the interpreter tells
            environment["MYPYPATH"] = PACKAGE
        return subprocess.run(["mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache"),
                               "--python-executable", sys.executable, str(tmp_path / "program.py")], cwd=tmp_path,
                              capture_output=True, text=True, env=environment).stdout
    with open(os.path.join(HERE, "typed_program.py")) as f:
        text = f.read()
    assert len(text.splitlines()) >= 100
    assert "Success: no issues found" in check(text)
    wrong = check(text.replace("withy.circle(radius=0.002", 'withy.circle(radius="thick"').replace(
        "stable: bool | None = rest.stable", "stable: str = rest.stable"))
    assert 'Argument "radius" to "circle" has incompatible type "str"' in wrong and "Incompatible types" in wrong, wrong
