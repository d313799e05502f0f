"""What is in an FMU: files, descriptions, symbols, sources. The schemas of the standard are used where they are: in
$WITHY_FMI_SCHEMAS, or beside the project in ../shared/data/fmi."""
import ctypes
import os
import shutil
import struct
import subprocess
import zipfile
import zlib
import xml.etree.ElementTree as ET

from check import BUILD, SANITIZE, SOURCE, WITHY, main, withy

SCHEMAS = os.environ.get("WITHY_FMI_SCHEMAS") or os.path.join(SOURCE, "..", "shared", "data", "fmi")

# The table of the original: value reference, name, start (outputs: None), unit, type.
TABLE = [
    (0, "theta1", None, "rad", "Real"), (1, "theta2", None, "rad", "Real"), (2, "omega1", None, "rad/s", "Real"),
    (3, "omega2", None, "rad/s", "Real"), (4, "alpha1", None, "rad/s2", "Real"), (5, "alpha2", None, "rad/s2", "Real"),
    (6, "dtheta1", None, "rad", "Real"), (7, "dtheta2", None, "rad", "Real"), (8, "out_torque1", None, "N.m", "Real"),
    (9, "out_torque2", None, "N.m", "Real"), (10, "tau1", 0, "N.m", "Real"), (11, "tau2", 0, "N.m", "Real"),
    (12, "theta_drive1", 0, "rad", "Real"), (13, "omega_drive1", 0, "rad/s", "Real"),
    (14, "theta_drive2", 0, "rad", "Real"),
    (15, "omega_drive2", 0, "rad/s", "Real"), (16, "J", 10, "kg.m2", "Real"),
    (17, "compliance", 1e-4, "rad/(N.m)", "Real"),
    (18, "D", 2, "1", "Real"), (19, "K_drive1", 0, "N.m/rad", "Real"), (20, "D_drive1", 0, "N.m.s/rad", "Real"),
    (21, "K_drive2", 0, "N.m/rad", "Real"), (22, "D_drive2", 0, "N.m.s/rad", "Real"), (23, "step", 0.1, "s", "Real"),
    (24, "n_elements", 10, None, "Integer"), (25, "theta01", 0, "rad", "Real"), (26, "theta02", 0, "rad", "Real"),
    (27, "omega01", 0, "rad/s", "Real"), (28, "omega02", 0, "rad/s", "Real"), (29, "driver_sign1", 1, "1", "Real"),
    (30, "driver_sign2", 1, "1", "Real"), (31, "integrate_dt1", "true", None, "Boolean"),
    (32, "integrate_dt2", "true", None, "Boolean"),
]


def export(folder, model, fmi, *options):
    path = os.path.join(folder, f"{model}{fmi}.fmu")
    code, out, err = withy("fmu", model, "--fmi", fmi, "-o", path, *options)
    assert code == 0, err
    assert path in out
    where = os.path.join(folder, f"{model}{fmi}{len(options)}")
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        archive.extractall(where)
        return where, archive.namelist()


def description(where):
    return ET.parse(os.path.join(where, "modelDescription.xml")).getroot()


def example(folder, name, fmi, *options):
    path = os.path.join(folder, f"{name}{fmi}{len(options)}.fmu")
    code, _, err = withy("fmu", os.path.join(SOURCE, "examples", name + ".yaml"), "--fmi", fmi, "-o", path, *options)
    assert code == 0, err
    return path


def names_are_unique_and_files_compressed(folder):
    for name in ("rigid-body", "shaft", "soft-rod", "flying-rod"):
        for fmi, *options in ((2,), (3,), (3, "--arrays")):
            with zipfile.ZipFile(example(folder, name, fmi, *options)) as archive:
                assert archive.testzip() is None
                for entry in archive.infolist()[1:]:  # the first tells what the archive is
                    packed = zlib.compress(archive.read(entry.filename), 9)
                    assert entry.compress_size <= 1.35 * len(packed) + 20, (entry, len(packed))
                    assert (entry.compress_type == zipfile.ZIP_DEFLATED) == (entry.compress_size < entry.file_size)
                root = ET.fromstring(archive.read("modelDescription.xml"))
            names = [v.get("name") for v in root.find("ModelVariables")]
            assert len(names) > 20 and len(set(names)) == len(names), sorted(n for n in names if names.count(n) > 1)
    assert {"momentum.0", "start.momentum.0", "start.orientation.3"} <= {
        v.get("name") for v in read(folder, "rigid-body2").find("ModelVariables")}


