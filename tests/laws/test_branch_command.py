"""Branches through the command: a diagram, its picture, vibrations about a point, and letting it go."""
import os

import h5py
import numpy as np

from check import SOURCE, main, withy

EXAMPLE = SOURCE + "/examples/twist-shortening-branches.yaml"
LABELS = ["", "EP", "LP", "BP", "UZ"]


def diagram(folder):
    run = folder + "/branches.h5"
    code, out, err = withy("run", EXAMPLE, "-o", run)
    assert code == 0, err
    assert "BP3 on branch 1" in err, err
    with h5py.File(run) as f:
        channels = {}
        f.visititems(lambda name, item: channels.__setitem__(name.split("/")[-1], item)
                     if isinstance(item, h5py.Dataset) else None)
        label, number = channels["label"][:], channels["label_number"][:]
        parameter, branch, negative = channels["last_end.shortening"][:], channels["branch"][:], channels["negative"][:]
        names = [LABELS[int(a)] + str(int(n)) if a else "" for a, n in zip(label, number)]
        at = names.index("BP3")
        assert abs(parameter[at] - 0.583492098) < 2e-9, parameter[at]
        asked = parameter[label == 4]
        assert set(asked) == {0.4, 0.65, 0.8}, asked
        assert len(set(branch)) >= 4 and negative.max() >= 2 and np.all(np.isfinite(channels["strain_energy"][:]))
    code, out, err = withy("plot", run, "-o", folder + "/branches.svg")
    assert code == 0, err
    picture = open(folder + "/branches.svg").read()
    assert "BP3" in picture and "branch 3" in picture and "stroke-dasharray" in picture

    point = next(n for n, p, b in zip(names, parameter, branch) if n.startswith("UZ") and p == 0.65 and b == 1)
    code, out, err = withy("modes", run, "--point", point, "-n", "3")
    assert code == 0 and "1 negative direction" in out and "growth time" in out, (out, err)
    code, out, err = withy("modes", run, "--point", "BP99")
    assert code == 2 and "BP99" in err, (code, err)
    code, out, err = withy("modes", run)
    assert code == 2, err

    code, out, err = withy("release", run, "--point", point, "-o", folder + "/let-go.csv")
    assert code == 0, err
    assert "branch 3 (0 negative)" in out, out
    rows = np.loadtxt(folder + "/let-go.csv", delimiter=",", skiprows=1)
    assert rows[-1, 1] < 1e-10 * rows[-1, 2] and rows[:, 1].max() > 1e3 * rows[-1, 1], rows[-1]
    code, out, err = withy("release", run, "--point", point, "--push", "-1")
    assert code == 2, err


def wire_is_drawn(folder):
    """From slack to two thousandths in scaled units: the tension is EA times the strain, and few points do."""
    for ends in ("pinned", "clamped"):
        open(folder + "/wire.yaml", "w").write(f"""kind: continuation
length: 1
section: {{name: circle, radius: 0.0005, E: 200e9, nu: 0.3, density: 7800}}
first_end: {ends}
last_end: {{name: {ends}, position: [0, 0, 1]}}
branch: direct
parameter: {{number: last_end.position.2, from: 1, to: 1.002}}
""")
        code, _, err = withy("run", folder + "/wire.yaml", "-o", folder + "/wire.h5")
        assert code == 0 and "where branch 0 ends (the bound of the parameter)" in err, err
        with h5py.File(folder + "/wire.h5") as f:
            x, P = f["last_end.position.2"][:], f["ends/left_force"][:, 2]
        assert len(x) <= 50 and x[-1] == 1.002, len(x)
        np.testing.assert_allclose(P, 200e9 * np.pi * 0.0005**2 * (x - 1), rtol=1e-9, atol=1e-6)


STRIP = """
kind: continuation
length: 0.3
section: {name: rectangle, width: 0.012, height: 0.0005, E: 200e9, nu: 0.3, density: 7800}
first_end: clamped
last_end: {name: coaxial, shortening: 0.1, twist: 0}
branch: main
parameter: {number: last_end.twist, from: 0, to: 2*pi, at: [pi]}
follow: {branches: 2, negative: 3}
"""


