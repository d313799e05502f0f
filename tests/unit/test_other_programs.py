"""Archives as other programs open them: h5py as docs/guide.md shows it, xarray by groups, and archives of 0.2.0
(tests/data/archives-0.2.0)."""
import importlib.util
import os
import re
import warnings

import h5py

from check import SOURCE, decoded, main, withy

ROD = """kind: dynamic
title: a rod
length: 0.4
elements: 3
section: {name: circle, radius: 0.01, E: 1e8, nu: 0.4, density: 1200}
first_end: clamped
duration: 0.02
step: 0.005
"""
OLD = os.path.join(SOURCE, "tests/data/archives-0.2.0")


def run(folder, *more):
    with open(folder + "/rod.yaml", "w") as f:
        f.write(ROD)
    code, out, err = withy("run", folder + "/rod.yaml", "-q", "-o", folder + "/run.h5", *more)
    assert code == 0, err


def the_manual_example(folder):
    """Every block of Python in the section on archives runs as it stands there."""
    run(folder)
    os.rename(folder + "/run.h5", folder + "/swing.h5")
    with open(os.path.join(SOURCE, "docs/guide.md")) as f:
        section = f.read().split("\n## The archive\n")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.S)
    assert len(blocks) == 2 and "xarray" in blocks[1]
    here = os.getcwd()
    os.chdir(folder)
    try:
        for block in blocks:
            if "xarray" in block and not importlib.util.find_spec("h5netcdf"):
                print("no h5netcdf: the block with xarray is left out")
                continue
            names = {}
            exec(block, names)
            if "xarray" in block:
                state = names["state"]
                assert state.position.dims[0] == "time" and state.position.attrs["units"] == "m", state.position
                assert list(names["axis"].values[:2]) == [0, 0.005], names["axis"]
    finally:
        os.chdir(here)


def every_group_opens_in_xarray(folder):
    """Without a warning, the root too, with the numbers that h5py finds."""
    if not importlib.util.find_spec("h5netcdf"):
        print("no h5netcdf: nothing is opened in xarray")
        return
    import xarray
    run(folder)
    with h5py.File(folder + "/run.h5") as f, warnings.catch_warnings():
        warnings.simplefilter("error")
        groups = ["/"]
        for name in groups:  # also those that have two names
            groups += [(name + "/" + sub).lstrip("/") for sub in f[name] if isinstance(f[name][sub], h5py.Group)]
        assert {"state", "objects/rod/state", "objects/rod/energy"} <= set(groups), groups
        for group in groups:
            with xarray.open_dataset(folder + "/run.h5", group=group, engine="h5netcdf") as data:
                for name in data.variables:
                    if name in f[group]:
                        assert (data[name].values == f[group][name][...]).all(), (group, name)


def dimensions_and_units(folder):
    run(folder)
    with h5py.File(folder + "/run.h5") as f:
        names = decoded(f.attrs["channels"]).split("\n")
        assert decoded(f.attrs["withy_format"]) == "3"
        for name in names:
            assert decoded(f[name].attrs["units"]) == decoded(f[name].attrs["unit"]), name
            if name == "time":
                assert f[name].attrs["CLASS"] == b"DIMENSION_SCALE"
                continue
            assert [list(d.keys()) for d in f[name].dims][0] == ["time"], name
            assert [len(d[0]) for d in f[name].dims] == list(f[name].shape), name
            assert f["objects/rod/" + name] == f[name], name


def texts_have_a_fixed_length(folder):
    """Also those that are too long for an attribute."""
    run(folder, "--set", "title=" + "long " * 9000)
    fixed = []

    def check_item(name, item):
        for key in item.attrs:
            kind = h5py.check_string_dtype(item.attrs.get_id(key).dtype)
            if kind:
                assert kind.length is not None, (name, key)
                fixed.append(key)
    with h5py.File(folder + "/run.h5") as f:
        check_item("/", f)
        f.visititems(check_item)
        assert decoded(f["texts/title"][0]) == ("long " * 9000).strip()
        assert "title" not in f.attrs and f["texts/title"].fletcher32
    assert len(fixed) > 50
    code, out, err = withy("info", folder + "/run.h5", "--json")
    assert code == 0 and "long " * 8999 in out, err


def archives_of_0_2_0(folder):
    """Of every kind: read by every command that reads, with the numbers that h5py finds."""
    kinds = sorted(name[:-3] for name in os.listdir(OLD) if name.endswith(".h5"))
    assert kinds == ["continuation", "dynamic", "rigid-body", "shaft", "static", "sweep"]
    for kind in kinds:
        path = f"{OLD}/{kind}.h5"
        with h5py.File(path) as f:
            names, title = decoded(f.attrs["channels"]).split("\n"), decoded(f.attrs["title"])
            axis = list(map(float, f[names[0]][...]))
        code, out, err = withy("info", path)
        assert code == 0 and kind in out and title in out and "0.2.0" in out, (kind, out, err)
        code, out, err = withy("export", path, "--format", "csv")
        assert code == 0 and [float(line.split(",")[0]) for line in out.splitlines()[1:]] == axis, (kind, err)
        code, out, err = withy("plot", path, "-o", f"{folder}/{kind}.svg")
        assert code == 0, (kind, err)
        if kind != "sweep":
            code, out, err = withy("view", path, "-o", f"{folder}/{kind}.html")
            assert code == 0, (kind, err)
    code, out, err = withy("info", OLD + "/dynamic.h5", "--scenario")
    assert code == 0 and "# --set section.radius=0.011\n# --set title=a rod, overridden\n" in out, out
    for words in (["modes", OLD + "/dynamic.h5"], ["modes", OLD + "/static.h5"],
                  ["modes", OLD + "/continuation.h5", "--point", "BP1"]):
        code, out, err = withy(*words)
        assert code == 0, (words, err)


main(the_manual_example, every_group_opens_in_xarray, dimensions_and_units, texts_have_a_fixed_length,
     archives_of_0_2_0)
