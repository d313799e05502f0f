"""Writes the manual pages and the shells' completions: manual.py COMMAND FOLDER. Everything comes from the command
itself: `COMMAND --help`, `COMMAND help X` and `COMMAND list --json`."""
import json
import os
import re
import subprocess
import sys


def ask(*words):
    return subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout


def escape(text):
    """As roff wants it: no line begins with a dot by accident, dashes are those of the keyboard."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def head(name, section, doc):
    return f'.TH {name.upper()} {section} "" "withy {VERSION}" "withy"\n.SH NAME\n{escape(name)} \\- {escape(doc)}\n'


def split_usage(text):
    """The usage lines, the paragraphs, and the options with what is said of each."""
    lines = text.splitlines()
    synopsis, at = [], 0
    while at < len(lines) and lines[at].strip():
        synopsis.append(re.sub(r"^usage: |^ {7}", "", lines[at]))
        at += 1
    words, options = [], []
    for line in lines[at:]:
        option = re.match(r"^  (?:(-\w), |    )(--[\w-]+(?: \S+)?)\s+(.*)$", line)
        if option:
            options.append([f"{option[1]}, {option[2]}" if option[1] else option[2], option[3]])
        elif options and re.match(r"^\s{8,}\S", line):
            options[-1][1] += " " + line.strip()
        else:
            words.append(line)
    return synopsis, "\n".join(words).strip(), options


def command_page(name, doc, usage):
    synopsis, words, options = split_usage(usage)
    out = [head(f"withy-{name}", 1, doc), ".SH SYNOPSIS\n.nf\n" + "\n".join(f"\\fB{escape(s)}\\fR" for s in synopsis)
           + "\n.fi\n"]
    if words:
        out.append(".SH DESCRIPTION\n" + re.sub(r"\n\s*\n", "\n.PP\n", escape(words)) + "\n")
    if options:
        out.append(".SH OPTIONS\n" + "".join(f".TP\n\\fB{escape(o)}\\fR\n{escape(d)}\n" for o, d in options))
    out.append(".SH EXIT STATUS\n0 done, 1 the computation failed, 2 bad usage or bad input, 3 could not read or "
               "write\n")
    out.append(".SH SEE ALSO\n.BR withy (1),\n.BR withy\\-scenario (5)\n")
    return "".join(out)


def main_page(commands):
    rows = "".join(f".TP\n\\fB{escape(n)}\\fR\n{escape(d)}; see\n.BR withy\\-{escape(n)} (1)\n" for n, d in commands)
    return (head("withy", 1, "elastic rods, simulated right") +
            ".SH SYNOPSIS\n.B withy\nCOMMAND [...]\n.SH DESCRIPTION\nwithy simulates elastic rods: at rest, on "
            "branches of equilibria, in motion.\n.SH COMMANDS\n" + rows +
            ".SH OPTIONS\n.TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nprints the version\n.TP\n\\fB\\-h\\fR, "
            "\\fB\\-\\-help\\fR\nlists the commands\n"
            ".SH EXIT STATUS\n0 done, 1 the computation failed, 2 bad usage or bad input, 3 could not read or "
            "write\n.SH SEE ALSO\n.BR withy\\-scenario (5)\n")


def parameter(p, depth):
    default = "must be given" if p["required"] else f"default {p['default']}" if p["default"] else "may be left out"
    text = f".TP\n\\fB{escape(p['key'])}\\fR ({escape(p['takes'])}; {escape(default)})\n{escape(p['doc'])}\n"
    inner = p.get("params") or []
    return text + (".RS\n" + "".join(parameter(q, depth + 1) for q in inner) + ".RE\n" if inner else "")


def scenario_page(tables):
    out = [head("withy-scenario", 5, "what a scenario file of withy can say"),
           ".SH DESCRIPTION\nA scenario is YAML (or JSON): a kind of run and its keys, in SI units. What is chosen by "
           "name is the name alone, or a mapping with "
           "\\fBname\\fR and its own keys. Numbers may be arithmetic, such as 2*pi/3.\n"]
    out.append(".SH EVERY SCENARIO\n" + "".join(parameter(p, 0) for p in tables["scenario"]))
    chosen = set()
    for c in tables["catalogues"]:
        for e in c["entries"]:
            stack = list(e.get("params") or [])
            while stack:
                p = stack.pop()
                chosen.update([p["from"]] if p.get("from") else [])
                stack += p.get("params") or []
    for c in tables["catalogues"]:
        if c["name"] not in chosen and c["name"] != "kinds":
            continue
        out.append(f".SH {escape(c['name'].upper())}\n{escape(c['doc'])}\n")
        for e in c["entries"]:
            alias = f" ({escape(e['alias'])})" if e.get("alias") else ""
            out.append(f".SS {escape(e['name'])}{alias}\n{escape(e['doc'])}\n" + "".join(parameter(p, 0)
                for p in e.get("params") or []))
    out.append(".SH SEE ALSO\n.BR withy (1)\n")
    return "".join(out)


def options_of(usage):
    return sorted(set(re.findall(r"(?<![\w-])--[a-z][\w-]*|(?<![\w-])-[a-zA-Z](?=[, ])", usage)))


def words_of(command, tables):
    """What may stand behind a command besides files."""
    names = {c["name"]: [e["name"] for e in c["entries"]] for c in tables["catalogues"]}
    return {"list": list(names), "reproduce": names.get("studies", []), "bench": names.get("benchmarks", []),
            "help": COMMAND_NAMES}.get(command, [])


def paths(tables):
    """The paths that --set takes: keys of every kind, and of what they choose."""
    catalogues = {c["name"]: c for c in tables["catalogues"]}
    found = set()

    def walk(params, prefix, depth):
        for p in params or []:
            path = prefix + p["key"]
            found.add(path + "=")
            walk(p.get("params"), path + ".", depth)
            if p.get("from") and p["type"] == "choice" and depth < 2:
                for e in catalogues[p["from"]]["entries"]:
                    walk(e.get("params"), path + ".", depth + 1)
    for kind in catalogues["kinds"]["entries"]:
        walk(kind["params"], "", 0)
    return sorted(found)


def bash(commands, usages, tables):
    cases = "".join(f"        {n}) options='{' '.join(options_of(usages[n]))}'; "
                    f"words='{' '.join(words_of(n, tables))}' ;;\n" for n, _ in commands)
    return f"""# bash completion of withy; made from its tables
