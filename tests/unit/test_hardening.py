"""What the compiler and the linker were asked for is in the files (as checksec looks): the command, the libraries, the
extension module of Python."""
import glob
import os
import platform
import subprocess

from check import BUILD, SANITIZE, WITHY, main


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def files():
    found = [WITHY, *glob.glob(BUILD + "/libwithy*.so"), *glob.glob(BUILD + "/python/withy/_core*.so")]
    assert len(found) >= 4, found
    return [os.path.realpath(path) for path in found]


def nothing_is_written_and_run(folder):
    for path in files():
        segments = readelf("-l", path).splitlines()
        assert not [line for line in segments if line.split()[:1] in (["LOAD"], ["GNU_STACK"])
                    and "RWE" in line.replace(" ", "")], path
        stack = [line for line in segments if "GNU_STACK" in line]
        assert stack and " RW " in stack[0] and "RWE" not in stack[0], (path, stack)


def bound_at_once_and_read_only_after(folder):
    for path in files():
        assert "GNU_RELRO" in readelf("-l", path), path
        assert "BIND_NOW" in readelf("-d", path) or "NOW" in readelf("-d", path), path
        assert "TEXTREL" not in readelf("-d", path), path
    assert "DYN" in readelf("-h", WITHY), "the command is loaded at any address"


def stacks_are_watched(folder):
    if SANITIZE:
        return
    for path in files():
        symbols = readelf("--dyn-syms", path)
        assert "__stack_chk_fail" in symbols, path
    assert "_chk@" in readelf("--dyn-syms", WITHY), "fortified functions of the C library"


def control_flow(folder):
    if platform.machine() != "x86_64":
        return
    for path in files():
        assert "SHSTK" in readelf("-n", path), path
    # each function of ours that may be called through a pointer begins with a landing pad
    objects = (glob.glob(BUILD + "/CMakeFiles/withy*objects.dir/src/archive/*.o")
               + glob.glob(BUILD + "/CMakeFiles/withy_objects.dir/src/base/*.o"))
    assert len(objects) > 20
    for path in objects:
        assert "IBT" in readelf("-n", path), path


def stacks_do_not_jump_over_their_guard(folder):
    """A function with 64 kB on its stack touches every page of it."""
    if SANITIZE or platform.machine() != "x86_64":
        return
    object_ = glob.glob(BUILD + "/CMakeFiles/withy_io_objects.dir/src/archive/safe_file.c.o")
    code = subprocess.run(["objdump", "-d", object_[0]], capture_output=True, text=True, check=True).stdout
    body = code.split("<wy_file_copy>:")[1].split("\n\n")[0]
    assert "$0x0,(%rsp)" in body, "no page of a large frame is touched"


main(nothing_is_written_and_run, bound_at_once_and_read_only_after, stacks_are_watched, control_flow,
     stacks_do_not_jump_over_their_guard)
