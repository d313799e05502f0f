"""`withy list --json` holds every table: the same names, units and defaults as the text and the reference page."""
import json

from check import SOURCE, main, withy


def tables():
    code, out, err = withy("list", "--json")
    assert code == 0 and not err, err
    return json.loads(out)


def walk(params):
    for p in params:
        yield p
        yield from walk(p.get("params", []))


def every_catalogue_is_there(_):
    t = tables()
    code, out, _ = withy("list")
    assert [line.split()[0] for line in out.splitlines()] == [c["name"] for c in t["catalogues"]]
    assert t["withy"] == withy("-V")[1].split()[1]
    for c in t["catalogues"]:
        code, out, _ = withy("list", c["name"])
        assert code == 0
        assert [line.split()[0] for line in out.splitlines()] == [e["name"] for e in c["entries"]], c["name"]


def every_choice_names_a_catalogue(_):
    t = tables()
    known = {c["name"]: c for c in t["catalogues"]}
    count = 0
    for params in [t["scenario"]] + [e["params"] for c in t["catalogues"] for e in c["entries"]]:
        for p in walk(params):
            count += 1
            assert p["doc"] and p["takes"], p
            if p["type"] in ("choice", "list"):
                assert p["from"] in known, p
                if p["type"] == "choice" and p["default"]:
                    assert p["default"] in [e["name"] for e in known[p["from"]]["entries"]], p
            if p["type"] == "name":
                assert p["default"] is None or p["default"] in p["names"], p
            if p["type"] in ("vector", "samples"):
                assert p["count"] > 0, p
            if p["low"] is not None and p["high"] is not None:
                assert p["low"] <= p["high"], p
    assert count > 150, count


def it_says_what_the_reference_says(_):
    reference = open(SOURCE + "/docs/reference.md").read()
    for c in tables()["catalogues"]:
        for e in c["entries"]:
            for p in e["params"]:
                takes = p["takes"]
                assert f"| `{p['key']}` | {takes} |" in reference, (c["name"], e["name"], p["key"])


def help_and_version(_):
    for name in ("run", "list", "plot"):
        assert withy("help", name) == withy(name, "--help")
    code, out, err = withy("help", "rum")
    assert code == 2 and "did you mean 'run'" in err
    assert withy("-V") == withy("--version")
    assert withy("list", "--json", "--markdown")[0] == 2


main(every_catalogue_is_there, every_choice_names_a_catalogue, it_says_what_the_reference_says, help_and_version)
