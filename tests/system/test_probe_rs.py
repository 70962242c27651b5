# SPDX-License-Identifier: GPL-3.0-or-later
"""probe-rs' gdb server, a fake: it halts the core for us and cannot tell whether it ran. A core that ran runs
on, whatever becomes of mprof; one that stands at a breakpoint of its own firmware stays there."""

import unittest

from case import Case
from probe_rs import Core, ProbeRs
from support import SOAK, count, counted, side_by_side, wait_for
from wire import end, link_tool, start_tool, stats

BREAKPOINTS = {"arm": (b"\xab\xbe",), "riscv": (b"\x73\x00\x10\x00", b"\x02\x90")}
RAM = "read=0x20000000,64"


def cores():
    """(name, running, core): what stands before we come."""
    for arch, instructions in BREAKPOINTS.items():
        yield f"{arch} runs", True, lambda arch=arch: Core(arch)
        for one in instructions:
            yield f"{arch} at {one.hex()}", False, lambda arch=arch, one=one: Core(arch, running=False,
                                                                                   instruction=one)


def polled(make, resumes):
    """One link to a fresh server; the server and what was said."""
    with ProbeRs(make(), resumes=resumes) as server:
        done = link_tool(f":{server.port}", "state", RAM, RAM, "stats")
        wait_for("the client's end", lambda: server.left)
        return server, done


def killed(make, resumes, request, answered):
    """mprof dies at this request; the server when the guardian has left. None: it made fewer requests."""
    with ProbeRs(make(), resumes=resumes) as server:
        server.kill(request, answered)
        process = start_tool(f":{server.port}", "state", RAM, RAM)
        try:
            server.victim = process.pid
            process.wait()
            wait_for("the guardian's end", lambda: server.left)
        finally:
            end(process)
        return server if server.kill_at is None else None


class Guest(Case):
    def test_as_it_was(self):
        rounds = count(1, 20)
        items = [(name, running, make, resumes) for name, running, make in cores() for resumes in (True, False)]

        def look(item):
            _, running, make, resumes = item
            server, done = polled(make, resumes)
            self.assertEqual(done.returncode, 0, done.stderr)
            before, first, second, about = done.stdout.splitlines()
            self.assertEqual((before, first), ("running" if running else "halted", second))
            self.assertEqual(stats(about)["server"], "probe-rs")
            self.assertIn("unknown if it ran before; resumed" if running
                          else "it stays halted", stats(about)["why"])
            self.assertEqual((server.core.running, server.core.halts), (running, 1))
            self.assertEqual(server.ended, not running and not resumes, server.requests)

        side_by_side(look, rounds * items)
        counted(f"{rounds} links to each of {len(items)} fakes of probe-rs, each core as before")

    def test_killed(self):
        """At a few requests of the opening; in make soak at each, before and after its answer."""
        def at(item):
            name, running, make, resumes, request, answered = item
            server = killed(make, resumes, request, answered)
            if server is None:
                return 0
            self.assertEqual(server.core.running, running, f"{name}: {server.requests}")
            # Nobody knows of a resume without an ack whether it was sent.
            resumed = server.requests[request - 1] == "vCont;c"
            self.assertLessEqual(server.spare_resumes, resumed, f"{name}: {server.requests}")
            return 1

        server, _ = polled(lambda: Core("riscv"), True)
        opening = server.requests.index("vCont;c") + 1
        requests = range(1, len(server.requests) + 1) if SOAK else (1, opening - 2, opening)
        kills = sum(side_by_side(at, [
            (name, running, make, resumes, request, answered) for name, running, make in cores()
            for resumes in ((True, False) if SOAK else (True,)) for request in requests
            for answered in ((False, True) if SOAK else (False,))]))
        self.assertGreaterEqual(kills, 3 * 2)
        counted(f"{kills} kills at a request to a fake of probe-rs, each core as before")


if __name__ == "__main__":
    unittest.main()