_withy() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options= words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{' '.join(COMMAND_NAMES)} help --help --version" -- "$current"))
        return
    fi
    if [ "$before" = --set ]; then
        compopt -o nospace
        COMPREPLY=($(compgen -W "{' '.join(paths(tables))}" -- "$current"))
        return
    fi
    case ${{COMP_WORDS[1]}} in
{cases}        help) words='{' '.join(COMMAND_NAMES)}' ;;
    esac
    case $current in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current")) ;;
    esac
}}
complete -o filenames -F _withy withy
"""


def zsh(commands, usages, tables):
    def said(text):
        return text.replace("'", "").replace(":", "").replace("[", "(").replace("]", ")")
    rows = "".join(f"        '{n}:{said(d)}'\n" for n, d in commands)
    cases = ""
    for n, _ in commands:
        options = " ".join(f"'{o.split(',')[-1].split()[0]}[{said(d)}]'" for o, d in split_usage(usages[n])[2])
        words = words_of(n, tables)
        cases += f"        {n}) _arguments {options} '*:{n}:{'(' + ' '.join(words) + ')' if words else '_files'}' ;;\n"
    return f"#compdef withy\n# made from the tables of withy\nlocal -a commands=(\n{rows})\n" \
           "if (( CURRENT == 2 )); then\n    _describe command commands\nelse\n" \
           f"    local name=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $name in\n{cases}    esac\nfi\n"


def fish(commands, usages, tables):
    out = ["# fish completion of withy; made from its tables\n"]
    for n, d in commands:
        out.append(f"complete -c withy -n __fish_use_subcommand -a {n} -d '{d.replace(chr(39), '')}'\n")
        for o, doc in split_usage(usages[n])[2]:
            names = re.findall(r"--([\w-]+)|(?<!-)-(\w)(?!\w)", o)
            flags = " ".join(f"-l {long}" if long else f"-s {short}" for long, short in names)
            doc = doc.replace("\\", "").replace("'", "")
            out.append(f"complete -c withy -n '__fish_seen_subcommand_from {n}' {flags} -d '{doc}'\n")
        if words_of(n, tables):
            out.append(f"complete -c withy -n '__fish_seen_subcommand_from {n}' -a '{' '.join(words_of(n, tables))}'\n")
    return "".join(out)


def main():
    tables = json.loads(ask("list", "--json"))
    commands = re.findall(r"(?m)^  (\w[\w-]*) +(\S.*)$", ask("--help"))
    COMMAND_NAMES[:] = [n for n, _ in commands]
    usages = {n: ask("help", n) for n, _ in commands}
    made = {"withy.1": main_page(commands), "withy-scenario.5": scenario_page(tables),
            "withy.bash": bash(commands, usages, tables),
            "_withy": zsh(commands, usages, tables), "withy.fish": fish(commands, usages, tables)}
    made.update({f"withy-{n}.1": command_page(n, d, usages[n]) for n, d in commands})
    os.makedirs(FOLDER, exist_ok=True)
    for old in os.listdir(FOLDER):
        if old not in made:
            os.remove(os.path.join(FOLDER, old))
    for name, text in made.items():
        with open(os.path.join(FOLDER, name), "w") as f:
            f.write(text)


COMMAND, FOLDER = sys.argv[1:3]
COMMAND_NAMES = []
VERSION = ask("--version").split()[-1]
main()
