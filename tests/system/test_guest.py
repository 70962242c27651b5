# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of the guest: however mprof ends, the target is left as it was found."""

import os
import random
import signal
import socket
import threading
import time
import unittest

from rig import Rig
from support import (FIRMWARE, HANG_S, FakeServer, Gdb, count, json_lines, mprof, qemu_runs, start,
                     stop, wait_for)

ELF = FIRMWARE / "cortex-m3.elf"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def state(process):
    """The letter that the kernel gives a process: R, S, T (stopped), ..."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0]


def slow_proxy(port):
    """Passes bytes on to a port, 3 ms late each way."""
    def pass_on(source, sink):
        try:
            while data := source.recv(65536):
                time.sleep(0.003)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def serve(client):
        with socket.create_connection(("127.0.0.1", port)) as server:
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(target=pass_on, args=(server, client), daemon=True)
            back.start()
            pass_on(client, server)
            back.join()
    return serve


class Guest(unittest.TestCase):
    def end_at_random_moments(self, port, runs, rounds, over=None):
        """Polls as fast as it goes, so that a signal often comes while the core is held."""
        chance = random.Random(7)
        link = ("top", "--elf", ELF, "--gdb", f":{over or port}", "-d", "0.01", "-n", "100000",
                "--format", "json")
        for i in range(rounds):
            number = SIGNALS[i % len(SIGNALS)]
            process = start(*link)
            try:
                process.stdout.readline()
                time.sleep(chance.uniform(0, 0.1))
                process.send_signal(number)
                process.communicate(timeout=HANG_S)
            finally:
                stop(process)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(qemu_runs(port), runs, f"round {i}, {signal.Signals(number).name}")

    def test_running_runs_again(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            self.end_at_random_moments(qemu.gdb_port, True, count(20, 200))

    def test_slow_link_runs_again(self):
        """Where the core is held for most of the time, and a poll takes longer than the delay."""
        with Rig(ELF, qemu_gdb=True) as qemu, FakeServer(slow_proxy(qemu.gdb_port)) as proxy:
            self.end_at_random_moments(qemu.gdb_port, True, count(8, 100), proxy.port)

    def test_halted_stays_halted(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            link = ("top", "--elf", ELF, "--gdb", f":{qemu.gdb_port}", "--format", "json")
            self.assertGreater(json_lines(mprof(*link).stdout)[-1]["hits"], 0)
            gdb = Gdb(qemu.gdb_port)
            self.assertTrue(gdb.attach())
            gdb.close()
            self.end_at_random_moments(qemu.gdb_port, False, count(10, 200))

    def test_suspended_in_the_middle(self):
        """Ctrl-Z at any moment, on a link so slow that the core is held for long: it runs meanwhile."""
        chance = random.Random(11)
        with Rig(ELF, qemu_gdb=True) as qemu, FakeServer(slow_proxy(qemu.gdb_port)) as proxy:
            for i in range(count(10, 100)):
                # A group of its own: the kernel stops no process of a group without a shell.
                process = start("top", "--elf", ELF, "--gdb", f":{proxy.port}", "-d", "0.01", "-n",
                                "100000", "--format", "json", preexec_fn=os.setpgrp)
                try:
                    time.sleep(chance.uniform(0, 0.8))
                    process.send_signal(signal.SIGTSTP)
                    wait_for("the stop", lambda p=process: state(p) == "T")
                    self.assertTrue(qemu.stat()["running"], f"round {i}")
                    process.send_signal(signal.SIGCONT)
                    process.send_signal(signal.SIGTERM)
                    process.communicate(timeout=HANG_S)
                finally:
                    stop(process)
                qemu.wait(lambda stat: stat["running"])

    def test_reader_that_leaves(self):
        """`mprof top | head -1`: the pipe breaks, the target runs."""
        with Rig(ELF, qemu_gdb=True) as qemu:
            process = start("top", "--elf", ELF, "--gdb", f":{qemu.gdb_port}", "-d", "0.01", "-n",
                            "100000", "--format", "json")
            try:
                process.stdout.readline()
                process.stdout.close()
                self.assertEqual(process.wait(HANG_S), -signal.SIGPIPE)
            finally:
                process.kill()
                process.wait()
                process.stderr.close()
            self.assertTrue(qemu_runs(qemu.gdb_port))


if __name__ == "__main__":
    unittest.main()
