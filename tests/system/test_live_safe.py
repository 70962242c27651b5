# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of the live screen that do something outside of it: they ask first, and names are no options."""

import pathlib
import subprocess
import tempfile
import unittest

from process import PIE, Process
from support import MPROF, mprof, stop, wait_for
from terminal import Terminal

# A table that is no stub's, which is read by its type.
SOURCE = """
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
void work(void) { __asm__ volatile("" ::: "memory"); }
struct row { void (*address)(void); unsigned hits; } table[2] = {{work, 9}};
int main(void) { prctl(PR_SET_PDEATHSIG, 9); puts("ready"); fflush(stdout); for (;;) pause(); }
"""


class Safe(unittest.TestCase):
    def start(self, elf, pid, *words, **variables):
        t = Terminal(100, 24, MPROF_HISTORY="", **variables)
        self.addCleanup(t.__exit__)
        t.command(f"clear; {MPROF} top --elf {elf} --pid {pid} {' '.join(words)} -d 0.1; echo status $?")
        t.shows("^>")
        return t

    def test_sources(self):
        """f and Enter switch nothing by themselves; what is off is named."""
        with Process(PIE) as process:
            process.sampled(50)
            t = self.start(PIE, process.pid)

            def status():
                return mprof("control", "--elf", PIE, "--pid", process.pid).stdout
            for answer in "nyy":
                was_on = "timer=on" in status()
                t.type("f")
                t.shows("^ timer +" + ("on" if was_on else "off"))
                t.type("Enter")
                t.shows(r"^\(y/n\) switch timer " + ("off" if was_on else "on"))
                self.assertEqual("timer=on" in status(), was_on)
                t.type(answer)
                if answer == "n":
                    t.shows("nothing was done")
                    self.assertIn("timer=on", status())
                elif was_on:
                    t.shows("^timer is off")
                    t.type("g")  # what is said of a key is over with the next one
                    t.shows("^no new samples: timer=off; 'mprof control on timer' switches it on")
                    self.assertIn("timer=off", status())
                else:
                    t.shows("^timer is on")
                    self.assertIn("timer=on", status())
            t.type("q")
            t.shows("^status 0$")

    def test_editor(self):
        """A source file called +x is no line to go to, and -x no option."""
        for first in "+-":
            with self.subTest(first=first), tempfile.TemporaryDirectory() as name:
                folder, place = f"{first}dir", pathlib.Path(name)
                (place / folder).mkdir()
                (place / folder / "x.c").write_text(SOURCE)
                subprocess.run(["gcc", "-g", "-gdwarf-4", f"-fdebug-prefix-map={place}=.",
                                f"-fdebug-prefix-map={place}/{folder}={folder}", "x.c", "-o", "../program"],
                               cwd=place / folder, check=True)
                self.edit(place, folder)

    def edit(self, place, folder):
        process = subprocess.Popen([str(place / "program")], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        process.stdout.readline()
        editor = place / "editor"
        editor.write_text('#!/bin/sh\necho "$@" > edited.new; mv edited.new edited\n')
        editor.chmod(0o700)
        t = Terminal(100, 24, MPROF_HISTORY="", EDITOR="./editor")
        self.addCleanup(t.__exit__)
        t.command(f"cd {place}; clear; {MPROF} top --elf program --pid {process.pid} --symbol table -d 0.1")
        t.shows("^>.* work ")
        t.type("e")
        wait_for("the editor", (place / "edited").exists)
        self.assertRegex((place / "edited").read_text(), rf"^\+\d+ \./\{folder}/x\.c\n$")
        t.type("q")


if __name__ == "__main__":
    unittest.main()
