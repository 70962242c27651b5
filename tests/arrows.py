#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the code to docs/rooms.txt, the one list of rooms and of which may use which.

  arrows.py ROOT           check includes, folders and the documentation
  arrows.py ROOT BUILD     check also what the object files of that build define and use
  arrows.py --write ROOT   write the list of rooms into docs/architecture.md

Prints one line per fault and exits with status 1 if there is any, with 2 if the list itself is wrong.
"""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import textwrap

RULES = "docs/rooms.txt"
PAGE = "docs/architecture.md"
MARKS = ("<!-- rooms: written by tests/arrows.py --write from docs/rooms.txt -->", "<!-- /rooms -->")

# Where code must have a rule, and where in its folder a room may keep it.
HELD = ("cli", "gdbmi/src", "target-stub")
INNER = ("src", "port/*")

SOURCES_MAX = 25
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


class RulesError(Exception):
    """The list of rooms cannot be understood."""


class Room:
    """One line of the list."""

    def __init__(self, root, folder, targets, job, may):
        self.folder = folder
        self.targets = targets.split()
        self.job = job
        self.words = may.split()
        headers = root / folder / "include"
        self.names = sorted(p.name for p in headers.iterdir() if p.is_dir()) if headers.is_dir() else []
        self.free = self.words == ["anything"]
        words = [] if self.words in (["nothing"], ["anything"]) else self.words
        self.types = {w.removesuffix(":types") for w in words if w.endswith(":types")}
        self.uses = {w for w in words if not w.endswith(":types")}


class House:
    """All rooms, and what is excused."""

    def __init__(self, root):
        self.root = root
        self.rooms = []
        self.excused_circles = []  # (folder, names)
        self.excused_folders = {}  # folder: how many .c files it may have
        for number, line in enumerate((root / RULES).read_text().splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                try:
                    self.take(line)
                except (TypeError, ValueError):
                    raise RulesError(f"{RULES}:{number}: not understood: {line}") from None
        self.by_name = {target: room for room in self.rooms for target in room.targets}
        self.by_name.update({name: room for room in self.rooms for name in room.names})
        for room in self.rooms:
            for word in sorted(room.uses | room.types):
                if word not in self.by_name:
                    raise RulesError(f"{RULES}: {room.folder}: no room is called {word}")

    def take(self, line):
        exception = re.fullmatch(r"except (circle|large) (\S+): (.+)", line)
        if not exception:
            self.rooms.append(Room(self.root, *(part.strip() for part in line.split("|"))))
        elif exception[1] == "circle":
            self.excused_circles.append((exception[2], set(exception[3].split())))
        else:
            self.excused_folders[exception[2]] = int(exception[3])

    def room_of(self, path):
        """The room that a file of the tree is in: the innermost one."""
        inside = [r for r in self.rooms if path.startswith(r.folder + "/")]
        return max(inside, key=lambda r: len(r.folder), default=None)

    def ways_to(self, room):
        """The names that allow to use a room: its own, and those of rooms that it is inside of."""
        around = (r for r in self.rooms if (room.folder + "/").startswith(r.folder + "/"))
        return {name for r in around for name in r.names + r.targets}

    def files(self):
        """All files of code that rules hold for, as paths from the root."""
        for room in sorted({r.folder.split("/")[0] for r in self.rooms if not r.free}):
            for folder, folders, names in os.walk(self.root / room):
                folders.sort()
                for name in sorted(names):
                    if name.endswith((".c", ".h", ".S")):
                        yield os.path.relpath(os.path.join(folder, name), self.root)


def check_includes(house):
    for path in house.files():
        room = house.room_of(path)
        if room is None or room.free:
            continue
        for line in (house.root / path).read_text(errors="replace").splitlines():
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match[1]
            if "../" in header:
                yield f'{path} includes a file of another folder by its path: "{header}"'
            owner = house.by_name.get(header.split("/")[0]) if "/" in header else None
            if owner in (None, room) or header.split("/")[0] in room.uses | room.types:
                continue
            yield f"{path} includes <{header}>: {room.folder} may only include: {' '.join(room.words)}"


def is_room_folder(house, folder):
    """Whether a line of the list says what code in this folder may use."""
    room = house.room_of(folder + "/")
    inner = os.path.relpath(folder, room.folder) if room else None
    return inner == "." or (room and any(fnmatch.fnmatch(inner, p) for p in INNER))


def check_folders(house):
    counts = {}
    for path in house.files():
        folder = os.path.dirname(path)
        if path.endswith(".c"):
            counts[folder] = counts.get(folder, 0) + 1
    for room in house.rooms:
        if not (house.root / room.folder).is_dir():
            yield f"{RULES}: there is no folder {room.folder}"
    for folder, count in sorted(counts.items()):
        if folder.startswith(HELD) and not is_room_folder(house, folder):
            yield f"{folder} has no line in {RULES}"
        most = house.excused_folders.get(folder, SOURCES_MAX)
        if count > most:
            yield f"{folder} has {count} .c files, at most {most} may be in one folder"
    for folder in sorted(house.excused_folders):
        if counts.get(folder, 0) <= SOURCES_MAX:
            yield f"{RULES}: {folder} is not large: remove its line 'except large'"


def circles(graph):
    """The sets of nodes of a graph {node: nodes} that lead to one another."""
    reached = {}
    for start in graph:
        found, todo = set(), [start]
        while todo:
            new = set(graph.get(todo.pop(), ())) - found
            found |= new
            todo += new
        reached[start] = found
    seen = set()
    for node in sorted(graph):
        if node in reached[node] and node not in seen:
            circle = {n for n in reached[node] if node in reached.get(n, ())}
            seen |= circle
            yield sorted(circle)


def check_rules(house):
    """Rooms that may use one another are no rooms."""
    graph = {r.folder: {house.by_name[w].folder for w in r.uses} - {r.folder} for r in house.rooms}
    for circle in circles(graph):
        yield f"{RULES}: rooms that may use each other in a circle: {' '.join(circle)}"


class Objects:
    """What the object files of a build define and use."""

    def __init__(self, house, build):
        self.room = {}  # of each object file
        self.missing = []
        for room in house.rooms:
            found = [o for t in room.targets for o in self.of_target(house, build, room, t)]
            self.room.update({o: room for o in found})
            if not found and not room.free:
                self.missing.append(f"{room.folder}: no object files of {' '.join(room.targets)} in {build}")
        self.uses = {o: {} for o in self.room}  # {user: {definer: names}}
        self.users = {o: set() for o in self.room}
        self.link()

    @staticmethod
    def of_target(house, build, room, target):
        """Objects whose source is still there: a build folder keeps those of files that are gone.
        The target may be made by a folder above the room's."""
        own = pathlib.PurePath(room.folder)
        for above in (own, *own.parents):
            folder = build / above / "CMakeFiles" / f"{target}.dir"
            for path in sorted(folder.rglob("*.c.o")):
                source = above / path.relative_to(folder).with_suffix("")
                if (house.root / source).is_file() or (build / source).is_file():
                    yield str(path)

    def link(self):
        defined, wanted = {}, []
        command = ["nm", "-P", "-A", "-g", *self.room]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for line in out.splitlines() if self.room else ():
            path, rest = line.split(": ", 1)
            name, kind = rest.split()[:2]
            if kind in "Uwv":
                wanted.append((path, name))
            else:
                defined[name] = path
        for user, name in wanted:
            owner = defined.get(name, user)
            if owner != user:
                self.uses[user].setdefault(owner, set()).add(name)
                self.users[owner].add(user)


