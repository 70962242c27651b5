# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that runs next to a benchmark, and prints lines."""

import queue
import subprocess
import threading

from support import HANG_S, environment, stop


class Lines:
    """A program whose lines are read as they come."""

    def __init__(self, arguments, stdin=subprocess.DEVNULL):
        self.process = subprocess.Popen(arguments, stdin=stdin, stdout=subprocess.PIPE,
                                        text=True, env=environment())
        self.queue = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.queue.put(line)
        self.queue.put(None)

    def line(self):
        line = self.queue.get(timeout=HANG_S)
        if line is None:
            raise RuntimeError(f"{self.process.args[0]} ended early")
        return line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=HANG_S)
        finally:
            stop(self.process)
