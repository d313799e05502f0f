"""What a step of the rod's FMU costs a master that runs at 1 kHz: fmi2SetReal of a force and a moment, fmi2DoStep of 1
ms, fmi2GetReal of a port, 20 elements, by a method for real time (degree 2, one stage, Newton to 1e-8) and by the
default one (degree 3, two stages, to round-off). Wall time, and time of the processor alone, which a busy machine does
not spoil."""
import ctypes
import math
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
import zipfile

SCENARIO = """kind: dynamic
length: 0.5
elements: 20
section: {name: circle, radius: 0.01, E: 2e6, nu: 0.4, density: 1100}
loads: [{name: gravity, acceleration: [2, 0, -9.81]}]
method: %s
first_end: %s
last_end: free
duration: 10
step: 0.001
"""
STEPS = 4000


def numbers(names, variables):
    return (ctypes.c_uint * len(names))(*[int(variables[n]) for n in names])


METHODS = {"real time": "{name: gauss-director, degree: 2, stages: 1, tolerance: 1e-8}", "default": "gauss-director"}


def measure(withy, folder, method, end):
    scenario, fmu, where = (os.path.join(folder, n) for n in ("rod.yaml", "rod.fmu", method.replace(" ", "-") + end))
    with open(scenario, "w") as file:
        file.write(SCENARIO % (METHODS[method], end))
    subprocess.run([withy, "fmu", scenario, "-o", fmu, "--force"], check=True, stdout=subprocess.DEVNULL)
    zipfile.ZipFile(fmu).extractall(where)
    root = ET.parse(os.path.join(where, "modelDescription.xml")).getroot()
    variables = {v.get("name"): v.get("valueReference") for v in root.iter("ScalarVariable")}
    f, real = ctypes.CDLL(os.path.join(where, "binaries/linux64/dynamic_scenario.so")), ctypes.c_double
    f.fmi2Instantiate.restype = ctypes.c_void_p
    c = ctypes.c_void_p(f.fmi2Instantiate(b"rod", 1, root.get("guid").encode(), f"file://{where}/resources".encode(),
                                          None, 0, 0))
    assert c.value and f.fmi2SetupExperiment(c, 0, real(0), real(0), 0, real(0)) == 0
    assert f.fmi2EnterInitializationMode(c) == 0 and f.fmi2ExitInitializationMode(c) == 0
    driven = end == "driven"
    inputs = numbers(["first_end.drive.velocity.x", "first_end.drive.angular_velocity.y"] if driven else
                     ["last_end.push.force.x", "last_end.push.moment.y"], variables)
    outputs = numbers([n for n in variables if n.startswith("last_end.") and ".push." not in n], variables)
    seen, wall, cpu = (real * len(outputs))(), [], []
    for k in range(STEPS):
        t = 0.001 * k
        push = (real * 2)((0.2 if driven else 0.2) * math.sin(40 * t), (2 if driven else 0.01) * math.cos(25 * t))
        a, b = time.perf_counter_ns(), time.thread_time_ns()
        bad = (f.fmi2SetReal(c, inputs, 2, push) or f.fmi2DoStep(c, real(t), real(0.001), 1)
               or f.fmi2GetReal(c, outputs, len(outputs), seen))
        cpu.append(1e-3 * (time.thread_time_ns() - b))
        wall.append(1e-3 * (time.perf_counter_ns() - a))
        assert not bad
    out, one = (real * len(outputs))(), (real * 1)(1.0)
    a = time.thread_time_ns()
    assert f.fmi2GetDirectionalDerivative(c, outputs, len(outputs), inputs, 1, one, out) == 0
    matrix = 1e-3 * (time.thread_time_ns() - a)
    f.fmi2FreeInstance(c)
    for name, row in (("processor", cpu), ("wall", wall)):
        row = sorted(row)
        print(f"  {method:9} {end:8} {name:10} mean {sum(row) / STEPS:7.1f} us  99 % {row[STEPS * 99 // 100]:7.1f}  "
              f"99.9 % {row[STEPS * 999 // 1000]:7.1f}  "
              f"worst {row[-1]:7.1f}  over 1 ms: {sum(x > 1000 for x in row)} of {STEPS}")
    print(f"  {method:9} {end:8} all derivatives of a step: {matrix:.0f} us")


print("one step of 1 ms of the rod's FMU, 20 elements")
with tempfile.TemporaryDirectory() as folder:
    for method in METHODS:
        for end in ("clamped", "driven"):
            measure(sys.argv[1], folder, method, end)
