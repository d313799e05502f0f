"""Exports hold what the archive holds: numbers bit for bit as text, as floats in binary files; surfaces are closed and
have the section's volume; every refusal is a sentence."""
import csv
import io
import json
import os
import shutil
import struct
import subprocess
import xml.etree.ElementTree as xml

import h5py
import numpy

from check import BUILD, SOURCE, decoded, main, withy

# An elliptic section that is thicker in the middle, gravity along no axis.
ROD = """kind: dynamic
title: "a <tapered> rod, \\"quoted\\""
length: 0.7
elements: 14
section: {name: ellipse, a: 0.011, b: 0.004, E: 3e6, nu: 0.4, density: 900}
taper: [[0, 1], [0.35, 1.5], [0.7, 0.5]]
first_end: clamped
loads: [{name: gravity, acceleration: [3, -6.5, 1]}, {name: gravity, acceleration: [0, -1, 0]}]
start: {shape: {name: constant, strain: [1.5, 2.5, 4, 0, 0, 1]}}
duration: 0.3
step: 0.002
every: 5
"""
STRIP = SOURCE + "/examples/spring-steel-strip.yaml"
TUBE = """kind: static
length: 1.3
section: {name: tube, radius: 0.02, wall: 0.005, E: 1e9, nu: 0.3}
first_end: clamped
last_end: {name: loaded, force: [3, 1, 0]}
"""


def make(folder, text, name):
    path, archive = f"{folder}/{name}.yaml", f"{folder}/{name}.h5"
    open(path, "w").write(text)
    code, out, err = withy("run", path, "-o", archive)
    assert code == 0, err
    return archive


def rotate(q, v):
    """q scalar first."""
    w, u = q[..., :1], q[..., 1:]
    return v + 2 * numpy.cross(u, numpy.cross(u, v) + w * v)


def csv_has_units(folder):
    archive = make(folder, ROD, "rod")
    code, out, err = withy("export", archive, "--format", "csv")
    assert code == 0, err
    rows = list(csv.reader(io.StringIO(out)))
    head, numbers = rows[0], numpy.array(rows[1:], dtype=float)
    with h5py.File(archive) as f:
        for name, path, pick in (("time [s]", "time", ()), ("tip_y [m]", "state/tip", (1,)),
                                 ("position_3_z [m]", "state/position", (3, 2)),
                                 ("strain_6_kappa2 [rad/m]", "state/strain", (6, 1)),
                                 ("strain_0_nu3", "state/strain", (0, 5)),
                                 ("velocity_7_v1 [m/s]", "state/velocity", (7, 3)),
                                 ("orientation_2_0", "state/orientation", (2, 0)),
                                 ("kinetic [J]", "energy/kinetic", ())):
            assert (numbers[:, head.index(name)] == f[path][(slice(None), *pick)]).all(), name
        size = sum(int(numpy.prod(f[name].shape[1:], dtype=int)) for name in decoded(f.attrs["channels"]).split("\n"))
        assert len(head) == size and len(set(head)) == size
    # one frame, by number, from the end, and by the nearest time
    for choice, frame in ((["--frame", "4"], 4), (["--frame", "-1"], 30), (["--time", "0.1234"], 12)):
        rows = list(csv.reader(io.StringIO(withy("export", archive, "--format", "csv", *choice)[1])))
        assert len(rows) == 2 and (numpy.array(rows[1], dtype=float) == numbers[frame]).all(), choice
        data = json.loads(withy("export", archive, "--format", "json", *choice)[1])
        assert data["channels"]["time"]["values"] == [numbers[frame, 0]]


def read_glb(path):
    data = open(path, "rb").read()
    magic, version, length, json_length, kind = struct.unpack("<4sIII4s", data[:20])
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON") and json_length % 4 == 0
    head = json.loads(data[20:20 + json_length])
    size, kind = struct.unpack("<I4s", data[20 + json_length:28 + json_length])
    assert kind == b"BIN\0" and size == head["buffers"][0]["byteLength"] and 28 + json_length + size == length
    return head, data[28 + json_length:]


