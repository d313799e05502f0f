"""Writes withy/__init__.pyi from the tables: stubs.py COMMAND FILE. Names, types, units and defaults come from `COMMAND
list --json`."""
import json
import keyword
import os
import re
import subprocess
import sys

HEAD = '''"""Made from the tables of the library by app/python/stubs.py: do not edit."""
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union

from ._core import BadInput as BadInput, Cancelled as Cancelled, CannotRead as CannotRead
from ._core import CannotWrite as CannotWrite, Error as Error, MaterialPoint as MaterialPoint
from ._core import NoConvergence as NoConvergence, NoMemory as NoMemory, NotFinite as NotFinite
from ._core import Unsupported as Unsupported
from ._core import version as __version__
from .batch import Batch as Batch
from .commands import validate as validate
from .motion import Motion as Motion
from .own import OwnEnd, OwnLoad, own_end as own_end, own_load as own_load
from .results import Branch as Branch, Branches as Branches, Equilibrium as Equilibrium, Landing as Landing
from .results import Modes as Modes, Point as Point, Run as Run
from .sweeps import Sweep as Sweep, Table as Table, sweep as sweep
from .tables import Choice
from .things import AccuracyWarning as AccuracyWarning
from .things import Body as _Body, Rod as _Rod, Shaft as _Shaft, System as _System, Thing as Thing, load as load
from .things import open_archive

open = open_archive

_Number = float
_Numbers = Sequence[_Number]
_Rows = Sequence[Any]
_Chosen = Union[Choice, str, Mapping[str, Any]]
'''


def python_name(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def annotation(p):
    kinds = {"real": "_Number", "integer": "int", "bool": "bool", "text": "str", "vector": "_Numbers",
             "samples": "Union[_Rows, str]", "group": "Mapping[str, Any]", "texts": "Sequence[str]",
             "named": "Mapping[str, Mapping[str, Any]]"}
    if p["type"] == "name":
        words = ", ".join(repr(w) for w in p.get("names") or [])
        return f"Literal[{words}]" if words else "str"
    if p["type"] == "choice":
        return "Union[_Chosen, OwnEnd]" if p.get("from") == "ends" else "_Chosen"
    if p["type"] == "list":
        return "Sequence[Union[_Chosen, OwnLoad]]" if p.get("from") == "loads" else "Sequence[_Chosen]"
    return kinds[p["type"]]


def argument(p):
    kind = annotation(p)
    return f"{python_name(p['key'])}: {kind if p['required'] else f'Union[None, {kind}] = ...'}"


def document(p):
    default = ("" if p["required"] else f", default {p['default']}" if p["default"] not in (None, "")
               else ", may be left out")
    return re.sub(r'["\\]', "'", f"{python_name(p['key'])}: {p['takes']}{default}. {p['doc']}")


def function(entry, indent, method):
    # what must be given may be set later, by a sweep: the reader refuses, not the type
    params = entry.get("params") or []
    given = ", ".join((["self"] if method else []) + [argument({**p, "required": False}) for p in params])
    doc = re.sub(r'["\\]', "'", entry["doc"])
    lines = [f"{indent}def {python_name(entry['name'])}({given}) -> Choice:", f'{indent}    """{doc}']
    lines += [f"{indent}    {document(p)}" for p in params]
    return "\n".join(lines) + '"""\n' + f"{indent}    ...\n"


def thing(name, kinds, table):
    seen, lines = {}, []
    for kind in kinds:
        for p in table[kind]["params"]:
            seen.setdefault(p["key"], p)
    given = ", ".join(argument({**p, "required": False}) for p in seen.values())
    lines = [f"class {name}(_{name}):", f"    def __init__(self, *, title: Union[None, str] = ..., {given}) -> None:",
             '        """']
    lines += [f"        {document(p)}" for p in seen.values()]
    return "\n".join(lines) + '\n        """\n        ...\n'


def referred(params, catalogues, found=None):
    """The catalogues that a table refers to; a signal may be made of signals."""
    found = [] if found is None else found
    for p in params or []:
        if p.get("from") and p["from"] not in found:
            found.append(p["from"])
            for entry in catalogues[p["from"]]["entries"]:
                referred(entry.get("params"), catalogues, found)
        referred(p.get("params"), catalogues, found)
    return found


def main(command, path):
    listed = json.loads(subprocess.run([command, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    catalogues = {c["name"]: c for c in listed["catalogues"]}
    kinds = {k["name"]: k for k in catalogues["kinds"]["entries"]}
    out = [HEAD]
    out.append(thing("Rod", [k for k in ("dynamic", "static", "continuation") if k in kinds], kinds))
    out.append(thing("Shaft", [k for k in ("shaft",) if k in kinds], kinds))
    out.append(thing("Body", [k for k in ("rigid-body",) if k in kinds], kinds))
    with_rods = {k["name"]: k for k in catalogues["kinds-with-rods"]["entries"]}
    out.append(thing("System", list(with_rods), with_rods))
    every = [*kinds.values(), *with_rods.values()]
    used = list(dict.fromkeys(n for k in every for n in referred(k["params"], catalogues)))
    names = [e["name"] for n in used for e in catalogues[n]["entries"]]
    for n in used:
        entries = catalogues[n]["entries"]
        out.append(f"class _{python_name(n)}:\n" + f'    """{catalogues[n]["doc"]}"""\n'
                   + "".join(function(e, "    ", True) for e in entries))
        out.append(f"{python_name(n)}: _{python_name(n)}\n")
        out += [function(e, "", False) for e in entries if names.count(e["name"]) == 1 and e["name"] != "none"]
    text = "\n".join(out)
    if not os.path.exists(path) or open(path).read() != text:
        with open(path, "w") as f:
            f.write(text)


main(*sys.argv[1:])