def read(folder, name):
    with zipfile.ZipFile(os.path.join(folder, name + "0.fmu")) as archive:
        return ET.fromstring(archive.read("modelDescription.xml"))


def no_output_is_dead(folder):
    """Every output of a tumbling rod and of a body changes, but for those that count what does not happen to them."""
    if SANITIZE:
        print("skipped: a sanitizer that a plain Python cannot load")
        return
    still = {"gravity", "dissipated", "numerical_dissipation", "work", "newton_retries", "steps_halved",
             "fallback_steps", "fallback_energy", "kinematic_residual"}
    for name in ("flying-rod", "rigid-body"):
        seen = values_of(folder, example(folder, name, 2), 25, 0.02)
        dead = {n for n, v in seen.items() if len(v) == 1} - still
        assert len(seen) > 15 and all(n.startswith(("first_end_", "last_end_")) for n in dead), dead


def values_of(folder, path, steps, h):
    """The values that each output takes."""
    where = path[:-4]
    with zipfile.ZipFile(path) as archive:
        archive.extractall(where)
    root = description(where)
    shared = ctypes.CDLL(f"{where}/binaries/linux64/{root.find('CoSimulation').get('modelIdentifier')}.so")
    libc = ctypes.CDLL(None)
    libc.calloc.restype, libc.calloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t] * 2, [
        ctypes.c_void_p]
    functions = [ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda *_: None),
                 ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(libc.calloc),
                 ctypes.CFUNCTYPE(None, ctypes.c_void_p)(libc.free)]
    callbacks = (ctypes.c_void_p * 5)(*[ctypes.cast(f, ctypes.c_void_p) for f in functions], None, None)
    shared.fmi2Instantiate.restype = ctypes.c_void_p
    resources = f"file://{where}/resources".encode()
    unit = ctypes.c_void_p(shared.fmi2Instantiate(b"x", 1, root.get("guid").encode(), resources, callbacks, 0, 0))
    assert unit.value and shared.fmi2SetupExperiment(unit, 0, ctypes.c_double(0), ctypes.c_double(0), 0,
                                                     ctypes.c_double(0)) == 0
    assert shared.fmi2EnterInitializationMode(unit) == 0 and shared.fmi2ExitInitializationMode(unit) == 0
    outputs = [v for v in root.find("ModelVariables") if v.get("causality") == "output" and v.find("Real") is not None]
    references = (ctypes.c_uint * len(outputs))(*[int(v.get("valueReference")) for v in outputs])
    values = (ctypes.c_double * len(outputs))()
    seen = {v.get("name"): set() for v in outputs}
    for k in range(steps):
        assert shared.fmi2DoStep(unit, ctypes.c_double(k * h), ctypes.c_double(h), 1) == 0
        assert shared.fmi2GetReal(unit, references, ctypes.c_size_t(len(outputs)), values) == 0
        for variable, value in zip(outputs, values):
            seen[variable.get("name")].add(value)
    shared.fmi2FreeInstance(unit)
    return seen


def everything_is_in_it(folder):
    for model in ("shaft", "rigid_body"):
        for fmi in (2, 3):
            where, names = export(folder, model, fmi)
            platform = "linux64" if fmi == 2 else os.uname().machine + "-linux"
            wanted = {"modelDescription.xml", f"binaries/{platform}/{model}.so", f"sources/{model}.c",
                      "sources/buildDescription.xml", "documentation/index.html", "documentation/licenses/license.txt"}
            assert wanted <= set(names), names
            assert names[0] == "modelDescription.xml"
            with open(os.path.join(where, "documentation/licenses/license.txt")) as a, open(os.path.join(SOURCE,
                    "LICENSE")) as b:
                assert a.read() == b.read()
            with open(os.path.join(where, "documentation/index.html")) as f:
                text = f.read()
            assert model in text and "</html>" in text


def the_table_of_the_original(folder):
    where, _ = export(folder, "shaft", 2)
    variables = description(where).findall("ModelVariables/ScalarVariable")
    assert len(variables) == 33
    for v, (vr, name, start, unit, kind) in zip(variables, TABLE):
        inner = list(v)[0]
        assert (int(v.get("valueReference")), v.get("name"), inner.tag) == (vr, name, kind), v.attrib
        assert inner.get("unit") == unit, (name, inner.attrib)
        assert v.get("description")
        wanted = "output" if vr < 10 else "input" if vr < 16 else "parameter"
        assert v.get("causality") == wanted
        if start is None:
            assert inner.get("start") is None and v.get("initial") == "calculated"
        else:
            got = inner.get("start")
            assert (got == start) if isinstance(start, str) else (float(got) == start), (name, got)


