"""Old channel keys: archives that have them are read under the new names; whoever asks for one is told the new one. Also the old words of
scenarios and problems in src/base/renamed.c, and the attribute `complaints` of archives up to 0.2.0. Idempotent; fails where its anchors are gone."""
import os
import re
import subprocess

CHANNELS = [  # group, old, new
    ("certificate", "element_by_layer", "element_to_layer_ratio"),
    ("certificate", "held_energy", "stabilisation_energy"),
    ("certificate", "held_at", "stabilisation_at"),
    ("certificate", "pose_gap", "kinematic_residual"),
    ("certificate", "error_grows", "sensitivity"),
    ("certificate", "error_march", "marching_error"),
    ("certificate", "steps_softened", "fallback_steps"),
    ("certificate", "softened_energy", "fallback_energy"),
    ("certificate", "attempts_repeated", "newton_retries"),
    ("certificate", "missing_points", "missed_special_points"),
    ("solver", "slack", "redundant_residual"),
    ("response", "look", "observed_at"),
]
PROBLEMS = [("books", "energy-balance"), ("blow", "short-pulse"), ("shaft-blow", "shaft-pulse"), ("lines", "cables"), ("flat-line", "flat-cable")]

TEST = '''"""Archives of withy 0.2.0: their channels are read under the names of today, and whoever asks for an old name is told the new one."""
import json
import re

import h5py

from check import SOURCE, main, withy

SCENARIO = """
kind: dynamic
length: 0.3
elements: 6
section: {name: circle, radius: 0.005, E: 2e7, nu: 0.5, density: 1000}
loads: [{name: gravity, acceleration: [9.81, 0, 0]}]
duration: 5
step: 0.25
"""


def old_names():
    """(group, old, new) of src/base/renamed.c."""
    with open(SOURCE + "/src/base/renamed.c") as f:
        table = re.search(r"renamed_channels\\[\\] = \\{(.*?)\\n\\};", f.read(), re.S).group(1)
    return re.findall(r'\\{"(\\w+)", "(\\w+)", "(\\w+)"\\}', table)


def an_old_archive_is_read(folder):
    with open(folder + "/s.yaml", "w") as f:
        f.write(SCENARIO)
    code, _, err = withy("run", "s.yaml", "-o", "new.h5", cwd=folder)
    assert code == 0 and "withy: warning: " in err, err
    code, text, _ = withy("info", "--json", "new.h5", cwd=folder)
    new = json.loads(text)
    assert code == 0 and new["warnings"], text
    names = {(g, n): o for g, o, n in old_names()}
    with h5py.File(folder + "/new.h5") as a, h5py.File(folder + "/old.h5", "w") as b:
        def old(path):
            group, _, name = path.rpartition("/")
            return (group + "/" if group else "") + names.get((group, name), name)
        for key in a:
            a.copy(key, b)
        for key, value in a.attrs.items():
            b.attrs["complaints" if key == "warnings" else key] = value
        moved = 0
        paths = []
        a.visit(paths.append)
        for path in paths:
            if old(path) != path:
                b.move(path, old(path))
                moved += 1
        b.attrs["channels"] = "\\n".join(old(p) for p in a.attrs["channels"].split("\\n"))
        assert moved >= 5, moved
    code, text, err = withy("info", "--json", "old.h5", cwd=folder)
    assert code == 0, err
    was = json.loads(text)
    for key in ("warnings", "certificate", "channels", "frames", "outcome"):
        assert was[key] == new[key], (key, was[key], new[key])
    for group, before, now in old_names():
        code, _, err = withy("export", "old.h5", "--channels", group + "/" + before, cwd=folder)
        if (group, now) in {(c["group"], c["name"]) for c in new["channels"]}:
            assert code and f"'{now}'" in err, (before, err)


main(an_old_archive_is_read)
'''


def edit(tree, path, mark, pattern, put, flags=0):
    """Replaces the pattern once, unless the mark is there already."""
    full = os.path.join(tree, path)
    with open(full) as f:
        text = f.read()
    if mark in text:
        return []
    new, count = re.subn(pattern, put, text, count=1, flags=flags)
    if count != 1:
        raise SystemExit(f"renamed_keys.py: {path}: no place for: {mark}")
    with open(full, "w") as f:
        f.write(new)
    return [path]


