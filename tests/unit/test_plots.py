"""Pictures show what the archive holds: curves in the SVG are the numbers, to scale; gravity is down; zero and
round-off are told and not drawn; an unknown panel lists those there are."""
import os
import re
import shutil
import subprocess
import xml.dom.minidom

import h5py
import numpy

from check import SOURCE, main, withy

# Two rods: one with gravity along +x, which then points down, and a spatial one.
HANGING = """kind: dynamic
title: a sagging strip
length: 0.37
elements: 9
section: {name: rectangle, width: 0.02, height: 0.003, E: 4e6, nu: 0.3, density: 1200}
first_end: clamped
loads: [{name: gravity, acceleration: [9.81, 0, 0]}]
duration: 0.21
step: 0.007
"""
TURNED = """kind: static
title: a bent and turned rod
length: 1.3
section: {name: tube, radius: 0.02, wall: 0.005, E: 1e9, nu: 0.3, density: 1000}
first_end: clamped
last_end: {name: loaded, force: [30, 12, -20]}
loads: [{name: gravity, acceleration: [0, 0, -9.81]}]
reference: {name: constant, strain: [1, 0.5, 2, 0, 0, 1]}
"""


def make(folder, text, name):
    path, archive = f"{folder}/{name}.yaml", f"{folder}/{name}.h5"
    open(path, "w").write(text)
    code, out, err = withy("run", path, "-o", archive)
    assert code == 0, err
    return archive


def draw(archive, folder, *words):
    code, out, err = withy("plot", archive, "-o", folder + "/x.svg", *words)
    assert code == 0, err
    svg = open(folder + "/x.svg").read()
    xml.dom.minidom.parseString(svg)
    return svg


def curves(svg):
    """The polylines, as arrays of pixels (y down)."""
    found = []
    for d in re.findall(r"<path[^>]* d='([^']*)'", svg):
        for line in d.split("M")[1:]:  # the sample in the legend shares the path
            found.append(numpy.array(re.findall(r"(-?[\d.]+),(-?[\d.]+)", line), dtype=float))
    return found


def texts(svg):
    return [re.sub(r"&#?\w+;", "?", t) for t in re.findall(r">([^<>]+)</(?:tspan|text)>", svg)]


def fit(pixels, values):
    """pixels = a values + b: the slope, and the largest miss."""
    design = numpy.vstack([values, numpy.ones_like(values)]).T
    answer, *_ = numpy.linalg.lstsq(design, pixels, rcond=None)
    return answer[0], abs(design @ answer - pixels).max()


def series_are_the_numbers(folder):
    archive = make(folder, HANGING, "rod")
    with h5py.File(archive) as f:
        t, tip, elastic = f["time"][:], f["state/tip"][:], f["energy/strain_energy"][:]
    svg = draw(archive, folder, "--panel", "tip")
    words = texts(svg)
    assert ("a sagging strip" in words and "time / s" in words and "tip / m" in words and "x" in words
            and "z" in words), words
    assert "y" not in words and not any("tip 0" in w for w in words), "y is zero"
    drawn = [c for c in curves(svg) if len(c) == len(t)]
    assert len(drawn) == 2
    slopes = []
    for pixels, values in zip(drawn, (tip[:, 0], tip[:, 2])):
        across, miss = fit(pixels[:, 0], t)
        up, miss_up = fit(pixels[:, 1], values)
        assert across > 0 and miss < 0.1 and miss_up < 0.1, (across, miss, miss_up)
        slopes.append(up)
    assert slopes[0] < 0 and abs(slopes[0] / slopes[1] - 1) < 0.02  # one axis for both, and up is more
    svg = draw(archive, folder, "--panel", "strain_energy")
    drawn = [c for c in curves(svg) if len(c) == len(t)]
    assert len(drawn) == 1 and fit(drawn[0][:, 1], elastic)[1] < 0.1


