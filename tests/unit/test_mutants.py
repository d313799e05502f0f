"""The faults of ./dev mutate fit the source: each stands there once, and its tests exist."""
import subprocess
import sys

from check import SOURCE, main


def every_fault_fits(_):
    done = subprocess.run([sys.executable, f"{SOURCE}/tests/tools/mutate", "--list"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert int(done.stdout.split("\n")[-2].split()[0]) >= 60, done.stdout[-200:]


main(every_fault_fits)
