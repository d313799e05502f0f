"""What a reader that follows a live run costs it: the processor time of the same run, alone and followed in turns
(ratios in one run mean something on a busy machine, seconds do not). Usage: followed.py WITHY"""
import os
import subprocess
import sys
import tempfile

SCENARIO = """
kind: dynamic
length: 0.4
elements: 40
section: {name: circle, radius: 0.005, E: 1e6, nu: 0.3, density: 1100}
first_end: clamped
loads: [{name: gravity, acceleration: [0, 0, -9.81]}]
duration: 8
step: 0.002
every: 2
"""
READER = """
import sys, time, subprocess
while True:
    subprocess.run([sys.argv[1], "info", sys.argv[2]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.2)
"""


def cost(withy, folder, followed):
    path = folder + "/run.h5"
    reader = subprocess.Popen([sys.executable, "-c", READER, withy, path]) if followed else None
    run = subprocess.Popen([withy, "run", folder + "/s.yaml", "-o", path, "-q", "--flush", "0.5"])
    _, status, used = os.wait4(run.pid, 0)
    if reader:
        reader.kill()
        reader.wait()
    assert status == 0, status
    return used.ru_utime + used.ru_stime


withy = os.path.abspath(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/s.yaml", "w") as f:
        f.write(SCENARIO)
    alone, followed = [], []
    for _ in range(3):
        alone.append(cost(withy, folder, False))
        followed.append(cost(withy, folder, True))
    print(f"followed by a reader: {min(followed) / min(alone):.3f} of the time alone ({min(alone):.2f} s)")