def shapes_are_to_scale_and_gravity_is_down(folder):
    archive = make(folder, HANGING, "rod")
    with h5py.File(archive) as f:
        x = f["state/position"][:]
    svg = draw(archive, folder, "--panel", "shape")
    words = texts(svg)
    assert "x / m" in words and "z / m" in words and "y / m" not in words and "g" in words and "time / s" in words, (
        words)
    pieces = 18  # 160 points wanted, 9 elements
    drawn = [c for c in curves(svg) if len(c) == 9 * pieces + 1]
    assert len(drawn) == 12
    last = drawn[-1][::pieces]  # gnuplot draws in the order given: the last is the last frame
    across, miss = fit(last[:, 0], x[-1, :, 2])
    down, miss_down = fit(last[:, 1], x[-1, :, 0])
    assert miss < 0.1 and miss_down < 0.1, (miss, miss_down)
    assert across > 0 and down > 0, "gravity is +x: down on the page, where pixels grow"
    assert abs(across / down - 1) < 0.01, "one unit as long on both axes"
    # no corners: the direction changes a little from piece to piece
    d = numpy.diff(drawn[-1], axis=0)
    turn = numpy.diff(numpy.unwrap(numpy.arctan2(d[:, 1], d[:, 0])))
    nodes = numpy.diff(numpy.unwrap(numpy.arctan2(*numpy.diff(last, axis=0).T[::-1])))
    assert abs(turn).max() < 0.3 * abs(nodes).max() + 0.02, (abs(turn).max(), abs(nodes).max())


def space_is_a_projection(folder):
    """Whichever way is down."""
    for up, text in ((1, TURNED), (-1, TURNED.replace("-9.81", "9.81"))):
        archive = make(folder, text, "rod")
        with h5py.File(archive) as f:
            x = f["state/position"][0]
        svg = draw(archive, folder, "--panel", "shape")
        words = texts(svg)
        assert {"x / m", "y / m", "z / m", "g"} <= set(words), words
        longest = max(curves(svg), key=len)
        pieces = (len(longest) - 1) // (len(x) - 1)
        pixels = longest[::pieces] * [1, -1]
        design = numpy.hstack([x, numpy.ones((len(x), 1))])
        map_, *_ = numpy.linalg.lstsq(design, pixels, rcond=None)
        assert abs(design @ map_ - pixels).max() < 0.1
        u, v = map_[:3, 0], map_[:3, 1]
        # an orthographic view: two rows of a rotation, times one scale; up is up on the page, and seen from above: no
        # mirror
        assert abs(u @ v) < 0.01 * (u @ u) and abs(u @ u / (v @ v) - 1) < 0.02, (u, v)
        assert abs(u[2]) < 0.01 * numpy.linalg.norm(u) and up * v[2] > 0
        assert up * numpy.cross(u, v)[2] > 0


def one_solution_fills_its_panels(folder):
    archive = make(folder, TURNED, "rod")
    with h5py.File(archive) as f:
        s, moment, force = f["state/arc_length"][0], f["state/moment"][0], f["ends/left_force"][0]
    svg = draw(archive, folder)
    words = " ".join(texts(svg))
    for text in ("moment along the rod", "force along the rod", "curvature along the rod", "moment / N m", "s / m",
                 "force at the left end"):
        assert text in words, (text, words)
    assert f"d1 = {force[0]:.6g} N" in words, words
    along = [c for c in curves(svg) if len(c) == len(s)]
    assert any(fit(c[:, 0], s)[1] < 0.1 and fit(c[:, 1], moment[:, 1])[1] < 0.1 for c in along)


def round_off_is_stated(folder):
    archive = make(folder, HANGING, "rod")
    svg = draw(archive, folder)
    stated = [t for t in texts(svg) if "below 1e-" in t]
    assert any(t.startswith("balance: change below 1e-1") for t in stated), texts(svg)
    with h5py.File(archive) as f:
        balance = f["invariants/balance"][:]
    bound = float(re.search(r"below (1e-\d+)", [t for t in stated if t.startswith("balance")][0]).group(1))
    change = abs(balance - balance[0]).max()
    assert bound / 10 <= change < bound
    assert "dissipated" not in texts(svg) and "work" not in texts(svg)  # both are zero
    words = texts(draw(archive, folder, "--panel", "dissipated"))  # but what was asked for is answered
    assert any("zero" in w for w in words), words


def the_verdict_stands_below(folder):
    coarse = HANGING.replace("elements: 9", "elements: 2").replace("duration: 0.21\nstep: 0.007",
                                                                   "duration: 1\nstep: 0.1")
    archive = make(folder, coarse, "coarse")
    printed = withy("info", archive)[1]
    verdict = re.search("^verdict: (.*)$", printed, re.M)[1]
    warning = re.search("^  warning: (.*)$", printed, re.M)[1]
    assert verdict.startswith("with warnings: ")
    for words in ((), ("--panel", "tip")):
        drawn = [t.strip() for t in texts(draw(archive, folder, *words))]
        lines = drawn[drawn.index("accuracy") + 1:]
        assert " ".join(lines) == f"{verdict} {warning}" and all(len(t) <= 105 for t in lines), lines


