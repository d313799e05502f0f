"""The certificate on the command line: as text, as JSON and in the archive; warnings, --strict; frames at the requested
times; `accuracy:` for any rod."""
import json
import re

import h5py

from check import SANITIZE, SOURCE, main, withy

SCENARIO = """
kind: dynamic
length: 0.3
elements: 6
section: {name: circle, radius: 0.005, E: 2e7, nu: 0.5, density: 1000}
first_end: {name: clamped, orientation: [1, 0, 1, 0]}
loads: [{name: gravity, acceleration: [0, 0, -9.81]}]
method: gauss-director
duration: 1
step: 0.01
"""


def write(folder, text=SCENARIO):
    with open(folder + "/s.yaml", "w") as f:
        f.write(text)


def run(folder, *more, code=0):
    done, out, err = withy("run", "s.yaml", "-o", "r.h5", *more, cwd=folder)
    assert done == code, (done, out, err)
    return out, err


def info(folder):
    code, out, err = withy("info", "--json", "r.h5", cwd=folder)
    assert code == 0, err
    return json.loads(out)


def sure(folder):
    write(folder)
    out, err = run(folder, "--strict", "--verbose")
    assert "certificate: error_shape" in out and "warning" not in out + err, (out, err)
    said = info(folder)
    c = {k: v["value"] for k, v in said["certificate"].items()}
    assert said["warnings"] == [] and said["outcome"] == "done", said
    assert 0 < c["error_shape"] < 0.05 and abs(c["trusted_until"] - 1) < 1e-12, c
    assert c["steps_per_period"] > 5 and c["unresolved_energy"] < 0.05, c
    verdict = out.splitlines()[-1]  # the last line, in percent, and the same from `withy info`
    assert re.fullmatch(r"verdict: shape within [\d.]+ %(, \w+ within [\d.e-]+( %)?)*, energy balance within "
                        r"[\d.]+e-\d+", verdict), verdict
    assert abs(float(verdict.split()[3]) - 100 * c["error_shape"]) < 0.06 * 100 * c["error_shape"], (verdict, c)
    assert verdict in withy("info", "r.h5", cwd=folder)[1].splitlines()
    plain, _ = run(folder)
    assert plain.splitlines()[-1] == verdict and len(plain.splitlines()) == 2 and "certificate" not in plain, plain
    with h5py.File(folder + "/r.h5") as f:
        errors = f["certificate/error_shape"][:]
        assert errors[-1] == c["error_shape"] and len(errors) == 101


def unsure(folder):
    write(folder)
    out, err = run(folder, "--set", "step=0.25", "--set", "duration=5")
    assert "withy: warning: " in err and "shorter steps" in err, err
    assert out.splitlines()[-1].startswith("verdict: with warnings: shape "), out
    _, quiet = run(folder, "--set", "step=0.25", "--set", "duration=5", "--strict", "-q", code=1)
    assert quiet.count("withy: warning: ") == 1, quiet
    said = info(folder)
    assert len(said["warnings"]) == 1 and "step" in said["warnings"][0], said
    code, text, _ = withy("info", "r.h5", cwd=folder)
    assert code == 0 and "  warning: " + said["warnings"][0] in text, text


def unknown(folder):
    """An error that the coarse runs do not bound is a word, never 1 or 100 %."""
    write(folder, open(SOURCE + "/examples/twisted-rod.yaml", encoding="utf-8").read())
    out, err = run(folder, "-v")
    assert info(folder)["certificate"]["error_shape"]["value"] is None, out
    assert out.splitlines()[-1].startswith("verdict: with warnings: shape unknown"), out
    assert "error_shape unknown" in out and "error_shape 1," not in out, out


def not_estimated(folder):
    write(folder)
    out, err = run(folder, "--set", "estimate=false", "--set", "step=0.25", "--set", "duration=5", "-v")
    assert "error_shape" not in out and "steps_per_period" in out, out
    assert "shape" not in out.splitlines()[-1], out
    assert "too fast for the step" in err, err  # what the steps themselves tell


def frames_at_round_times(folder):
    write(folder)
    run(folder, "--set", "output_step=0.007", "--set", "step=0.0123")
    with h5py.File(folder + "/r.h5") as f:
        times, dense = f["time"][:], f["state/tip"][:]
        assert [round(t, 12) for t in times] == [round(0.007 * k, 12) for k in range(143)] + [1.0], times
    run(folder, "--set", "output_step=0.007", "--set", "step=0.001")
    with h5py.File(folder + "/r.h5") as f:
        fine = f["state/tip"][:]
    assert abs(dense - fine).max() < 1e-3 * 0.3, abs(dense - fine).max()
    code, _, err = withy("run", "s.yaml", "--check", "--set", "output_step=0.1", "--set", "method=midpoint-shooting",
                         cwd=folder)
    assert code == 2 and "knows nothing between its steps" in err, err
    code, _, err = withy("run", "s.yaml", "--check", "--set", "output_step=1e-12", cwd=folder)
    assert code == 2 and "1e9 frames" in err, err


def accuracy(folder):
    write(folder, SCENARIO.replace("step: 0.01", "accuracy: 1e-3").replace("elements: 6", "last_end: pinned"))
    _, err = run(folder)
    assert "the accuracy 0.001 takes" in err, err
    with h5py.File(folder + "/r.h5") as f:
        assert f["time"][1] == 0.01 and len(f["time"]) == 101
        assert f["certificate/error_shape"][-1] < 0.05
    write(folder, SCENARIO.replace("step: 0.01", "accuracy: 1e-17"))
    _, err = run(folder, "--set", "duration=0.05", code=1)
    assert "out of reach" in err and "the best of" in err, err


main(sure, unsure, unknown, not_estimated, frames_at_round_times, *([] if SANITIZE else [accuracy]))