def apply(tree):
    changed = []
    rows = "".join(f'    {{"{g}", "{o}", "{n}"}},\n' for g, o, n in CHANNELS)
    table = ("static const struct {\n    const char *group, *name, *now;\n} renamed_channels[] = {\n" + rows + "};\n\n")
    function = ("const char *wy_channel_renamed(const char *group, const char *name) {\n"
                "    for (size_t i = 0; i < sizeof renamed_channels / sizeof *renamed_channels; i++)\n"
                "        if ((!group || strcmp(renamed_channels[i].group, group) == 0) && strcmp(renamed_channels[i].name, name) == 0)\n"
                "            return renamed_channels[i].now;\n    return NULL;\n}\n")
    changed += edit(tree, "src/base/renamed.c", "wy_channel_renamed", r"(const char \*wy_param_renamed\()", lambda m: table + m.group(1))
    changed += edit(tree, "src/base/renamed.c", "const char *wy_channel_renamed(", r"\Z", lambda m: "\n" + function)
    changed += edit(tree, "src/base/renamed.c", "<withy/kind.h>", r"(#include <withy/param.h>\n)", r"#include <withy/kind.h>\n\1")
    changed += edit(tree, "src/base/renamed.c", '"leave_unstable"', r'(\n\};\n\nstatic const struct \{\n    const char \*catalogue)',
                    r'''\n    {"leave", "leave_unstable", "is called 'leave_unstable' now"},\1''')
    problems = "".join(f'    {{"problems", "{o}", "{n}"}},\n' for o, n in PROBLEMS)
    changed += edit(tree, "src/base/renamed.c", '"energy-balance"', r'(    \{"rod-methods", "velocity-strain", "gauss-director"\},\n)', lambda m: m.group(1) + problems)
    changed += edit(tree, "src/base/renamed.c", "/* Words of earlier", r"/\* Words that scenarios used to have: whoever writes one is told the new one\. \*/",
                    "/* Words of earlier versions: keys of scenarios, names in catalogues, channels of archives. */")
    changed += edit(tree, "include/withy/kind.h", "wy_channel_renamed", r"(/\* A piece of memory that a run needs)",
                    "/* The present name of a channel of an earlier version; `group` may be NULL: any. NULL: there is no such channel. */\n"
                    "WY_API const char *wy_channel_renamed(const char *group, const char *name);\n\n" r"\1")
    changed += edit(tree, "src/archive/recording.c", "wy_channel_renamed", r"(    c->group = slash \? [^;]*;\n)",
                    r"\1    const char *now = wy_channel_renamed(c->group, c->name);" "\n    if (now) /* an archive of an earlier version */\n        c->name = now;\n")
    changed += edit(tree, "src/base/sink.c", "wy_channel_renamed",
                    r"(\n    return wy_fail\(err, WY_BAD_INPUT, \"there is no channel '%s'%s%s%s\")",
                    "\n    const char *slash = strrchr(name, '/'), *now = wy_channel_renamed(NULL, slash ? slash + 1 : name);\n"
                    "    if (now)\n        return wy_fail(err, WY_BAD_INPUT, \"the channel '%s' is called '%s' now\", name, now);" r"\1")
    for name in ("src/archive/archive.c", "src/archive/recording.c", "src/archive/store.c"):
        full = os.path.join(tree, name)
        with open(full) as f:
            text = f.read()
        new = re.sub(r'(wy_h5_put_text\(\w+, )"complaints"', r'\1"warnings"', text)
        new = re.sub(r'^( *)(\w+->warnings) = wy_h5_get_text\((\w+), "complaints", (\w+)\);\n',
                     r'\1\2 = wy_h5_get_text(\3, "warnings", \4);' '\n' r'\1if (!\2) /* up to 0.2.0 */' '\n' r'\1    \2 = wy_h5_get_text(\3, "complaints", \4);' '\n', new, flags=re.M) \
            if '"warnings", ' not in new or name != "src/archive/recording.c" else new
        if new != text:
            with open(full, "w") as f:
                f.write(new)
            changed.append(name)
    test = os.path.join(tree, "tests/unit/test_old_archives.py")
    if not os.path.exists(test):
        with open(test, "w") as f:
            f.write(TEST)
        subprocess.run(["git", "-C", tree, "add", "tests/unit/test_old_archives.py"], check=True)
        changed.append("tests/unit/test_old_archives.py")
    return changed