def rules_beyond_the_schema(folder):
    for model in ("shaft", "rigid_body"):
        for fmi in (2, 3):
            where, _ = export(folder, model, fmi)
            root = description(where)
            units = {u.get("name") for u in root.findall("UnitDefinitions/Unit")}
            variables = list(root.find("ModelVariables"))
            refs = [v.get("valueReference") for v in variables]
            names = [v.get("name") for v in variables]
            assert len(set(refs)) == len(refs) and len(set(names)) == len(names)
            outputs, inputs, known = [], [], set()
            independent = 0
            for index, v in enumerate(variables, 1):
                inner = list(v)[0] if fmi == 2 else v
                key = str(index) if fmi == 2 else v.get("valueReference")
                unit = inner.get("unit")
                assert unit is None or unit in units, unit
                causality = v.get("causality")
                independent += causality == "independent"
                if causality == "output":
                    outputs.append(key)
                    assert inner.get("start") is None
                elif causality != "independent":
                    assert inner.get("start") is not None, v.attrib
                    known.add(key)
                    if inner.get("min") is not None:
                        assert float(inner.get("min")) <= float(inner.get("start")) <= float(inner.get("max", "inf"))
                if causality == "input":
                    inputs.append(key)
                if causality in ("parameter", "structuralParameter"):
                    assert v.get("variability") == "fixed"
            assert independent == (0 if fmi == 2 else 1)
            structure = root.find("ModelStructure")
            attribute = "index" if fmi == 2 else "valueReference"
            declared = structure.findall("Outputs/Unknown" if fmi == 2 else "Output")
            initial = structure.findall("InitialUnknowns/Unknown" if fmi == 2 else "InitialUnknown")
            assert [u.get(attribute) for u in declared] == outputs
            assert [u.get(attribute) for u in initial] == outputs
            for u in declared:  # what is set after a step changes nothing before the next one
                assert u.get("dependencies") == "", u.attrib
            for u in initial:
                list_ = u.get("dependencies").split()
                assert set(list_) <= known and list_ == sorted(list_, key=int)
            assert not [v for v in variables if v.find("Dimension") is not None]
            if fmi == 3 and model == "shaft":
                n = [v for v in variables if v.get("causality") == "structuralParameter"]
                assert [v.get("name") for v in n] == ["n_elements"] and n[0].tag == "UInt64"
                terminals = ET.parse(os.path.join(where, "terminalsAndIcons/terminalsAndIcons.xml")).getroot()
                members = [m.get("variableName") for m in terminals.iter("TerminalMemberVariable")]
                assert set(members) <= set(names) and "omega2" in members


def arrays_where_they_are_asked_for(folder):
    def variables(model):
        where, _ = export(folder, model, 3, "--arrays")
        root = description(where)
        found = list(root.find("ModelVariables"))
        listed = {v.get("valueReference") for v in found}
        for u in root.find("ModelStructure"):
            assert u.get("valueReference") in listed and set(u.get("dependencies").split()) <= listed, u.attrib
        return {v.get("name"): v for v in found}
    shaft = variables("shaft")
    arrays = {n: v.find("Dimension").get("valueReference") for n, v in shaft.items() if v.find("Dimension") is not None}
    assert arrays == {"theta": "24", "omega": "24"} and "theta1" in shaft, arrays
    body = variables("rigid_body")
    arrays = {n: v.find("Dimension").get("start") for n, v in body.items() if v.find("Dimension") is not None}
    assert arrays == {"w": "3", "q": "4", "torque": "3", "inertia": "3", "w0": "3", "moment": "3"}, arrays
    assert not [n for n in body if "." in n], body.keys()
    assert withy("fmu", "shaft", "--arrays", cwd=folder)[0] == 2


