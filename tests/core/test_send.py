# SPDX-License-Identifier: GPL-3.0-or-later
"""The records that firmware sends over a serial line are those that its ring has, whatever an interrupt met.

usage: test_send.py BOARD ELF OTHER_ELF
"""

import contextlib
import json
import os
import pty
import signal
import sys
import tempfile
import threading
import tty

from machine import Machine
from support import HANG_S, json_lines, mprof, start, stop, wait_for

BOARD, ELF, OTHER_ELF = sys.argv[1:]
OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]


def captured(folder):
    """What the firmware has sent, and the number of records."""
    path = os.path.join(folder, "sent")
    machine = Machine(ELF, OPTIONS, board=BOARD, folder=folder)
    machine.command[machine.command.index("-serial") + 1] = "file:" + path
    with machine:
        records = int(machine.output())
    return path, records


def trace(*options):
    done = mprof("trace", "--elf", ELF, *options, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json_lines(done.stdout), done.stderr


def check_damaged(path, events):
    """What is damaged in the middle is lost and counted, and all else is there."""
    with open(path, "rb") as file:
        sent = bytearray(file.read())
    sent[len(sent) // 2] ^= 4
    with open(path + ".damaged", "wb") as file:
        file.write(sent[:-1])
    found, said = trace("--records", path + ".damaged")
    lost = [at for at, one in enumerate(found) if one["kind"] == "lost"]
    assert len(lost) == 1 and found[lost[0]]["reason"] == "overwritten", lost
    count = found[lost[0]]["count"]
    assert f"{count} of " in said and " bytes were left out" in said, said
    names = [(one["kind"], one["function"]) for one in events if one["kind"] != "mark"]
    kept = [(one["kind"], one["function"]) for one in found if one["kind"] not in ("mark", "lost")]
    assert 1 <= count <= 4 and names[:100] == kept[:100] and len(kept) < len(names)


def check_costs(folder, path):
    """What hooks cost is sent, too, and subtracted as if it had been read."""
    costs = []
    for words in ("--raw", os.path.join(folder, "prof")), ("--records", path):
        file = path + words[0] + ".trace"
        done = mprof("trace", "--elf", ELF, *words, "--record", "-o", file)
        assert done.returncode == 0, done.stderr
        report = json.loads(mprof("report", file, "--format", "json").stdout)
        costs.append((report["hook_cost"], [row["total"] for row in report["rows"]]))
    assert costs[0] == costs[1] and costs[0][0] > 0, costs


def check_refused(path):
    for options, text in (
            (("--elf", OTHER_ELF, "--records", path), f"mprof: {path}: the records are of another build than the ELF"),
            (("--elf", ELF, "--records", ELF), f"mprof: {ELF}: there is no header that mprof_trace_send() has sent"),
            (("--elf", ELF, "--records", path + ".none"), f"mprof: {path}.none: No such file or directory"),
            (("--elf", ELF, "--records", os.path.dirname(path)), "this is a folder"),
            (("--elf", ELF, "--records", path, "-R"), "the trace has no results of functions"),
            (("--elf", ELF, "--records", path, "--record-link", path + ".link"), "needs no record of a link")):
        done = mprof("trace", *options)
        assert done.returncode in (1, 2) and not done.stdout, (options, done.returncode, done.stderr, done.stdout[:200])
        assert text in done.stderr and done.stderr.count("\n") == 1, (options, done.stderr)
    with open(path, "rb") as file:
        sent = file.read()
    with open(path + ".header", "wb") as file:
        file.write(sent[:10 + 4 * sent[5]])
    done = mprof("trace", "--elf", ELF, "--records", path + ".header")
    assert (done.returncode, done.stdout) == (0, ""), done
    assert done.stderr.endswith(f"mprof: {path}.header: no events: it has a header and no records\n"), done.stderr
    assert done.stderr.count("no events") == 1, done.stderr
    os.mkfifo(path + ".pipe")
    done = mprof("trace", "--elf", ELF, "--records", path + ".pipe")
    assert done.returncode == 1 and "neither a file nor a serial line" in done.stderr, done.stderr
    done = mprof("trace", "--elf", OTHER_ELF, "--records", path, "--force")
    assert done.returncode == 0 and done.stdout, done.stderr


def check_large(path):
    """A file in which no header comes for long is read until a signal comes, or the time is over."""
    large = path + ".large"
    with open(large, "wb") as file:
        file.truncate(1 << 40)
    process = start("trace", "--elf", ELF, "--records", large)
    timer = threading.Timer(HANG_S, process.kill)
    timer.start()
    try:
        def being_read():
            for fd in os.listdir(f"/proc/{process.pid}/fd"):
                with contextlib.suppress(FileNotFoundError):  # it was closed
                    if os.readlink(f"/proc/{process.pid}/fd/{fd}") == os.path.realpath(large):
                        with open(f"/proc/{process.pid}/fdinfo/{fd}", encoding="ascii") as file:
                            return int(file.readline().split()[1]) > 2 << 20
            return False
        wait_for("a part of the file", being_read)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        said = process.stderr.read()
        assert said == "", said
    finally:
        timer.cancel()
        stop(process)
    done = mprof("trace", "--elf", ELF, "--records", large, "--duration", "0.1")
    assert done.returncode == 1 and "no header of mprof_trace_send() came within 0.1 s" in done.stderr, done
    line, device = pty.openpty()
    try:
        done = mprof("trace", "--elf", ELF, "--records", os.ttyname(device), "--duration", "0.1")
        assert done.returncode == 1 and "no header of mprof_trace_send() came within 0.1 s" in done.stderr, done
    finally:
        os.close(line)
        os.close(device)


def check_line(path, events):
    """A serial line, which a reader comes to in the middle; Ctrl-C keeps what has come."""
    with open(path, "rb") as file:
        sent = file.read()
    line, device = pty.openpty()
    tty.setraw(device)  # or it throws away what it has no room for
    output = path + ".json"
    with open(output, "w", encoding="ascii") as file:
        process = start("trace", "--elf", ELF, "--records", os.ttyname(device), "--format", "json", stdout=file)
    timer = threading.Timer(HANG_S, process.kill)
    timer.start()
    try:
        # More than a terminal holds: when all of it was taken, the line is being read.
        for data in (b"\xa5\x6d\x01\x00\x01\xff" * 16384, sent):
            while data:
                data = data[os.write(line, data):]

        def printed():
            with open(output, encoding="ascii") as file:
                text = file.read()
            return json_lines(text) if text.count("\n") == len(events) else None
        found = wait_for("the events", printed)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0, process.stderr.read()
        assert found == events
    finally:
        timer.cancel()
        stop(process)
        os.close(line)
        os.close(device)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path, records = captured(folder)
        ring, _ = trace("--raw", os.path.join(folder, "prof"))
        events, said = trace("--records", path)
        assert events == ring, next((at, one, events[at:at + 1]) for at, one in enumerate(ring)
                                    if events[at:at + 1] != [one])
        assert len(events) == records and "lost" not in said and "left out" not in said, (records, said)
        assert len([one for one in events if one["kind"] == "mark"]) > 10
        size = os.path.getsize(path)
        print(f"{BOARD}: {records} records sent in {size} bytes, {size / records:.1f} each")
        check_damaged(path, events)
        if BOARD == "rv32":
            check_costs(folder, path)
        if BOARD == "cortex-m3":
            check_refused(path)
            check_large(path)
            check_line(path, events)


main()
