"""Every function of the public headers with NULL and 0 only, each in a process of its own (L9): functions that return a
status answer one that is not OK, and nothing that frees, opens, creates or reads crashes. Calls that answer a number
or a pointer of something they are given need that something, as the headers say."""
import ctypes
import glob
import os
import re

from check import BUILD, SANITIZE, SOURCE, main

# NULL is nothing to do here, as the headers say: no archive to close, no sink to tell, a table without rows
NOTHING_TO_DO = {"wy_archive_close", "wy_sink_begin", "wy_sink_frame", "wy_sink_checkpoint",
                 "wy_sink_progress", "wy_params_defaults", "wy_params_copy", "wy_fail", "wy_fail_at"}


def functions():
    found = []
    for header in sorted(glob.glob(os.path.join(SOURCE, "include/withy/*.h"))):
        text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)
        for m in re.finditer(r"WY_API\s+([\w\s\*]+?)\b(wy_\w+)\(([^;{]*?)\)\s*(?:WY_PRINTF\([^)]*\))?;", text, re.S):
            found.append((m.group(1).strip(), m.group(2), [" ".join(p.split()) for p in m.group(3).split(",")]))
    return found


def call(library, answer, name, parameters):
    """How a child ends that calls it: the status, or a signal as a negative number; None where no library has it."""
    try:
        function = next(getattr(lib, name) for lib in library if hasattr(lib, name))
    except StopIteration:
        return None
    arguments = []
    for p in parameters:
        if "*" in p or "[" in p:
            arguments.append(ctypes.c_void_p(None))
        elif p.startswith("double"):
            arguments.append(ctypes.c_double(0.0))
        elif p not in ("void", "..."):
            arguments.append(ctypes.c_long(0))
    function.restype = ctypes.c_int if answer == "wy_status" else None
    child = os.fork()
    if child == 0:
        os.close(2)
        got = function(*arguments)
        os._exit(min(got, 100) if answer == "wy_status" else 0)
    _, status = os.waitpid(child, 0)
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def calls_of_nothing(folder):
    if SANITIZE:
        return  # the libraries need the sanitizer's loaded first; test_arguments walks the creates there
    library = [ctypes.CDLL(f"{BUILD}/lib{name}.so", mode=ctypes.RTLD_GLOBAL)
               for name in ("withy", "withy-scenario", "withy-io")]
    all_, wrong, statuses = functions(), [], 0
    assert len(all_) > 300, len(all_)
    for answer, name, parameters in all_:
        if answer != "wy_status" and not name.endswith("_free") and not name.endswith("_abandon"):
            continue
        end = call(library, answer, name, parameters)
        assert end is not None, f"{name} is in a header and in no library"
        statuses += answer == "wy_status"
        if end < 0 or (answer == "wy_status" and (end == 0) != (name in NOTHING_TO_DO)):
            wrong.append(f"{name}: {end}")
    assert not wrong, wrong
    print(f"     {statuses} calls that answer a status, of {len(all_)} in the headers")


main(calls_of_nothing)
