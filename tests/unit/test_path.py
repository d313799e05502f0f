"""The path of a scenario, as docs/architecture.md tells it: every file is there, is called by one before it, and there
are not too many of them."""
import os
import re

from check import SOURCE, main

MOST = {"statics": 27, "branches": 25, "motion": 32}


def columns():
    """The files of each column of the table, in order."""
    with open(os.path.join(SOURCE, "docs/architecture.md")) as f:
        part = f.read().split("## The path of a scenario")[1].split("\n## ")[0]
    rows = [[c.strip() for c in line.strip("|\n ").split("|")] for line in part.splitlines() if line.startswith("|")]
    heads, stations = rows[0][-3:], {}
    for row in rows[2:]:
        assert len(row) == 4, row
        for k, head in enumerate(heads):
            cell = row[1 + k] if row[1 + k] != "the same" else row[1]
            stations.setdefault(head, []).extend(re.findall(r"`([^`]+\.c)`", cell))
    return stations


def read(path):
    with open(os.path.join(SOURCE, path)) as f:
        text = f.read()
    for name in re.findall(r'#include "([^"]+\.inc)"', text):  # kernels
        with open(os.path.join(SOURCE, "src", name)) as f:
            text += f.read()
    return text


def defined(text):
    """What a file gives to others: functions and descriptors that are not static."""
    names = set(re.findall(r"^(?!static|extern|#|\s|\*|/)[\w \*]*?\b(\w+)\([^;]*?\)\s*\{", text, re.M | re.S))
    names |= set(re.findall(r"^const \w+ \*?(\w+)(?:\[\])? = ", text, re.M))
    names |= set(re.findall(r"^#define KERNEL (\w+)$", text, re.M))
    return {n for n in names if len(n) > 4}


def in_a_table(name, text):
    """Rows of tables are pasted together: prefix_##row."""
    return any(name.startswith(p) and re.search(r"\b%s\b" % name[len(p):], text)
               for p in set(re.findall(r"\b(\w+_)##\w+", text)))


def every_file_is_called_by_one_before_it(_):
    paths = columns()
    assert set(paths) == set(MOST), paths.keys()
    for head, files in paths.items():
        assert len(files) == len(set(files)), (head, files)
        assert len(files) <= MOST[head], (head, len(files))
        seen = ""
        for number, path in enumerate(files):
            text = read(path)
            gives = defined(text)
            called = {n for n in gives if re.search(r"\b%s\b" % n, seen) or in_a_table(n, seen)}
            assert number == 0 or called, f"{head}: nothing before {path} calls any of {sorted(gives)[:12]}"
            seen += text


main(every_file_is_called_by_one_before_it)
