"""docs/sources.md: every item of the sources has a command, and every command works. The long ones (+) only with
WITHY_LONG=1: their studies are run by other tests too. And docs/math/differences.md names only commands and tests that
exist."""
import glob
import html.parser
import json
import os
import re
import shlex

from check import SANITIZE, SOURCE, main, withy

LONG = os.environ.get("WITHY_LONG") == "1"
PICTURES = 88  # of all studies


def items():
    """(source, item, command, long, status) of each row of the table."""
    text = open(SOURCE + "/docs/sources.md", encoding="utf-8").read()
    table = text[text.index("| source | item |"):]
    for line in table.splitlines()[2:]:
        cells = [c.strip() for c in line.strip("|").split("|")]
        assert len(cells) == 4, line
        command = re.fullmatch(r"`withy ([^`]*)`( \+)?", cells[2])
        assert command, line
        yield cells[0], cells[1], command[1], bool(command[2]), cells[3]


def studies():
    return [line.split()[0] for line in withy("reproduce", "--list")[1].splitlines()]


def the_table_is_whole(folder):
    rows = list(items())
    assert ({r[0] for r in rows} == {"free-rod tutorial", "loads tutorial", "cantilever chapter", "thesis",
                                     "lumped-rod note"})
    for r in rows:
        assert r[4].startswith(("met", "better", "partly", "missing")), r
    named = {r[2].split()[1] for r in rows if r[2].startswith("reproduce ")}
    assert named == set(studies()), named ^ set(studies())
    text = " ".join(r[1] for r in rows)
    for table in range(1, 6):
        assert re.search(rf"table 4\.{table}\b", text), table
    figures = set()
    for first, last in re.findall(r"\b(?:4|A)\.(\d+)(?:-(?:4|A)\.(\d+))?", re.sub(r"\btable 4\.\d", "", text)):
        figures.update(range(int(first), int(last or first) + 1))
    assert set(range(1, 29)) - {4} <= figures, set(range(1, 29)) - figures  # 4.4 is a drawing


def every_command_works(folder):
    done = set()
    for source, item, command, long, status in items():
        if command in done or long and not LONG or SANITIZE and command.startswith("reproduce"):
            continue
        done.add(command)
        words = shlex.split(command)
        if words[0] == "run":
            words[1] = SOURCE + "/" + words[1]
            words += ["--verbose", "-o", folder + "/run.h5"]
        code, out, err = withy(*words)
        assert code == 0 and out, (source, item, command, out[-500:], err)
        if words[0] == "run" and "kind: static" not in open(words[1], encoding="utf-8").read():
            assert re.search(r"elapsed .* s simulated, real-time ratio", out), out
        elif words[0] == "run":
            assert "elapsed" in out, out


def rows_are_honest(folder):
    """What is published has a place, and the verdict follows from the row."""
    for name in studies() if LONG else ["beam-invariants", "lumped-rod"] if not SANITIZE else []:
        for row in json.loads(withy("reproduce", name, "--format", "json", "-q")[1])["rows"]:
            assert (row["published"] is None) == (row["place"] is None), (name, row)
            target = row["published"] if row["reference"] is None else row["reference"]
            ok = {"shown": lambda: row["measured"] is not None,
                  "near": lambda: abs(row["measured"] - target) <= row["tolerance"],
                  "at most": lambda: row["measured"] <= row["tolerance"],
                  "at least": lambda: row["measured"] >= row["tolerance"]}[row["test"]]()
            assert row["ok"] is ok, (name, row)


def differences_name_what_exists(folder):
    text = open(SOURCE + "/docs/math/differences.md", encoding="utf-8").read()
    known = set(studies())
    for name in re.findall(r"`withy reproduce ([\w-]+)`", text):
        assert name in known, name
    for name in re.findall(r"`(test_\w+)`", text):
        assert glob.glob(f"{SOURCE}/tests/*/{name}.*"), name


def users_read_names_not_numbers(folder):
    shown = (withy("list", "studies")[1] + withy("reproduce", "--list")[1] + withy("list", "rod-methods")[1]
             + withy("list", "benchmarks")[1])
    for path in glob.glob(SOURCE + "/docs/*.md") + glob.glob(SOURCE + "/examples/*.yaml") + [SOURCE + "/README.md"]:
        if not path.endswith("/sources.md"):
            shown += open(path, encoding="utf-8").read()
    found = re.findall(r"[^\n]*(?<![\w.,/=+*-])(?<!\d )`?00[0-4]`?(?![\w.%])[^\n]*", shown)
    assert not found, found


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.pictures, self.headings, self.open = [], 0, []

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.pictures.append(dict(attributes)["src"])
        self.headings += tag == "h2"
        if tag in ("table", "details", "figure", "body"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("table", "details", "figure", "body"):
            assert self.open.pop() == tag


def contact_sheet(folder):
    if not LONG:
        return
    code, out, err = withy("reproduce", "--all", "-o", folder + "/sheet", "-q")
    assert code == 0, err
    page = Page()
    page.feed(open(folder + "/sheet/index.html", encoding="utf-8").read())
    assert page.headings == len(studies()) and not page.open
    drawn = {os.path.basename(p) for p in glob.glob(folder + "/sheet/*.svg")}
    assert set(page.pictures) == drawn and len(page.pictures) == len(drawn) >= PICTURES, (
        len(page.pictures), len(drawn))
    for picture in page.pictures:
        assert os.path.getsize(f"{folder}/sheet/{picture}") > 1000, picture


main(the_table_is_whole, every_command_works, rows_are_honest, differences_name_what_exists,
     users_read_names_not_numbers, contact_sheet)
