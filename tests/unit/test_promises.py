"""docs/reliability.md names a test for every promise: each of them is there. And what ./dev bench builds still
compiles."""
import glob
import os
import re
import subprocess

from check import SOURCE, main


def named_tests_are_there(_):
    with open(f"{SOURCE}/docs/reliability.md") as f:
        lines = [line for line in f if line.startswith("|") and "`" in line]
    found = 0
    for line in lines:
        cell = line.rstrip("|\n ").rsplit("|", 1)[1]
        for name, words in re.findall(r"`(abuse/test_\w+)`([^`;:]*)", cell):
            path = next((p for p in (f"{SOURCE}/tests/{name}.py", f"{SOURCE}/tests/{name}.c") if os.path.exists(p)),
                        None)
            assert path, f"no {name}: {line}"
            with open(path) as f:
                text = f.read()
            for word in re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b", words):
                assert re.search(rf"(def |START_TEST\(){word}\b", text), f"no {word} in {path}: {line}"
                found += 1
    assert found > 40, found


def every_fault_has_its_row(_):
    with open(f"{SOURCE}/docs/reliability.md") as f:
        rows = set(re.findall(r"^\| D(\d+) ", f.read(), re.M))
    assert rows == {str(n) for n in (*range(1, 12), *range(13, 22), 24)}, rows


def benchmarks_compile(_):
    sources = sorted(glob.glob(f"{SOURCE}/bench/*.c"))
    assert sources
    for source in sources:  # as bench/run does, but for the linking
        done = subprocess.run(["cc", "-std=c17", "-fsyntax-only", f"-I{SOURCE}/include", f"-I{SOURCE}/src",
                               f"-I{SOURCE}/lab", source],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


main(named_tests_are_there, every_fault_has_its_row, benchmarks_compile)
