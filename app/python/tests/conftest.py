"""Shared by the tests of the Python package. They run against the package that PYTHONPATH (or the virtual environment)
names."""
import os
import subprocess

import pytest

import withy

SOURCE = os.environ.get("WITHY_SOURCE") or os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
COMMAND = os.environ.get("WITHY") or os.path.join(SOURCE, "build/release/withy")
SANITIZED = bool(os.environ.get("WITHY_SANITIZE"))


def command(*words):
    """What the command prints; its environment is not this one's (a preloaded sanitizer stays here)."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def example(name):
    return os.path.join(SOURCE, "examples", name)


SECTION = dict(radius=0.0031, E=1.7e6, nu=0.41, density=1130.0)


@pytest.fixture
def rod():
    return withy.Rod(length=0.27, elements=8, section=withy.circle(**SECTION), loads=[withy.gravity((-9.7, 0.3, 0.0))])


@pytest.fixture
def strut():
    """Buckles when it is shortened."""
    return withy.Rod(length=1.3, elements=40, section=withy.circle(radius=0.004, E=2.1e9, nu=0.3, density=2700.0),
                     last_end=withy.coaxial(shortening=0.0, twist=0.0))
