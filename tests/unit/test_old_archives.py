"""Archives of withy 0.2.0: their channels are read under the names of today, and whoever asks for an old name is told
the new one."""
import json
import re

import h5py

from check import SOURCE, decoded, main, withy

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
        table = re.search(r"renamed_channels\[\] = \{(.*?)\n\};", f.read(), re.S).group(1)
    return re.findall(r'\{"(\w+)", "(\w+)", "(\w+)"\}', table)


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
        b.attrs["channels"] = "\n".join(old(p) for p in decoded(a.attrs["channels"]).split("\n"))
        assert moved >= 5, moved
    code, text, err = withy("info", "--json", "old.h5", cwd=folder)
    assert code == 0, err
    was = json.loads(text)
    for key in ("warnings", "certificate", "channels", "frames", "outcome"):
        assert was[key] == new[key], (key, was[key], new[key])
    for group, before, now in old_names():
        code, _, err = withy("export", "old.h5", "--format", "csv", "--channel", group + "/" + before, cwd=folder)
        if (group, now) in {(c["group"], c["name"]) for c in new["channels"]}:
            assert code and f"'{now}'" in err, (before, err)


main(an_old_archive_is_read)
