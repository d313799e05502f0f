"""What error estimates are worth: random scenes of all generators, judged against finer runs and added up. None hides
an error (above 5 %, or above five times the stated one, without a warning), few that are right to 1 % are blamed, and
the median of stated by true lies between 1 and 2.5. Twenty scenes; WITHY_LONG=1 takes 2000, WITHY_SCENES=n takes n,
WITHY_SEED=n others, WITHY_JUDGED=file keeps a line for each. Each generator prints more of its own (WITHY_TELL=1)."""
import os
import statistics
import subprocess

from check import BUILD, main

LONG = bool(os.environ.get("WITHY_LONG"))
SCENES = int(os.environ.get("WITHY_SCENES") or (2000 if LONG else 20))
SEED = int(os.environ.get("WITHY_SEED") or 1)
# program, test, in percent of the scenes, what asks for a number of scenes
GENERATORS = [
    ("test_random_scenes", "test_random_scenes", 40, "WITHY_SCENES"),  # any ends and loads; every fifth at rest
    ("test_jumps", "random_jumped_rods", 20, "WITHY_JUMPS"),  # jumps along the rod
    ("test_jumps", "random_narrow_features", 5, "WITHY_JUMPS"),
    ("test_breaks", "test_rods_meet_breaks", 20, "WITHY_SCENES"),  # pulses, kinks, jumps in time
    ("test_break_shafts", "test_shafts_meet_breaks", 5, "WITHY_SCENES"),
    ("test_richardson", "bodies_know_their_error", 5, "WITHY_SCENES"),
    ("test_richardson", "shafts_know_their_error", 5, "WITHY_SCENES"),
]


def judged(folder):
    """(family, fate, true, stated, warned, hides) of every scene."""
    path = os.environ.get("WITHY_JUDGED") or os.path.join(folder, "judged")
    for program, test, percent, number in GENERATORS:
        count = max(1, SCENES * percent // 100)
        env = {k: v for k, v in os.environ.items() if k != "WITHY_LONG"}
        env |= {"CK_FORK": "no", "CK_RUN_CASE": test, number: str(count), "WITHY_SEED": str(100000 + SEED),
                "WITHY_FIRST": str(1000000 + 10000 * SEED), "WITHY_JUDGED": path}
        # what it asserts of so few, or so many, does not matter here
        subprocess.run([os.path.join(BUILD, "tests", program)], env=env, stdout=subprocess.DEVNULL)
    with open(path) as file:
        for line in file:
            family, _, fate, true, stated, warned, hides = line.split()
            yield family, fate, float(true), float(stated), warned == "1", hides == "1"


def no_estimate_hides_an_error(folder):
    scenes = list(judged(folder))
    expected = sum(max(1, SCENES * percent // 100) for _, _, percent, _ in GENERATORS)
    for family in sorted({s[0] for s in scenes}) + ["all"]:
        here = [s for s in scenes if family in (s[0], "all")]
        ran = [s for s in here if s[1] == "ran"]
        hidden = [s for s in ran if not s[4] and (s[2] > 0.05 or s[5])]
        right = [s for s in ran if s[2] < 0.01]
        blamed = [s for s in right if s[4]]
        median = statistics.median([s[3] / s[2] for s in ran if s[2] > 1e-10] or [1.0])
        print(f"{family}: {len(here)} scenes, {len(ran)} run, {sum(s[1] == 'refused' for s in here)} refused, "
              f"{len(hidden)} hidden, {len(blamed)} of {len(right)} blamed, stated/true {median:.2f}")
    assert len(scenes) == expected, f"{len(scenes)} of {expected} scenes"
    assert not hidden, hidden
    if SCENES >= 500:
        assert 20 * len(blamed) <= len(right)
        assert 1.0 <= median <= 2.5


main(no_estimate_hides_an_error)
