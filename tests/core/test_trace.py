# SPDX-License-Identifier: GPL-3.0-or-later
"""A trace is the calls that the firmware made, in their order, whatever an interrupt met; also one
that is recorded and reported.

usage: test_trace.py BOARD FOLDER
"""

import collections
import json
import os
import re
import struct
import sys
import tempfile

from machine import Machine
from support import free_port, json_lines, mprof, wait_for

OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]
NAMES = {"A": "first", "B": "second", "C": "third", "D": "fourth",
         "X": "in_interrupt", "Y": "below_interrupt"}
IN_INTERRUPT = ("in_interrupt", "below_interrupt")


def calls_of(notes, outermost, exits, ended=True):
    """[(kind, caller, function)] of what the functions noted. ended: they all returned."""
    stack, found = [outermost], []
    for letter in notes:
        name = NAMES[letter.upper()]
        if letter.isupper():
            found.append(("entry", stack[-1], name))
            stack.append(name)
        else:
            assert stack.pop() == name
            if exits:
                found.append(("exit", stack[-1], name))
    assert stack == [outermost] or not ended
    return found


def check(traced, made, what):
    """What was traced is made, or the end of that."""
    found = [(one["kind"], one["caller"], one["function"]) for one in traced]
    assert found == made[len(made) - len(found):], f"{what}: not what the firmware did"
    times = [one["ticks"] for one in traced]
    assert times == sorted(times) if times[0] is not None else not any(times), what


def check_contexts(board, thread, interrupt):
    contexts = {one["context"] for one in thread}, {one["context"] for one in interrupt}
    assert contexts == (({None}, {None}) if board == "rv32" else
                        ({"thread"}, {"SysTick_Handler (SysTick)"})), contexts


def check_damaged(elf, prof, event):
    """A record whose address is 0 has no name."""
    with open(prof, "rb+") as file:
        table = file.read()
        address = struct.pack("<I", int(event["address"], 16))
        assert address in table
        file.seek(0)
        file.write(table.replace(address, bytes(4)))
    done = mprof("trace", "--elf", elf, "--raw", prof)
    assert done.returncode == 0 and " -> ?" in done.stdout, (done.returncode, done.stderr)


def durations(events):
    """{function: [calls, total, self]} of events that nest, interrupts in what they interrupt."""
    found, stack = {}, []
    for one in events:
        name = one["function"]
        row = found.setdefault(name, [0, 0, 0])
        if one["kind"] == "entry":
            row[0] += 1
            stack.append([name, one["ticks"], 0])
            continue
        entered, begin, below = stack.pop()
        assert entered == name
        spent = one["ticks"] - begin
        row[1] += spent if all(other[0] != name for other in stack) else 0
        row[2] += spent - below
        if stack:
            stack[-1][2] += spent
    assert not stack
    return found


