"""withy: elastic rods, simulated right.

    import withy
    rod = withy.Rod(length=0.5, section=withy.circle(radius=0.002, E=1e7, nu=0.4, density=1200),
                    loads=[withy.gravity((-9.81, 0, 0))])
    print(rod.solve().position[-1])          # where the end hangs
    print(rod.vibrations().frequency)        # Hz
    motion = rod.motion(step=1e-3)           # and how it moves
    motion.step(1000)
    print(motion.position[-1], motion.energy.balance)

Rod, Shaft and Body take the keywords of a scenario; load() reads one. Everything that a scenario can choose is a
function here (withy.circle, withy.gravity, withy.clamped ...), or in a namespace of its catalogue
(withy.signals.constant). SI units. `help(withy.Rod)` lists every key with unit, default and meaning.
"""
from . import tables as _tables
from ._core import (BadInput, Cancelled, CannotRead, CannotWrite, Error, MaterialPoint, NoConvergence, NoMemory,
                    NotFinite, Unsupported)
from ._core import version as __version__
from .batch import Batch
from .commands import validate
from .motion import Motion
from .own import own_end, own_load
from .results import Branch, Branches, Equilibrium, Landing, Modes, Point, Run
from .sweeps import Sweep, Table, sweep
from .things import AccuracyWarning, Body, Rod, Shaft, System, Thing, load
from .things import open_archive as open

__all__ = ["AccuracyWarning", "BadInput", "Batch", "Body", "Branch", "Branches", "Cancelled", "CannotRead",
           "CannotWrite", "Equilibrium", "Error", "Landing", "MaterialPoint", "Modes", "Motion", "NoConvergence",
           "NoMemory", "NotFinite", "Point", "Rod", "Run", "Shaft", "Sweep", "System", "Table", "Thing",
           "Unsupported", "load", "open", "own_end", "own_load", "sweep", "validate"]

for _name, _space in _tables.NAMESPACES.items():
    globals()[_tables.python_name(_name)] = _space
    __all__.append(_tables.python_name(_name))
_makers = _tables.top_level(set(globals()) | {"none"})
globals().update(_makers)
__all__ += sorted(_makers)
