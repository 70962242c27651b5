#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of all texts that people read, so that a new or changed one is seen in review.

  texts.py            compare the sources with tests/texts.txt
  texts.py --write    accept the texts of the sources: write tests/texts.txt

A text is a string of at least two words in the C sources of cli/ and gdbmi/, and in the scripts that
people run. Adjacent literals are one text, written as in the source, with <PRIu64> for a macro. In
the files of ONE_WORD, the tables of columns, keys, options and verbs, one word is a text too. Not a
text: a string given to a function of UNSEEN, which compares it or sends it to another program, and
one that matches PROTOCOL. Exits with status 1 if the lists differ.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "texts.txt"
HEAD = "# All texts that people read, by file. tests/texts.py --write makes this list.\n"

C_FOLDERS = ("cli", "gdbmi")
SCRIPTS = ("Makefile", "cli/export/page/page.js", "examples/demo", "examples/gdb/mprof.gdb", "tools/setup",
           "tools/step", "tools/steady", "tools/suite.py")
ONE_WORD = re.compile(r"columns\.c$|_keys\.c$|option_(set|table|words)\.c$|/verbs\.c$")

UNSEEN = {"strcmp", "strncmp", "strstr", "strcasecmp", "strcspn", "strspn", "strchr", "strpbrk", "sscanf",
          "_Static_assert", "__attribute__", "may_begin", "tcl_inbox_may_begin", "is_word"}
# JSON, HTML, commands of gdb, OpenOCD, QEMU and a shell, types of C.
PROTOCOL = re.compile(r"""
    ^\s*[{}\[<$] | \\"[\w-]+\\": | ^\s*-[a-z]+[-\ ] | ^\ ?-i?ex\ | ^[>\ ]*>&
  | ^(set|maint|maintenance|monitor|capture|target|show|info|add-symbol-file|exec|dump|shell|ulimit)\ [\w$\\&/-]
  | ^(catch|apply|proc|lindex|join|if|targets)\ [\[{%\w@] | ^%s\ (curstate|riscv|read_memory|write_memory|/%zux)
  | ^[\ _]*(const|__int128|unsigned|long|short)\ \w+(\ \w+)*$ | ^apt | ^\^ | ^default-src""", re.VERBOSE)

TOKEN = re.compile(r"""
    /\*.*?\*/ | //[^\n]*                      # comment
  | (?P<text>"(?:\\.|[^"\\])*")               # string
  | '(?:\\.|[^'\\])+'                         # character
  | ^[ \t]*\#[ \t]*(?:include|pragma|error)[^\n]*
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark>\S)""", re.VERBOSE | re.DOTALL | re.MULTILINE)
WORD = r"[A-Za-z]{2,}"
TWO_WORDS = re.compile(rf"{WORD}[^A-Za-z0-9%]* [^A-Za-z0-9]*[A-Za-z0-9%]|[%0-9][^ ]* [^A-Za-z0-9]*{WORD}")


def c_literals(source):
    """Yields (text, innermost function called) of each string, adjacent ones joined."""
    calls, name, parts = [], "", []
    for match in TOKEN.finditer(source):
        word = match.group("name")
        if match.group("text"):
            parts.append(match.group("text")[1:-1])
            continue
        if word and parts and word.startswith("PRI"):
            parts.append(f"<{word}>")
            continue
        if not word and not match.group("mark"):
            continue
        if parts:
            yield "".join(parts), calls[-1] if calls else ""
            parts = []
        if match.group("mark") == "(":
            calls.append(name)
        elif match.group("mark") == ")" and calls:
            calls.pop()
        name = word or ""


def is_text(text, name):
    plain = re.sub(r"\\[nt]", " ", text)
    if PROTOCOL.search(plain):
        return False
    return bool(TWO_WORDS.search(plain) or ONE_WORD.search(name) and re.search("[A-Za-z]", plain))


def c_texts(name):
    source = (ROOT / name).read_text(encoding="utf-8")
    return {text for text, call in c_literals(source) if call not in UNSEEN and is_text(text, name)}


def script_texts(name):
    """The strings in double quotes, without comments and docstrings."""
    source = re.sub(r'""".*?"""', "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    source = re.sub(r"^\s*(#|//|/\*).*$", "", source, flags=re.MULTILINE)
    return {text for text in re.findall(r'"((?:\\.|[^"\\\n])*)"', source) if is_text(text, name)}


def collect():
    """{name of a file: its texts}"""
    found = {}
    for folder in C_FOLDERS:
        for path in (ROOT / folder).rglob("*.[ch]"):
            name = path.relative_to(ROOT).as_posix()
            found[name] = c_texts(name)
    found |= {name: script_texts(name) for name in SCRIPTS}
    return {name: texts for name, texts in found.items() if texts}


def load():
    found, name = {}, ""
    for line in LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []:
        if line.startswith("    "):
            found[name].add(line[5:-1])
        elif line and not line.startswith("#"):
            name = line
            found[name] = set()
    return found


def write(texts):
    with LIST.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for name in sorted(texts):
            file.write(f"\n{name}\n" + "".join(f'    "{text}"\n' for text in sorted(texts[name])))


def main():
    now = collect()
    if sys.argv[1:] == ["--write"]:
        write(now)
        return 0
    kept = load()
    faults = [f"{name}: {what}: {text}" for name in sorted(now.keys() | kept.keys())
              for what, texts in (("new text", now.get(name, set()) - kept.get(name, set())),
                                  ("text is gone", kept.get(name, set()) - now.get(name, set())))
              for text in sorted(texts)]
    if faults:
        print("\n".join(faults))
        print(f"{len(faults)} differences: read them as somebody new would, then accept: tests/texts.py --write")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
