# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of the live screen that do something outside of it: they ask first, and names are no options."""

import pathlib
import subprocess
import tempfile
import unittest

from support import MPROF, stop, wait_for
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