def valid_against_the_schemas(folder):
    if not os.path.isdir(SCHEMAS) or not shutil.which("xmllint"):
        print("skipped: no schemas of the standard, or no xmllint")
        return
    def validate(schema, path):
        done = subprocess.run(["xmllint", "--noout", "--schema", os.path.join(SCHEMAS, schema), path],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    for model in ("shaft", "rigid_body"):
        for fmi, *options in ((2,), (3,), (3, "--arrays")):
            where, names = export(folder, model, fmi, *options)
            validate(f"{fmi}.0/fmi{fmi}ModelDescription.xsd", os.path.join(where, "modelDescription.xml"))
            validate("3.0/fmi3BuildDescription.xsd", os.path.join(where, "sources/buildDescription.xml"))
            assert ("model.png" if fmi == 2 else "terminalsAndIcons/icon.png") in names
            if "terminalsAndIcons/terminalsAndIcons.xml" in names:
                validate("3.0/fmi3TerminalsAndIcons.xsd", os.path.join(where,
                    "terminalsAndIcons/terminalsAndIcons.xml"))


ROD = """kind: dynamic
length: 0.5
elements: 3
section: {name: circle, radius: 0.01, E: 2e6, nu: 0.4, density: 1100}
duration: 0.1
step: 0.002
"""


def a_rod_has_ends_to_plug_into(folder):
    scenario = os.path.join(folder, "rod.yaml")
    for ends, rules in ((("free", "driven"), ("plug", "plug")), (("clamped", "pinned"), ("none", "none"))):
        with open(scenario, "w") as out:
            out.write(ROD + "first_end: %s\nlast_end: %s\n" % ends)
        for options in ((), ("--arrays",)):
            where, _ = export(folder, scenario, 3, *options)
            names = {v.get("name"): v for v in description(where).find("ModelVariables")}
            path = os.path.join(where, "terminalsAndIcons/terminalsAndIcons.xml")
            terminals = ET.parse(path).getroot().findall("Terminals/Terminal")
            assert [t.get("name") for t in terminals] == ["first_end", "last_end"]
            assert tuple(t.get("matchingRule") for t in terminals) == rules
            roles = []
            for t in terminals:
                members = {m.get("memberName"): m for m in t}
                assert len(members) == len(list(t)) and {m.get("variableName") for m in t} <= set(names)
                assert ({r for r, m in members.items() if m.get("variableKind") == "inflow"} == {r for r in members
                    if r.startswith(("force", "moment"))})
                roles.append({r: names[m.get("variableName")].get("causality") for r, m in members.items()})
            if rules[0] == "plug":  # what one gives the other takes
                assert len(roles[0]) == (6 if options else 19) and set(roles[0]) == set(roles[1])
                assert all({roles[0][r], roles[1][r]} == {"input", "output"} for r in roles[0]), roles
            if os.path.isdir(SCHEMAS) and shutil.which("xmllint"):
                for schema, file in (("TerminalsAndIcons", path), ("ModelDescription",
                        os.path.join(where, "modelDescription.xml"))):
                    subprocess.run(["xmllint", "--noout", "--schema", os.path.join(SCHEMAS, f"3.0/fmi3{schema}.xsd"),
                                    file], check=True, capture_output=True)


def the_icon_is_a_picture(folder):
    where, _ = export(folder, "rigid_body", 3)
    with open(os.path.join(where, "terminalsAndIcons/icon.png"), "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, pieces = 8, {}
    while at < len(data):
        n, name = struct.unpack(">I4s", data[at:at + 8])
        assert struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0] == zlib.crc32(data[at + 4:at + 8 + n])
        pieces[name] = data[at + 8:at + 8 + n]
        at += 12 + n
    w, h = struct.unpack(">II", pieces[b"IHDR"][:8])
    pixels = zlib.decompress(pieces[b"IDAT"])
    assert len(pixels) == h * (w + 1) and 0.1 < sum(1 for p in pixels if p) / len(pixels) < 0.5
    assert "<path" in open(os.path.join(where, "terminalsAndIcons/icon.svg")).read()


def symbols(library):
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in text.splitlines()}


def libraries(library):
    text = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    return {line.split("[")[1].split("]")[0] for line in text.splitlines() if "NEEDED" in line}


