# SPDX-License-Identifier: GPL-3.0-or-later
"""The screens of docs/questions.md: each command is run on a terminal of 80 columns, and prints
what the page says. MPROF_QUESTIONS=write writes the screens anew; read them then."""

import os
import pathlib
import random
import re
import subprocess
import unittest

from case import Case, ended_on_terminal
from pprof_file import write

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/questions.md"
SCREEN = re.compile(r"(?<=```text\n)\$ mprof ([^\n]*)\n(.*?)(?=```)", re.S)
COLUMNS = 80

TIMES = {"idle": 40000, "crc32_update": 25000, "fir_filter": 15000, "uart_poll": 8000,
         "main": 7000, "log_write": 5000}


class Questions(Case):
    def side(self, name, seed, build, runs=5, work=1, iterations=0, **times):
        """Runs of 100 s at 1 kHz. What no function takes is idle; work: of all other functions."""
        rng = random.Random(seed)
        hits = {row: [int(rng.gauss(work * time * rng.lognormvariate(0, 0.01), time ** 0.5))
                      for _ in range(runs)]
                for row, time in (TIMES | times).items() if row != "idle"}
        hits["idle"] = [100000 - sum(run) for run in zip(*hits.values())]
        write(self.folder / name, hits, build=build * 20, seconds=100, iterations=iterations,
              time_s=1_700_000_000 + 10000 * seed)

    def setUp(self):
        self.side("old.pb.gz", 1, "aa")
        self.side("new.pb.gz", 2, "bb", crc32_update=12500)
        self.side("again.pb.gz", 3, "aa")
        self.side("worse.pb.gz", 4, "bb", crc32_update=12500, fir_filter=18000)
        self.side("busy.pb.gz", 5, "bb", work=1.1)
        self.side("old-turns.pb.gz", 1, "aa", iterations=10000)
        self.side("busy-turns.pb.gz", 5, "bb", work=1.1, iterations=11000)
        self.side("short-a.pb.gz", 6, "aa", runs=1)
        self.side("short-b.pb.gz", 7, "bb", runs=1, crc32_update=12500)
        (self.folder / "perf").mkdir()
        for number, (build, taken) in enumerate((("aa", 15000), ("bb", 15000), ("cc", 18000),
                                                 ("dd", 18000))):
            self.side(f"perf/{number}.pb.gz", 8 + number, build, fir_filter=taken)

    def test_screens(self):
        page = PAGE.read_text(encoding="utf-8")

        def again(found):
            text, status = ended_on_terminal(
                COLUMNS, *found[1].replace("'", "").split(), cwd=self.folder,
                stderr=subprocess.STDOUT, env={"TZ": "UTC", "NO_COLOR": "1"})
            return f"$ mprof {found[1]}\n{text}" + (f"$ echo $?\n{status}\n" if status else "")
        shown = SCREEN.sub(again, page)
        if os.environ.get("MPROF_QUESTIONS") == "write":
            PAGE.write_text(shown, encoding="utf-8")
        self.assertGreaterEqual(len(SCREEN.findall(page)), 10)
        self.assertEqual(shown, page)
        for _, screen in SCREEN.findall(page):
            for line in screen.splitlines():
                self.assertLessEqual(len(line), COLUMNS, line)


if __name__ == "__main__":
    unittest.main()
