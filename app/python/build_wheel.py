"""The build backend of the Python package (PEP 517): packs what CMake builds into a wheel. It needs nothing but Python,
so that `pip install .` works in an empty virtual environment, and offline.

WITHY_BUILD names a build folder that is there already (build/release); else build/python/cmake is made, with CMAKE_ARGS
if that is set.
"""
import base64
import hashlib
import os
import re
import shlex
import subprocess
import sysconfig
import tomllib
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        return f.read()


def version():
    return ".".join(re.findall(r"#define WY_VERSION_(?:MAJOR|MINOR|PATCH) ([0-9]+)", read("include/withy/version.h")))


def build():
    """The folder with the built package."""
    folder = os.environ.get("WITHY_BUILD")
    if not folder:
        folder = os.path.join(ROOT, "build/python/cmake")
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DWITHY_TESTS=OFF",
                        *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "withy_python_modules", "--parallel", str(os.cpu_count())],
                   check=True)
    return os.path.join(folder, "python/withy")


def metadata(project):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version()}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {need}" for need in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {need}; extra == "{extra}"' for need in needs]
    return "\n".join(lines) + "\nDescription-Content-Type: text/markdown\n\n" + read(project["readme"])


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Makes the wheel; the name of its file."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    package, about = build(), f"{project['name']}-{version()}.dist-info"
    tag = "cp311-abi3-" + re.sub("[-.]", "_", sysconfig.get_platform())
    name, records = f"{project['name']}-{version()}-{tag}.whl", []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        def put(path, content, mode=0o644):
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))  # the same wheel from the same files
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            records.append(f"{path},sha256={digest},{len(content)}")

        for folder, _, files in sorted(os.walk(package)):
            for file in sorted(files):
                path = os.path.join(folder, file)
                if file.endswith((".py", ".pyi", ".abi3.so", "py.typed")) or os.path.basename(folder) == "bin":
                    with open(path, "rb") as f:
                        put("withy/" + os.path.relpath(path, package), f.read(), os.stat(path).st_mode & 0o777)
        put(f"{about}/METADATA", metadata(project).encode())
        put(f"{about}/WHEEL", f"Wheel-Version: 1.0\nGenerator: withy\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        put(f"{about}/entry_points.txt", "\n".join(["[console_scripts]"] + [
            f"{word} = {what}" for word, what in project["scripts"].items()]).encode())
        wheel.writestr(f"{about}/RECORD", "\n".join(records + [f"{about}/RECORD,,", ""]))
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("there is no source distribution: build from a clone")
