"""`cmake --install` gives headers, both libraries, pkg-config files and a CMake package: an outside program builds
against the installed copy by both ways, shared and static, and only wy_ symbols are visible."""
import glob
import os
import re
import shutil
import subprocess

from check import BUILD, SANITIZE, SOURCE, main

PROGRAM = r"""
#include <stdio.h>
#include <withy/io.h>
int main(void) {
    const wy_body body = {.inertia = {2, 1, 2.0 / 3}};
    const wy_system system = wy_body_quaternion_system(&body);
    double y[7] = {0.4, 0.5, 0.6, 1, 0, 0, 0};
    wy_stepper *stepper;
    wy_error err;
    if (wy_stepper_create(&stepper, wy_integrator_find("gauss-legendre-4"), NULL, &system, &err) ||
        wy_stepper_step(stepper, 0.1, y, &err))
        return puts(err.text), 1;
    wy_stepper_free(stepper);
    wy_scenario *scenario;
    const char text[] = "kind: rigid-body\ninertia: [1, 2, 3]\nmomentum: [1, 0, 0]\nduration: 1\nstep: 0.5\n";
    if (wy_scenario_read_text(&scenario, "text", text, sizeof text - 1, NULL, &err))
        return puts(err.text), 1;
    wy_scenario_free(scenario);
    printf("%s %.6f\n", wy_version(), y[0]);
    return 0;
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(outside C)
find_package(withy 0.2 REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared PRIVATE withy::withy_io_shared)
add_executable(static main.c)
target_link_libraries(static PRIVATE withy::withy_io_static)
"""
FLAGS = [f"-fsanitize={SANITIZE}"] if SANITIZE else []


def run(*args, **options):
    done = subprocess.run(args, capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{args}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def install(folder):
    prefix = os.path.join(folder, "prefix")
    run("cmake", "--install", BUILD, "--prefix", prefix)
    with open(os.path.join(folder, "main.c"), "w") as f:
        f.write(PROGRAM)
    lib = os.path.dirname(glob.glob(prefix + "/lib*/**/libwithy.so", recursive=True)[0])
    return prefix, lib


def by_pkg_config(folder):
    """As the README says it, with nothing said of where the prefix is but PKG_CONFIG_PATH."""
    prefix, lib = install(folder)
    env = dict(os.environ, PKG_CONFIG_PATH=lib + "/pkgconfig")
    for sort in ("shared", "static"):
        extra = ["--static"] if sort == "static" else []
        words = run("pkg-config", *extra, "--cflags", "--libs", "withy-io", env=env).split()
        if sort == "static":
            ours = [w for w in words if w.startswith("-lwithy")]
            words = [w for w in words if w not in ours]
            words = [f"{lib}/lib{n}.a" for n in ("withy-io", "withy-scenario", "withy")] + words
        out = os.path.join(folder, sort)
        run("cc", *FLAGS, folder + "/main.c", *words, "-o", out)
        said = run(out, env=dict(os.environ, LD_LIBRARY_PATH=lib))
        assert said.startswith("0."), said


def by_cmake(folder):
    prefix, lib = install(folder)
    with open(os.path.join(folder, "CMakeLists.txt"), "w") as f:
        f.write(CMAKE)
    run("cmake", "-S", folder, "-B", folder + "/build", "-DCMAKE_PREFIX_PATH=" + prefix,
        "-DCMAKE_C_FLAGS=" + " ".join(FLAGS), "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", folder + "/build")
    results = {run(folder + "/build/" + sort) for sort in ("shared", "static")}
    assert len(results) == 1, results


def declared(mark):
    """Names of the functions and objects that headers declare with this mark."""
    names = set()
    for root in ("include", "src", "lab/include"):
        for path, _, files in os.walk(os.path.join(SOURCE, root)):
            for name in files:
                if name.endswith(".h"):
                    with open(os.path.join(path, name)) as f:
                        text = re.sub(r"/\*.*?\*/|^\s*#.*?$", "", f.read(), flags=re.S | re.M)
                    names.update(re.findall(rf"\b{mark}\b[^;(]*?\b(\w+)\s*(?:\(|\[|;)", text))
    return names


def only_our_symbols_are_visible(folder):
    """Each library exports what its headers declare, and what libwithy-lab needs of it."""
    prefix, lib = install(folder)
    known, exported = declared("WY_API") | declared("WY_LAB_API"), set()
    for name in ("libwithy.so", "libwithy-scenario.so", "libwithy-io.so", "libwithy-lab.so"):
        symbols = [line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only",
            f"{lib}/{name}").splitlines()]
        assert len(symbols) > 5, name
        odd = [s for s in symbols if s not in known]
        if not SANITIZE:
            assert not odd, odd
        exported.update(symbols)
    if SANITIZE:
        return
    missing = known - exported
    assert not missing, missing
    called = run("nm", "-D", "--undefined-only", f"{lib}/libwithy-lab.so").splitlines()
    unused = declared("WY_LAB_API") - {line.split()[-1].split("@")[0] for line in called}
    assert not unused, f"exported for libwithy-lab, which does not call it: {unused}"
    plain = {"libc.so.6", "libm.so.6"}
    assert needs(lib + "/libwithy.so") <= plain
    reader = needs(lib + "/libwithy-scenario.so") - plain
    assert len(reader) == 2 and all(n.startswith(("libwithy.so", "libfyaml.so")) for n in reader), reader


