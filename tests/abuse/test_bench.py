"""`withy bench` and the reproduction of the cantilever chapter: what they print, not how long it took. And `accuracy:`
in a scenario."""
import json
import os

from check import SANITIZE, SOURCE, main, withy


def bench_prints_ratios(folder):
    # under the sanitizers the soft rod takes minutes, of arithmetic that other tests sanitize
    code, out, err = withy("bench", "literal", "shaft" if SANITIZE else "soft-rod", "--format", "json")
    assert code == 0, err
    report = json.loads(out)
    assert report["machine"]
    for case in report["cases"]:
        assert (set(case) == {"name", "method", "elements", "step", "cpu_s_per_sim_s", "error", "drift", "baseline",
                              "ratio", "asked"})
        assert case["cpu_s_per_sim_s"] > 0
    if SANITIZE:
        return
    high = [c for c in report["cases"] if c["name"].endswith("settings for 0.3 mm")][0]
    base = [c for c in report["cases"] if c["name"].endswith("tutorial settings")][0]
    assert 0 < high["error"] < 3e-3 and 0 < base["error"] < 3e-3 and high["ratio"] > 1


def bench_draws(folder):
    if not SANITIZE:
        code, out, err = withy("bench", "soft-rod", "--plot", folder + "/cost.svg")
        assert code == 0, err
        picture = open(folder + "/cost.svg").read()
        assert "soft rod of the free-rod tutorial, tutorial settings" in picture and "CPU s per simulated s" in picture
    code, out, err = withy("bench", "literal", "--plot", folder + "/none.svg")
    assert code == 2 and "none of these benchmarks has an error" in err, err
    code, out, err = withy("bench", "soft-rod", "--plot", folder + "/cost.bmp")
    assert code == 2 and "must end in .svg, .png or .pdf" in err, err


def work_precision(folder):
    if SANITIZE:
        return  # minutes of arithmetic that other tests sanitize
    code, out, err = withy("bench", "work-precision", "--format", "json")
    assert code == 0, err
    cases = json.loads(out)["cases"]
    literal = [c for c in cases if "literally" in c["name"]][-1]
    for case in cases:
        assert 0 < case["error"] < 1e-2 and case["cpu_s_per_sim_s"] > 0
        published = case["method"].startswith("as published")
        assert case["drift"] is None if published else case["drift"] is None or 0 < case["drift"] < 0.1, case
        # the energy balance of bdf-alpha closes by definition: its numerical loss is the remainder
        assert not case["name"].startswith("gauss-director") or case["drift"] < (1e-11 if "round-off" in case["name"]
            else 1e-2), case
        assert (case["elements"] == 0) == published
        # a ratio only against something that is no more accurate
        assert case["ratio"] is None or case["error"] <= literal["error"]
    # every error that a ratio was asked for has rows at the tolerance it needs and to round-off
    for round_off in (False, True):
        asked = [c for c in cases if c["asked"] and ("round-off" in c["name"]) == round_off]
        assert len(asked) == 4 and all(c["error"] <= e for c, e in zip(asked, (3e-3, 1e-3, 1e-4, 1e-5))), asked
    best = min(c["error"] for c in cases)
    assert best < 3e-6, best  # the finest of ours; the reference itself is good to 1e-6


def beams(folder):
    if SANITIZE:
        return
    code, out, err = withy("bench", "beam", "beam-grid", "--format", "json")
    assert code == 0, err
    cases = json.loads(out)["cases"]
    for ours, base in zip(cases, cases[1:]):
        if base["name"].strip() == "its baseline":
            assert ours["ratio"] > 0 and ours["error"] <= base["error"] and ours["baseline"] == base["method"]
    grid = [c for c in cases if c["name"].startswith("grid")]
    assert grid[1]["error"] < 1e-6 < grid[0]["error"] < 1e-3 and grid[1]["ratio"] > 0


def bench_refuses(folder):
    code, out, err = withy("bench", "cantilver")
    assert code == 2 and "did you mean 'cantilever'" in err, err
    assert withy("bench", "--format", "xml")[0] == 2
    code, out, err = withy("bench", "--list")
    assert code == 0 and "real-time" in out


def cantilever_release(folder):
    if SANITIZE:
        return  # half a minute of arithmetic that other tests sanitize
    code, out, err = withy("reproduce", "cantilever-release", "--format", "json", "-q")
    assert code == 0, out + err
    rows = {r["name"]: r for r in json.loads(out)["rows"]}
    assert rows["literal scheme: largest distance of the tip from its trace"]["measured"] < 1e-7
    assert rows["cells of 30 where the solver for the whole rod fails"]["measured"] == 0


def accuracy_or_step(folder):
    text = open(SOURCE + "/examples/accurate-cantilever.yaml").read()
    for change, message in (("accuracy: 1e-3", "'step' is missing"), ):
        path = os.path.join(folder, "a.yaml")
        open(path, "w").write(text.replace(change, ""))
        code, out, err = withy("run", path, "-o", folder + "/a.h5")
        assert code == 2 and message in err, err
    open(path, "w").write(text + "step: 0.001\n")
    code, out, err = withy("run", path, "-o", folder + "/a.h5")
    assert code == 2 and "both given" in err, err
    open(path, "w").write(text.replace("1e-3", "1e-17").replace("duration: 0.5", "duration: 0.01"))
    code, out, err = withy("run", path, "-o", folder + "/a.h5")
    assert code == 1 and "out of reach" in err, err


main(bench_prints_ratios, bench_draws, work_precision, beams, bench_refuses, cantilever_release, accuracy_or_step)
