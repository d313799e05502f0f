"""The documents are true: commands run, programs compile, links and anchors lead somewhere, lines are short.

Fences say what is done with a block:
    ```sh                    run, in a folder of the page's own that has `examples` in it; blocks run in order
    ```sh no-run: REASON     not run
    ```yaml NAME.yaml        written to that file, for the commands after it
    ```yaml                  checked, if it is a whole scenario
    ```c                     compiled; run, if it has a main
    ```python                run here if no block of the page imports withy; else by app/python/tests
    ```                      output and other text: no commands
"""
import glob
import os
import re
import subprocess
import sys
import time

from check import BUILD, SANITIZE, SOURCE, WITHY, main

GENERATED = {"docs/reference.md", "docs/atlas.md", "docs/gallery/README.md"}
OTHERS = {"docs/reliability.md"}  # its table of promises has long lines
LINKS = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
SECONDS = 60


def pages():
    names = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/README.md", "examples/fmu/README.md")
    found = [SOURCE + "/" + name for name in names]
    found += sorted(glob.glob(SOURCE + "/docs/**/*.md", recursive=True))
    return [os.path.relpath(path, SOURCE) for path in found]


def text_of(page):
    with open(os.path.join(SOURCE, page), encoding="utf-8") as f:
        return f.read()


def blocks(page):
    """(line number, fence info, text) of every fenced block."""
    out, info, lines, begin = [], None, [], 0
    for number, line in enumerate(text_of(page).split("\n"), 1):
        fence = line.startswith("```")
        if fence and info is None:
            info, lines, begin = line[3:].strip(), [], number
        elif fence:
            out.append((begin, info, "\n".join(lines) + "\n"))
            info = None
        elif info is not None:
            lines.append(line)
    assert info is None, f"{page}:{begin}: a fence that does not end"
    return out


def prose(page):
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text_of(page), flags=re.M | re.S)


