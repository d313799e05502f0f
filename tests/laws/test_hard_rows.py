"""Violent motions without tuned parameters: they run to their end, their energy balance closes, and a run whose mesh
does not resolve the motion has a warning."""
import h5py

from check import SANITIZE, main, withy

# The yarn as a whip: its handle 0.6 m to the side in 0.1 s, 9 m/s in between, forces of a hundred weights.
WHIP = """kind: dynamic
length: 1
elements: 20
section: {name: circle, radius: 0.0005, E: 10e6, nu: 0.4, density: 1000}
first_end: {name: moved, displacement: [0.6, 0, 0], translation: {name: ramp, until: 0.1, smooth: true}}
loads: [{name: drag, linear: 5e-4}]
start: {shape: straight}
duration: 0.5
step: 5e-4
every: 50
"""

# Undamped, turned ten times in a second: it writhes and snaps over.
TURNS = """kind: dynamic
length: 1
elements: 20
section: {name: circle, radius: 0.005, E: 2e9, nu: 0.3, density: 1200}
first_end: clamped
last_end: {name: moved, turn: [0, 0, 20*pi], rotation: {name: ramp, until: 1, smooth: true}}
start: {shape: straight}
duration: 1
step: 2e-3
every: 50
estimate: off
"""

SUTURE = """kind: dynamic
length: 0.3
elements: 20
section: {name: circle, radius: 0.0001, E: 2e9, nu: 0.3, density: 1200}
first_end: {name: moved, displacement: [0.05, 0, 0], translation: {name: sine, frequency: 3}}
loads: [{name: gravity, acceleration: [-9.81, 0, 0]}, {name: drag, linear: 2e-5}]
start: {shape: straight}
duration: 1
step: 1e-3
every: 50
"""

WIRE = """kind: dynamic
length: 10
elements: 20
section: {name: circle, radius: 0.0001, E: 200e9, nu: 0.3, density: 7850}
first_end: clamped
loads: [{name: gravity, acceleration: [-9.81, 0, 0]}]
start: {shape: straight}
duration: 2
step: 2e-3
every: 50
"""


def run(folder, name, text, duration):
    path, archive = f"{folder}/{name}.yaml", f"{folder}/{name}.h5"
    with open(path, "w") as f:
        f.write(text)
    code, out, err = withy("run", path, "-o", archive, "--set", f"duration={duration}")
    assert code == 0, (name, err)
    with h5py.File(archive) as f:
        certificate = {key: f["certificate"][key][-1] for key in f["certificate"]}
    assert certificate["energy_drift"] < 1e-11, (name, certificate)
    return err, certificate


def a_brutal_whip_says_what_it_does_not_show(folder):
    err, certificate = run(folder, "whip", WHIP, 0.05 if SANITIZE else 0.5)
    assert SANITIZE or "more elements" in err and "are needed" in err, err
    assert certificate["steps_halved"] <= 0.05 * 1000, certificate


def ten_turns_in_a_second(folder):
    run(folder, "turns", TURNS, 0.3 if SANITIZE else 1)


def a_shaken_suture_and_a_thin_wire(folder):
    for name, text, duration in (("suture", SUTURE, 1), ("wire", WIRE, 2)):
        _, certificate = run(folder, name, text, 0.05 if SANITIZE else duration)
        assert certificate["steps_halved"] == 0 and certificate["fallback_steps"] == 0, (name, certificate)


main(a_brutal_whip_says_what_it_does_not_show, ten_turns_in_a_second, a_shaken_suture_and_a_thin_wire)
