"""The tables of the library, and what is made from them: withy.circle(...), withy.gravity(...) and all the others.

Nothing here is spelled twice: names, units, limits and defaults come from the library (`withy list --json`), so what is
added there is here too.
"""
import difflib
import json
import keyword
import numbers

from . import _core

ALL = json.loads(_core.tables())
CATALOGUES = {c["name"]: c for c in ALL["catalogues"]}
KINDS = {k["name"]: k for k in CATALOGUES["kinds"]["entries"]}
KINDS_WITH_RODS = {k["name"]: k for k in CATALOGUES["kinds-with-rods"]["entries"]}


def python_name(name):
    """The name of a thing or a key in Python: distributed_force, from_."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) or name in ("None",) else name


def keys_of(params):
    return {python_name(p["key"]): p for p in params}


def unknown(word, there, what):
    """The error about a name that does not exist, with the nearest one that does."""
    near = difflib.get_close_matches(word, there, 1)
    return _core.BadInput(f"{what}: unknown key '{word}'" + (f"; did you mean '{near[0]}'?" if near
                                                             else f"; its keys are {', '.join(there)}"))


def plain(value):
    """As JSON can say it: arrays become lists, numbers plain numbers, choices dictionaries."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, (list, tuple, range)):
        return [plain(v) for v in value]
    raise _core.BadInput(f"{value!r} is nothing that a scenario can say: expected numbers, texts, lists, dictionaries "
                         f"or what withy makes")


def text(value):
    """As the text of a scenario, a line for each value: libfyaml keeps all of a line until its end."""
    return json.dumps(plain(value), separators=(",\n", ": "))


def number(value, what):
    """A number as Python has it; an error that names it where it is something else."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _core.BadInput(f"{what} is {value!r}, expected a number") from None


class Choice(dict):
    """One of a catalogue with its numbers, such as circle(radius=0.01, E=1e6): a dictionary that a scenario takes."""

    def __repr__(self):
        rest = ", ".join(f"{python_name(k)}={v!r}" for k, v in self.items() if k != "name")
        return f"{python_name(self['name'])}({rest})"


def parameter_doc(p):
    """One line on a parameter: what it takes, its default, what it means."""
    default = ("" if p["required"] else f", default {p['default']}" if p["default"] not in (None, "")
               else ", may be left out")
    return f"{python_name(p['key'])}: {p['takes']}{default}. {p['doc']}"


def maker(catalogue, entry):
    """The function that makes a choice."""
    params = keys_of(entry.get("params") or [])
    name = python_name(entry["name"])

    def make(*values, **given):
        if len(values) > len(params):
            raise TypeError(f"{name} takes at most {len(params)} values, got {len(values)}")
        for key, value in zip(params, values):
            if key in given:
                raise TypeError(f"{name}: '{key}' is given twice")
            given[key] = value
        for key in given:
            if key not in params:
                raise unknown(key, list(params), name)
        return Choice(name=entry["name"], **{params[k]["key"]: v for k, v in given.items() if v is not None})

    make.__name__ = make.__qualname__ = name
    make.__module__ = "withy"
    make.__doc__ = "\n".join([entry["doc"], ""] + [parameter_doc(p) for p in params.values()]).rstrip()
    return make


class Namespace:
    """The makers of one catalogue: withy.loads.gravity."""

    def __init__(self, catalogue):
        self._catalogue = catalogue
        self.__doc__ = catalogue["doc"]
        for entry in catalogue["entries"]:
            setattr(self, python_name(entry["name"]), maker(catalogue, entry))

    def __repr__(self):
        return f"<withy.{python_name(self._catalogue['name'])}: {', '.join(self.names())}>"

    def names(self):
        return [python_name(e["name"]) for e in self._catalogue["entries"]]


def chosen_from(params, found=None):
    """The names of the catalogues that a table of parameters refers to, those inside included; a signal may be made of
    signals."""
    found = [] if found is None else found
    for p in params or []:
        if p.get("from") and p["from"] not in found:
            found.append(p["from"])
            for entry in CATALOGUES[p["from"]]["entries"]:
                chosen_from(entry.get("params"), found)
        chosen_from(p.get("params"), found)
    return found


NAMESPACES = {name: Namespace(CATALOGUES[name]) for kind in (*KINDS.values(), *KINDS_WITH_RODS.values())
              for name in chosen_from(kind["params"])}


def top_level(taken):
    """The makers that can be had as withy.NAME: those with a name of their own."""
    names = [n for space in NAMESPACES.values() for n in space.names()]
    return {n: getattr(space, n) for space in NAMESPACES.values() for n in space.names() if names.count(n) == 1
            and n not in taken}