def check_report(path, events, made):
    done = mprof("report", path, "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    rows = {row["function"]: row for row in report["rows"]}
    entries = collections.Counter(one["function"] for one in events if one["kind"] == "entry")
    assert {name: row["calls"] for name, row in rows.items()} == entries
    if len(events) != len(made):  # the ring had not room for all
        return
    assert entries == collections.Counter(name for kind, _, name in made if kind == "entry")
    if events[0]["ticks"] is None or events[-1]["kind"] == "entry":
        return
    assert report["unmatched_entries"] == report["unmatched_exits"] == report["open"] == 0
    for name, (calls, total, self) in durations(events).items():
        row = rows[name]
        assert row["timed"] == calls
        assert abs(row["total"] - total * 1e-6) < 1e-9, (row, total)
        assert abs(row["self"] - max(0, self) * 1e-6) < 1e-9, (row, self)
        assert row["min"] <= row["avg"] <= row["max"] <= row["total"]


def moments_of(events, longer):
    """The moments of triggers that each event is: "f", "f%return", or "f>" if the call took longer than so many
    ticks. Calls nest, interrupts in what they interrupt."""
    entered, found = [], []
    for one in events:
        name = one["function"]
        if one["kind"] == "entry":
            entered.append(one["ticks"])
            found.append({name})
            continue
        begin = entered.pop() if entered else None
        took = one["ticks"] - begin if longer and begin is not None else 0
        found.append({name + "%return"} | ({name + ">"} if longer and took > longer else set()))
    return found


def check_trigger(elf, prof, events, start, stop, longer=0):
    """longer: the ticks of "f>", each a microsecond."""
    options = []
    for option, moment in (("--start-at", start), ("--stop-at", stop)):
        typed = (moment or "").replace(">", f">{longer}us")
        options += [option, typed] if moment else []
    wanted, on = [], start is None
    for one, moments in zip(events, moments_of(events, longer), strict=True):
        on |= start in moments
        wanted += [one] if on else []
        on &= stop not in moments
        if start is None and not on:
            break
    done = mprof("trace", "--elf", elf, "--raw", prof, "--format", "json", *options)
    assert done.returncode == 0 and 0 < len(wanted) < len(events), done.stderr
    found = kinds(done.stdout)
    assert found == [(one["kind"], one["caller"], one["function"]) for one in wanted], options


def check_triggers(elf, prof, events, exits):
    """What is printed starts and stops at entries and exits of functions, and at calls that took long, as often as
    they come; in thread mode and in interrupts that come amid its calls."""
    pairs = [("third", None), (None, "fourth"), ("third", "second"), ("fourth", "fourth"),
             ("in_interrupt", "third"), ("third", "below_interrupt")]
    if exits:  # of a function that has some in the ring, and more after it
        left = next(one["function"] for one in events[1:-1] if one["kind"] == "exit") + "%return"
        pairs += [(left, None), (None, left), (left, "third"), ("in_interrupt%return", "below_interrupt%return")]
    for start, stop in pairs:
        check_trigger(elf, prof, events, start, stop)
    if exits and events[0]["ticks"] is not None:
        took = [last["ticks"] - first["ticks"] for first, last in zip(
            *([one for one in events if one["function"] == "in_interrupt" and one["kind"] == kind]
              for kind in ("entry", "exit")), strict=True)]
        longer = (min(took) + max(took)) // 2 + 0.5
        for start, stop in ("in_interrupt>", "third"), (None, "in_interrupt>"), ("third", "in_interrupt>"):
            check_trigger(elf, prof, events, start, stop, longer)


def check_recorded(elf, prof, events, made):
    """A trace file has the same events, and its report the calls that the firmware made."""
    path = prof + ".trace"
    done = mprof("trace", "--elf", elf, "--raw", prof, "--record", "-o", path)
    assert done.returncode == 0, done.stderr
    done = mprof("trace", path, "--format", "json")
    assert done.returncode == 0 and json_lines(done.stdout) == events, done.stderr
    size = os.path.getsize(path) / len(events)
    assert len(events) < 1000 or size <= 6, size
    check_report(path, events, made)
    print(f"recorded: {size:.2f} bytes an event, with names")


def run(board, elf, exits):
    with tempfile.TemporaryDirectory() as folder:
        with Machine(elf, OPTIONS, board=board, folder=folder) as machine:
            alarms = int(machine.output())
        notes = {}
        for name in ("thread", "interrupt"):
            with open(os.path.join(folder, name), encoding="ascii") as file:
                notes[name] = file.read()
        prof = os.path.join(folder, "prof")
        done = mprof("trace", "--elf", elf, "--raw", prof, "--format", "json")
        assert done.returncode == 0, done.stderr
        events = json_lines(done.stdout)
        interrupt = [one for one in events if one["function"] in IN_INTERRUPT]
        thread = [one for one in events if one["function"] not in IN_INTERRUPT]
        made = [calls_of(notes["thread"], "main", exits),
                calls_of(notes["interrupt"], interrupt[-1]["caller"], exits)]
        check_recorded(elf, prof, events, made[0] + made[1])
        check_triggers(elf, prof, events, exits)
        check_damaged(elf, prof, events[0])
    timed = board == "rv32" or board == "cortex-m3" and exits  # by a timer of the board
    assert ("have no times" in done.stderr) == (not timed), done.stderr
    check(thread, made[0], "thread")
    check(interrupt, made[1], "interrupt")
    check_contexts(board, thread, interrupt)
    assert len(events) == (256 if board == "cortex-m0" else len(made[0]) + len(made[1]))
    print(f"{board}: {len(events)} events, {alarms} interrupts, exits: {exits}")
    return events


def judged(notes, changes):
    """[(function, the sets of functions by which its entry may have been judged)]"""
    entries, chosen, changes = [], [0], list(changes)
    for at, letter in enumerate(notes):
        while changes and changes[0][0] <= at:
            chosen += changes.pop(0)[1:]
        if letter.isupper():
            entries.append((letter, chosen))
            chosen = chosen[-1:]
    return entries


def check_filter(traced, entries):
    """Each entry is recorded if all its sets have it, and not if none has it."""
    possible = {0}
    for letter, chosen in entries:
        wanted = {one >> "ABCD".index(letter) & 1 for one in chosen}
        then = {at + 1 for at in possible if at < len(traced) and traced[at] == NAMES[letter]}
        possible = (then if 1 in wanted else set()) | (possible if 0 in wanted else set())
        assert possible, (letter, chosen)
    assert len(traced) in possible, (len(traced), possible)


def run_filter(board, elf):
    with tempfile.TemporaryDirectory() as folder:
        with Machine(elf, OPTIONS, board=board, folder=folder) as machine:
            alarms = int(machine.output())
        with open(os.path.join(folder, "calls"), encoding="ascii") as file:
            notes = file.read()
        with open(os.path.join(folder, "changes"), "rb") as file:
            changes = list(struct.iter_unpack("<HBB", file.read()))
        done = mprof("trace", "--elf", elf, "--raw", os.path.join(folder, "prof"), "--format", "json")
        assert done.returncode == 0, done.stderr
    assert len(changes) == alarms, alarms
    entries = judged(notes, changes)
    sure = sum(len(chosen) == 1 for _, chosen in entries)
    assert len(entries) // 2 < sure < len(entries) - alarms // 2, (len(entries), sure)
    traced = json_lines(done.stdout)
    assert {one["kind"] for one in traced} == {"entry"}
    check_filter([one["function"] for one in traced], entries)
    print(f"{board}: {2 * alarms} changes of the filter, {len(traced)} of {len(entries)} recorded")


def words_of(number, arguments):
    """The events of a round of firmware/trace_words.c, and of the interrupt in it."""
    low = 2 ** 32 - 1
    made = [("mark", number, [~number & low]),
            ("with_four", None, [number, 2 * number, ~number & low, 9]),
            ("with_structure", None, [number, 9, {"x": number, "y": -3, "z": ~number & low, "last": None}]),
            ("with_one", None, [number])]
    return [(name, id_, words if arguments or name == "mark" else None) for name, id_, words in made]


def check_words(events, rounds, arguments):
    """What came in thread mode is made."""
    made = [(*one, f"0x{0x100 + number % 5:08x}") for number in range(rounds)
            for one in words_of(number, arguments)]
    made = made[len(made) - len(events):]
    for one, (name, id_, words, task) in zip(events, made, strict=True):
        assert one.get("function", one["kind"]) == name, (one, name)
        assert one.get("id") == id_ and one["task"] == task, one
        found = [one["value"]] if name == "mark" else one.get("arguments")
        assert found == words, (one, words)


def run_words(board, elf):
    with tempfile.TemporaryDirectory() as folder:
        with Machine(elf, OPTIONS, board=board, folder=folder) as machine:
            assert int(machine.output()) == 0, "a hook has changed an argument"
        prof, recorded = os.path.join(folder, "prof"), os.path.join(folder, "run.trace")
        link = ["--elf", elf, "--raw", prof]
        printed = [mprof("trace", *link, "--format", form).stdout for form in ("json", "table")]
        assert mprof("trace", *link, "--record", "-o", recorded).returncode == 0
        assert [mprof("trace", recorded, "--format", form).stdout for form in ("json", "table")] == printed
        report = mprof("report", recorded)
        assert report.returncode == 0 and "with_four" in report.stdout, report.stderr
    events = json_lines(printed[0])
    thread = [one for one in events if one.get("function") != "in_interrupt"]
    check_words(thread, 200 if board == "cortex-m0" else 300, board != "rv32")
    first = next(at for at, one in enumerate(events) if one.get("function") == "with_one")
    assert re.search(r" -> with_one" + (r"\(\d+\)" if board != "rv32" else "") + r"  \{task 0x10\d\}$",
                     printed[1].splitlines()[first]), printed[1].splitlines()[first]
    print(f"{board}: {len(events)} events with words, {len(events) - len(thread)} in an interrupt")


def kinds(text):
    return [(one["kind"], one["caller"], one["function"]) for one in json_lines(text)]


FROZEN = "mprof: the firmware stopped the trace{}, 2 resets ago, by mprof_trace_freeze()"


def run_freeze(board, elf):
    """After a fault and two resets, the trace has the last calls before the fault."""
    said = FROZEN.format("" if board == "rv32" else " in exception 3, HardFault_Handler (HardFault)")
    port = free_port()
    link = ["--elf", elf, "--gdb", f":{port}"]
    with tempfile.TemporaryDirectory() as folder, \
            Machine(elf, [*OPTIONS, "-gdb", f"tcp:127.0.0.1:{port}"], board=board, folder=folder):
        wait_for("two resets", lambda: os.path.exists(os.path.join(folder, "ready")))
        with open(os.path.join(folder, "thread"), encoding="ascii") as file:
            made = calls_of(file.read(), "main", True, ended=False)
        dump = mprof("trace", "--elf", elf, "--raw", os.path.join(folder, "prof"), "--format", "json")
        live = mprof("trace", *link, "--format", "json")
        assert (dump.returncode, live.returncode) == (0, 0), (dump.stderr, live.stderr)
        assert kinds(dump.stdout) == made[-64:] and live.stdout == dump.stdout, dump.stdout
        assert said + "\n" in dump.stderr, dump.stderr
        assert said + "; 'mprof control reset' starts a new trace\n" in live.stderr, live.stderr
        status = mprof("control", *link, "status").stdout
        where = "" if board == "rv32" else ", in exception 3"  # which RISC-V does not tell
        assert f"\nfrozen   trace{where}, 2 resets ago\n" in status, status
        done = mprof("control", *link, "reset")
        assert done.returncode == 0, done.stderr
        done = mprof("trace", *link, "-n", "100", "--format", "json")
        assert done.returncode == 0 and "mprof_trace_freeze" not in done.stderr, done.stderr
        assert sum(one["kind"] != "lost" for one in json_lines(done.stdout)) == 100, done.stdout
        done = mprof("trace", *link, "--filter", "first", "--stop-at", "fourth", "--format", "json")
        assert done.returncode == 0, done.stderr
        # None at all, if the next function that is entered is the one at which it stops.
        assert {one["function"] for one in json_lines(done.stdout) if one["kind"] != "lost"} <= {"first"}
    print(f"{board}: the last 64 of {len(made)} events before a fault, after two resets")


def main():
    board, folder = sys.argv[1:]
    run_words(board, os.path.join(folder, "trace-words.elf"))
    run_filter(board, os.path.join(folder, "trace-filter.elf"))
    run_freeze(board, os.path.join(folder, "trace-freeze.elf"))
    run(board, os.path.join(folder, "trace-pg.elf"), False)
    events = run(board, os.path.join(folder, "trace-cyg.elf"), True)
    if board != "cortex-m0":  # built with a rate
        assert all(abs(one["time"] - one["ticks"] / 1e6) < 1e-6 for one in events)


main()
