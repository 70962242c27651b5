# SPDX-License-Identifier: GPL-3.0-or-later
"""A running `mprof top --format json`, watched while things happen to it; and a wire to meddle with."""

import contextlib
import json
import os
import queue
import re
import select
import socket
import threading
import time

from support import HANG_S, start

WAITING = "mprof: waiting for mprof_init()"
# What may be said of a server for which a busy machine has no time, whatever a test is about.
BUSY = re.compile(r"lost .*did not answer within|is back")


class Lines:
    """The lines that come on a descriptor, and a queue that gets them; at the end it gets None."""

    def __init__(self, fd, sink):
        self.fd, self.sink = fd, sink
        self.text = b""
        self.ended = False

    def read(self):
        data = os.read(self.fd, 65536)
        self.text += data
        self.ended = not data

    def give(self):
        *lines, self.text = self.text.split(b"\n")
        for line in lines:
            self.sink.put(line.decode() + "\n")
        if self.ended:
            self.sink.put(None)


class Stream:
    """A running `mprof top --format json`: its objects, and what it says on stderr."""

    def __init__(self, elf, *args, delay=0.1):
        self.process = start("top", "--elf", elf, *args, "-n", "100000", "-d", delay, "--format", "json")
        self.objects, self.complaints = queue.Queue(), queue.Queue()
        self.seen = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        """What was printed before a complaint is there before the complaint is."""
        lines = {pipe.fileno(): Lines(pipe.fileno(), sink) for pipe, sink in
                 ((self.process.stderr, self.complaints), (self.process.stdout, self.objects))}
        complaints, objects = lines.values()
        while open_now := [fd for fd, one in lines.items() if not one.ended]:
            ready = select.select(open_now, [], [])[0]
            if complaints.fd in ready:
                complaints.read()
                while not objects.ended and select.select([objects.fd], [], [], 0)[0]:
                    objects.read()
                    objects.give()
                complaints.give()
            elif objects.fd in ready:
                objects.read()
                objects.give()

    def until(self, what, condition):
        """The first object from now on for which the condition holds. Those before it are in seen."""
        self.seen, end = [], time.monotonic() + HANG_S
        while True:
            try:
                line = self.objects.get(timeout=HANG_S)
            except queue.Empty:
                raise AssertionError(f"no object came while waiting for: {what}") from None
            if line is None:
                raise AssertionError(f"ended while waiting for: {what}: {self.rest()}")
            one = json.loads(line)
            if condition(one):
                return one
            self.seen.append(one)
            assert time.monotonic() < end, f"did not happen in {HANG_S} s: {what}"

    def drop(self):
        """Forgets what was printed up to now."""
        with contextlib.suppress(queue.Empty):
            while True:
                self.objects.get_nowait()

    def says(self, pattern):
        """The next line on stderr, which must match. Firmware may not be up yet when we come."""
        line = WAITING
        try:
            while line and not re.search(pattern, line) and (line.startswith(WAITING) or
                                                             BUSY.search(line)):
                line = self.complaints.get(timeout=HANG_S)
        except queue.Empty:
            raise AssertionError(f"nothing was said of: {pattern}") from None
        assert line and re.search(pattern, line), (pattern, line)
        return line

    def hears(self, pattern):
        """A line on stderr that matches, whatever is said before it."""
        heard = []
        with contextlib.suppress(queue.Empty):
            while line := self.complaints.get(timeout=HANG_S):
                heard.append(line)
                if re.search(pattern, line):
                    return line
        raise AssertionError(f"nothing was said of: {pattern}; but: {heard}")

    def rest(self):
        """Ends it; what else it said on stderr."""
        self.process.terminate()
        lines = []
        while line := self.complaints.get(timeout=HANG_S):
            lines += [] if line.startswith(WAITING) or BUSY.search(line) else [line]
        return lines

    def end(self):
        """Waits until it ends by itself and returns its exit status."""
        return self.process.wait(HANG_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        for pipe in (self.process.stdout, self.process.stderr):
            pipe.close()


def between(client, port, requests=lambda data: data, answers=lambda data: data, first=b""):
    """Passes bytes on between a client and a port; each function may change them, or answer None: then
    both connections are closed. first: what the port is to hear at once."""
    def pass_on(source, sink, change):
        with contextlib.suppress(OSError):
            while (data := source.recv(65536)) and (data := change(data)) is not None:
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    with socket.create_connection(("127.0.0.1", port)) as server:
        server.sendall(first)
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=pass_on, args=(server, client, answers), daemon=True)
        back.start()
        pass_on(client, server, requests)
        back.join()
