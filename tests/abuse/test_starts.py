"""Inconsistent starts: an impossible one is refused with its line and what does not fit; an impulsive start, which may
be intended, runs with a warning."""
import os

from check import SOURCE, main, withy

ROD = """kind: dynamic
length: 1
elements: 8
section: {name: circle, radius: 0.01, E: 1e8, nu: 0.3, density: 1000}
%s
duration: 0.002
step: 1e-3
estimate: off
"""


def run(folder, text):
    path = folder + "/rod.yaml"
    with open(path, "w") as f:
        f.write(ROD % text)
    archive = folder + "/rod.h5"
    if os.path.exists(archive):
        os.remove(archive)
    return withy("run", path, "-o", archive)


def refused(folder, text, *words):
    code, out, err = run(folder, text)
    assert code == 2 and not out, (code, out, err)
    for w in words:
        assert w in err, (w, err)


def said(folder, text, *words):
    code, out, err = run(folder, text)
    assert code == 0, err
    for w in words:
        assert w in out + err, (w, out, err)


def quiet(folder, text):
    code, out, err = run(folder, text)
    assert code == 0 and "start" not in err and "front" not in err, (code, err)


def poses(q, stretch=1.0, n=5):
    rows = ", ".join(f"[{i / (n - 1)}, 0, 0, {stretch * i / (n - 1)}, {q}]" for i in range(n))
    return f"start: {{poses: [{rows}]}}\n"


LEVEL, OVER = "1, 0, 0, 0", "0.7071067811865476, 0, 0.7071067811865476, 0"


def frames_that_do_not_follow_the_curve(folder):
    refused(folder, poses(OVER), "frames do not follow the curve", "90 degrees off its tangent", "-d1 lies along it")
    refused(folder, poses("0, 1, 0, 0"), "180 degrees off its tangent", "-d3 lies along it")
    quiet(folder, poses(LEVEL))
    # one row turned by 40 degrees: its neighbours are not
    rows = ", ".join(f"[{i / 8}, 0, 0, {i / 8}, {'0.9397, 0.3420, 0, 0' if i == 4 else LEVEL}]" for i in range(9))
    said(folder, f"start: {{poses: [{rows}]}}\n", "near s = 0.", "the frames lean by", "the rod starts with a blow")


def rows_that_are_no_lengths(folder):
    refused(folder, poses(LEVEL, stretch=3.0), "a metre of the rod lies on 3 m of the curve")
    said(folder, poses(LEVEL, stretch=1.1), "the curve is 1.1 times as long as the rod", "starts with a blow")


def ends_against_the_start(folder):
    refused(folder, "first_end: {name: clamped, orientation: [1, 0, 0, 0]}\nstart: {orientation: [0.8, 0.6, 0, 0]}\n",
            ":5:12:", "held with the orientation (1, 0, 0, 0), but 'start' puts it with (0.8, 0.6, 0, 0), 73.7 degrees "
            "away")
    refused(folder, "first_end: {name: clamped, position: [0, 0, 1]}\nstart: {position: [0, 0, 2]}\n",
            "held at (0, 0, 1) m", "1 m away")
    refused(folder, "last_end: {name: pinned, position: [0, 0.3, 0.8]}\n" + poses(LEVEL),
            "the end at s = 1 m is held at (0, 0.3, 0.8) m",
            "the poses at the start put it at (0, 0, 1) m")
    refused(folder, f"first_end: {{name: clamped, orientation: [{OVER}]}}\n" + poses(LEVEL), "s = 0 m",
            "90 degrees away")
    refused(folder, "last_end: {name: clamped, position: [0, 0.2, 0.9]}\nstart: {shape: straight}\n",
            "the last end is held elsewhere",
            "equilibrium: true")
    quiet(folder, "first_end: {name: clamped, position: [0, 0, 1], orientation: [0.8, 0.6, 0, 0]}\n"
                  "start: {position: [0, 0, 1], orientation: [-0.8, -0.6, 0, 0]}\n")


def turns_beyond_the_mesh(folder):
    refused(folder, "start: {shape: {name: constant, strain: [0, 0, 40, 0, 0, 1]}}\n", "by 286 degrees",
            "within one element", "use at least 26 elements")


def velocities_that_are_impulsive_starts(folder):
    said(folder, "first_end: free\nstart: {velocities: [[0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0]]}\n",
         "the velocities at the start stretch the rod, by up to 1 a second",
         "0.25 of their energy goes into waves along it")
    said(folder, "first_end: clamped\nstart: {velocity: [3, 0, 0]}\n", "the end at s = 0 m starts with 0 m/s",
         "the rod beside it with 3 m/s",
         "this jump sends a wave front along the rod")
    said(folder, "first_end: {name: moved, displacement: [0.01, 0, 0], translation: {name: sine, frequency: 5}}\n",
         "the end at s = 0 m starts with 0.314 m/s", "the rod beside it with 0 m/s")
    quiet(folder, "first_end: {name: moved, displacement: [0.01, 0, 0], translation: {name: ramp, until: 1, smooth: "
          "true}}\n")
    # turning as a whole, in flight: nothing is stretched
    quiet(folder, "first_end: free\nstart: {velocity: [1, 2, 0], spin: [3, 0, 1]}\n")
    quiet(folder, "first_end: free\nstart: {velocities: [[0, 0, -1.5, 0, 3, 0, 0], [1, 0, 1.5, 0, 3, 0, 0]]}\n")


main(frames_that_do_not_follow_the_curve, rows_that_are_no_lengths, ends_against_the_start, turns_beyond_the_mesh,
     velocities_that_are_impulsive_starts)