def the_binary_shows_and_needs_little(folder):
    if SANITIZE:
        print("skipped: the sanitizers add symbols and libraries of their own")
        return
    for model in ("shaft", "rigid_body"):
        for fmi in (2, 3):
            where, names = export(folder, model, fmi)
            library = os.path.join(where, next(n for n in names if n.endswith(".so")))
            shown = symbols(library)
            assert shown and all(s.startswith(f"fmi{fmi}") for s in shown), shown
            assert len(shown) == (34 if fmi == 2 else 75), len(shown)
            assert libraries(library) <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def simulate(library, token):
    """A few steps of the FMI 2.0 shaft through ctypes."""
    f = ctypes.CDLL(library)
    f.fmi2Instantiate.restype = ctypes.c_void_p
    c = ctypes.c_void_p(f.fmi2Instantiate(b"x", 1, token.encode(), b"", None, 0, 0))
    assert c.value
    real = lambda x: ctypes.c_double(x)
    assert f.fmi2SetupExperiment(c, 0, real(0), real(0), 0, real(0)) == 0
    assert f.fmi2EnterInitializationMode(c) == 0 and f.fmi2ExitInitializationMode(c) == 0
    vr, value = (ctypes.c_uint * 1)(10), (ctypes.c_double * 1)(1.7)
    assert f.fmi2SetReal(c, vr, 1, value) == 0
    for k in range(50):
        assert f.fmi2DoStep(c, real(0.1 * k), real(0.1), 1) == 0
    out_vr, out = (ctypes.c_uint * 4)(0, 1, 2, 4), (ctypes.c_double * 4)()
    assert f.fmi2GetReal(c, out_vr, 4, out) == 0
    f.fmi2FreeInstance(c)
    return list(out)


def an_importer_can_compile_it(folder):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if SANITIZE or not compiler:
        print("skipped: no plain compiler run under sanitizers")
        return
    for model in ("shaft", "rigid_body"):
        for fmi in (2, 3):
            where, names = export(folder, model, fmi)
            build = ET.parse(os.path.join(where, "sources/buildDescription.xml")).getroot().find("BuildConfiguration")
            files = [s.get("name") for s in build.iter("SourceFile")]
            if fmi == 2:
                assert files == [s.get("name") for s in description(where).iter("File")]
            assert build.get("modelIdentifier") == model and build.find("SourceFileSet").get("language") == "C99"
            library = os.path.join(where, "own.so")
            subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=off", "-shared",
                            "-fPIC",
                            "-o", library, *files, "-lm"], cwd=os.path.join(where, "sources"), check=True)
            assert all(s.startswith(f"fmi{fmi}") for s in symbols(library))
            if model == "shaft" and fmi == 2:
                shipped = os.path.join(where, next(n for n in names if n.endswith(".so")))
                token = description(where).get("guid")
                assert simulate(library, token) == simulate(shipped, token)


