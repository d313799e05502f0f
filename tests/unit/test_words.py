"""The tree speaks the field's language: no banned words (docs/banned.txt) in identifiers, documents, comments and messages; no lines beyond the
limit; every term of docs/glossary.md is used. `test_words.py --all` prints the hits of entries marked `later` too."""
import fnmatch
import os
import re
import subprocess
import sys

from check import SOURCE, main

BANNED, GLOSSARY = "docs/banned.txt", "docs/glossary.md"
C_TOKEN = re.compile(r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")|\'(?:\\.|[^\'\\\n])*\'|(?P<ident>[A-Za-z_]\w*)|\d[\w.]*|.', re.S)
PY_TOKEN = re.compile(r'(?P<comment>#[^\n]*|"""(?:.*?)""")|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|(?P<ident>[A-Za-z_]\w*)|\d[\w.]*|.', re.S)
GENERATED = ("docs/reference.md", "docs/atlas.md", "docs/atlas/*", "app/python/withy/_core.pyi", "src/math/tables/*.inc", "src/study/*_reference.c",
             "src/study/*_table.c", "app/viewer/package-lock.json", "tests/browser/package-lock.json", "CHANGELOG.md")


def files():
    try:
        listed = subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):  # a tree without git: a package's source
        listed = [os.path.relpath(os.path.join(d, n), SOURCE) for d, _, names in os.walk(SOURCE) for n in names if "/build" not in d and "/." not in d]
    return sorted(p for p in listed if p and os.path.isfile(os.path.join(SOURCE, p)))


def text_of(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def entries():
    """[(scope, word, instead, later)], [(glob, word)], {kind: (columns, later)}"""
    words, allowed, limits = [], [], {}
    for line in text_of(BANNED).split("\n"):
        cells = line.rstrip().split("\t")
        if line.startswith("#") or not line.strip():
            continue
        assert len(cells) >= 3, f"{BANNED}: {line}"
        if cells[0] == "allow":
            allowed.append((cells[1], cells[2]))
        elif cells[0] == "limit":
            limits[cells[1]] = (int(cells[2]), "later" in cells[3:])
        else:
            assert cells[0] in ("code", "docs", "messages", "everywhere"), f"{BANNED}: {line}"
            words.append((cells[0], cells[1], cells[2], "later" in cells[3:]))
    return words, allowed, limits


def is_code(path):
    return path.endswith((".c", ".h", ".inc", ".py", ".pyi", ".js", ".mjs"))


def is_document(path):
    return path.endswith(".md")


def pieces(path, text):
    """(offset, sort, text): sort is ident, comment, string or document."""
    if is_document(path):
        yield 0, "document", text
        return
    token = PY_TOKEN if path.endswith((".py", ".pyi")) else C_TOKEN
    for m in token.finditer(text):
        if m.lastgroup in ("ident", "comment", "string"):
            yield m.start(), m.lastgroup, m.group()


def parts(identifier):
    for word in identifier.split("_"):
        for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", word):
            yield part.lower()


class Finder:
    def __init__(self, words):
        self.whole = {w: e for e in words for w in [e[1]] if e[0] in ("code", "everywhere") and "_" in w}
        self.part = {w: e for e in words for w in (e[1], e[1] + "s") if e[0] in ("code", "everywhere") and "_" not in e[1] and " " not in e[1]}
        self.phrases = {}
        for sort, scopes in (("document", ("docs", "everywhere")), ("comment", ("docs", "everywhere")), ("string", ("messages", "everywhere"))):
            mine = {e[1].lower(): e for e in words if e[0] in scopes}
            pattern = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(w) for w in sorted(mine, key=len, reverse=True)) + r")(?!\w)", re.I)
            self.phrases[sort] = mine, pattern

    def hits(self, path, sort, text):
        """(offset in text, entry)"""
        if sort == "ident":
            e = self.whole.get(text)
            if e:
                yield 0, e
            for p in parts(text):
                if p in self.part:
                    yield 0, self.part[p]
            return
        if sort == "string" and not path.startswith(("src/", "app/", "include/")):
            return
        mine, pattern = self.phrases[sort]
        for m in pattern.finditer(text):
            yield m.start(), mine[m.group().lower()]


def is_allowed(path, word, allowed):
    return any(fnmatch.fnmatch(path, g) and w in ("*", word, word + "s") for g, w in allowed)


def report(found, what):
    """Prints the hits; fails on those that are not marked `later`."""
    now = [f for f in found if not f[1]]
    for line, later in found:
        if not later or "--all" in sys.argv:
            print(line + (" (later)" if later else ""))
    print(f"{what}: {len(now)}; marked later: {len(found) - len(now)}")
    assert not now, f"{len(now)} {what}"


def no_banned_words(_):
    words, allowed, _limits = entries()
    finder, found = Finder(words), []
    for path in files():
        if not (is_code(path) or is_document(path)) or any(fnmatch.fnmatch(path, g) for g in GENERATED if g != "CHANGELOG.md"):
            continue
        text = text_of(path)
        for offset, sort, piece in pieces(path, text):
            for at, (_scope, word, instead, later) in finder.hits(path, sort, piece):
                if not is_allowed(path, word, allowed):
                    line = text.count("\n", 0, offset + at) + 1
                    found.append((f"{path}:{line}: {sort} '{piece if sort == 'ident' else word}': {instead}", later))
    report(found, "banned words")


def lines_fit(_):
    """Exempt: rows of Markdown tables, lines that are nothing but a link, lines with one word that cannot be broken, generated pages."""
    _words, _allowed, limits = entries()
    found = []
    for path in files():
        kind = "code" if is_code(path) or path.endswith((".cmake", "CMakeLists.txt")) else "docs" if is_document(path) else None
        if kind is None or any(fnmatch.fnmatch(path, g) for g in GENERATED):
            continue
        columns, later = limits[kind]
        fenced = False
        for n, line in enumerate(text_of(path).split("\n"), 1):
            if kind == "docs":
                if line.startswith("```"):
                    fenced = not fenced
                bare = line.strip()
                if fenced or bare.startswith("|") or re.fullmatch(r"(?:[-*] )?!?\[[^\]]*\]\([^)]*\)[.,;]?", bare) or " " not in bare:
                    continue
            if len(line) > columns:
                found.append((f"{path}:{n}: {len(line)} columns, {columns} allowed", later))
    report(found, "lines beyond the limit")


def terms():
    """The terms of the glossary: the first cell of each row of its first table."""
    text = text_of(GLOSSARY).partition("## Words of earlier versions")[0]
    return re.findall(r"^\| \*\*([^*]+)\*\* \|", text, re.M)


def every_term_is_used(_):
    listed = terms()
    assert len(listed) > 40 and listed == sorted(listed, key=str.lower), [a for a, b in zip(listed, sorted(listed, key=str.lower)) if a != b][:2]
    tree = {p: text_of(p).lower() for p in files() if (is_code(p) or is_document(p)) and p not in (GLOSSARY, "tests/unit/test_words.py")}
    unused = []
    for term in listed:
        words = re.sub(r"\s*\([^)]*\)", "", term).lower().split(", ")
        if not any(re.search(r"(?<![a-z])" + re.escape(w).replace(r"\ ", r"[\s_-]") + r"s?(?![a-z])", t) for w in words for t in tree.values()):
            unused.append(term)
    assert not unused, f"terms of {GLOSSARY} that the tree does not use: {unused}"


main(no_banned_words, lines_fit, every_term_is_used)
