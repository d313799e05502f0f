"""HUP, INT and TERM end a run politely, also where it does not listen: inside the pilots of `accuracy:`, in a set-up of millions of
elements, in the middle of a solve (D9, D21). The archive is whole, nothing is left behind that the next run minds."""
import os
import signal
import subprocess
import time

import h5py

from check import SANITIZE, SOURCE, WITHY, main, withy

LONG = """
kind: rigid-body
inertia: [2, 1, 2/3]
momentum: [0.3, -0.7, 1.1]
method: rk4
duration: 1e7
step: 0.05
"""


def ends(folder, scenario, which, wait, *more, first_frame=False):
    """Starts a run, sends the signal after a while, and gives how long it took to end, and what it said."""
    run = subprocess.Popen([WITHY, "run", scenario, "-o", folder + "/run.h5", "--report-flush", "-q", *more], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    if first_frame:
        run.stdout.readline()
    while not os.path.exists(folder + "/run.h5.claim") and run.poll() is None:  # however busy the machine is
        time.sleep(0.01)
    time.sleep(wait)
    if run.poll() is not None:
        raise AssertionError(f"too short to be stopped: {run.communicate()}")
    run.send_signal(which)
    start = time.time()
    out, err = run.communicate(timeout=300)
    return time.time() - start, run.returncode, err


def politely(folder):
    with open(folder + "/s.yaml", "w") as f:
        f.write(LONG)
    for which in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        took, code, err = ends(folder, folder + "/s.yaml", which, 0.1, first_frame=True)
        assert code == 1 and "stopped at" in err, (which, code, err)
        with h5py.File(folder + "/run.h5", "r") as f:
            assert f.attrs["outcome"].startswith("failed: stopped at")
        assert sorted(os.listdir(folder)) == ["run.h5", "s.yaml"], os.listdir(folder)
    # who says nohup means it
    run = subprocess.Popen(["nohup", WITHY, "run", folder + "/s.yaml", "-o", folder + "/run.h5", "--report-flush", "-q"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    while not run.stdout.readline().startswith("flushed"):
        pass
    run.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert run.poll() is None
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=60)


def deaf_places(folder):
    cases = (
        ("accurate-cantilever.yaml", ["--set", "accuracy=1e-13"]),  # pilots
        ("soft-rod.yaml", ["--set", "elements=1e7"]),  # a large set-up
    )
    slack = 20 if not SANITIZE else 60  # it is a second of computing: on a busy machine that takes its time
    for name, more in cases:
        for which in (signal.SIGTERM, signal.SIGINT):
            took, code, err = ends(folder, f"{SOURCE}/examples/{name}", which, 0.4, *more)
            assert code == 1 and "stopped" in err, (name, which, code, err)
            assert took < 1 + slack, (name, which, took)
            assert [n for n in os.listdir(folder) if n.endswith((".claim", ".part"))] == [] or os.path.exists(folder + "/run.h5")


def durations_without_end(_):
    """D9: --check accepted a duration of 1e308 s where `accuracy` chooses the step."""
    code, out, err = withy("run", f"{SOURCE}/examples/accurate-cantilever.yaml", "--set", "duration=1e308", "--check")
    assert code == 2 and "duration" in err, (code, err)


main(politely, deaf_places, durations_without_end)