def the_rod_compiles_too(folder):
    """Its source has the inner loops for any processor only, and gives the bits of the binary that has others too."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if SANITIZE or not compiler:
        print("skipped: no plain compiler run under sanitizers")
        return
    scenario = os.path.join(folder, "rod.yaml")
    with open(scenario, "w") as out:
        out.write(ROD + "first_end: clamped\nlast_end: free\nloads: [{name: rows, rows: [[0, 0, 0, 0.1, 0, 0, 0], "
                  "[0.5, 0, 0, 0.1, 0, 0, 0]]}, {name: buoyancy, density: 100}]\n")
    where, names = export(folder, scenario, 2)
    library = os.path.join(where, "own.so")
    subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Wno-psabi", "-Werror", "-O0", "-ffp-contract=off",
                    "-shared", "-fPIC", "-o", library,
                    "dynamic_scenario.c", "-lm"], cwd=os.path.join(where, "sources"), check=True)
    assert all(s.startswith("fmi2") for s in symbols(library))
    shipped = os.path.join(where, next(n for n in names if n.endswith(".so")))
    token, resources, results = description(where).get("guid"), f"file://{where}/resources", []
    for path in (library, shipped):
        f = ctypes.CDLL(path)
        f.fmi2Instantiate.restype = ctypes.c_void_p
        c, real, count = ctypes.c_void_p(f.fmi2Instantiate(b"x", 1, token.encode(), resources.encode(), None, 0,
                                                           0)), ctypes.c_double, 38
        assert c.value and f.fmi2SetupExperiment(c, 0, real(0), real(0), 0, real(0)) == 0
        assert f.fmi2EnterInitializationMode(c) == 0 and f.fmi2ExitInitializationMode(c) == 0
        assert f.fmi2SetReal(c, (ctypes.c_uint * 1)(1), 1, (real * 1)(0.17)) == 0
        for k in range(20):
            assert f.fmi2DoStep(c, real(0.002 * k), real(0.002), 1) == 0
        out = (real * count)()
        assert f.fmi2GetReal(c, (ctypes.c_uint * count)(*range(100, 100 + count)), count, out) == 0
        f.fmi2FreeInstance(c)
        results.append(bytes(out))
    assert results[0] == results[1] and any(results[0])


MAIN = """
#include <stdio.h>
#define PROTOTYPES(p, v) extern const char *p##fmi##v##GetVersion(void);
PROTOTYPES(shaft_, 2) PROTOTYPES(body_, 2) PROTOTYPES(shaft_, 3) PROTOTYPES(body_, 3)
int main(void) {
    return puts(shaft_fmi2GetVersion()) < 0 || puts(body_fmi2GetVersion()) < 0 || puts(shaft_fmi3GetVersion()) < 0 ||
           puts(body_fmi3GetVersion()) < 0;
}
"""


def sources_link_side_by_side(folder):
    """All of them in one program: nothing is seen of any but its functions, with the prefix that was asked for."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if SANITIZE or not compiler:
        print("skipped: no plain compiler run under sanitizers")
        return
    objects = []
    for model, prefix in (("shaft", "shaft_"), ("rigid_body", "body_")):
        for fmi in (2, 3):
            where, _ = export(folder, model, fmi)
            objects.append(os.path.join(folder, f"{model}{fmi}.o"))
            subprocess.run([compiler, "-std=c99", "-c", f"-DFMI{fmi}_FUNCTION_PREFIX={prefix}", "-o", objects[-1],
                            os.path.join(where, "sources", f"{model}.c")], check=True)
            text = subprocess.run(["nm", "-g", "--defined-only", objects[-1]], capture_output=True, text=True,
                                  check=True).stdout
            seen = {line.split()[-1] for line in text.splitlines()}
            assert seen and all(s.startswith(f"{prefix}fmi{fmi}") for s in seen), seen
    program, source = os.path.join(folder, "all"), os.path.join(folder, "main.c")
    with open(source, "w") as f:
        f.write(MAIN)
    subprocess.run([compiler, "-o", program, source, *objects, "-lm"], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2.0", "2.0", "3.0", "3.0"], done.stdout


def the_token_is_a_literal(folder):
    """In the source as in the description: no printf of any platform has a say in it. Another source, another token."""
    tokens = set()
    for model in ("shaft", "rigid_body"):
        for fmi in (2, 3):
            where, _ = export(folder, model, fmi)
            token = description(where).get("guid" if fmi == 2 else "instantiationToken")
            tokens.add(token)
            with open(os.path.join(where, f"sources/{model}.c")) as f:
                assert f'.token = "{token}"' in f.read(), token
    assert len(tokens) == 4


def the_same_fmu_every_time_and_from_anywhere(folder):
    copy = os.path.join(folder, "w")
    shutil.copy(WITHY, copy)
    for fmi in ("2", "3"):
        done = subprocess.run([copy, "fmu", "shaft", "--fmi", fmi, "-o", f"a{fmi}.fmu"], cwd=folder,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert withy("fmu", "shaft", f"--fmi={fmi}", "-o", f"b{fmi}.fmu", cwd=folder)[0] == 0
        with open(os.path.join(folder, f"a{fmi}.fmu"), "rb") as a, open(os.path.join(folder, f"b{fmi}.fmu"), "rb") as b:
            assert a.read() == b.read()
    assert withy("fmu", "rigid-body", cwd=folder)[0] == 0
    assert os.path.exists(os.path.join(folder, "rigid_body.fmu"))
    assert not [n for n in os.listdir(folder) if n.endswith(".part")]


def what_the_command_refuses(folder):
    for args, code, words in ((["shaf"], 2, "did you mean 'shaft'"), (["rod"], 2, "known: shaft, rigid_body"),
                              ([], 2, "one model"), (["shaft", "x"], 2, "one model"),
                              (["shaft", "--fmi", "1"], 2, "2 or 3"),
                              (["shaft", "-o", "no/such/place.fmu"], 3, "no/such/place.fmu"),
                              (["shaft", "--colour"], 2, "colour")):
        got, out, err = withy("fmu", *args, cwd=folder)
        assert got == code and words in err, (args, got, err)
    assert os.listdir(folder) == []
    assert withy("fmu", "--help")[0] == 0
    code, out, _ = withy("fmu", "--list")
    assert code == 0 and [line.split()[0] for line in out.splitlines()] == ["shaft", "rigid_body"], out


def scenarios_too(folder):
    """FMUs of the examples: valid, with their definition, sources that compile, paths as names; other kinds are
    refused."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    for name, id_ in (("shaft", "shaft_scenario"), ("rigid-body", "rigid_body_scenario")):
        scenario = os.path.join(SOURCE, "examples", f"{name}.yaml")
        for fmi, *options in ((2,), (3,), (3, "--arrays")):
            path = os.path.join(folder, "it.fmu")
            code, out, err = withy("fmu", scenario, "--fmi", fmi, "-o", path, "--set", "step=0.02", *options)
            assert code == 0 and name in out, err
            where = os.path.join(folder, f"{name}{fmi}{len(options)}")
            with zipfile.ZipFile(path) as archive:
                archive.extractall(where)
            with open(os.path.join(where, "resources/definition.txt")) as f:
                lines = f.read().splitlines()
            root = description(where)
            assert (lines[0] == root.get("guid" if fmi == 2 else "instantiationToken")
                    and "step = 0.02" in "\n".join(lines))
            assert root.get("modelName") == name and root.find("CoSimulation").get("modelIdentifier") == id_
            units = {u.get("name"): dict(u.find("BaseUnit").attrib) for u in root.findall("UnitDefinitions/Unit")}
            assert units["N m"] == {"kg": "1", "m": "2", "s": "-2"} and units["kg m^2"] == {"kg": "1", "m": "2"}, units
            if name == "shaft":
                assert units["rad/(N m)"] == {"kg": "-1", "m": "-2", "s": "2", "rad": "1"}, units
            names = [v.get("name") for v in root.find("ModelVariables")]
            assert "step" in names and "duration" not in names and ("angle" in names) == (name == "shaft"
                and bool(options)), names
            if os.path.isdir(SCHEMAS) and shutil.which("xmllint"):
                done = subprocess.run(["xmllint", "--noout", "--schema",
                                       os.path.join(SCHEMAS, f"{fmi}.0/fmi{fmi}ModelDescription.xsd"),
                                       os.path.join(where, "modelDescription.xml")], capture_output=True, text=True)
                assert done.returncode == 0, done.stderr
            if compiler and not SANITIZE and not options:
                library = os.path.join(where, "own.so")
                subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off",
                                "-shared", "-fPIC",
                                "-o", library, f"{id_}.c", "-lm"], cwd=os.path.join(where, "sources"), check=True)
                assert all(s.startswith(f"fmi{fmi}") for s in symbols(library))
    for args, code, words in ((["no-such.yaml"], 3, "no-such.yaml"),
                              ([os.path.join(SOURCE, "examples/twist-shortening.yaml")], 2, "shaft, rigid-body"),
                              ([scenario, "--set", "inertia=3"], 2, "inertia"),
                              (["shaft", "--set", "J=3"], 2, "parameters")):
        got, out, err = withy("fmu", *args, cwd=folder)
        assert got == code and words in err, (args, got, err)


def no_leak_under_valgrind(folder):
    if SANITIZE or not shutil.which("valgrind"):
        print("skipped: no valgrind, or a sanitizer instead")
        return
    # a rod takes minutes there
    longer = ("test_fmu_abuse", "test_fmu_scenario") if os.environ.get("WITHY_LONG") else ()
    for program in ("test_fmu_run", "test_fmu_derivatives", *longer):
        done = subprocess.run(["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all",
                               "--errors-for-leak-kinds=definite,indirect,possible",
                               "--error-exitcode=9", os.path.join(BUILD, "tests", program)], capture_output=True,
                               text=True,
                              env={**os.environ, "CK_FORK": "no"})
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


main(names_are_unique_and_files_compressed, no_output_is_dead,
     everything_is_in_it, the_table_of_the_original, rules_beyond_the_schema, valid_against_the_schemas,
     arrays_where_they_are_asked_for, a_rod_has_ends_to_plug_into, the_icon_is_a_picture, sources_link_side_by_side,
     the_token_is_a_literal,
     the_binary_shows_and_needs_little, an_importer_can_compile_it, the_rod_compiles_too,
     the_same_fmu_every_time_and_from_anywhere,
     what_the_command_refuses, scenarios_too, no_leak_under_valgrind)
