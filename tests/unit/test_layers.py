"""The arrows of dependency go one way: walks the #include edges and fails on one that points the wrong way."""
import os
import re

from check import SOURCE, main

# What each module may include, beside itself and the public headers that belong to its layer.
BELOW = {
    "math": [],  # base reads scenario arithmetic with it
    "base": ["math"],
    "linalg": ["base", "math"],
    "integrate": ["base", "math", "linalg"],
    "solve": ["base", "math", "linalg", "integrate"],  # shooting marches with an integrator
}
BASIS = list(BELOW)
BELOW["body"] = BELOW["shaft"] = BELOW["rod"] = BASIS
BELOW["system"] = ["base", "math", "linalg"]  # nodes, elements, couplings: no physics
BELOW["equilibrium"] = BASIS + ["rod", "system"]
BELOW["motion"] = BASIS + ["rod", "system", "equilibrium"]  # a motion may start from an equilibrium
BELOW["branches"] = BASIS + ["rod", "system", "equilibrium"]
BELOW["release"] = BASIS + ["rod", "equilibrium", "motion", "branches"]
BELOW["study"] = BASIS + ["body", "shaft", "rod", "equilibrium", "motion", "branches", "release"]
BELOW["scenario"] = BELOW["study"] + ["study"]
BELOW["sweep"] = BELOW["scenario"] + ["scenario"]
BELOW["atlas"] = BELOW["scenario"] + ["scenario"]
BELOW["archive"] = BELOW["sweep"] + ["sweep", "atlas"]
BELOW["scene"] = BELOW["archive"] + ["archive"]
BELOW["draw"] = BELOW["scene"] + ["scene"]
BELOW["export"] = BELOW["draw"] + ["draw"]
# The module that implements each public header.
HOME = {
    "export": "math", "status": "base", "version": "base", "param": "base", "kind": "base", "frames": "base",
    "live": "base", "march": "base", "signal": "base",
    "rotation": "math", "se3": "math", "elliptic": "math", "integrator": "integrate", "body": "body", "section": "rod",
    "rod": "rod", "sea": "rod",
    "equilibrium": "equilibrium", "motion": "motion", "elastica": "equilibrium", "multisymplectic": "equilibrium",
    "branches": "branches",
    "release": "release", "shaft": "shaft", "study": "study", "bench": "study", "withy": "study",
    "scenario": "scenario",
    "archive": "archive", "scene": "scene", "curve": "math", "writer": "export", "draw": "draw", "io": "export",
    "sweep": "sweep",
    "text": "base", "new_file": "archive", "atlas": "atlas", "batch": "motion",
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


def third_parties_stay_behind_one_file(_):
    users = {"libfyaml.h": [], "hdf5.h": []}
    for path in list(sources("src")) + list(sources("app")) + list(sources("include")):
        for target in includes(path):
            if target[1:] in users:
                users[target[1:]].append(os.path.basename(path))
    assert users["libfyaml.h"] == ["yaml.c"], users
    assert users["hdf5.h"] == ["h5.h"], users


main(modules_are_known, source_arrows, public_arrows, applications_use_the_public_headers_only,
     third_parties_stay_behind_one_file)