def singular_points(folder):
    """At a fold Newton finds no way at a fixed parameter: the stored solution is taken. Its slowest mode has no
    stiffness."""
    path, run = folder + "/strip.yaml", folder + "/strip.h5"
    with open(path, "w") as f:
        f.write(STRIP)
    code, out, err = withy("run", path, "-o", run)
    assert code == 0, err
    for name in ["EP1, where branch 0 begins", "UZ1 on branch 0", "LP1 on branch 1", "BP1 on branch 0"]:
        assert name in err, (name, err)
    for line in err.splitlines():  # a sign of round-off is not counted without a word
        assert ("LP" in line) <= ("and one zero direction" in line) and ("BP" in line
            and " on branch" in line) <= ("and the zero directions" in line), line
    code, out, err = withy("modes", run, "--point", "LP1", "-n", "2")
    assert code == 0, err
    first, second = (float(line.split()[1]) for line in out.splitlines()[2:4])
    assert abs(first) < 1e-6 * second, out
    code, out, err = withy("release", run, "--point", "BP1")
    assert code != 0 and "undecided" in err, (code, out, err)
    code, out, err = withy("modes", run, "--point", "UZ99")
    assert code == 2 and "UZ1 to" in err and "LP1" in err, err


def refusals(folder):
    for setting, part in [("parameter.number=last_end.nothing", "nothing"),
                          ("parameter.number=parameter.to", "not a number of the rod"),
                          ("parameter.start=1.5", "not within the bounds"), ("parameter.to=-1", "below"),
                          ("section.EI1=0", "positive"), ("follow.step=3", "in this order"),
                          ("parameter.at=[0.5, 7]", "7")]:
        code, out, err = withy("run", EXAMPLE, "-o", folder + "/no.h5", "--set", setting)
        assert code == 2 and part in err, (setting, code, err)
        assert not os.path.exists(folder + "/no.h5")
    # a body keeps its place in metres, a branch keeps it relative to the length
    with open(folder + "/longer.yaml", "w") as f:
        f.write("kind: continuation\nlength: 0.5\nsection: {name: circle, radius: 0.004, E: 2e8, nu: 0.3, density: "
                "1200}\nbodies: [[0.2, 0.1, 0, 0, 0]]\n"
                "parameter: {number: length, from: 0.45, to: 0.5}\n")
    code, out, err = withy("run", folder + "/longer.yaml", "-o", folder + "/no.h5")
    assert code == 2, (code, err)
    assert "only at the parameter 0.45; next to it: the points where the rod or its loads jump move" in err, err


TWISTED = """kind: continuation
length: 1
elements: 30
section: {name: rigidities, EI1: 1, EI2: 1.3, GJ: 0.7, GA1: 1e4, GA2: 1e4, EA: 1e4}
last_end: {name: coaxial, shortening: 0.3}
branch: planar
"""