def anchors(page):
    """The anchors of a page's headings, as web sites for repositories make them."""
    seen, out = {}, set()
    for heading in re.findall(r"^#+ +(.*?) *$", prose(page), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        out.add(name if name not in seen else f"{name}-{seen[name]}")
        seen[name] = seen.get(name, 0) + 1
    return out


def links_lead_somewhere(_):
    count = 0
    for page in pages():
        for link in LINKS.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
            if re.match(r"\w+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            assert os.path.exists(os.path.join(SOURCE, target)), f"{page}: no {link}"
            if anchor and target.endswith(".md"):
                assert anchor in anchors(target), f"{page}: no heading for {link}; there are {sorted(anchors(target))}"
            count += 1
    assert count > 200, count


def every_page_is_listed(_):
    listed = {os.path.normpath("docs/" + link.partition("#")[0]) for link in LINKS.findall(prose("docs/README.md"))}
    missing = {p for p in pages() if re.fullmatch(r"docs/([\w-]+|\w+/README)\.md", p)} - listed - {"docs/README.md"}
    assert not missing, f"docs/README.md does not name {sorted(missing)}"
    notes = {os.path.relpath(path, SOURCE) for path in glob.glob(SOURCE + "/docs/notes/*.md")}
    assert notes <= listed, notes - listed
    decisions = set(LINKS.findall(prose("docs/decisions/README.md")))
    for page in glob.glob(SOURCE + "/docs/decisions/[0-9]*.md"):
        assert os.path.basename(page) in decisions, page
    plan = text_of("docs/architecture.md")
    for folder in glob.glob(SOURCE + "/src/*/") + glob.glob(SOURCE + "/app/*/"):
        assert os.path.relpath(folder, SOURCE) + "/ " in plan, f"docs/architecture.md does not name {folder}"


def lines_are_short(_):
    long = []
    for page in pages():
        if page in GENERATED | OTHERS:
            continue
        most = 120 if page == "CHANGELOG.md" else 100
        for number, line in enumerate(text_of(page).split("\n"), 1):
            bare = re.fullmatch(r"\s*(- )?!?\[?[^\s]*\]?\(?https?://\S+", line)
            if len(line) > most and not line.lstrip().startswith("|") and not bare:
                long.append(f"{page}:{number}: {len(line)} columns")
    assert not long, "\n".join(long)
    assert text_of("README.md").count("\n") <= 120


def releases_are_short(_):
    """keepachangelog.com: sections by sort of change, one line a change, at most 40 lines a release."""
    releases = re.split(r"^## ", text_of("CHANGELOG.md"), flags=re.M)[1:]
    assert releases[0].startswith("[Unreleased]")
    for release in releases:
        lines = [line for line in release.split("\n")[1:] if line]
        assert len(lines) <= 40, f"{release.split()[0]}: {len(lines)} lines"
        for line in lines:
            sort = re.fullmatch(r"### (Added|Changed|Deprecated|Removed|Fixed|Security)", line)
            assert line.startswith("- ") or sort, line
    for release in releases[1:]:
        assert re.match(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d\n", release), release[:40]


def commands_are_marked(_):
    for page in pages():
        for line, info, text in blocks(page):
            if not info:
                found = re.search(r"^(\$ )?(withy|\./dev|pip|cmake) ", text, re.M)
                assert not found, f"{page}:{line}: commands belong into ```sh"
            if info.startswith("sh ") or info == "sh":
                assert info == "sh" or re.fullmatch(r"sh no-run: \S.*", info), f"{page}:{line}: {info}"


def shell(page, line, text, folder):
    env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(WITHY)) + os.pathsep + os.environ["PATH"], HOME=folder)
    done = subprocess.run(["sh", "-e"], input=text, cwd=folder, env=env, capture_output=True, text=True,
                          timeout=SECONDS)
    assert done.returncode == 0, f"{page}:{line}:\n{text}{done.stdout[-800:]}{done.stderr[-800:]}"


def program(page, line, text, folder):
    path, out = f"{folder}/block.c", f"{folder}/block"
    with open(path, "w") as f:
        f.write(text)
    whole = "int main(" in text
    flags = [f"-fsanitize={SANITIZE}"] if SANITIZE else []
    command = ["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", *flags, f"-I{SOURCE}/include", f"-I{SOURCE}/src", path]
    command += [f"{BUILD}/libwithy.a", "-lm", "-o", out] if whole else ["-fsyntax-only"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{page}:{line}:\n{done.stderr}"
    if whole:
        done = subprocess.run([out], cwd=folder, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, f"{page}:{line}:\n{done.stdout}{done.stderr}"


def commands_work(folder):
    spent, ran = {}, 0
    for page in pages():
        directory = os.path.join(folder, page.replace("/", "-"))
        os.mkdir(directory)
        os.symlink(os.path.abspath(SOURCE + "/examples"), directory + "/examples")
        begin = time.monotonic()
        for line, info, text in blocks(page):
            name = info.partition(" ")[2]
            if info == "sh" and not SANITIZE:
                shell(page, line, text, directory)
                ran += text.count("\n")
            elif info.startswith("yaml") and name:
                with open(f"{directory}/{name}", "w") as f:
                    f.write(text)
            elif info == "yaml" and re.search(r"^kind:", text, re.M):
                with open(f"{directory}/block.yaml", "w") as f:
                    f.write(text)
                shell(page, line, "withy run block.yaml --check\n", directory)
            elif info == "c":
                program(page, line, text, directory)
            elif info == "python" and "import withy" not in text_of(page) and not SANITIZE:
                done = subprocess.run([sys.executable, "-c", text], cwd=directory, capture_output=True, text=True)
                assert done.returncode == 0, f"{page}:{line}: {done.stderr}"
        spent[page] = time.monotonic() - begin
    print("      " + ", ".join(f"{page} {s:.1f} s" for page, s in sorted(spent.items(), key=lambda e: -e[1])[:6]))
    assert SANITIZE or ran > 60, ran


main(links_lead_somewhere, every_page_is_listed, lines_are_short, releases_are_short, commands_are_marked,
     commands_work)