def needs(library):
    lines = run("objdump", "-p", library).splitlines()
    return {line.split()[1] for line in lines if "NEEDED" in line}


def no_product_is_fused(_):
    """A fused multiply-add rounds once instead of twice: other bits on processors that have it."""
    if SANITIZE:
        return
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"{BUILD}/libwithy.a"], capture_output=True,
                          text=True, check=True).stdout
    fused = re.findall(r"\s(vfn?m(?:add|sub)\w+|fn?m(?:add|sub)\s)", code)
    assert len(code) > 1e6 and not fused, fused[:5]


def only_our_symbols_in_the_static_libraries(folder):
    """Global symbols of the archives are wy_ or nothing: they share one name space with the caller's program."""
    _, lib = install(folder)
    if SANITIZE:
        return
    for name in ("libwithy.a", "libwithy-scenario.a", "libwithy-io.a"):
        lines = run("nm", "-g", "--defined-only", f"{lib}/{name}").splitlines()
        symbols = {line.split()[-1] for line in lines if len(line.split()) == 3}
        odd = sorted(s for s in symbols if not s.startswith("wy_"))
        assert symbols and not odd, odd


def headers_stand_alone(folder):
    """Each public header compiles by itself, as C17 and as C++."""
    for header in sorted(glob.glob(SOURCE + "/include/withy/*.h")):
        name = os.path.basename(header)
        for ending, compiler in ((".c", ["cc", "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]),
                                 (".cc", ["c++", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])):
            if shutil.which(compiler[0]) is None:
                continue
            path = os.path.join(folder, "h" + ending)
            with open(path, "w") as f:
                f.write(f"#include <withy/{name}>\nint main(void);\nint main() {{ return 0; }}\n" if ending == ".cc"
                        else f"#include <withy/{name}>\nint main(void) {{ return 0; }}\n")
            run(*compiler, "-fsyntax-only", "-I", SOURCE + "/include", path)


def the_dev_package_brings_what_pkg_config_asks_for(_):
    """Programs that are linked with the static libraries need the headers of libfyaml and HDF5 beside them."""
    with open(SOURCE + "/debian/control") as f:
        package = next(p for p in f.read().split("\n\n") if p.startswith("Package: libwithy-dev"))
    depends = re.search(r"^Depends:(.*?)(?=^\S)", package, re.S | re.M)[1]
    asked = []
    for path in glob.glob(SOURCE + "/cmake/*.pc.in"):
        with open(path) as f:
            asked += re.findall("^Requires.private: (.*)$", f.read(), re.M)
    packages = {"libfyaml": "libfyaml-dev", "@HDF5_MODULE_NAME@": "libhdf5-dev"}
    assert sorted(asked) == sorted(packages), asked
    for name in packages.values():
        assert re.search(rf"\b{name}\b", depends), depends


def a_header_links_from_cxx(folder):
    """A single public header, without withy.h, gives C++ programs names that link."""
    if shutil.which("c++") is None:
        return
    _, lib = install(folder)
    with open(folder + "/one.cc", "w") as f:
        f.write("#include <withy/rotation.h>\n#include <withy/version.h>\n#include <cstdio>\n"
                "int main() { double q[4], phi[3] = {0, 0, 0}; wy_quat_exp(q, phi); std::puts(wy_version()); }\n")
    run("c++", *FLAGS, folder + "/one.cc", "-I", SOURCE + "/include", lib + "/libwithy.a", "-lm", "-o", folder + "/one")
    assert run(folder + "/one").startswith("0.")


main(the_dev_package_brings_what_pkg_config_asks_for, by_pkg_config, by_cmake, only_our_symbols_are_visible,
     only_our_symbols_in_the_static_libraries, no_product_is_fused, a_header_links_from_cxx, headers_stand_alone)
