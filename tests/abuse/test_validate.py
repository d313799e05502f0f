"""`withy validate`: what it prints in each format, what it writes, how it refuses. The problems themselves are the
tests atlas/*."""
import csv
import html.parser
import io
import json
import os
import re

from check import SOURCE, main, withy

LONG = os.environ.get("WITHY_LONG") == "1"


def ids():
    return [line.split()[0] for line in withy("validate", "--list")[1].splitlines()]


def every_problem_has_its_file(folder):
    names = ids()
    assert len(names) == len(set(names)) and len(names) >= 30, names
    files = {f[:-2].replace("_", "-") for f in os.listdir(SOURCE + "/lab/atlas/problems") if f.endswith(".c")}
    assert files == set(names), files ^ set(names)
    assert withy("validate")[1] == withy("validate", "--list")[1]


def json_says_what_the_issue_asks(folder):
    code, out, err = withy("validate", "timoshenko-cantilever", "--format", "json")
    assert code == 0 and not err, err
    v = json.loads(out)
    assert v["id"] == "timoshenko-cantilever" and v["pass"] is True and len(v["rows"]) == 4
    for row in v["rows"]:
        assert {"name", "reference", "measured", "estimated_error", "true_error", "order", "note"} <= set(row)
        assert row["true_error"] == abs(row["measured"] - row["reference"])
        assert row["tolerance"] == 1e-6 * abs(row["reference"])
        assert row["ok"] is (row["true_error"] <= row["tolerance"])


def csv_and_text_agree(folder):
    rows = list(csv.DictReader(io.StringIO(withy("validate", "roll-up", "--format", "csv")[1])))
    assert len(rows) == 6 and all(r["ok"] == "true" and r["id"] == "roll-up" for r in rows)
    text = withy("validate", "roll-up")[1]
    assert text.endswith("roll-up: pass\n") and text.count(" ok ") == 6, text


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.pictures = [], []

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.pictures.append(dict(attributes)["src"])
        if tag in ("html", "body", "table", "tr", "td", "h2", "p", "pre", "details", "div"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("html", "body", "table", "tr", "td", "h2", "p", "pre", "details", "div"):
            assert self.open.pop() == tag, tag


def a_page_is_a_page(folder):
    code, out, err = withy("validate", "bathe-bend", "--format", "html", "-o", folder + "/a")
    assert code == 0, err
    page = Page()
    page.feed(out)
    assert not page.open and page.pictures == ["bathe-bend.svg"]
    assert sorted(os.listdir(folder + "/a")) == ["bathe-bend.html", "bathe-bend.svg", "bathe-bend.yaml"]
    assert open(folder + "/a/bathe-bend.html").read() == out
    assert os.path.getsize(folder + "/a/bathe-bend.svg") > 3000


def its_scenarios_run(folder):
    """What is shown to the user is what was solved: the scenario as written gives the measured number."""
    withy("validate", "nachbagauer", "--format", "json", "-o", folder)
    measured = json.load(open(folder + "/nachbagauer.json"))["rows"][1]["measured"]
    assert withy("run", folder + "/nachbagauer.yaml", "-o", folder + "/n.h5")[0] == 0
    code, out, err = withy("export", folder + "/n.h5", "--format", "csv", "--channel", "position")
    last = [float(x) for x in out.strip().splitlines()[-1].split(",")]
    assert measured in last, (measured, last[-3:])


def every_scenario_is_accepted(folder):
    for name in ids():
        source = open(f"{SOURCE}/lab/atlas/problems/{name.replace('-', '_')}.c", encoding="utf-8").read()
        block = re.search(r"static const char \w*scenario\[\] =(.*?);\n", source, re.S)[1]
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', block)).replace("\\n", "\n")
        open(folder + "/s.yaml", "w").write(text)
        code, out, err = withy("run", "--check", folder + "/s.yaml")
        assert code == 0, (name, err)


def refusals(folder):
    for words in (["nonsense"], ["roll-up", "nonsense"], ["roll-up", "--all"], ["--list", "--all"],
                  ["roll-up", "--long"], ["roll-up", "--format", "xml"],
                  ["--all", "-j", "0"], ["--all", "-j", "x"]):
        code, out, err = withy("validate", *words)
        assert code == 2 and err and not out, (words, code, out, err)
    assert "did you mean" in withy("validate", "rollup")[2]
    open(folder + "/roll-up.yaml", "w").write("mine\n")
    code, out, err = withy("validate", "roll-up", "-o", folder)
    assert code == 3 and open(folder + "/roll-up.yaml").read() == "mine\n", (code, err)
    assert withy("validate", "roll-up", "-o", folder, "--force")[0] == 0


def several_at_a_time(folder):
    names = ids() if LONG else ["roll-up", "bathe-bend", "euler-column", "point-load"]
    code, out, err = withy("validate", *(["--all", "--long"] if LONG else names), "--format", "json", "-o",
                           folder + "/all", "-j", "2")
    assert code == 0, (code, err, out[-3000:])
    assert [v["id"] for v in json.loads(out)] == names
    page = Page()
    page.feed(open(folder + "/all/index.html", encoding="utf-8").read())
    assert page.pictures == [n + ".svg" for n in names]
    for p in page.pictures:
        assert os.path.getsize(f"{folder}/all/{p}") > 3000, p


main(every_problem_has_its_file, json_says_what_the_issue_asks, csv_and_text_agree, a_page_is_a_page, its_scenarios_run,
     every_scenario_is_accepted, refusals, several_at_a_time)
