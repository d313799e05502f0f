"""A program as users write it, with every call of the package: mypy --strict has nothing to say, and it runs."""
import pickle
import tempfile
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import withy

Floats = NDArray[np.float64]


def make_rod() -> withy.Rod:
    return withy.Rod(length=0.5, elements=8, section=withy.circle(radius=0.002, E=1e7, nu=0.4, density=1200),
                     loads=[withy.gravity((-9.81, 0, 0))], title="a rod")


def statics(rod: withy.Rod) -> float:
    rest: withy.Equilibrium = rod.solve(solver="collocation")
    tip: Floats = rest.position[-1]
    stable: bool | None = rest.stable
    print(tip, stable, rest.error, rest.negative, rest.verdict, rest.warnings, rest.notes)
    modes: withy.Modes = rest.vibrations(3)
    frequency: Floats = modes.frequency
    return float(frequency[0])


def branches(rod: withy.Rod) -> list[str]:
    strut = rod.replace(last_end=withy.coaxial(shortening=0), loads=None)
    found: withy.Branches = strut.continue_in("last_end.shortening", to=0.01, follow={"branches": 1, "points": 40})
    for branch in found.branches:
        print(branch.number, len(branch), branch.parameter[-1], branch.stable.any())
    return [point.label for point in found.points]


def controlled(rod: withy.Rod) -> Floats:
    with rod.motion(step=1e-3, first_end=withy.driven(), push_at=[0.1]) as motion:
        forces: Floats = motion.end_forces
        for k in range(1, 6):
            motion.carry((1e-5 * k, 0, 0), (1, 0, 0, 0), end=0)
            motion.push(force=(0, 0.01, 0), at=0.1)
            motion.step()
        saved: Floats = motion.state
        run: withy.Run = motion.run(steps=2, every=1)
        motion.state = saved
        motion.reset()
        kinetic: float = motion.energy.kinetic
        print(run.tip[-1], run["time"], len(run), run.channels["tip"].unit, kinetic, forces[0, :3])
    return run.last()["tip"]


def many(rod: withy.Rod) -> Floats:
    batch = rod.batch(3, step=1e-3, threads=1)
    batch.push([(0, 1e-5 * k, 0) for k in range(3)])
    batch.step(2)
    batch.reset([0])
    print(batch.failed, batch.time)
    return batch.position[:, -1]


def recorded(rod: withy.Rod, folder: Path) -> withy.Run:
    run = rod.replace(duration=0.01, step=1e-3).run(archive=folder / "run.h5")
    again: withy.Run = withy.open(folder / "run.h5")
    print(again.certificate["energy_drift"], len(again.html(plain=True)), again == pickle.loads(pickle.dumps(run)))
    rod.motion(step=1e-3).run(0.002).save(folder / "other.h5")
    return again


def swept(rod: withy.Rod) -> str:
    table: withy.Table = withy.sweep(rod, {"section.radius": [0.002, 0.003]}, keep=["tip", "first_end.force"])
    return table.csv()


def pulled(point: withy.MaterialPoint) -> tuple[float, float, float]:
    return 0.0, 0.01 * float(point.s), 0.0


def own(rod: withy.Rod) -> None:
    loaded = rod.replace(loads=[withy.own_load(pulled, varies=("along",))])
    print(loaded.solve().position[-1])


def main() -> None:
    rod = make_rod()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", withy.AccuracyWarning)
        with tempfile.TemporaryDirectory() as folder:
            recorded(rod, Path(folder))
        print(statics(rod), branches(rod), controlled(rod), many(rod), swept(rod))
        own(rod)
    body = withy.Body(inertia=(2, 1, 0.7), momentum=(0.4, 0.3, 0.9), duration=1, step=0.5)
    print(body.run().last(), withy.load(body.text()) is not None)
    try:
        withy.load("missing.yaml")
    except FileNotFoundError as error:
        print(error)


main()
