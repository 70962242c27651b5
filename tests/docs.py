#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the project, *.md: no line is too long, links lead to something, plain words.

  docs.py ROOT

Prints one line per fault and exits with status 1 if there is any.
"""
import os
import pathlib
import re
import sys

WIDTH = 100
PASSED_OVER = {".git", "build", "node_modules"}

# Expressions that read as translated, and words that gave way to the field's: docs/glossary.md.
NOT_PLAIN = {
    r"anew": "again",
    r"so many": "that many, or N",
    r"what stands there": "the row",
    r"as told": "as given by an option",
    r"the others": "the remaining ones",
    r"from inside": "annotate",
    r"hold(s|ing)? still|freez(e|es|ing)": "pause",
    r"feeders?": "source",
    r"what is meant by": "say what is wrong",
    r"beside": "next to, or while",
    r"original articles?": "say what it is",
}
# `code`, blocks of code and links are names, not prose.
NAMES = re.compile(r"^( {4}.*|```.*?^```)$|`[^`]*`|\]\([^)]*\)", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
GLOSSARY = "docs/glossary.md"
OWN_WORDS_MAX = 12


def pages(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in PASSED_OVER and not f.startswith(("build-", ".")))
        for name in sorted(names):
            if name.endswith(".md"):
                yield pathlib.Path(folder, name)


def blanked(text):
    """Without names, on the same lines."""
    return NAMES.sub(lambda m: "\n" * m[0].count("\n"), text)


def check_widths(text):
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDTH:
            yield number, f"{len(line)} columns, at most {WIDTH}"


def check_words(text):
    prose = blanked(text)
    for pattern, plain in NOT_PLAIN.items():
        # An expression may go on on the next line.
        for match in re.finditer(rf"\b(?:{pattern.replace(' ', chr(92) + 's+')})\b", prose, re.I):
            yield prose.count("\n", 0, match.start()) + 1, f"'{' '.join(match[0].split())}': {plain}"


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
        found = [*check_widths(text), *check_words(text), *check_links(path, text)]
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
