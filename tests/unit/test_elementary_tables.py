"""The tables of the elementary functions are those that src/math/tables/make.py writes."""
import os
import subprocess
import sys

from check import SOURCE, main

FOLDER = os.path.join(SOURCE, "src/math/tables")


def tables_are_as_made(folder):
    subprocess.run([sys.executable, os.path.join(FOLDER, "make.py"), folder], check=True)
    made = sorted(os.listdir(folder))
    assert made == sorted(n for n in os.listdir(FOLDER) if n.endswith(".inc")), made
    assert len(made) == 7, made
    for name in made:
        with open(os.path.join(folder, name)) as a, open(os.path.join(FOLDER, name)) as b:
            assert a.read() == b.read(), name


main(tables_are_as_made)