def twisted(folder, text):
    """(parent, end, parameter at both ends, negative in the middle) of every branch, and the file."""
    path = folder + "/twisted.h5"
    with open(folder + "/twisted.yaml", "w") as f:
        f.write(text)
    code, _, err = withy("run", folder + "/twisted.yaml", "-o", path, "--force")
    assert code == 0, err
    found = []
    with h5py.File(path) as f:
        branch, at = f["branch/branch"][:], f["last_end.twist" if "twist" in text else "last_end.shortening"][:]
        for b in range(int(branch.max()) + 1):
            i = np.where(branch == b)[0]
            found.append((int(f["branch/parent"][i[0]]), int(f["branch/end"][i[-1]]), float(at[i[0]]),
                          float(at[i[-1]]), int(f["branch/negative"][i[len(i) // 2]])))
    return found, path


def branches_are_followed_once(folder):
    """A strip bent in its plane and twisted leaves the plane at 3.711 and is back at 5.090: one branch with its image,
    followed once, wherever one begins."""
    BOUND, JOINED, MIRROR, CLOSED = 2, 5, 6, 7
    found, path = twisted(folder, TWISTED + "parameter: {number: last_end.twist, from: 0, to: 7}\nfollow: {branches: "
                          "30, negative: 3}\n")
    assert [x[:2] for x in found] == [(0, BOUND), (1, JOINED)] and abs(found[1][2]
        - 3.71116) < 1e-5 and abs(found[1][3] - 5.09043) < 1e-5, found
    # from the middle of the second one: back to the first, and the part of that in between, unstable, too
    with h5py.File(path) as f:
        k = np.where(f["branch/branch"][:] == 1)[0][11]
        twist = f["last_end.twist"][k]
    code, _, err = withy("export", path, "--format", "states", "--frame", str(k), "-o", folder + "/twisted.csv")
    assert code == 0, err
    middle = (TWISTED + f"parameter: {{number: last_end.twist, from: 0, to: 7, start: {float(twist)!r}}}\nstart: "
              f"{{states: twisted.csv}}\n")
    found, _ = twisted(folder, middle + "follow: {branches: 30, negative: 3}\n")
    assert sorted(x[:2] for x in found) == [(0, MIRROR), (0, MIRROR), (1, BOUND), (1, JOINED), (2, BOUND)], found
    assert [x[4] for x in found if x[1] == JOINED] == [1] and {x[4] for x in found if x[1] != JOINED} == {0}, found
    # with its image it is a loop: followed once, not the other way round again
    found, _ = twisted(folder, middle + "follow: {branches: 1, negative: 3, mirrors: true}\n")
    assert [x[:2] for x in found] == [(0, CLOSED)], found
    # more such loops, and a branch that crosses one of them where its parameter turns round
    if os.environ.get("WITHY_LONG"):
        found, _ = twisted(folder, TWISTED + "parameter: {number: last_end.twist, from: 11, to: 16.5, start: "
                           "11.2}\nfollow: {branches: 30, negative: 3}\n")
        assert sorted(x[:2] for x in found) == [(0, BOUND), (0, BOUND), (1, MIRROR), (2, MIRROR), (3, BOUND),
                                                (3, JOINED), (4, BOUND)], found
    # Euler's rod: each way to buckle has an image across the axis, in space a circle of them
    for other in ("1", "1.9"):
        text = TWISTED.replace("1.3", other).replace("shortening: 0.3", "shortening: 0").replace("planar", "direct")
        found, _ = twisted(folder, text + "parameter: {number: last_end.shortening, from: 0, to: 0.04}\nfollow: "
                           "{branches: 30, negative: 2}\n")
        assert [x[:2] for x in found] == [(0, 4)] + [(i + 1, BOUND)
                                                     for i in range(len(found) - 1)] and len(found) in (2, 3, 4), found


def a_change_of_sign_is_an_image(folder):
    """Twisted the other way the strip is its mirror image: from 0 one way is followed, from elsewhere what branches off
    on one side only. Not if 0 is no mirror's place (turned by 0.3 already), or if something was asked for on that
    side."""
    BOUND, JOINED, MIRROR = 2, 5, 6

    def ends(number, follow="", rod=TWISTED):
        found, _ = twisted(folder, rod + f"parameter: {{number: last_end.twist, {number}}}\nfollow: {{branches: 30, "
                           f"negative: 3{follow}}}\n")
        return [x[:2] for x in found], found

    both = [(0, BOUND), (0, BOUND), (1, BOUND), (2, BOUND)]
    assert ends("from: -4.5, to: 4.5, start: 0")[0] == [(0, BOUND), (0, MIRROR), (1, BOUND)]
    kinds, found = ends("from: -7, to: 7, start: -6.5")
    assert kinds == [(0, BOUND), (0, BOUND), (1, JOINED)] and abs(found[2][2] + 5.09043) < 1e-5 and abs(found[2][3]
        + 3.71116) < 1e-5, found
    assert ends("from: -4.5, to: 4.5, start: 0, at: [-2]")[0] == both
    already = TWISTED.replace("{name: coaxial, shortening: 0.3}",
                              f"{{name: clamped, position: [0, 0, 0.7], orientation: [{np.cos(0.15)}, 0, 0, "
                              f"{np.sin(0.15)}]}}")
    kinds, found = ends("from: -4.5, to: 4.5, start: 0", rod=already)
    assert kinds == both and abs(found[2][2] - 3.41116) < 1e-5 and abs(found[3][2] + 4.01116) < 1e-5, found
    if not os.environ.get("WITHY_LONG"):
        return
    assert ends("from: -4.5, to: 4.5, start: -4.4")[0] == [(0, BOUND), (0, BOUND), (1, BOUND)]
    assert ends("from: -4.5, to: 4.6, start: 0")[0] == both
    assert len(ends("from: -4.5, to: 4.5, start: 0", ", mirrors: true")[0]) == 6  # off either branch point both ways


THIN_STRIP = """kind: continuation
length: 0.3
section: {name: rectangle, width: 0.001, height: 0.02, E: 206e9, nu: 0.3, density: 7850}
last_end: {name: coaxial, shortening: 0}
parameter: {number: last_end.shortening, from: 0, to: 0.3}
follow: {branches: 2}
"""


def a_thin_strip_has_its_first_point(folder):
    """The first branch point was passed over: 272.98 N for 150.59 N, without a word."""
    with open(folder + "/thin-strip.yaml", "w") as f:
        f.write(THIN_STRIP)
    code, out, err = withy("run", folder + "/thin-strip.yaml", "-o", folder + "/thin-strip.h5", "--strict", "--verbose")
    assert code == 0 and "BP1 on branch 0, supercritical pitchfork" in err and "-150.59" in err, err
    assert "missed_special_points 0" in out and "linear buckling of the start: last_end.shortening = 3.655" in err, (
        out, err)
    with h5py.File(folder + "/thin-strip.h5") as f:
        assert f["branch/multiplicity"][:].max() == 1 and f["branch/type"][:].max() == 4


def missed_points_are_warned_of(folder):
    """A force that turns with the rod has no potential: nothing to count, and that is said."""
    with open(folder + "/following.yaml", "w") as f:
        f.write("kind: continuation\nlength: 1\nelements: 16\nsection: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, "
                "GA1: 1e4, GA2: 1e4, EA: 1e4}\nlast_end: {name: loaded, force: [0, 0, 0], following: true}\n"
                "parameter: {number: last_end.force.2, from: -12, to: 0, start: 0}\n")
    code, out, err = withy("run", folder + "/following.yaml", "-o", folder + "/following.h5", "--verbose")
    assert code == 0 and "negative directions are not counted" in err and "missed_special_points -1" in out, (out, err)


def a_rod_through_itself_is_warned_of(folder):
    """Said to be stable, and not possible: the spatial branch of the riser passes through itself."""
    run = folder + "/through.h5"
    code, out, err = withy("run", EXAMPLE, "-o", run, "--strict", "--set", "section.diameter=0.4", "--set",
                           "parameter.at=[0.9]")
    assert code == 1 and "of them counted as stable, which holds without contact only" in err, (code, err)
    assert "0 negative, passes through itself" in err and "warning: branch 3" in out + err, err
    with h5py.File(run) as f:
        through, branch = f["contact/passes_through_itself"][:], f["branch/branch"][:]
        near = f["contact/self_distance"][:]
        assert np.any(through[branch == 3]) and not np.any(through[branch == 0]) and np.all(near[through == 1] < 0.4)


main(a_thin_strip_has_its_first_point, missed_points_are_warned_of, a_rod_through_itself_is_warned_of,
     branches_are_followed_once, a_change_of_sign_is_an_image, wire_is_drawn, diagram, singular_points, refusals)
