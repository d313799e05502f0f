"""The arrows of dependency go one way: walks the #include edges and fails on one that points the wrong way."""
import os
import re

from check import SOURCE, main

# What each module may include, beside itself and the public headers that belong to its layer.
BELOW = {
    "math": [],  # base reads scenario arithmetic with it
    "base": ["math"],
    "estimate": ["base", "math"],  # from differences between runs to errors: no physics
    "linalg": ["base", "math"],
    "integrate": ["base", "math", "linalg"],
    "solve": ["base", "math", "estimate", "linalg", "integrate"],  # shooting marches
}
BASIS = list(BELOW)
BELOW["body"] = BELOW["shaft"] = BELOW["rod"] = BASIS
BELOW["assembly"] = BASIS + ["rod"]  # rods and rigid bodies that are joined
BELOW["system"] = ["base", "math", "linalg"]  # nodes, elements, couplings: no physics
BELOW["element"] = ["base", "math", "linalg", "rod"]  # the director element: its basis and its algebra
BELOW["equilibrium"] = BASIS + ["rod", "system", "element"]
BELOW["motion"] = BASIS + ["rod", "assembly", "system", "element", "equilibrium"]  # may start from an equilibrium
BELOW["branches"] = BASIS + ["rod", "system", "equilibrium"]
BELOW["release"] = BASIS + ["rod", "equilibrium", "motion", "branches"]
BELOW["modes"] = BASIS + ["shaft", "rod", "equilibrium", "branches"]
BELOW["kinds"] = BASIS + ["body", "shaft", "rod", "assembly", "equilibrium", "motion", "branches", "release", "modes"]
BELOW["scenario"] = BELOW["kinds"] + ["kinds"]
BELOW["sweep"] = BELOW["scenario"] + ["scenario"]
BELOW["report"] = ["base", "math"]
BELOW["archive"] = BELOW["sweep"] + ["sweep", "report"]
BELOW["scene"] = BELOW["archive"] + ["archive"]
BELOW["draw"] = BELOW["scene"] + ["scene"]
BELOW["export"] = BELOW["draw"] + ["draw"]
LIBRARY = list(BELOW)
# libwithy-lab: its modules use the public headers, and of the library's modules these internal ones.
LAB = {
    "multisymplectic": [], "box": [], "literal": [], "study": ["multisymplectic", "box"],
    "atlas": ["box"], "bench": ["study"], "lab": ["study", "atlas", "bench", "multisymplectic"],
}
LAB_MAY_INCLUDE = {
    "base/given.h", "base/memory.h", "estimate/richardson.h", "math/constants.h", "math/elementary.h", "math/vec3.h",
    "linalg/band.h", "linalg/lu.h", "motion/bdf_alpha.h", "motion/motion_internal.h", "equilibrium/equilibrium_model.h",
    "equilibrium/equilibrium_solver.h", "equilibrium/equilibrium_stability.h", "export/json.h",
}
# The module that implements each public header.
HOME = {
    "export": "math", "status": "base", "version": "base", "param": "base", "kind": "base", "frames": "base",
    "live": "base", "march": "base", "signal": "base", "report": "report",
    "rotation": "math", "se3": "math", "elliptic": "math", "integrator": "integrate", "body": "body", "section": "rod",
    "rod": "rod", "sea": "rod", "assembly": "assembly",
    "equilibrium": "equilibrium", "motion": "motion", "elastica": "equilibrium",
    "branches": "branches",
    "release": "release", "shaft": "shaft", "modes": "modes", "withy": "kinds",
    "scenario": "scenario",
    "archive": "archive", "scene": "scene", "curve": "math", "writer": "export", "draw": "draw", "io": "export",
    "sweep": "sweep",
    "text": "base", "new_file": "archive", "batch": "motion",
}
LAB_HOME = {
    "study": "study", "bench": "bench", "atlas": "atlas", "multisymplectic": "multisymplectic",
    "lab_methods": "literal", "lab": "lab",
}


def sources(folder, endings=(".c", ".h", ".inc")):
    for path, _, names in os.walk(os.path.join(SOURCE, folder)):
        for name in names:
            if name.endswith(endings):
                yield os.path.join(path, name)


def includes(path):
    with open(path) as f:
        return re.findall(r'^\s*#\s*include\s*([<"][^>"]+)[>"]', f.read(), re.M)


def modules_are_known(_):
    found = sorted(d for d in os.listdir(os.path.join(SOURCE, "src")))
    assert set(found) <= set(BELOW), found
    headers = {name[:-2] for name in os.listdir(os.path.join(SOURCE, "include/withy"))}
    assert headers <= set(HOME), headers - set(HOME)


def source_arrows(_):
    edges = 0
    for path in sources("src"):
        module = os.path.relpath(path, os.path.join(SOURCE, "src")).split(os.sep)[0]
        for target in includes(path):
            if target.startswith('"'):
                other = target[1:].split("/")[0]
                assert "/" in target, f"{path}: {target}: name the module"
            elif target.startswith("<withy/"):
                other = HOME[target[len("<withy/"):-2]]
            else:
                continue
            edges += 1
            assert other == module or other in BELOW[module], f"{path} ({module}) includes {target}\" ({other})"
    assert edges > 30, edges


