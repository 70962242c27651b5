#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the project, *.md: no line is too long, links lead to something.

  docs.py ROOT

Prints one line per fault and exits with status 1 if there is any.
"""
import os
import pathlib
import re
import sys

WIDTH = 100
PASSED_OVER = {".git", "build", "node_modules"}

LINK = re.compile(r"\]\(([^)\s]+)\)")
GLOSSARY = "docs/glossary.md"
OWN_WORDS_MAX = 12


def pages(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in PASSED_OVER and not f.startswith(("build-", ".")))
        for name in sorted(names):
            if name.endswith(".md"):
                yield pathlib.Path(folder, name)


def check_widths(text):
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDTH:
            yield number, f"{len(line)} columns, at most {WIDTH}"


def check_links(path, text):
    for match in LINK.finditer(text):
        target = match[1].split("#")[0]
        if target and not re.match(r"\w+:", target) and not (path.parent / target).exists():
            yield text.count("\n", 0, match.start()) + 1, f"there is no {target}"


def check_glossary(text):
    own = text.partition("## Words of our own")[2]
    count = len(re.findall(r"^\| (?!word \|)\w", own, re.M))
    if not 1 <= count <= OWN_WORDS_MAX:
        yield 1, f"{count} words of our own, at most {OWN_WORDS_MAX}"


def faults(root):
    for path in pages(root):
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(root))
        found = [*check_widths(text), *check_links(path, text)]
        if name == GLOSSARY:
            found += check_glossary(text)
        for number, fault in sorted(found):
            yield f"{name}:{number}: {fault}"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    found = list(faults(pathlib.Path(arguments[0]).resolve()))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
