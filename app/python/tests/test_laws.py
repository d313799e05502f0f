"""Every load, end, actuation, damping and shape of the tables, from keywords: it moves, its energy balances, its text
says the same, and it shows itself."""
import numpy as np
import pytest

import withy
from conftest import SECTION

SIGNAL = withy.sine(frequency=3.0)
ROWS = [(0, 0, 1e-4, 0, 2e-4, 0, 0), (0.27, 0, 0, 0, 1e-3, 0, 1e-4)]
STRAINS = [(0, 0, 1.0, 0, 0, 0, 1), (0.27, 0, 2.0, 0, 0, 0, 1)]
MADE = {
    "loads": {
        "gravity": [dict(acceleration=(-9.7, 0.3, 0))], "drag": [dict(linear=0.01, angular=1e-6)],
        "distributed-force": [dict(density=(0.01, 0, 0), from_=0.05, until=0.2, in_time=SIGNAL),
                              dict(density=(0, 0.01, 0), following=True)],
        "distributed-couple": [dict(density=(0, 0, 1e-5))], "point-force": [dict(force=(0, 2e-3, 0), at=0.1)],
        "rows": [dict(rows=ROWS)],
        "foundation": [dict(stiffness=(0.3, 0.2, 0))], "sea-bed": [dict(stiffness=2.0, normal=(1, 0, 0), height=-0.01)],
        "fluid": [dict(density=1000.0, velocity=(0.2, 0, 0), added_mass=1.0),
                  dict(density=1.2, profile=[(0, 1), (1, 2)], velocity=(0, 1, 0), up=(1, 0, 0))],
        "sea": [dict(density=1025.0, waves=[(0.01, 2.0, 0.3, 0.5)], depth=3.0, added_mass=1.0),
                dict(density=1000.0, waves=[(0.0, 9.0, 0, 0)]),
                dict(density=1000.0, surface=0.1, depth=0.05, up=(0, 0, 1), velocity=(0.1, 0, 0), added_mass=1.0)],
        "buoyancy": [dict(density=500.0, acceleration=(-9.81, 0, 0))],
    },
    "ends": {
        "clamped": [dict(), dict(twist=0.1)], "coaxial": [dict()], "pinned": [dict()],
        "held": [dict(translations=(1, 0, 1), rotations=(0, 0, 0))], "free": [dict()],
        "loaded": [dict(force=(0, 1e-3, 0), in_time=SIGNAL)],
        "spring": [dict(stiffness=(1e-4, 1e-4, 0, 0.5, 0.5, 0.1), damping=(0, 0, 0, 1e-3, 1e-3, 0))],
        "moved": [dict(displacement=(0, 1e-3, 0), translation=SIGNAL)],
        "carried": [dict(x1=withy.sine(amplitude=1e-3, frequency=2.0), turns_freely=True)], "driven": [dict()],
    },
    "actuations": {
        "uniform": [dict(strain=(0, 0.5, 0, 0, 0, 0), in_time=SIGNAL)],
        "rows": [dict(rows=[(0, 0, 0, 0, 0, 0, 0), (0.27, 0, 1, 0, 0, 0, 0)])],
        "heat": [dict(expansion=1e-5, temperature=20.0, gradient=(100.0, 0))],
    },
    "dampings": {"none": [dict()], "viscosity": [dict(mu=50.0)], "coefficients": [dict(Bb=1e-7, Be=1e-4)],
                 "proportional": [dict(time=1e-3)]},
    "shapes": {"straight": [dict()], "constant": [dict(strain=(0, 1, 0, 0, 0, 1))],
               "helix": [dict(radius=0.02, pitch=0.05)], "piecewise": [dict(strain=STRAINS)],
               "sampled": [dict(strain=STRAINS)]},
}
KEYWORD = {"loads": "loads", "ends": "last_end", "actuations": "actuation", "dampings": "damping",
           "shapes": "reference"}
LISTS = ("loads", "actuations")


def test_none_is_left_out():
    for space, made in MADE.items():
        assert [e["name"] for e in getattr(withy, space)._catalogue["entries"]] == list(made), (
            f"a row of {space} has no case here")


@pytest.mark.parametrize("space, name, given", [(s, n, g) for s, made in MADE.items() for n, all_ in made.items()
                                                for g in all_])
def test_it_moves_and_says_the_same(space, name, given):
    one = getattr(getattr(withy, space), name.replace("-", "_"))(**given)
    more = {"start": {"equilibrium": True}} if given.get("twist") else {}
    rod = withy.Rod(length=0.27, elements=3, section=withy.circle(**SECTION),
                    **{KEYWORD[space]: [one] if space in LISTS else one}, **more)
    m = rod.motion(step=2e-3)
    begins = float(m.energy.balance)
    m.step(4)
    assert (np.all(np.isfinite(m.position)) and abs(m.energy.balance - begins) < 1e-9 * max(m.energy.largest,
        abs(m.energy.work), 1e-12))
    assert eval(repr(rod), {**vars(withy), **vars(getattr(withy, space))}).settings == rod.settings
    again = withy.load(rod.replace(step=2e-3, duration=8e-3).text())
    n = again.motion()
    n.step(4)
    assert np.array_equal(m.position, n.position)


def test_bodies_show_themselves_and_their_tables():
    rod = withy.Rod(length=0.27, elements=4, section=withy.circle(**SECTION), bodies=[(0.27, 0.002, 1e-7, 1e-7, 1e-7)],
                    loads=[withy.gravity((-9.81, 0, 0))],
                    actuation=[withy.uniform(strain=(0, 1, 0, 0, 0, 0), in_time=SIGNAL)], first_end=withy.clamped(),
                    last_end=withy.spring(stiffness=(0, 0, 0, 1, 1, 1)))
    run = rod.motion(step=2e-3).run(steps=5)
    assert abs(run.energy_drift[-1]) < 1e-9 and run._repr_html_().startswith("<iframe")
