"""Oversized scenarios: refused with the limit that they exceed, within a second of computing and 100 MB, from a file
and from an archive (B3)."""
import os
import resource
import subprocess

import h5py

from check import SANITIZE, WITHY, main, withy

HEAD = """kind: dynamic
length: 0.4
elements: 3
section: {name: circle, radius: 0.01, E: 1e8, nu: 0.4, density: 1200}
duration: 0.02
step: 0.01
"""


def nested(depth):
    """Sums of ten terms, nine of them aliases: ten to the depth."""
    inner = "&a0 {name: constant, value: 1}"
    for i in range(depth):
        inner = "&a%d {name: sum, terms: [%s%s]}" % (i + 1, inner, (", *a%d" % i) * 9)
    return HEAD + "loads: [{name: point-force, force: [0, 0, 1], at: 0.4, in_time: %s}]\n" % inner


BOMBS = {
    "aliases of aliases": (nested(7), "aliases stand for"),
    "more of them": (nested(12), "aliases stand for"),
    "deeper than forty": (nested(30), "nested"),
    "a long text again and again": (HEAD + "title: &t " + "x" * 100000 + "\nloads: [" + "*t," * 200000 + "]\n",
                                    "aliases stand for"),
    "a chain of aliases": (HEAD + "loads:\n  - &b0 {name: gravity}\n"
                           + "".join(f"  - &b{i + 1} [*b{i}]\n" for i in range(900)),
                           "nested in each other, by aliases"),
    "anchors": (HEAD + "loads: [" + ", ".join(f"&a{i} x" for i in range(60000)) + "]\n", "1000 anchors"),
    "keys": (HEAD + "".join(f"k{i}: 1\n" for i in range(1000000)), "1000 keys"),
    "mappings": (HEAD + "loads:\n"
                 + "".join("- {" + ", ".join(f"a{k}: 1" for k in range(300)) + "}\n" for _ in range(300)),
                 "'loads' has no 'name'"),
    "loads": (HEAD + "loads: [" + "gravity," * 110000 + "]\n", "20000 entries"),
    "opened and not closed": ("[" * 1000000, "brackets"),
    "opened too": ("{" * 1000000, "brackets"),
    "a list": ("kind: dynamic\ntitle: [" + "a," * 490000 + "]\n", "'title' is a list"),
    "lines": ("- " * 500000, "nested"),
    "values on one line": (HEAD + "loads: [" + "1," * 4100000 + "]\n", "on one line"),
    "keys of keys": ("? " * 500000, "a key must be"),
}


def refused(words, *args, megabytes=100, code=2):
    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20) if SANITIZE else (2, 2))
        if not SANITIZE:
            resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
    done = subprocess.run([WITHY, *args], capture_output=True, text=True, preexec_fn=limited)
    assert done.returncode == code and words in done.stderr, (args, words, done.returncode, done.stderr[:500])


def from_a_file(folder):
    for name, (text, words) in BOMBS.items():
        with open(folder + "/b.yaml", "w") as f:
            f.write(text)
        refused(words, "run", folder + "/b.yaml", "--check")
        with open(folder + "/s.yaml", "w") as f:
            f.write("scenario: b.yaml\nover: {length: [1, 2]}\n")
        refused(words, "sweep", folder + "/s.yaml", "--list")
    with open(folder + "/b.yaml", "w") as f:
        f.write(HEAD)
    refused("aliases stand for", "run", folder + "/b.yaml", "--check", "--set",
            "loads=[" + nested(7).split("loads: [")[1].rstrip("\n"))


def half_a_million_values(folder):
    """In one line of 1 MB: libfyaml holds all values of a line until its end, two tokens of 192 bytes for each."""
    with open(folder + "/b.yaml", "w") as f:
        f.write(HEAD + "loads: [{name: gravity, acceleration: [" + "1," * 500000 + "]}]\n")
    refused("500000 entries", "run", folder + "/b.yaml", "--check", megabytes=300)
    if not SANITIZE:  # libfyaml says nothing where it finds no memory
        for megabytes in (12, 20, 60, 150, 250):
            refused("no memory for the scenario", "run", folder + "/b.yaml", "--check", megabytes=megabytes, code=1)
    with open(folder + "/b.yaml", "w") as f:
        f.write(HEAD + "loads: [{name: gravity, acceleration: [\n" + "   1,\n" * 160000 + "  ]}]\n")
    refused("160000 entries", "run", folder + "/b.yaml", "--check")


def from_an_archive(folder):
    with open(folder + "/b.yaml", "w") as f:
        f.write(HEAD + "title: a bomb\n")
    assert withy("run", folder + "/b.yaml", "-q", "-o", folder + "/b.h5")[0] == 0
    for name in ("aliases of aliases", "keys", "anchors"):
        with h5py.File(folder + "/b.h5", "r+") as f:
            f.attrs["scenario"] = BOMBS[name][0]
        refused(BOMBS[name][1], "modes", folder + "/b.h5")
        for args in (["info", folder + "/b.h5"], ["plot", folder + "/b.h5", "-o", folder + "/b.svg"],
                     ["view", folder + "/b.h5", "-o", folder + "/b.html"]):
            done = subprocess.run([WITHY, *args], capture_output=True, text=True, timeout=60)
            assert done.returncode in (0, 2, 3), (args, done)


def as_much_as_is_allowed(folder):
    """Just below the limits: read."""
    aliases = HEAD + "loads: [&g {name: gravity, acceleration: [0, 0, -1e-3]}" + ", *g" * 999 + "]\n"
    rows = (HEAD + "loads: [{name: point-force, force: [0, 0, 1], at: 0.4, in_time: {name: smooth, values: ["
            + "".join(f"[{i}e-3, 0.1]," for i in range(100000)) + "]}}]\n")
    for text in (aliases, rows, nested(3)):
        with open(folder + "/b.yaml", "w") as f:
            f.write(text)
        code, out, err = withy("run", folder + "/b.yaml", "--check")
        assert code == 0, err


main(from_a_file, half_a_million_values, from_an_archive, as_much_as_is_allowed)