def accessor(head, data, index):
    a = head["accessors"][index]
    view = head["bufferViews"][a["bufferView"]]
    columns = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
    kind = {5126: "<f4", 5123: "<u2", 5125: "<u4"}[a["componentType"]]
    start = view["byteOffset"] + a.get("byteOffset", 0)
    return numpy.frombuffer(data, kind, a["count"] * columns, start).reshape(-1, columns).astype(float)


def glb_moves_as_the_archive(folder):
    archive, path = make(folder, ROD, "rod"), folder + "/rod.glb"
    code, out, err = withy("export", archive, "-o", path)
    assert code == 0, err
    head, data = read_glb(path)
    with h5py.File(archive) as f:
        t, x, q = f["time"][:], f["state/position"][:], f["state/orientation"][:]
    skin_nodes = head["skins"][0]["joints"]
    assert len(skin_nodes) == 15 and head["scenes"][0]["name"] == 'a <tapered> rod, "quoted"'
    moves, turns = {}, {}
    animation = head["animations"][0]
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        assert abs(accessor(head, data, sampler["input"])[:, 0] - t).max() < 1e-7
        where = moves if channel["target"]["path"] == "translation" else turns
        where[channel["target"]["node"]] = accessor(head, data, sampler["output"])
    for j, node in enumerate(skin_nodes):
        assert abs(moves[node] - x[:, j]).max() < 1e-7
        turn = turns[node][:, [3, 0, 1, 2]]
        assert abs(abs((turn * q[:, j]).sum(1)) - 1).max() < 1e-6
        assert (turn[1:] * turn[:-1]).sum(1).min() > 0, "the sign jumps in time"
        assert numpy.allclose(head["nodes"][node]["translation"], x[0, j], atol=1e-7)
    # up is against gravity
    upright = numpy.array(head["nodes"][0]["rotation"])[[3, 0, 1, 2]]
    g = numpy.array([3, -7.5, 1.0])
    assert numpy.allclose(rotate(upright, g) / numpy.linalg.norm(g), [0, -1, 0], atol=1e-6)
    # the skinned surface is the surface of that frame: the same triangles as the OBJ. Between the nodes, 0.1 m apart,
    # the centre line is a parabola in the place of a cubic, and linear skinning makes a twisted section smaller by 1 -
    # cos(half the turn)
    attributes = head["meshes"][0]["primitives"][0]["attributes"]
    bound = accessor(head, data, attributes["POSITION"])
    who, weight = accessor(head, data, attributes["JOINTS_0"]).astype(int), accessor(head, data,
        attributes["WEIGHTS_0"])
    assert abs(weight.sum(1) - 1).max() < 1e-6
    bind = accessor(head, data, head["skins"][0]["inverseBindMatrices"])
    frame, skinned = 17, numpy.zeros_like(bound)
    for k in range(2):
        local = bound + bind[who[:, k], 12:15]
        skinned += weight[:, k:k + 1] * (x[frame, who[:, k]] + rotate(q[frame, who[:, k]], local))
    assert withy("export", archive, "-o", folder + "/rod.obj", "--frame", frame)[0] == 0
    points, triangles = read_obj(folder + "/rod.obj")
    assert (accessor(head, data, head["meshes"][0]["primitives"][0]["indices"]).reshape(-1, 3) == triangles).all()
    at_nodes = weight[:, 1] == 0
    assert abs(skinned - points)[at_nodes].max() < 1e-7
    rings = lambda p: p[:16 * (len(p) // 16 - 2)].reshape(-1, 16, 3).mean(1)
    between = (q[frame, 1:] * q[frame, :-1]).sum(1)
    half_turn = numpy.arccos(numpy.clip(abs(between), 0, 1)).max()
    line = abs(rings(skinned) - rings(points)).max()
    assert line < 0.1 * (0.1 * 2 * half_turn / 8), (line, half_turn)  # a tenth of how far the arc is from its chord
    assert abs(skinned - points).max() < line + 1.5 * 0.011 * (1 - numpy.cos(half_turn)) * 1.01, half_turn
    # one frame: a still
    assert withy("export", archive, "-o", folder + "/still.glb", "--time", "0.1")[0] == 0
    still = read_glb(folder + "/still.glb")[0]
    assert "animations" not in still and numpy.allclose(still["nodes"][skin_nodes[5]]["translation"], x[10, 5],
                                                        atol=1e-7)


def read_obj(path):
    points, triangles = [], []
    for line in open(path):
        words = line.split()
        if words and words[0] == "v":
            points.append([float(w) for w in words[1:]])
        if words and words[0] == "f":
            triangles.append([int(w.split("/")[0]) - 1 for w in words[1:]])
    return numpy.array(points), numpy.array(triangles)


def read_stl(path):
    data = open(path, "rb").read()
    count, = struct.unpack("<I", data[80:84])
    assert len(data) == 84 + 50 * count and not data.startswith(b"solid")
    rows = numpy.frombuffer(data[84:], dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    return rows["v"].astype(float), rows["n"].astype(float)


def volume(corners):
    return numpy.einsum("ij,ij->i", corners[:, 0], numpy.cross(corners[:, 1], corners[:, 2])).sum() / 6


def closed(corners):
    """Every edge is there as often in one direction as in the other."""
    edges = {}
    for triangle in corners:
        keys = [p.tobytes() for p in triangle]
        assert len(set(keys)) == 3, "a triangle without area"
        for a, b in zip(keys, keys[1:] + keys[:1]):
            edges[a, b] = edges.get((a, b), 0) + 1
    return all(edges.get((b, a), 0) == n == 1 for (a, b), n in edges.items())


def surfaces_are_closed_and_have_the_sections_volume(folder):
    sixteen = 16 / 2 * numpy.sin(2 * numpy.pi / 16)  # area of the polygon in the unit circle
    strip = folder + "/strip.h5"
    assert withy("run", STRIP, "-o", strip)[0] == 0
    with h5py.File(strip) as f:
        s = f["state/arc_length"][-1]
    half = numpy.linspace(0, 0.6, 100001)
    size = numpy.interp(half, [0, 0.3, 0.6], [1, 0.9, 0.7])
    taper = numpy.interp(numpy.linspace(0, 0.7, 100001), [0, 0.35, 0.7], [1, 1.5, 0.5])
    for archive, expected in ((make(folder, ROD, "rod"), sixteen * 0.011 * 0.004 * 0.7 * (taper ** 2).mean()),
                              (make(folder, TUBE, "tube"), sixteen * (0.02 ** 2 - 0.015 ** 2) * 1.3),
                              (strip, 0.02 * 0.0008 * 0.6 * (size ** 2).mean())):
        path = archive[:-3]
        assert withy("export", archive, "-o", path + ".obj")[0] == 0
        points, triangles = read_obj(path + ".obj")
        corners = points[triangles]
        assert closed(corners), archive
        # prisms between rings that lean: a little off, more where the taper has its knee between two nodes
        assert abs(volume(corners) / expected - 1) < 0.02, (archive, volume(corners), expected)
        assert withy("export", archive, "-o", path + ".stl", "--scale", "1000")[0] == 0
        printed, normals = read_stl(path + ".stl")
        assert abs(printed / 1000 - corners).max() < 1e-6
        made = numpy.cross(printed[:, 1] - printed[:, 0], printed[:, 2] - printed[:, 0])
        assert ((made * normals).sum(1) > 0.99 * numpy.linalg.norm(made, axis=1)).all()
    assert len(s) == 61


def rigidities_have_their_widths(folder):
    """A section of rigidities has no stated width. It is drawn as a full ellipse: EI2 = E x integral of x1^2 = EA
    a^2/4, with a along d1."""
    EI1, EI2, EA = 0.37, 1.9, 5.3e3
    archive = make(folder, f"""kind: dynamic
length: 0.7
elements: 3
section: {{name: rigidities, EI1: {EI1}, EI2: {EI2}, GJ: 1.3, GA1: 1e3, GA2: 1e3, EA: {EA}, rhoA: 0.8, rhoI1: 1e-4, \
rhoI2: 1e-4, rhoJ: 2e-4}}
first_end: {{name: clamped}}
duration: 0.002
step: 0.001
""", "rigidities")
    assert withy("export", archive, "-o", folder + "/rigidities.obj", "--frame", "0")[0] == 0
    points, _ = read_obj(folder + "/rigidities.obj")
    with h5py.File(archive) as f:
        x, q = f["state/position"][0], f["state/orientation"][0]
    for k, half in ((0, 2 * (EI2 / EA) ** 0.5), (1, 2 * (EI1 / EA) ** 0.5), (2, 0.7)):
        along = (points - x[0]) @ rotate(q[0], numpy.eye(3)[k])
        assert abs(along.max() / half - 1) < 1e-6, (k, along.max(), half)


def vtk_reads_back_bit_for_bit(folder):
    archive, into = make(folder, ROD, "rod"), folder + "/vtk"
    code, out, err = withy("export", archive, "--format", "vtk", "-o", into)
    assert code == 0, err
    sets = xml.parse(into + "/rod.pvd").getroot().findall("./Collection/DataSet")
    with h5py.File(archive) as f:
        t, x = f["time"][:], f["state/position"][:]
        strain, kinetic, q = f["state/strain"][:], f["energy/kinetic"][:], f["state/orientation"][:]
    assert [float(s.get("timestep")) for s in sets] == list(t)
    assert sorted(os.listdir(into)) == sorted(["rod.pvd"] + [s.get("file") for s in sets])
    for frame in (0, 13, 30):
        tree = xml.parse(into + "/" + sets[frame].get("file")).getroot()
        piece = tree.find("./PolyData/Piece")
        assert piece.get("NumberOfPoints") == "15" and piece.get("NumberOfLines") == "1"

        def numbers(array, columns):
            return numpy.array(array.text.split(), dtype=float).reshape(-1, columns)

        assert (numbers(piece.find("./Points/DataArray"), 3) == x[frame]).all()
        data = {a.get("Name"): a for a in piece.findall("./PointData/DataArray")}
        assert all(len(numbers(a, int(a.get("NumberOfComponents")))) == 15 for a in data.values())
        means = numpy.vstack([strain[frame][:1], (strain[frame][1:] + strain[frame][:-1]) / 2, strain[frame][-1:]])
        assert (numbers(data["strain"], 6) == means).all()
        assert data["strain"].get("ComponentName1") == "kappa2 [rad/m]"
        assert abs(numbers(data["d3"], 3) - rotate(q[frame], numpy.array([0, 0, 1.0]))).max() < 1e-15
        assert numpy.allclose(numbers(data["half_width"], 2)[[0, 14]], [[0.011, 0.004], [0.0055, 0.002]])
        field = {a.get("Name"): a for a in tree.findall("./PolyData/FieldData/DataArray")}
        assert numbers(field["kinetic"], 1)[0, 0] == kinetic[frame]
    try:
        from vtk import vtkXMLPolyDataReader
        from vtk.util.numpy_support import vtk_to_numpy
    except ImportError:
        print("     (VTK itself did not read it: python3-vtk9 is not installed)")
        return
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(into + "/" + sets[13].get("file"))
    reader.Update()
    line = reader.GetOutput()
    assert (vtk_to_numpy(line.GetPoints().GetData()) == x[13]).all()
    assert line.GetNumberOfLines() == 1 and line.GetPointData().GetArray("strain").GetNumberOfComponents() == 6


VALIDATE = """const fs = require('fs'), validator = require('gltf-validator');
(async () => { for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)));
  console.log(JSON.stringify({path, errors: report.issues.numErrors, warnings: report.issues.numWarnings,
    messages: report.issues.messages, animations: report.info.animationCount}));
} })();
"""


def khronos_validator_finds_nothing(folder):
    """gltf-validator comes from npm, once for each build folder; where that cannot be, this says so."""
    modules = BUILD + "/npm-gltf-validator"
    if not shutil.which("node") or not shutil.which("npm"):
        print("     (glTF was not validated: node or npm is not installed)")
        return
    if not os.path.isdir(modules + "/node_modules/gltf-validator"):
        os.makedirs(modules, exist_ok=True)
        open(modules + "/package.json", "w").write('{"private": true}')
        try:
            done = subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--fetch-retries=0",
                                   "--fetch-timeout=20000",
                                   "gltf-validator@2.0.0-dev.3.10"], cwd=modules, capture_output=True, text=True,
                                   timeout=90)
            came = done.returncode == 0
        except subprocess.TimeoutExpired:
            came = False
        if not came:
            print("     (glTF was not validated: gltf-validator could not be had from npm)")
            return
    open(modules + "/validate.js", "w").write(VALIDATE)
    paths = []
    for name, text in (("rod", ROD), ("tube", TUBE), ("strip", open(STRIP).read()),
                       ("helix", open(SOURCE + "/examples/helix.yaml").read())):
        paths.append(f"{folder}/{name}.glb")
        code, out, err = withy("export", make(folder, text, name), "-o", paths[-1])
        assert code == 0, err
    done = subprocess.run(["node", "validate.js", *paths], cwd=modules, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(paths)
    for report in reports:
        assert report["errors"] == 0 and report["warnings"] == 0, report
    assert [r["animations"] for r in reports] == [1, 0, 1, 1]


def refusals(folder):
    archive = make(folder, ROD, "rod")
    shaft = folder + "/shaft.h5"
    assert withy("run", SOURCE + "/examples/shaft.yaml", "-o", shaft, "--set", "duration=0.1")[0] == 0
    for words, code, sentence in (
            ([archive, "--format", "gtlf"], 2, "did you mean 'gltf'"),
            ([shaft, "-o", folder + "/x.glb"], 2, "has no rod in space"),
            ([shaft, "--format", "vtk", "-o", folder + "/v"], 2, "has no rod in space"),
            ([archive, "--format", "vtk"], 2, "give the folder"),
            ([archive, "--format", "vtk", "-o", folder + "/rod.yaml"], 3, "is no folder"),
            ([archive, "--format", "stl", "--frame", "31", "-o", folder + "/x.stl"], 2, "from 0 to 30"),
            ([archive, "--format", "stl", "--frame", "1.5", "-o", folder + "/x.stl"], 2, "a whole number"),
            ([archive, "--format", "stl", "--time", "soon", "-o", folder + "/x.stl"], 2, "'--time soon'"),
            ([archive, "--format", "stl", "--frame", "1", "--time", "1"], 2, "not both"),
            ([archive, "--format", "stl", "--scale", "-2", "-o", folder + "/x.stl"], 2, "a scale of -2"),
            ([archive, "-o", folder + "/x.glb", "--scale", "much"], 2, "'--scale much'"),
            ([archive, "-o", folder + "/rod.yaml", "--format", "obj"], 3, "rod.yaml")):
        got, out, err = withy("export", *words)
        assert got == code and sentence in err, (words, got, err)
        assert (not os.path.exists(folder + "/x.stl") and not os.path.exists(folder + "/x.glb")
                and not os.path.exists(folder + "/v"))
    assert open(folder + "/rod.yaml").read() == ROD
    # a second export takes the place of the first, and nothing else
    assert withy("export", archive, "--format", "vtk", "-o", folder + "/v")[0] == 0
    assert withy("export", archive, "--format", "vtk", "-o", folder + "/v")[0] == 0
    open(folder + "/v/rod.pvd", "w").write("mine")
    code, out, err = withy("export", archive, "--format", "vtk", "-o", folder + "/v")
    assert code == 3 and "rod.pvd" in err and open(folder + "/v/rod.pvd").read() == "mine", err


main(csv_has_units, glb_moves_as_the_archive, surfaces_are_closed_and_have_the_sections_volume,
     rigidities_have_their_widths, vtk_reads_back_bit_for_bit,
     khronos_validator_finds_nothing, refusals)
