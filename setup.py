"""Packs the Python package. The extension module is built by CMake, the one place that knows how withy is
compiled: WITHY_BUILD names a build folder that is there already (build/release), else build/python/cmake is made, with
CMAKE_ARGS if that is set."""
import os
import re
import shlex
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))


def version():
    with open(os.path.join(ROOT, "include/withy/version.h")) as f:
        return ".".join(re.findall(r"#define WY_VERSION_(?:MAJOR|MINOR|PATCH) ([0-9]+)", f.read()))


class by_cmake(build_ext):
    """Builds the target withy_python and takes what it leaves."""

    def build_extension(self, extension):
        folder = os.environ.get("WITHY_BUILD")
        if not folder:
            folder = os.path.join(ROOT, "build/python/cmake")
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DWITHY_TESTS=OFF",
                            *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "withy_python_modules",
                        "--parallel", str(os.cpu_count())], check=True)
        made = os.path.join(folder, "python/withy")
        target = os.path.dirname(self.get_ext_fullpath(extension.name))
        os.makedirs(target, exist_ok=True)
        for name in os.listdir(made):
            if name.endswith((".abi3.so", ".pyi")):
                shutil.copy2(os.path.join(made, name), os.path.join(target, name))


made = os.path.join(ROOT, "build/python")
os.makedirs(made, exist_ok=True)
setup(
    version=version(),
    ext_modules=[Extension("withy._core", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": by_cmake},
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        "build": {"build_base": os.path.join(made, "setuptools")},
        "egg_info": {"egg_base": made},
    },
)