def stem(path):
    return os.path.basename(path).removesuffix(".c.o")


def check_uses(house, objects):
    """No room uses what a room defines that it may not include."""
    for user, owners in sorted(objects.uses.items()):
        room = objects.room[user]
        for owner, names in sorted(owners.items()):
            other = objects.room[owner]
            if other is room or room.free or room.uses & house.ways_to(other):
                continue
            yield (f"{room.folder}: {stem(user)} uses {' '.join(sorted(names))} of {other.folder}, "
                   f"{room.folder} may only use: {' '.join(sorted(room.uses)) or 'nothing'}")


def is_private_pair(objects, circle):
    """Two files that are one job: only one of them is used by anything else."""
    return len(circle) == 2 and any(objects.users[o] <= set(circle) for o in circle)


def check_circles(house, objects):
    needed = set()
    for room in house.rooms:
        graph = {o: {u for u in objects.uses[o] if objects.room[u] is room}
                 for o, owner in objects.room.items() if owner is room}
        for circle in circles(graph):
            if is_private_pair(objects, circle):
                continue
            excuses = [i for i, (folder, names) in enumerate(house.excused_circles)
                       if folder == room.folder and {stem(o) for o in circle} <= names]
            needed.update(excuses)
            if not excuses:
                ties = (f"{stem(a)} -> {stem(b)} ({' '.join(sorted(objects.uses[a][b]))})"
                        for a in circle for b in circle if b in objects.uses[a])
                yield f"{room.folder}: a circle of {len(circle)} files: {', '.join(ties)}"
    for i, (folder, names) in enumerate(house.excused_circles):
        if i not in needed:
            yield (f"{RULES}: no circle of {folder} is excused by 'except circle' with "
                   f"{' '.join(sorted(names)[:3])}...: remove the line")


def rooms_text(house):
    """The list of rooms in the documentation."""
    items = []
    for room in house.rooms:
        targets = ", ".join(f"`{t}`" for t in room.targets)
        may = ", ".join(w.replace(":types", " (types only)") for w in room.words)
        text = f"`{room.folder}/`{f' ({targets})' if targets else ''}: {room.job}. May include: {may}."
        items.append(textwrap.fill(text, 100, initial_indent="- ", subsequent_indent="  ",
                                   break_long_words=False, break_on_hyphens=False))
    return "\n".join(items)


def split_page(house):
    text = (house.root / PAGE).read_text()
    before, begin, rest = text.partition(MARKS[0])
    inside, end, after = rest.partition(MARKS[1])
    if not begin or not end:
        raise RulesError(f"{PAGE} has no lines '{MARKS[0]}' and '{MARKS[1]}'")
    return before + begin + "\n\n", inside.strip("\n"), "\n\n" + end + after


def check_page(house):
    if split_page(house)[1] != rooms_text(house):
        yield f"{PAGE}: its list of rooms is not that of {RULES}: run tests/arrows.py --write ROOT"


def write_page(house):
    before, _, after = split_page(house)
    (house.root / PAGE).write_text(before + rooms_text(house) + after)


def faults(house, build):
    yield from check_rules(house)
    yield from check_folders(house)
    yield from check_includes(house)
    yield from check_page(house)
    if build:
        objects = Objects(house, build)
        yield from objects.missing
        yield from check_uses(house, objects)
        yield from check_circles(house, objects)


def main(arguments):
    write = arguments[:1] == ["--write"]
    paths = [pathlib.Path(a) for a in arguments[write:]]
    if not 1 <= len(paths) <= 2 - write:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        house = House(paths[0])
        if write:
            write_page(house)
            return 0
        found = list(faults(house, paths[1] if len(paths) == 2 else None))
    except RulesError as error:
        print(error)
        return 2
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
