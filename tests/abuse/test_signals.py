"""HUP, INT and TERM end a run politely, also where it does not listen: inside the pilots of `accuracy:`, in a set-up of
millions of elements, in the middle of a solve (D9, D21). The archive is whole, nothing is left behind that the next run
minds."""
import os
import signal
import subprocess
import time

import h5py

from check import SANITIZE, SOURCE, WITHY, decoded, main, withy

LONG = """
kind: rigid-body
inertia: [2, 1, 2/3]
momentum: [0.3, -0.7, 1.1]
method: rk4
duration: 1e7
step: 0.05
"""


def computed(pid):
    """Seconds of computing of a process so far, to a nanosecond."""
    with open(f"/proc/{pid}/schedstat") as f:
        return 1e-9 * int(f.read().split()[0])


def ends(folder, scenario, which, wait, *more, first_frame=False):
    """Starts a run, sends the signal after a while of computing, and gives how long it computed after that, how long
    that took, and what it said."""
    run = subprocess.Popen([WITHY, "run", scenario, "-o", folder + "/run.h5", "--report-flush", "-q", *more],
                           stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    if first_frame:
        run.stdout.readline()
    while not os.path.exists(folder + "/run.h5.claim") and run.poll() is None:  # however busy the machine is
        time.sleep(0.01)
    begin = computed(run.pid)
    while run.poll() is None and computed(run.pid) < begin + wait:
        time.sleep(0.01)
    if run.poll() is not None:
        raise AssertionError(f"too short to be stopped: {run.communicate()}")
    before = computed(run.pid)
    run.send_signal(which)
    start = time.time()
    err = run.stderr.read()
    _, status, used = os.wait4(run.pid, 0)
    took = time.time() - start
    run.returncode = os.waitstatus_to_exitcode(status)
    run.stdout.close()
    run.stderr.close()
    return used.ru_utime + used.ru_stime - before, took, run.returncode, err


def in_time(case, after, took):
    """Within a second: of computing, which does not depend on what else the machine does; of the clock in the long
    form, which is for an idle machine."""
    assert after < (1.0 if not SANITIZE else 3.0), (case, after)
    assert not os.environ.get("WITHY_LONG") or SANITIZE or took < 1.0, (case, took)


def politely(folder):
    with open(folder + "/s.yaml", "w") as f:
        f.write(LONG)
    for which in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        after, took, code, err = ends(folder, folder + "/s.yaml", which, 0.1, first_frame=True)
        in_time(("a run", which), after, took)
        assert code == 1 and "stopped at" in err, (which, code, err)
        with h5py.File(folder + "/run.h5", "r") as f:
            assert decoded(f.attrs["outcome"]).startswith("failed: stopped at")
        assert sorted(os.listdir(folder)) == ["run.h5", "s.yaml"], os.listdir(folder)
    # who says nohup means it
    run = subprocess.Popen(["nohup", WITHY, "run", folder + "/s.yaml", "-o", folder + "/run.h5", "--report-flush",
                            "-q"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    while not run.stdout.readline().startswith("flushed"):
        pass
    run.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert run.poll() is None
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=60)


STRIP = """
kind: static
length: 1
elements: 100000
section: {name: circle, radius: 0.005, E: 1e6, G: 1e6/3}
first_end: clamped
last_end: free
loads: [{name: gravity, acceleration: [1, 0, 0]}]
"""


def phases_that_ignored_signals(folder):
    with open(folder + "/strip.yaml", "w") as f:
        f.write(STRIP)
    examples = SOURCE + "/examples/"
    cases = (
        (examples + "accurate-cantilever.yaml", ["--set", "accuracy=1e-13"]),  # pilots
        (examples + "soft-rod.yaml", ["--set", "elements=5e4"]),  # a large set-up
        (examples + "soft-rod.yaml", ["--set", "elements=5e4", "--set", "method=bdf-alpha"]),
        (folder + "/strip.yaml", []),  # a solve
    )
    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    for i, (name, more) in enumerate(cases):
        for which in signals if os.environ.get("WITHY_LONG") else (signals[i % 3],):
            after, took, code, err = ends(folder, name, which, 0.3, *more)
            assert code == 1 and "stopped" in err, (name, which, code, err)
            in_time((name, which), after, took)
            assert ([n for n in os.listdir(folder) if n.endswith((".claim", ".part"))] == []
                    or os.path.exists(folder + "/run.h5"))


def durations_without_end(_):
    """D9: --check accepted a duration of 1e308 s where `accuracy` chooses the step."""
    code, out, err = withy("run", f"{SOURCE}/examples/accurate-cantilever.yaml", "--set", "duration=1e308", "--check")
    assert code == 2 and "duration" in err, (code, err)


main(politely, phases_that_ignored_signals, durations_without_end)
