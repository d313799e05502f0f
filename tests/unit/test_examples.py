"""Every example runs: scenarios through the command, C programs compiled against the built library."""
import glob
import os
import subprocess

import h5py

from check import BUILD, SANITIZE, SOURCE, decoded, main, withy

FLAGS = [f"-fsanitize={SANITIZE}"] if SANITIZE else []


def scenarios(folder):
    found = sorted(glob.glob(SOURCE + "/examples/*.yaml"))
    assert found
    for path in found:
        os.path.exists(folder + "/run.h5") and os.remove(folder + "/run.h5")
        code, out, err = withy("sweep" if path.endswith("-sweep.yaml") else "run", path, "-o", folder + "/run.h5")
        assert code == 0, (path, err)
        with h5py.File(folder + "/run.h5") as f:
            assert decoded(f.attrs["outcome"]) == "done", path


def programs(folder):
    found = sorted(glob.glob(SOURCE + "/examples/*.c"))
    assert found
    for path in found:
        program = os.path.join(folder, "program")
        done = subprocess.run(["cc", "-std=c17", "-O1", "-Wall", "-Wextra", "-Werror", *FLAGS, "-I",
                               SOURCE + "/include", path,
                               BUILD + "/libwithy.a", "-lm", "-o", program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        done = subprocess.run([program], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, (path, done.stdout, done.stderr)
        if path.endswith("realtime_loop.c"):
            assert "the worst" in done.stdout and "deadline misses:" in done.stdout, done.stdout


def contributing_shows_the_file(_):
    """The example of how to add an integrator is said to be the whole file."""
    block = open(SOURCE + "/CONTRIBUTING.md").read().split("```c\n")[1].split("```")[0]
    assert block == open(SOURCE + "/src/integrate/implicit_midpoint.c").read()


main(scenarios, programs, contributing_shows_the_file)
