# SPDX-License-Identifier: GPL-3.0-or-later
"""Every key of the live screen, at three sizes: what is on the screen after it is held against the
files of golden/. MPROF_GOLDEN=write writes them anew; read them then.

The numbers are a file's (--raw), so that they stand still."""

import concurrent.futures
import pathlib
import re
import unittest

import live
from prof import of_functions
from support import FIRMWARE, MPROF, mprof, wait_for
from terminal import Terminal

ELF = FIRMWARE / "motor.elf"
SIZES = ((40, 10), (80, 24), (200, 50))
BEFORE = {"crc32_update": {0: 5200, 16: 3000}, "fir_filter": 2100, "External_Handler": 700,
          "control_step": 400, "send_telegram": 350, "idle": 1900, "main": 90}
MORE = {**BEFORE, "fir_filter": 2900, "main": 290}
LATER = {**MORE, "control_step": 500}
# Since LATER the checksum takes a third, the filter as long as before, and there is more idling.
CHANGED = {**LATER, "crc32_update": {0: 6900, 16: 4100}, "fir_filter": 5000, "idle": 6200,
           "External_Handler": 1400}


class Session:
    """One live screen, typed at from its start to its end."""

    def __init__(self, columns, rows):
        self.golden = live.Golden(f"live-{columns}x{rows}")
        self.terminal = Terminal(columns, rows, EDITOR="./editor", MPROF_HISTORY="",
                                 TERM="xterm-256color")
        self.folder = pathlib.Path(self.terminal.folder.name)
        self.typed = set()
        self.columns = columns

    def write(self, hits):
        new = self.folder / "new"
        new.write_bytes(of_functions(ELF, hits))
        new.rename(self.folder / "prof.bin")

    def start(self):
        self.write(BEFORE)
        script = self.folder / "run"
        script.write_text(f"clear\n{MPROF} top --elf {ELF} --raw prof.bin -d 0.1\n")
        editor = self.folder / "editor"
        editor.write_text('#!/bin/sh\necho "$@" > edited.new; mv edited.new edited\n')
        editor.chmod(0o700)
        self.terminal.command(". ./run")
        self.golden.check(self.terminal, "start")

    def type(self, *keys):
        """"=text" is typed as it is."""
        for key in keys:
            if key[0] == "=" and key[1:]:
                self.terminal.tmux("send-keys", "-l", key[1:])
                self.typed.update((key[1], key[1:].split(" ")[0]))
            else:
                self.terminal.type(key)
                self.typed.add(key)

    def step(self, *keys, name=""):
        self.type(*keys)
        self.golden.check(self.terminal, name or " ".join(keys))

    def steps(self, keys):
        for key in keys.split(" "):
            self.step(key)

    def command(self, text):
        self.step("=:" + text, "Enter")

    def again(self, name):
        """The same screen, after something else than a key."""
        self.golden.check(self.terminal, name)

    def moving(self):
        self.steps("Down j Down Up k PgDn PgUp End Home G g")

    def rows(self):
        self.steps("> . < , I I s Down j Enter s k Enter s Escape")
        self.command("sort share")
        self.command("sort nothing")
        self.steps("2 Down 4 5 6")
        # The column is as wide as the path of the sources.
        self.type("3")
        self.terminal.shows(r"^> 59\.7 .*(crc\.c|\u2026)$")
        self.step("1")
        self.command("by line")
        self.command("by nothing")
        self.step("1")
        self.command("fields share,low,high,hits,function")
        self.command("fields share,nothing")
        self.command("fields")

    def filters(self):
        self.step("/")
        self.step("=crc3")
        self.steps("Enter \\ n N Escape \\")
        self.step("/", "=/^(fir|main)/", name="//^(fir|main)/")
        self.steps("Enter n n N Escape")
        self.step("/", "=/(", name="//(")
        self.steps("Enter Escape")
        self.step("/", "=nothing", name="/nothing")
        self.step("Escape")
        self.command("filter idle")
        self.step("Escape")

    def times(self):
        # A mean over the time since the mark goes on falling.
        self.command("fields share,error,hits,bar,function,location")
        self.steps("t t m")
        self.write(MORE)
        self.again("more hits")
        self.step("M")
        self.command("fields")
        self.steps("r r p")
        self.write(LATER)
        read, size = live.bytes_read(self.terminal.child()), (self.folder / "prof.bin").stat().st_size
        wait_for("two polls", lambda: live.bytes_read(self.terminal.child()) >= read + 3 * size)
        self.again("held still")
        self.steps("p Space Space + = -")

    def files(self):
        """The name of a file is that of the second."""
        self.step("g")
        self.type("w")
        snapshots = wait_for("a file", lambda: list(self.folder.glob("mprof-*.pb.gz")))
        assert len(snapshots) == 1, snapshots
        report = mprof("report", snapshots[0]).stdout
        assert re.search(r"(?m)^ *5\d\.\d .*crc32_update", report), report
        self.command("write kept.pb.gz")
        wait_for("kept.pb.gz", (self.folder / "kept.pb.gz").exists)
        self.command("write /no/such/folder/x")
        self.type("e")
        edited = self.folder / "edited"
        wait_for("the editor", edited.exists)
        assert re.fullmatch(r"\+\d+ /.*/motor/crc\.c\n", edited.read_text()), edited.read_text()
        self.step("C-l")

    def target(self):
        """A file cannot be written: all say so."""
        self.step("Z")
        self.step("n")
        self.steps("Z y x X f j Enter y f Escape S")
        self.step("Escape")

    def prompt(self):
        self.step(":")
        self.step("=so")
        self.steps("Tab C-u")
        self.step("=by f")
        self.steps("Tab C-u")
        self.step("=re")
        self.steps("Tab Tab Escape")
        self.command("puase")
        self.command("nothing of this name")
        self.step(":", "Up", name="the one before")
        self.steps("Escape C-l")
        self.command("report --limit 3 --fields share,function")
        self.step("Enter")
        self.type("=:annotate fir_filter", "Enter")
        self.terminal.shows("Enter: return to the live screen")
        self.terminal.shows("fir_filter|filter.c")
        self.step("Enter")
        self.type("T")
        self.terminal.shows("Enter: return to the live screen")
        self.terminal.shows("^mprof> trace --filter ")
        self.step("Enter", name="after T")
        self.command("quit x")
        self.command("panel")
        self.command("back")

    def unbound(self):
        self.steps("W ] Tab BTab")
        self.step("?", "x", name="x on the help screen")
        self.step("Escape")

    def help(self):
        self.steps("? Down NPage End PPage")
        # Both are there before the first is drawn.
        self.terminal.tmux("send-keys", "-H", *"1b 5b 34 7e 1b 5b 35 7e".split())
        self.again("End PPage")
        self.steps("Home h h Escape F1 q")

    def inside(self):
        self.steps("Enter n n N Down End Home Tab Tab / Escape")
        self.command("zoom fir_filter")
        self.command("zoom nothing")
        self.command("zoom fir_filtr")
        self.type("e")
        wait_for("the editor", lambda: "filter.c" in (self.folder / "edited").read_text())
        self.steps("? q Left Enter q Right Escape")

    def changes(self):
        self.step("B")
        self.step("Escape")
        self.steps("b b b")
        self.write(CHANGED)
        self.again("it has changed")
        self.command("per median")
        self.command("per nothing")
        self.command("per")
        self.steps("Down j End Home s Down Enter s k Enter 2 4 1 Enter Escape b b")
        self.command("baseline kept.pb.gz")
        self.command("baseline /no/such/file")
        self.step("Escape")

    def mouse(self):
        def send(button, text, times=1, name=""):
            column, row = live.find(self.terminal, text)
            keys = times * live.mouse(button, column, row)
            self.terminal.type("-H", *(f"{byte:x}" for byte in keys.encode()))
            self.golden.check(self.terminal, name or f"mouse {button} on {text}")
        send(0, "fir_filter", name="click")
        send(0, "FUNCTION", name="click on a title")
        send(0, "SHARE", name="click on the share")
        send(65, "SHARE", name="wheel down")
        send(64, "SHARE", name="wheel up")
        send(0, "fir_filter", 2, name="double click")
        send(65, "SHARE", name="wheel down, inside")
        self.step("Escape")
        send(0, "motor.elf", name="click on the header")

    def stopped(self):
        """Ctrl-Z and fg."""
        self.type("C-z")
        self.terminal.shows("Stopped|suspended")
        assert self.terminal.ask("alternate_on") == "0"
        self.terminal.command("fg")
        self.again("after fg")

    def leave(self):
        self.type("q")
        self.terminal.wait("the end", lambda: self.terminal.ask("alternate_on") == "0")
        self.terminal.shows(r"^\$\s*\Z")
        self.terminal.command("echo left $?")
        self.terminal.shows("^left 0$")
        assert self.terminal.ask("cursor_flag") == "1"

    def all(self):
        with self.terminal, self.golden:
            self.start()
            for part in (self.moving, self.rows, self.filters, self.times, self.files, self.target,
                         self.prompt, self.unbound, self.help, self.inside, self.changes, self.mouse,
                         self.stopped, self.leave):
                part()
        return self.typed


class Live(unittest.TestCase):
    def test_every_key(self):
        with concurrent.futures.ThreadPoolExecutor(len(SIZES)) as pool:
            runs = {size: pool.submit(Session(*size).all) for size in SIZES}
        for size, run in runs.items():
            with self.subTest(size=size):
                typed = run.result()
                missing = [f"{key} {name}".strip() for key, name in live.table()
                           if (key or ":" + name) not in typed]
                self.assertEqual(missing, [], "keys of the table that nobody typed")


if __name__ == "__main__":
    unittest.main()
