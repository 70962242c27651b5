#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""arrows.py refuses a small house of three rooms for each rule that is broken in it.

  arrows_fail.py ROOT CC
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

RULES = """\
# a comment
cli/low | low | numbers | nothing
cli/high | high | words | low
cli/high/inner | inner | letters | low high:types
"""

PAGE = """\
<!-- rooms: written by tests/arrows.py --write from docs/rooms.txt -->
<!-- /rooms -->
"""

FILES = {
    "cli/low/include/low/low.h": "int low(void);\n",
    "cli/low/low.c": "#include <low/low.h>\nint low(void) { return 1; }\n",
    "cli/high/include/high/high.h": "enum high { HIGH };\nint high(void);\n",
    "cli/high/high.c": "#include <high/high.h>\n#include <low/low.h>\n"
                       "int high(void) { return low(); }\n",
    "cli/high/inner/inner.c": "#include <high/high.h>\n#include <low/low.h>\n"
                              "int inner(void);\nint inner(void) { return low() + HIGH; }\n",
}


class House:
    """A folder with three rooms."""

    def __init__(self, arrows, compiler, folder):
        self.arrows = arrows
        self.compiler = compiler
        self.root = pathlib.Path(folder)

    def furnish(self):
        self.write("docs/rooms.txt", RULES)
        self.write("docs/architecture.md", PAGE)
        for path, text in FILES.items():
            self.write(path, text)
        self.run("--write", str(self.root))

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def add(self, path, text):
        file = self.root / path
        self.write(path, (file.read_text() if file.exists() else "") + text)

    def run(self, *arguments):
        command = [sys.executable, "-B", self.arrows, *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def build(self):
        """Compiles what changed, all files of a target at once."""
        includes = [f"-I{i}" for i in self.root.glob("cli/**/include")]
        for folder in sorted({source.parent for source in self.root.glob("cli/**/*.c")}):
            objects = self.root / "build" / folder.relative_to(self.root) / "CMakeFiles" / \
                f"{folder.name}.dir"
            objects.mkdir(parents=True, exist_ok=True)
            changed = [s for s in folder.glob("*.c") if not self.is_built(s, objects)]
            if changed:
                subprocess.run([self.compiler, *includes, "-c", *changed], cwd=objects, check=True)
            for source in changed:
                (objects / f"{source.stem}.o").rename(objects / f"{source.name}.o")

    @staticmethod
    def is_built(source, objects):
        made = objects / f"{source.name}.o"
        return made.exists() and made.stat().st_mtime_ns > source.stat().st_mtime_ns

    def judge(self):
        self.build()
        return self.run(str(self.root), str(self.root / "build"))


def includes_upwards(house):
    house.add("cli/low/low.c", "#include <high/high.h>\n")
    return "cli/low/low.c includes <high/high.h>: cli/low may only include: nothing"


def includes_in_assembly(house):
    house.write("cli/low/start.S", '#  include "high/high.h"\n')
    return "cli/low/start.S includes <high/high.h>"


def includes_by_path(house):
    house.write("cli/high/path.h", '#include "../low/include/low/low.h"\n')
    return 'cli/high/path.h includes a file of another folder by its path: "../low/'


def has_no_rule(house):
    house.write("cli/new/new.c", "int new_room(void);\nint new_room(void) { return 0; }\n")
    return "cli/new has no line in docs/rooms.txt"


def has_no_rule_inside(house):
    house.write("cli/low/deep/deep.c", "int deep(void);\nint deep(void) { return 0; }\n")
    return "cli/low/deep has no line in docs/rooms.txt"


def uses_types_only(house):
    house.add("cli/high/inner/inner.c", "int wrong(void);\nint wrong(void) { return high(); }\n")
    return "cli/high/inner: inner uses high of cli/high, cli/high/inner may only use: low"


def uses_without_header(house):
    house.add("cli/low/low.c", "int inner(void);\nint wrong(void);\n"
                               "int wrong(void) { return inner(); }\n")
    return "cli/low: low uses inner of cli/high/inner, cli/low may only use: nothing"


def uses_data(house):
    house.add("cli/high/high.c", "int shared = 1;\n")
    house.add("cli/low/low.c", "extern int shared;\nint wrong(void);\n"
                               "int wrong(void) { return shared; }\n")
    return "cli/low: low uses shared of cli/high"


def add_circle(house, names):
    for name, following in zip(names, names[1:] + names[:1]):
        house.write(f"cli/low/{name}.c", f"int {name}(void);\nint {following}(void);\n"
                                         f"int {name}(void) {{ return {following}(); }}\n")


def has_circle(house):
    add_circle(house, ["one", "two", "three"])
    return "cli/low: a circle of 3 files: one -> two (two), three -> one (one), two -> three (three)"


def has_open_pair(house):
    add_circle(house, ["one", "two"])
    house.add("cli/low/low.c", "int one(void);\nint two(void);\nint both(void);\n"
                               "int both(void) { return one() + two(); }\n")
    return "cli/low: a circle of 2 files: one -> two (two), two -> one (one)"


def has_private_pair(house):
    add_circle(house, ["one", "two"])
    house.add("cli/low/low.c", "int one(void);\nint first(void);\n"
                               "int first(void) { return one(); }\n")


def has_excused_circle(house):
    add_circle(house, ["one", "two", "three"])
    house.add("docs/rooms.txt", "except circle cli/low: one two three four\n")


def excuses_other_circle(house):
    add_circle(house, ["one", "two", "three"])
    house.add("docs/rooms.txt", "except circle cli/low: one two\n")
    return "cli/low: a circle of 3 files"


def excuses_no_circle(house):
    house.add("docs/rooms.txt", "except circle cli/low: one two\n")
    return "no circle of cli/low is excused by"


def add_files(house, count):
    for i in range(count):
        house.write(f"cli/low/file{i}.c", f"int file{i}(void);\nint file{i}(void) {{ return 0; }}\n")


def is_large(house):
    add_files(house, 25)
    return "cli/low has 26 .c files, at most 25 may be in one folder"


def is_full(house):
    add_files(house, 24)


def is_excused_large(house):
    add_files(house, 25)
    house.add("docs/rooms.txt", "except large cli/low: 26\n")


def is_larger_than_excused(house):
    add_files(house, 26)
    house.add("docs/rooms.txt", "except large cli/low: 26\n")
    return "cli/low has 27 .c files, at most 26 may be in one folder"


def is_not_large(house):
    house.add("docs/rooms.txt", "except large cli/low: 26\n")
    return "cli/low is not large: remove its line"


def has_other_list(house):
    page = house.root / "docs/architecture.md"
    page.write_text(page.read_text().replace("numbers", "figures"))
    return "docs/architecture.md: its list of rooms is not that of docs/rooms.txt"


def has_no_folder(house):
    house.add("docs/rooms.txt", "cli/gone | gone | none | nothing\n")
    return "docs/rooms.txt: there is no folder cli/gone"


def has_no_objects(house):
    rules = house.root / "docs/rooms.txt"
    rules.write_text(rules.read_text().replace("| low | numbers", "| lower | numbers"))
    return "cli/low: no object files of lower in"


def has_rules_in_a_circle(house):
    rules = house.root / "docs/rooms.txt"
    rules.write_text(rules.read_text().replace("numbers | nothing", "numbers | high"))
    return "rooms that may use each other in a circle: cli/high cli/low"


def has_unknown_word(house):
    house.add("docs/rooms.txt", "cli/low/more | more | none | hihg\n")
    return "docs/rooms.txt: cli/low/more: no room is called hihg"


def has_bad_line(house):
    house.add("docs/rooms.txt", "cli/low/more | more\n")
    return "docs/rooms.txt:5: not understood"


def has_old_object(house):
    """A build folder keeps objects of files that are gone: they break no rule."""
    has_circle(house)
    house.build()
    for name in ("one", "two", "three"):
        (house.root / f"cli/low/{name}.c").unlink()


CASES = [value for name, value in list(globals().items())
         if name.startswith(("includes_", "has_", "uses_", "is_", "excuses_"))]


def main():
    root, compiler = sys.argv[1:]
    arrows = f"{pathlib.Path(root).resolve()}/tests/arrows.py"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        sound = House(arrows, compiler, f"{folder}/sound")
        sound.furnish()
        status, said = sound.judge()
        if status != 0 or said:
            print(f"a sound house is refused:\n{said}")
            return 1
        for case in CASES:
            house = House(arrows, compiler, f"{folder}/{case.__name__}")
            shutil.copytree(sound.root, house.root)
            wanted = case(house)
            status, said = house.judge()
            if (status != 0 or said) if wanted is None else (status == 0 or wanted not in said):
                print(f"{case.__name__}: wanted {wanted or 'nothing'}, status {status}:\n{said}")
                failed += 1
    print(f"{len(CASES) - failed} of {len(CASES)} cases are right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
