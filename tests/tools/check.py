"""What the script tests share: run the command, and count checks so that the last line says how many there were."""
import os
import subprocess
import sys
import tempfile
import time
import traceback

WITHY = os.environ.get("WITHY", "build/release/withy")
SOURCE = os.environ.get("WITHY_SOURCE", ".")
BUILD = os.environ.get("WITHY_BUILD", "build/release")
SANITIZE = os.environ.get("WITHY_SANITIZE", "")


def withy(*args, cwd=None, env=None, stdin=None):
    """Runs the command; gives (exit code, standard output, standard error)."""
    done = subprocess.run([WITHY, *map(str, args)], cwd=cwd, env=env, input=stdin, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def decoded(value):
    """A text of an archive as h5py gives it: of a fixed length as bytes, of variable length (before format 3) as
    text."""
    return value.decode() if isinstance(value, bytes) else value


def main(*tests):
    """Runs the tests, each in an empty folder of its own."""
    failed = 0
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            try:
                test(folder)
                print(f"ok   {test.__name__} ({time.monotonic() - begin:.1f} s)")
            except Exception:
                failed += 1
                print("FAIL", test.__name__)
                traceback.print_exc(file=sys.stdout)
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
