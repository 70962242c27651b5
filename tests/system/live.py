# SPDX-License-Identifier: GPL-3.0-or-later
"""The live screen of mprof top for tests: what is typed at it, the table of its keys, and golden text."""

import difflib
import os
import pathlib
import re
import time

from support import mprof

GOLDEN = pathlib.Path(__file__).with_name("golden")
WRITE = os.environ.get("MPROF_GOLDEN") == "write"

# How keys of the table are called by tmux.
TMUX = {"PgUp": "PPage", "PgDn": "NPage", "Esc": "Escape", "Ctrl-L": "C-l"}


def table():
    """(key, command) of each way to type one, of "mprof top --help"; key "": there is none."""
    text = mprof("top", "--help").stdout
    lines = text[text.index("Keys of the live screen"):].splitlines()[1:]
    found = []
    for line in lines:
        match = re.match(r"  (.{8}) ([a-z0-9-]+)( \[?[A-Z]+\]?)? {2,}\S", line)
        if match:
            found += [(TMUX.get(key, key), match[2]) for key in match[1].split() or [""]]
    return found


# What is said on the screen stays for 6 s.
NOTICE_S = 5


def same_length(match):
    return re.sub(r"[0-9a-f]", "#", match[0])


def hide_trend(lines):
    """The last minute is another one each time."""
    span = None
    for i, line in enumerate(lines):
        title = re.search(r"(LAST )?MINUTE +", line)
        if title:
            span = title.span()
        elif span:
            start, end = span
            lines[i] = line[:start] + re.sub("[\u2581-\u2588]", " ", line[start:end]) + line[end:]
    return lines


MARKS = (
    (r"\b\d+/s", "#/s"), (r"   overall.*", "   overall ..."),  # of the time that goes by
    (r"poll \d+\.\d ms", "poll # ms"), (r"updated \d+(\.\d)? (s|min) ago", "updated # s ago"),
    (r"every \d+\.\d s: slow link   ", ""),
    (r"\d\d:\d\d:\d\d", same_length), (r"mprof-\d{8}-\d{6}(-\d+)?\.pb\.gz", "mprof-#.pb.gz"),
    (r"0x[0-9a-f]{8}\b", lambda m: "0x########"),
    # Digits of a build, which has paths of its sources in it.
    (r"(\.elf) [0-9a-f]{7}( \(|$)", r"\1\2"),
    (r"(?<=\(build )[0-9a-f]{1,7}(?=[)…])", same_length), (r"^[0-9a-f]{7}(?=\)[.,])", same_length),
    # Where there is room for it.
    (r"   (/[^/\s]+)+/examples/\S+$", ""),
    # An instruction, of a compiler's choice.
    (r"^((?: +[\d.]+ +\d+/?)? [ │┌└├─>|+`]*)\b([0-9a-f]{3,8})  [a-z.][a-z0-9.]*( .*)?$",
     lambda m: f"{m[1]}{'#' * len(m[2])}  instruction"),
)


def plain(screen):
    """The lines of a screen, without what is never the same."""
    lines = hide_trend(screen.rstrip("\n").split("\n"))
    for pattern, mark in MARKS:
        lines = [re.sub(pattern, mark, line) for line in lines]
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def read(path):
    """(title, lines of the screen) of each step."""
    screens, lines = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("=== "):
            lines = list(lines)
            screens.append((line[4:], lines))
            continue
        number, _, text = line.partition("|")
        if text == "(no more)":
            del lines[int(number) - 1:]
            continue
        lines += [""] * (int(number) - len(lines))
        lines[int(number) - 1] = text
    return screens


def write(path, screens):
    before, text = [], ""
    for title, lines in screens:
        text += f"=== {title}\n"
        for i, line in enumerate(lines):
            if i >= len(before) or line != before[i]:
                text += f"{i + 1:2}|{line}\n"
        if len(lines) < len(before):
            text += f"{len(lines) + 1:2}|(no more)\n"
        before = lines
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


class Golden:
    """The screens of one file, each with a title; they are asked for in the order in which they
    stand. Of each screen the file has those lines that are not as they were on the one before."""

    def __init__(self, name):
        self.path = GOLDEN / f"{name}.txt"
        self.looked, self.gap = time.monotonic(), 0
        self.screens, self.at = ([] if WRITE else read(self.path)), 0

    def settled(self, terminal):
        """The screen that stays."""
        shown, begin = None, time.monotonic()
        since = begin
        while shown is None or time.monotonic() - since < 1:
            now = plain(terminal.screen())
            if now != shown or any("disassembling" in line for line in now):
                shown, since = now, time.monotonic()
            time.sleep(0.05)
        # What is said stays for a few seconds.
        if time.monotonic() - begin > 5:
            raise AssertionError("this machine has too much to do to write golden screens")
        return shown

    def look(self, terminal):
        lines, now = plain(terminal.screen()), time.monotonic()
        self.looked, self.gap = now, max(self.gap, now - self.looked)
        return lines

    def shows(self, terminal, expected, before):
        """Whether the screen is there; where nobody has looked for long, without what was said."""
        now = self.look(terminal)
        if now == expected or self.gap < NOTICE_S or len(now) != len(expected):
            return now == expected
        other = [i for i, line in enumerate(now) if line != expected[i]]
        return len(other) == 1 and other[0] < len(before) and now[other[0]] == before[other[0]]

    def check(self, terminal, title):
        """Waits until the next screen is there."""
        if WRITE:
            self.screens.append((title, self.settled(terminal)))
            return
        expected_title, expected = self.screens[self.at] if self.at < len(self.screens) else ("", [])
        before = self.screens[self.at - 1][1] if self.at else []
        self.at, self.gap = self.at + 1, 0
        if title != expected_title:
            raise AssertionError(f"{self.path}: the step is '{title}', the file's '{expected_title}': "
                                 "MPROF_GOLDEN=write writes it anew")
        try:
            terminal.wait(title, lambda: self.shows(terminal, expected, before))
        except AssertionError:
            diff = "\n".join(difflib.unified_diff(expected, plain(terminal.screen()),
                                                  str(self.path), "the screen", lineterm=""))
            raise AssertionError(f"after '{title}':\n{diff}") from None

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if WRITE:
            write(self.path, self.screens)
        elif not failure and self.at != len(self.screens):
            raise AssertionError(f"{self.path}: screens that no step shows: {self.screens[self.at:]}")


def mouse(button, column, row, release=True):
    """The bytes of a press (places from 0), in SGR's form."""
    text = f"\x1b[<{button};{column + 1};{row + 1}M"
    return text + (f"\x1b[<{button};{column + 1};{row + 1}m" if release else "")


def find(terminal, text):
    """(column, row) of a text on the screen."""
    for row, line in enumerate(terminal.screen().split("\n")):
        if text in line:
            return line.index(text), row
    raise AssertionError(f"'{text}' is not on the screen\n{terminal.screen()}")


def bytes_read(pid):
    """How many a process has read so far, its target's memory and its files among them."""
    return int(re.search(r"rchar: (\d+)", pathlib.Path(f"/proc/{pid}/io").read_text())[1])
