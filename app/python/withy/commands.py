"""What the command `withy` does and the extension module does not: the command is part of the package and is run."""
import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any

from . import _core

COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "withy")
ERRORS = {2: _core.BadInput, 3: _core.CannotWrite}


def command(*words: Any, fine: tuple[int, ...] = (0,)) -> str:
    """What the command prints; its error as an exception. `fine`: the exit codes that are none."""
    done = subprocess.run([COMMAND, *map(os.fspath, map(plain, words))], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in fine:
        lines = [line for line in done.stderr.strip().splitlines() if not line.startswith("(see ")]
        text = "\n".join(lines).removeprefix("withy: ").removeprefix("error: ")
        raise ERRORS.get(done.returncode, _core.Error)(text or f"the command ended with code {done.returncode}")
    return done.stdout


def plain(word: Any) -> Any:
    return word if isinstance(word, (str, os.PathLike)) else repr(word)


def options(**given: Any) -> list[Any]:
    """--channel tip --frame -1 --force: what is None or False is left out, a list is repeated."""
    words = []
    for key, value in given.items():
        name = "--" + key.replace("_", "-")
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            for one in value if isinstance(value, (list, tuple)) else (value,):
                words += [name, one]
    return words


@contextlib.contextmanager
def written(write: Any, name: str) -> Iterator[str]:
    """A file that write(path) makes, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="withy-") as folder:
        path = os.path.join(folder, name)
        write(path)
        yield path


def validate(*problems: str, long: bool = False, jobs: int | None = None) -> list[dict[str, Any]]:
    """Solves problems whose answer is known, and compares: a dictionary for each of their numbers, with `ok`. Left out:
    all problems (`long`: also those that take long). `withy validate --list` names them."""
    words = list(problems) if problems else ["--all"]
    found = json.loads(command("validate", *words, "--format", "json", "--quiet", *options(long=long, jobs=jobs),
                               fine=(0, 1)))
    return [{"problem": p["id"], **row} for p in (found if isinstance(found, list) else [found]) for row in p["rows"]]
