# SPDX-License-Identifier: GPL-3.0-or-later
"""Change under our hands, of a QEMU that is read by halts: it ends and another one comes, or the
connection is lost while mprof holds the core."""

import contextlib
import signal
import socket
import threading
import unittest

from changes_bench import ELF, has_work
from rig import QmpRig, Rig
from stream import Stream, between
from support import FakeServer, free_port, state, wait_for


def stop_between_polls(process, qemu):
    """Stops mprof where it holds no core. What it sent before is what QEMU has heard when it has answered
    twice."""
    while True:
        process.send_signal(signal.SIGSTOP)
        wait_for("mprof stands", lambda: state(process.pid) == "T")
        if qemu.stat()["running"] and qemu.stat()["running"]:
            return
        process.send_signal(signal.SIGCONT)


class OnQemu(unittest.TestCase):
    def test_another_qemu(self):
        """QEMU is killed and another one started on its port, first paused and blank: a new run."""
        port = free_port()
        with contextlib.ExitStack() as stack:
            qemu = stack.enter_context(Rig(ELF, qemu_gdb=True, options=["--gdb-port", port]))
            self.assertEqual(qemu.gdb_port, port)
            stream = stack.enter_context(Stream(ELF, "--gdb", f":{port}"))
            stream.until("samples", has_work)
            # One that is lost while it is held, and halted when it is back, would be let go.
            stop_between_polls(stream.process, qemu)
            qemu.stop()
            stream.process.send_signal(signal.SIGCONT)
            stream.says(f"lost localhost:{port}")
            again = stack.enter_context(QmpRig(ELF, options=["--gdb-port", port], qemu_args=["-S"]))
            self.assertEqual(again.gdb_port, port)
            stream.says("is back")
            stream.hears(r"waiting for mprof_init\(\).*halted")
            self.assertFalse(again.stat()["running"])
            stream.drop()
            again.monitor("cont")
            after = stream.until("names", has_work)
            self.assertEqual((after["restarts"], after["identity"]), (1, "= flash"))
            again.wait(lambda stat: stat["running"])  # a poll may have halted it just now

    @staticmethod
    def cut_while_held(qemu, come_back):
        """A proxy whose connections are lost between our Ctrl-C and our resume once cut is set."""
        cut = threading.Event()

        def requests(data):
            if cut.is_set() and b"\x03" in data:
                held.set()
            return data

        def answers(data):
            if not held.is_set():
                return data
            cut.clear()
            held.clear()
            if not come_back:
                proxy.listener.shutdown(socket.SHUT_RDWR)
                proxy.listener.close()
            return None

        held = threading.Event()
        proxy = FakeServer(lambda client: between(client, qemu.gdb_port, requests, answers))
        return proxy, cut

    def test_held_and_back(self):
        """The core that we left halted is let run when the server is there again."""
        with Rig(ELF, qemu_gdb=True) as qemu:
            proxy, cut = self.cut_while_held(qemu, True)
            with proxy, Stream(ELF, "--gdb", f":{proxy.port}") as stream:
                before = stream.until("samples", has_work)
                cut.set()
                stream.says("lost .*LEFT HALTED")
                stream.says("is back")
                qemu.wait(lambda stat: stat["running"])
                stream.drop()
                after = stream.until("more", lambda o: o["hits"] > before["hits"])
                self.assertEqual((after["restarts"], after["identity"]), (0, "= flash"))
                self.assertEqual(after["link"]["state"], "RUNNING")

    def test_held_and_gone(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            proxy, cut = self.cut_while_held(qemu, False)
            with proxy, Stream(ELF, "--gdb", f":{proxy.port}", "--wait", "5") as stream:
                stream.until("samples", has_work)
                cut.set()
                self.assertEqual(stream.end(), 1)
                stream.says("lost")
                stream.says(r"LEFT HALTED; it did not come back within \d+ s")
                self.assertEqual(stream.rest(), [])
                self.assertFalse(qemu.stat()["running"])


if __name__ == "__main__":
    unittest.main()
