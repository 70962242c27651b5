# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that preempt each other anywhere inside events lose none.

usage: test_threads.py THREADS_ELF PLAIN_ELF
The second ELF has a port whose stores do not see what came between: it must be found wanting.
"""

import sys

from machine import Machine

OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]
FIELDS = ("events", "renamed", "unbalanced", "uncounted", "invalid", "unbound", "promised")


def run(elf):
    with Machine(elf, OPTIONS) as machine:
        kind, *words = machine.output().split()
    assert kind == "threads", kind
    result = dict(zip(FIELDS, map(int, words)))
    print(elf.rpartition("/")[2], result)
    return result


def main():
    good, plain = map(run, sys.argv[1:])
    assert good["events"] > 5000 and good["renamed"] > 1000, good
    assert not any(good[field] for field in FIELDS[2:]), good
    assert plain["unbalanced"] != 0 and plain["uncounted"] != 0, plain
    print(f"counted: {good['events']} events of threads that preempt each other")


main()