def the_laboratory_uses_what_its_list_allows(_):
    used = set()
    for path in sources("lab"):
        module = os.path.relpath(path, os.path.join(SOURCE, "lab")).split(os.sep)[0]
        if module == "include" or module.endswith(".c"):
            module = "lab"
        for target in includes(path):
            name, other = target[1:], target[1:].split("/")[0]
            if target.startswith("<withy/"):
                name = name[len("withy/"):-2]
                assert name in HOME or name in LAB_HOME, f"{path}: {target}"
            elif target.startswith('"') and other not in LAB:
                assert name in LAB_MAY_INCLUDE, f"{path} includes {name}, which the list does not allow"
                used.add(name)
            elif target.startswith('"'):
                assert other == module or other in LAB[module], f"{path} ({module}) includes {target}"
    assert used == LAB_MAY_INCLUDE, LAB_MAY_INCLUDE - used
    for folder in ("src", "include"):
        for path in sources(folder):
            for target in includes(path):
                assert target[len("<withy/"):-2] not in LAB_HOME and target[1:].split("/")[0] not in LAB, \
                    f"{path}: {target}: the library does not know its laboratory"


def public_arrows(_):
    for path in sources("include"):
        module = HOME[os.path.basename(path)[:-2]]
        for target in includes(path):
            if target.startswith("<withy/"):
                other = HOME[target[len("<withy/"):-2]]
                assert other == module or other in BELOW[module], f"{path} ({module}) includes {target}> ({other})"
            else:
                assert target.startswith("<std"), f"{path}: {target}"


def applications_use_the_public_headers_only(_):
    for path in sources("app"):
        for target in includes(path):
            assert target.startswith("<") or "/" not in target, f"{path}: {target}"


def the_driver_of_motion_knows_no_method(_):
    for path in sources("src/motion"):
        if os.path.basename(os.path.dirname(path)) in ("motion", "estimate"):
            for target in includes(path):
                assert not target.startswith('"motion/gauss_director/'), \
                    f"{path} includes {target}: what it needs is a callback of wy_motion_method"


def the_element_is_written_once(_):
    """Formulas by which a copy of the director element would be known: curvatures as differences of products of
    directors, gradients by them, and the tables of its basis."""
    product = r"(?:\w+_)?dot\([^;]*\)"
    signatures = [rf"0\.5 \* \({product} - {product}|{product} - {product}\) \* 0\.5",
                  r"\bm[123] \* [de][123]\b", r"\b(?:space|basis)(?:\.|->)(?:N|N_at|D_at|hourglass)\["]
    for signature in signatures:
        found = {path for folder in ("src", "lab") for path in sources(folder)
                 if re.search(signature, open(path).read())}
        assert found, f"{signature}: in no file"
        element = os.path.join(SOURCE, "src/element/")
        assert all(path.startswith(element) for path in found), f"{signature}: {found}: src/element has it"


def files_have_one_idea(_):
    """No .c of the library is longer than 650 lines."""
    longest = {path: n for path in sources("src", (".c",)) if (n := len(open(path).readlines())) > 650}
    assert not longest, longest


def no_cast_removes_const(_):
    """-Wcast-qual refuses those of pointers; here: none goes through a number either."""
    found = [(path, line) for path in sources("src") for line in open(path)
             if re.search(r"\*\)\((?:size_t|u?intptr_t)\)", line)]
    assert not found, found


def entries_are_asked_and_not_compared(_):
    """No code compares a text with the name of a kind, an end, a load, a section ...: it asks the descriptor."""
    entry = re.compile(r"const wy_(?:kind|joint|load|section_shape|shape|damping|actuation|motion_method|"
                       r"equilibrium_solver) \w+ = \{\s*\.entry = \{\.name = \"([^\"]+)\"")
    code = {path: open(path).read() for folder in ("src", "app", "lab") for path in sources(folder)}
    names = {name for text in code.values() for name in entry.findall(text)}
    assert {"static", "continuation", "dynamic", "shaft", "rigid-body", "carried", "gravity", "tube"} <= names, names
    for path, text in code.items():
        for compared in re.findall(r"strn?cmp\([^;{]*?\"([^\"]*)\"", text):
            assert compared not in names, f"{path} compares with '{compared}': ask its descriptor"


def third_parties_stay_behind_one_file(_):
    users = {"libfyaml.h": [], "hdf5.h": []}
    for path in list(sources("src")) + list(sources("app")) + list(sources("include")):
        for target in includes(path):
            if target[1:] in users:
                users[target[1:]].append(os.path.basename(path))
    assert users["libfyaml.h"] == ["yaml.c"], users
    assert users["hdf5.h"] == ["h5.h"], users


main(modules_are_known, source_arrows, the_laboratory_uses_what_its_list_allows, public_arrows,
     applications_use_the_public_headers_only, the_driver_of_motion_knows_no_method,
     the_element_is_written_once, files_have_one_idea, no_cast_removes_const, entries_are_asked_and_not_compared,
     third_parties_stay_behind_one_file)
