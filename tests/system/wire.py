# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of gdb servers share: the link tool, and a proxy that counts what passes."""

import json
import subprocess
import threading

from stream import between
from support import BUILD, HANG_S, FakeServer, environment

LINK_TOOL = BUILD / "tests" / "system" / "link-tool"


def link_tool(address, *steps, timeout=HANG_S):
    """Runs link-tool to its end; returns the finished process with its output."""
    return subprocess.run([str(LINK_TOOL), address, *steps], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=timeout, env=environment())


def start_tool(address, *steps):
    """Starts link-tool, which waits at a step "wait" for say()."""
    return subprocess.Popen([str(LINK_TOOL), address, *steps], stdin=subprocess.PIPE, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())


def say(process):
    process.stdin.write("\n")
    process.stdin.flush()


def end(process):
    """Ends a process that a test has started, whatever became of it."""
    if process.poll() is None:
        process.kill()
    process.communicate()


def stats(line):
    return json.loads(line)


class Wire(FakeServer):
    """A proxy before a gdb port that notes each stretch of bytes in one direction: (is_ours, bytes).
    rewrite(is_ours, bytes) may change them on their way."""

    def __init__(self, port, rewrite=None):
        self.target = port
        self.stretches = []
        self.lock = threading.Lock()
        self.rewrite = rewrite or (lambda is_ours, data: data)
        super().__init__(self._serve)

    def _pass(self, is_ours, data):
        data = self.rewrite(is_ours, data)
        with self.lock:
            if self.stretches and self.stretches[-1][0] == is_ours:
                self.stretches[-1][1].extend(data)
            else:
                self.stretches.append((is_ours, bytearray(data)))
        return data

    def _serve(self, client):
        between(client, self.target, lambda data: self._pass(True, data),
                lambda data: self._pass(False, data))

    def reads(self):
        """The stretches of ours that ask for memory: each is a round trip."""
        with self.lock:
            return [bytes(data) for is_ours, data in self.stretches if is_ours and b"$m" in data]
