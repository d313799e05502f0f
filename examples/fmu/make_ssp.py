#!/usr/bin/python3
"""Packs SystemStructure.ssd and the FMUs that it names into between-bodies.ssp: make_ssp.py [WITHY] [FOLDER]

WITHY is the command (default: withy), FOLDER where to write (default: here)."""
import os
import subprocess
import sys
import zipfile

here = os.path.dirname(os.path.abspath(__file__))
withy = sys.argv[1] if len(sys.argv) > 1 else "withy"
folder = sys.argv[2] if len(sys.argv) > 2 else "."
parts = {"rod.fmu": os.path.join(here, "between-bodies-driven.yaml"), "body.fmu": "rigid_body"}
for name, what in parts.items():
    subprocess.run([withy, "fmu", what, "--fmi", "2", "-o", os.path.join(folder, name)], check=True,
                   stdout=subprocess.DEVNULL)
with zipfile.ZipFile(os.path.join(folder, "between-bodies.ssp"), "w") as ssp:
    ssp.write(os.path.join(here, "SystemStructure.ssd"), "SystemStructure.ssd")
    ssp.write(os.path.join(here, "README.md"), "documentation/README.md")
    for name in parts:
        ssp.write(os.path.join(folder, name), "resources/" + name)
