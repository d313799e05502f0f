"""Every symbol that the libraries export, each call in a process of its own (L9): functions that return a status answer
one that is not OK, with a sentence, to NULL and 0, also where the place for the result is there, or texts and numbers
are; and nothing that frees crashes. Calls that answer a number, a pointer or nothing need what they ask for, as the
headers say. What no public header declares is listed here with its reason."""
import ctypes
import glob
import os
import re
import subprocess

from check import BUILD, SANITIZE, SOURCE, main

# NULL is nothing to do here, as the headers say: no archive to close, no sink to tell, a table without rows
NOTHING_TO_DO = {"wy_archive_close", "wy_sink_begin", "wy_sink_checkpoint", "wy_sink_progress",
                 "wy_params_defaults", "wy_params_copy"}
GIVES_WHAT_IT_IS_GIVEN = {"wy_fail", "wy_fail_at"}
LIBRARIES = ("withy", "withy-scenario", "withy-io")
# what needs no more than a place for the result, a name, or no frame of no channels
POSSIBLE_WITH = {"": {"wy_sink_frame"}, "results": {"wy_sink_frame", "wy_frames_create"},
                 "words": {"wy_frames_create", "wy_new_file_open", "wy_new_folder_open", "wy_file_may_replace"}}


def exported():
    """Functions and objects that the libraries export."""
    found = set(), set()
    for name in LIBRARIES:
        table = subprocess.run(["nm", "-D", "--defined-only", f"{BUILD}/lib{name}.so"], capture_output=True, text=True,
                               check=True).stdout
        for line in table.splitlines():
            _, kind, symbol = line.split()
            found[kind not in "TtWi"].add(symbol)
    return found


def functions():
    found = []
    for header in sorted(glob.glob(os.path.join(SOURCE, "include/withy/*.h"))):
        text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)
        for m in re.finditer(r"WY_API\s+([\w\s\*]+?)\b(wy_\w+)\(([^;{]*?)\)\s*(?:WY_PRINTF\([^)]*\))?;", text, re.S):
            found.append((m.group(1).strip(), m.group(2), [" ".join(p.split()) for p in m.group(3).split(",")]))
    return found


def internal():
    """Functions that are in no public header and marked as exported for the other libraries."""
    headers = glob.glob(os.path.join(SOURCE, "src/**/*.h"), recursive=True)
    texts = [re.sub(r"/\*.*?\*/|^\s*#.*?$", "", open(header).read(), flags=re.S | re.M) for header in headers]
    return {name for text in texts for name in re.findall(r"\bWY_(?:LAB_)?API\b[^;(]*?\b(wy_\w+)\s*\(", text)}


def call(library, answer, name, parameters, given, folder):
    """How a child ends that calls it: the status, or a signal as a negative number; and the sentence. `given`: what is
    not NULL or 0: "", "results" (where they go), "words" (these, texts and numbers)."""
    function = next(getattr(lib, name) for lib in library if hasattr(lib, name))
    arguments, err = [], None
    for p in parameters:
        if given and p.startswith("wy_error *"):
            err = ctypes.create_string_buffer(4096)
            arguments.append(err)
        elif given and "**" in p and "const" not in p:
            arguments.append(ctypes.create_string_buffer(4096))
        elif given == "words" and "char *" in p:
            arguments.append(ctypes.c_char_p(b"x"))
        elif "*" in p or "[" in p:
            arguments.append(ctypes.c_void_p(None))
        elif p.startswith("double"):
            arguments.append(ctypes.c_double(0.0))
        elif p not in ("void", "..."):
            arguments.append(ctypes.c_long(3 if given == "words" else 0))
    function.restype = ctypes.c_int if answer == "wy_status" else None
    get, put = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(2)
        os.chdir(folder)
        got = function(*arguments)
        os.write(put, err.value if err else b"")
        os._exit(min(got, 100) if answer == "wy_status" else 0)
    os.close(put)
    with os.fdopen(get, "rb") as f:
        said = f.read()
    _, status = os.waitpid(child, 0)
    end = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return end, said if err else b"not asked"


def calls_of_nothing(folder):
    if SANITIZE:
        return  # the libraries need the sanitizer's loaded first; test_arguments walks the creates there
    library = [ctypes.CDLL(f"{BUILD}/lib{name}.so", mode=ctypes.RTLD_GLOBAL) for name in LIBRARIES]
    all_, wrong, statuses = functions(), [], 0
    assert len(all_) > 300, len(all_)
    for answer, name, parameters in all_:
        if answer != "wy_status" and not name.endswith("_free") and not name.endswith("_abandon"):
            continue
        if name in GIVES_WHAT_IT_IS_GIVEN:
            continue
        statuses += answer == "wy_status"
        for given in ("", "results", "words") if answer == "wy_status" else ("",):
            end, said = call(library, answer, name, parameters, given, folder)
            good = name in NOTHING_TO_DO or name in POSSIBLE_WITH.get(given, ())
            if end < 0 or (answer == "wy_status" and ((end == 0) != bool(good) or (end and not said))):
                wrong.append(f"{name} {given}: {end} {said}")
    assert not wrong, wrong
    print(f"     {statuses} calls that answer a status, of {len(all_)} in the headers")


def every_export_is_known(folder):
    code, objects = exported()
    declared = {name for _, name, _ in functions()}
    assert declared <= code, declared - code
    assert code - declared == internal(), (code - declared) ^ internal()
    assert len(objects) > 20, objects
    print(f"     {len(code)} functions, {len(internal())} of them in no public header, and {len(objects)} tables")


main(calls_of_nothing, every_export_is_known)
