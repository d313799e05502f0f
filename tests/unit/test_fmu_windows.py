"""The binaries for Windows, where the build had a compiler for them (`./dev fmu`): what they export, what they need,
and that they compute what those for Linux do, run under Wine where it is installed."""
import ctypes
import os
import shutil
import subprocess
import zipfile
import xml.etree.ElementTree as ET

from check import SOURCE, main, withy

MINGW = shutil.which("x86_64-w64-mingw32-gcc")
OBJDUMP = shutil.which("x86_64-w64-mingw32-objdump")
WINE = shutil.which("wine64") or shutil.which("wine") or shutil.which("wine64", path="/usr/lib/wine")


ROD = """kind: dynamic
length: 0.5
elements: 4
section: {name: circle, radius: 0.01, E: 2e6, nu: 0.4, density: 1100}
loads: [{name: gravity, acceleration: [1, 0, -9.81]}]
first_end: clamped
last_end: free
duration: 1
step: 0.002
"""


def export(folder, model, fmi):
    """A model by its name, or the rod ('dynamic_scenario')."""
    path, what = os.path.join(folder, f"{model}{fmi}.fmu"), model
    if model == "dynamic_scenario":
        what = os.path.join(folder, "rod.yaml")
        with open(what, "w") as file:
            file.write(ROD)
    code, out, err = withy("fmu", what, "--fmi", fmi, "-o", path)
    assert code == 0, err
    with zipfile.ZipFile(path) as archive:
        archive.extractall(os.path.join(folder, f"{model}{fmi}"))
        return os.path.join(folder, f"{model}{fmi}"), archive.namelist(), out


def has_windows(folder):
    _, names, out = export(folder, "shaft", 2)
    there = any(n.endswith(".dll") for n in names)
    assert there == ("win64" in out)
    if not there or not OBJDUMP:
        print("skipped: withy was built without mingw-w64 (./dev fmu installs it)")
        return False
    return True


def exports_and_needs(folder):
    if not has_windows(folder):
        return
    for model in ("shaft", "rigid_body", "dynamic_scenario"):
        for fmi, platform in ((2, "win64"), (3, "x86_64-windows")):
            where, names, _ = export(folder, model, fmi)
            if model == "dynamic_scenario" and f"binaries/{platform}/{model}.dll" not in names:
                print("skipped: the rod for Windows takes minutes to compile (./dev fmu does)")
                continue
            assert f"binaries/{platform}/{model}.dll" in names, names
            text = subprocess.run([OBJDUMP, "-p", os.path.join(where, f"binaries/{platform}/{model}.dll")],
                                  capture_output=True, text=True,
                                  check=True).stdout
            table = text[text.index("[Ordinal/Name Pointer] Table"):].split("\n\n")[0]
            shown = {line.split()[-1] for line in table.splitlines()[1:] if line.strip()}
            linux = next(n for n in names if n.endswith(".so"))
            other = subprocess.run(["nm", "-D", "--defined-only", os.path.join(where, linux)], capture_output=True,
                                   text=True, check=True).stdout
            wanted = {line.split()[-1] for line in other.splitlines() if f"fmi{fmi}" in line}
            assert shown == wanted and len(shown) == (34 if fmi == 2 else 75), shown ^ wanted
            needed = {line.split()[-1].lower() for line in text.splitlines() if "DLL Name" in line}
            assert needed <= {"kernel32.dll", "msvcrt.dll"}, needed


def on_linux(library, token, resources, step, vr, value, outputs):
    f = ctypes.CDLL(library)
    f.fmi2Instantiate.restype = ctypes.c_void_p
    c = ctypes.c_void_p(f.fmi2Instantiate(b"x", 1, token.encode(), resources.encode(), None, 0, 0))
    real = ctypes.c_double
    assert f.fmi2SetupExperiment(c, 0, real(0), real(0), 0, real(0)) == 0
    assert f.fmi2EnterInitializationMode(c) == 0 and f.fmi2ExitInitializationMode(c) == 0
    assert f.fmi2SetReal(c, (ctypes.c_uint * 1)(vr), 1, (real * 1)(value)) == 0
    for k in range(50):
        assert f.fmi2DoStep(c, real(step * k), real(step), 1) == 0
    out = (real * len(outputs))()
    assert f.fmi2GetReal(c, (ctypes.c_uint * len(outputs))(*outputs), len(outputs), out) == 0
    f.fmi2FreeInstance(c)
    return list(out)


def the_same_bits_under_wine(folder):
    if not has_windows(folder):
        return
    if not MINGW or not WINE or os.environ.get("WITHY_SANITIZE"):
        print("skipped: no Wine, or a sanitizer that a plain Python cannot load")
        return
    program = os.path.join(folder, "importer.exe")
    subprocess.run([MINGW, "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type", "-o", program,
                    os.path.join(SOURCE, "tests/support/windows_importer.c")], check=True)
    env = {**os.environ, "WINEPREFIX": os.path.join(folder, "wine"), "WINEDEBUG": "-all", "DISPLAY": ""}
    try:
        for model, step, vr, outputs in (("shaft", 0.1, 10, [0, 1, 2, 3, 4, 9]),
                                         ("rigid_body", 0.1, 107, [100, 101, 102, 103, 104, 106]),
                                         ("dynamic_scenario", 0.002, 1, list(range(100, 138)))):
            where, names, _ = export(folder, model, 2)
            if f"binaries/win64/{model}.dll" not in names:
                assert model == "dynamic_scenario"
                continue
            token = ET.parse(os.path.join(where, "modelDescription.xml")).getroot().get("guid")
            args = [os.path.join(where, f"binaries/win64/{model}.dll"), token, str(step), str(vr), "0.17",
                    *map(str, outputs)]
            done = subprocess.run([WINE, program, *args], capture_output=True, text=True, timeout=300,
                                  env={**env, "FMU_RESOURCES": f"file:///Z:{where}/resources"})
            assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
            windows = [float(line) for line in done.stdout.split()]
            linux = on_linux(os.path.join(where, f"binaries/linux64/{model}.so"), token, f"file://{where}/resources",
                             step, vr, 0.17, outputs)
            assert windows == linux and any(linux), (windows, linux)
    finally:
        server = shutil.which("wineserver") or shutil.which("wineserver", path="/usr/lib/wine")
        if server:
            subprocess.run([server, "-k"], env=env, capture_output=True)


main(exports_and_needs, the_same_bits_under_wine)
