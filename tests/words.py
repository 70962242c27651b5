#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what people read to tests/banned.txt, the list of words that are not plain.

  words.py            check the texts of the sources (texts.py) and the pages
  words.py --write    lower the exceptions in tests/banned.txt to what the files have
  words.py --except   also add exceptions for all that is found

Prints one line for each file and phrase and exits with status 1 if there is any.
"""
import re
import sys

import texts

LIST = texts.ROOT / "tests" / "banned.txt"
PAGES = ("README.md", "HACKING.md", "docs/*.md", "docs/*.1", "gdbmi/README.md", "target-stub/README.md")
EXCEPTION = re.compile(r"(\S+): (\d+) (.+)")
# What a page has of code and of other languages: blocks, `code`, bold words of the manual, links.
CODE = re.compile(r"^```.*?^```|^(?: {4}|\t).*?$|`[^`]+`|\]\([^)]*\)|\\fB.*?\\f[RPI]|^\.B .*?$|^\.TP$|^<!--.*?-->",
                  re.DOTALL | re.MULTILINE)


class Words:
    """tests/banned.txt."""

    def __init__(self):
        self.plain = {}  # phrase: plain words
        self.excepted = {}  # (file, phrase): at most
        for number, line in enumerate(LIST.read_text(encoding="utf-8").splitlines(), 1):
            exception = EXCEPTION.fullmatch(line)
            phrase, bar, plain = line.partition(" | ")
            if not line or line.startswith("#"):
                continue
            if exception:
                self.excepted[exception[1], exception[3]] = int(exception[2])
            elif bar:
                self.plain[phrase.strip()] = plain
            else:
                sys.exit(f"{LIST.name}:{number}: neither PHRASE | PLAIN WORD nor FILE: N PHRASE")
        self.patterns = {phrase: re.compile(rf"\b(?:{phrase})\b".replace(" ", r"\s+"), re.IGNORECASE)
                         for phrase in self.plain}

    def write(self):
        """Keeps the comments and the phrases; the exceptions stand at the end."""
        lines = LIST.read_text(encoding="utf-8").splitlines()
        kept = "\n".join(line for line in lines if not EXCEPTION.fullmatch(line)).rstrip("\n")
        ends = "\n".join(f"{name}: {most} {phrase}"
                         for (name, phrase), most in sorted(self.excepted.items()) if most)
        LIST.write_text(kept + "\n" + (f"\n{ends}\n" if ends else ""), encoding="utf-8")


def blank(match):
    """White space in place of what it matches, so that lines keep their numbers."""
    return re.sub(r"[^\n]", " ", match[0])


def pages():
    """Yields (name of a file, its prose)."""
    for pattern in PAGES:
        for path in sorted(texts.ROOT.glob(pattern)):
            yield path.relative_to(texts.ROOT).as_posix(), CODE.sub(blank, path.read_text(encoding="utf-8"))


def found_in(pattern, name, page):
    """What is found, as it is shown."""
    return [f"{name}:{page.count(chr(10), 0, m.start()) + 1}: {' '.join(m[0].split())}"
            for m in pattern.finditer(page)]


def search(words):
    """{(file, phrase): what is found, as it is shown}"""
    found = {}
    for name, page in pages():
        for phrase, pattern in words.patterns.items():
            found[name, phrase] = found_in(pattern, name, page)
    for name, strings in texts.collect().items():
        for phrase, pattern in words.patterns.items():
            found[name, phrase] = [f"{name}: {text}" for text in sorted(strings)
                                   if pattern.search(re.sub(r"\\[nt]", " ", text))]
    return {key: lines for key, lines in found.items() if lines}


def main():
    words = Words()
    found = search(words)
    if sys.argv[1:] in (["--write"], ["--except"]):
        keys = found if sys.argv[1] == "--except" else words.excepted
        words.excepted = {key: len(found.get(key, [])) if sys.argv[1] == "--except" else
                          min(words.excepted[key], len(found.get(key, []))) for key in keys}
        words.write()
        return 0
    faults = {key: lines for key, lines in found.items() if len(lines) > words.excepted.get(key, 0)}
    for (_, phrase), lines in faults.items():
        print("\n".join(f"{line}   (plain: {words.plain[phrase]})" for line in lines))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