def panels_by_name(folder):
    archive = make(folder, HANGING, "rod")
    words = " ".join(texts(draw(archive, folder, "--panel", "strain,moment,velocity,iterations")))
    for text in ("strain kappa2 along the rod", "moment2 along the rod", "velocity omega2 along the rod", "iterations",
                 "strain kappa2 / rad/m"):
        assert text in words, (text, words)
    for wrong in ("momnt", "", "shape,,tip", "shape,nothing", "x" * 5000):
        code, out, err = withy("plot", archive, "-o", folder + "/y.svg", "--panel", wrong)
        assert code == 2 and "no panel" in err and "there are: shape, tip-position, energy" in err, err
    assert "did you mean 'moment'" in withy("plot", archive, "-o", folder + "/y.svg", "--panel", "momnt")[2]


def labels_do_not_overprint(folder):
    """The riser's branches: BP1 and BP2 are two pixels apart."""
    archive = folder + "/riser.h5"
    code, out, err = withy("run", SOURCE + "/examples/twist-shortening-branches.yaml", "-o", archive)
    assert code == 0, err
    svg = draw(archive, folder, "--panel", "thrust")
    labels = []
    for g in re.findall(r'<g transform="translate\(([\d.]+),([\d.]+)\)"[^>]*>\s*<text>(.*?)</text>', svg, re.S):
        label = re.sub(r"<[^>]*>", "", g[2]).strip()
        if re.fullmatch(r"(BP|UZ|LP)\d+", label):
            labels.append((float(g[0]), float(g[1]), label))
    assert len(labels) == 11, labels
    for i, (x, y, a) in enumerate(labels):
        for u, v, b in labels[:i]:
            assert abs(x - u) > 8 * len(a) - 4 or abs(y - v) > 12, (a, b, x, y, u, v)


def films(folder):
    """--animate: what a missing ffmpeg says, what is refused, and (where ffmpeg is) a film with the asked number of
    pictures."""
    archive = make(folder, HANGING, "rod")
    film = folder + "/x.mp4"
    os.mkdir(folder + "/bin")
    os.symlink(shutil.which("gnuplot"), folder + "/bin/gnuplot")
    code, out, err = withy("plot", archive, "--animate", film, env=dict(os.environ, PATH=folder + "/bin"))
    assert code == 3 and "ffmpeg is not installed (package ffmpeg)" in err, err
    still = make(folder, TURNED, "still")
    for words, code, sentence in (([archive, "--animate", folder + "/x.avi"], 2, "must end in .mp4, .webm or .gif"),
                                  ([still, "--animate", film], 2, "nothing moves"),
                                  ([archive, "--animate", film, "--seconds", "-1"], 2, "a positive number of seconds"),
                                  ([archive, "--animate", film, "--panel", "tip"], 2, "not both"),
                                  ([archive, "--seconds", "3"], 2, "goes with '--animate'"),
                                  ([archive, "--animate", folder + "/rod.yaml"], 3, "cannot write")):
        got, out, err = withy("plot", *words)
        assert got == code and sentence in err, (words, got, err)
    if not shutil.which("ffmpeg"):
        print("     (no film was made: ffmpeg is not installed)")
        return
    scratch = folder + "/scratch"  # the command's temporary files go here, so that no other process's are counted
    os.mkdir(scratch)
    for ending in ("mp4", "gif"):
        film = f"{folder}/x.{ending}"
        for _ in range(2):  # the second takes the place of the first: it bears the mark
            code, out, err = withy("plot", archive, "--animate", film, "--seconds", "0.2",
                                   env=dict(os.environ, TMPDIR=scratch))
            assert code == 0 and out.strip() == film, err
        done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                               "stream=nb_read_frames,width", "-of", "csv=p=0", film],
                              capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout.strip() == ("1000,5" if ending == "mp4" else "700,5"), (
            done.stdout, done.stderr)
    assert not os.listdir(scratch), os.listdir(scratch)


main(films, series_are_the_numbers, shapes_are_to_scale_and_gravity_is_down, space_is_a_projection,
     one_solution_fills_its_panels,
     round_off_is_stated, the_verdict_stands_below, panels_by_name, labels_do_not_overprint)
