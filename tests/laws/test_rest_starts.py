"""`start: {equilibrium: true}`: the motion begins where `kind: static` has the rod at rest, and stays there; round rods
too, which may have buckled to any side: nothing but rounding says to which, and the matrix of Newton is singular."""
import os
import random

import h5py

from check import main, withy

ROUND = ("{name: rigidities, EI1: %g, EI2: %g, GJ: %g, GA1: 1e6, GA2: 1e6, EA: 1e6, rhoA: 1, rhoI1: 1e-4, rhoI2: 1e-4, "
         "rhoJ: 2e-4}")


def rests(folder, ends, elements, EI2=1.0, GJ=0.8):
    """Energies at rest, at the start of the motion and at its end, and what moves then."""
    rod = f"length: 1\nelements: {elements}\nsection: {ROUND % (1.0, EI2, GJ)}\n{ends}\n"
    for name, text in (("rest", "kind: static\n" + rod), ("motion",
                                                          "kind: dynamic\n" + rod
                                                          + "start: {equilibrium: true}\nduration: 0.05\nstep: "
                                                          "0.005\nestimate: false\n")):
        with open(f"{folder}/{name}.yaml", "w") as f:
            f.write(text)
        code, _, err = withy("run", f"{folder}/{name}.yaml", "-o", f"{folder}/{name}.h5", "--force")
        assert code == 0, err
    with h5py.File(folder + "/rest.h5") as r, h5py.File(folder + "/motion.h5") as m:
        return r["energy/strain_energy"][-1], m["energy/strain_energy"][0], m["energy/strain_energy"][-1], m[
            "energy/kinetic"][-1]


def stay(folder, ends, elements, **more):
    static, start, end, kinetic = rests(folder, ends, elements, **more)
    assert abs(start - static) < 1e-4 * static, (ends, static, start)
    assert abs(end - start) < 1e-9 * static and kinetic < 1e-12 * static, (ends, start, end, kinetic)


def round_rods_start_where_they_rest(folder):
    stay(folder, "first_end: pinned\nlast_end: {name: clamped, position: [0, 0, 0.55]}", 16)
    stay(folder, "last_end: {name: coaxial, twist: 4.5, shortening: 0.2}", 24)
    stay(folder, "last_end: {name: coaxial, shortening: 1}", 24)


def flat_ones_too(folder):
    stay(folder, "first_end: pinned\nlast_end: {name: clamped, position: [0, 0, 0.55]}", 16, EI2=2.0)
    stay(folder, "last_end: {name: coaxial, twist: 4.5, shortening: 0.2}", 24, EI2=2.0)


def any_round_rod(folder):
    seed = random.Random(7)
    for _ in range(24 if os.environ.get("WITHY_LONG") else 4):
        short, twist = seed.uniform(0.05, 0.6), seed.uniform(0.0, 4.0)
        GJ = seed.uniform(0.5, 1.0)
        if seed.random() < 0.5:
            ends = f"last_end: {{name: coaxial, twist: {twist}, shortening: {short}}}"
        else:
            ends = f"first_end: pinned\nlast_end: {{name: clamped, position: [0, 0, {1 - short}]}}"
        stay(folder, ends, seed.randrange(16, 33), GJ=GJ)


def lines_tauter_than_their_weight_stay(folder):
    """The stabilisation inside long elements is as stiff as the largest force requires: that of the equilibrium, not
    the weight with which the equilibrium was computed."""
    for elements in (8, 20, 50):
        with open(folder + "/line.yaml", "w") as f:
            f.write(f"""kind: dynamic
length: 20
elements: {elements}
section: {{name: circle, radius: 0.01, E: 2e8, nu: 0.4, density: 2000}}
last_end: {{name: clamped, position: [3, 0, 19.4]}}
loads: [{{name: gravity, acceleration: [-9.81, 0, 0]}}]
start: {{equilibrium: true}}
duration: 0.5
step: 0.05
estimate: false
""")
        code, _, err = withy("run", folder + "/line.yaml", "-o", folder + "/line.h5", "--force")
        assert code == 0, err
        with h5py.File(folder + "/line.h5") as m:
            kinetic, elastic = max(m["energy/kinetic"]), m["energy/strain_energy"][0]
        assert kinetic < 1e-18 * elastic, (elements, kinetic, elastic)


def what_is_elsewhere_says_so(folder):
    """Three elements have no ring: the straight rod pressed to nothing is an equilibrium too."""
    rests(folder, "last_end: {name: coaxial, shortening: 1}", 24)
    code, _, err = withy("run", folder + "/motion.yaml", "-o", folder + "/few.h5", "--set", "elements=3")
    assert code == 0 and "not the equilibrium that kind: static finds, beside which 3 elements have none" in err, err


main(round_rods_start_where_they_rest, flat_ones_too, what_is_elsewhere_says_so, lines_tauter_than_their_weight_stay,
     any_round_rod)
