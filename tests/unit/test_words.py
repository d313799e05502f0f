"""The tree speaks the field's language: no banned words (docs/banned.txt) in identifiers, documents, comments and
messages; no lines beyond the limit; every term of docs/glossary.md is used."""
import fnmatch
import os
import re
import subprocess

from check import SOURCE, main

BANNED, GLOSSARY = "docs/banned.txt", "docs/glossary.md"
DOUBLE, SINGLE = r'"(?:\\.|[^"\\\n])*"', r"'(?:\\.|[^'\\\n])*'"
REST = r"|(?P<ident>[A-Za-z_]\w*)|\d[\w.]*|."
C_TOKEN = re.compile(rf"(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>{DOUBLE})|{SINGLE}{REST}", re.S)
LINK = re.compile(r"(?:[-*] )?!?\[[^\]]*\]\([^)]*\)[.,;]?")
PY_TOKEN = re.compile(rf'(?P<comment>#[^\n]*|""".*?""")|(?P<string>{DOUBLE}|{SINGLE}){REST}', re.S)
GENERATED = ("docs/reference.md", "docs/atlas.md", "docs/atlas/*", "app/python/withy/_core.pyi",
             "src/math/tables/*.inc", "lab/study/*_reference.c", "lab/study/*_table.c", "app/viewer/package-lock.json",
             "tests/browser/package-lock.json", "CHANGELOG.md")


def files():
    try:
        git = subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True, check=True)
        listed = git.stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):  # a tree without git: a package's source
        listed = [os.path.relpath(os.path.join(d, n), SOURCE) for d, _, names in os.walk(SOURCE) for n in names
                  if "/build" not in d and "/." not in d]
    return sorted(p for p in listed if p and os.path.isfile(os.path.join(SOURCE, p)))


def text_of(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def entries():
    """[(scope, word, instead)], [(glob, word)], {kind: columns}"""
    words, allowed, limits = [], [], {}
    for line in text_of(BANNED).split("\n"):
        cells = line.rstrip().split("\t")
        if line.startswith("#") or not line.strip():
            continue
        assert len(cells) >= 3, f"{BANNED}: {line}"
        if cells[0] == "allow":
            allowed.append((cells[1], cells[2]))
        elif cells[0] == "limit":
            limits[cells[1]] = int(cells[2])
        else:
            assert cells[0] in ("code", "docs", "messages", "everywhere"), f"{BANNED}: {line}"
            words.append(tuple(cells[:3]))
    return words, allowed, limits


def is_code(path):
    return path.endswith((".c", ".h", ".inc", ".py", ".pyi", ".js", ".mjs"))


def is_document(path):
    return path.endswith(".md")


def is_script(path):
    """Of the build and the shell: lines are measured, words are not."""
    return path.endswith((".cmake", "CMakeLists.txt", ".sh")) or text_of(path)[:2] == "#!"


def is_generated(path):
    return any(fnmatch.fnmatch(path, g) for g in GENERATED)


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
        in_code = [e for e in words if e[0] in ("code", "everywhere") and " " not in e[1]]
        self.whole = {e[1]: e for e in in_code if "_" in e[1]}
        self.part = {w: e for e in in_code for w in (e[1], e[1] + "s") if "_" not in e[1]}
        self.phrases = {}
        for sort, scope in (("document", "docs"), ("comment", "docs"), ("string", "messages")):
            mine = {e[1].lower(): e for e in words if e[0] in (scope, "everywhere")}
            either = "|".join(re.escape(w) for w in sorted(mine, key=len, reverse=True))
            self.phrases[sort] = mine, re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.I)

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
    for line in found:
        print(line)
    assert not found, f"{len(found)} {what}"


def no_banned_words(_):
    words, allowed, _limits = entries()
    finder, found = Finder(words), []
    for path in files():
        if not (is_code(path) or is_document(path)) or is_generated(path):
            continue
        text = text_of(path)
        for offset, sort, piece in pieces(path, text):
            for at, (_scope, word, instead) in finder.hits(path, sort, piece):
                if not is_allowed(path, word, allowed):
                    line = text.count("\n", 0, offset + at) + 1
                    found.append(f"{path}:{line}: {sort} '{piece if sort == 'ident' else word}': {instead}")
    report(found, "banned words")


def lines_fit(_):
    """Exempt: rows of Markdown tables, fenced blocks, lines that are one link or one word, generated pages."""
    _words, _allowed, limits = entries()
    found = []
    for path in files():
        kind = "docs" if is_document(path) else "code" if is_code(path) or is_script(path) else None
        if kind is None or is_generated(path):
            continue
        columns = limits[kind]
        fenced = False
        for n, line in enumerate(text_of(path).split("\n"), 1):
            if kind == "docs":
                if line.startswith("```"):
                    fenced = not fenced
                bare = line.strip()
                if fenced or bare.startswith("|") or LINK.fullmatch(bare) or " " not in bare:
                    continue
            if len(line) > columns:
                found.append(f"{path}:{n}: {len(line)} columns, {columns} allowed")
    report(found, "lines beyond the limit")


def terms():
    """The terms of the glossary: the first cell of each row of its first table."""
    text = text_of(GLOSSARY).partition("## Words of earlier versions")[0]
    return re.findall(r"^\| \*\*([^*]+)\*\* \|", text, re.M)


def every_term_is_used(_):
    listed = terms()
    in_order = sorted(listed, key=str.lower)
    assert len(listed) > 40 and listed == in_order, [a for a, b in zip(listed, in_order) if a != b][:2]
    texts = [text_of(p).lower() for p in files() if is_code(p) or is_document(p)
             if p not in (GLOSSARY, "tests/unit/test_words.py")]
    unused = []
    for term in listed:
        words = re.sub(r"\s*\([^)]*\)", "", term).lower().split(", ")
        patterns = [re.compile(r"(?<![a-z])" + re.escape(w).replace(r"\ ", r"[\s_-]") + r"s?(?![a-z])") for w in words]
        if not any(p.search(t) for p in patterns for t in texts):
            unused.append(term)
    assert not unused, f"terms of {GLOSSARY} that the tree does not use: {unused}"


main(no_banned_words, lines_fit, every_term_is_used)
