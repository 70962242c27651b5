#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests of the builds by ctest, and says what took longest and what was counted.

usage: suite.py check          every test with short counts
       suite.py soak PART...   the tests of each part (tests/parts.txt) with full counts, whatever
                               failed in another part

The exit status is 1 if a test failed.
"""

import contextlib
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE, SANITIZE = ROOT / "build", ROOT / "build-sanitize"
SANITIZED_PROGRAM = {"MPROF_PROGRAM": str(SANITIZE / "mprof")}
LONGEST = 10
PR_SET_PDEATHSIG = 1


def jobs():
    """Tests at a time: most wait for most of the time, and some compute."""
    return 3 * len(os.sched_getaffinity(0))


def end_with_parent(number=signal.SIGTERM):
    """Of a child: it ends when this process does, also when that is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def begin_group():
    """In a child, before exec: a process group of its own, so that one signal reaches it and all that
    it starts."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what a script starts by &
    end_with_parent()


def wait_for(process):
    """Until the end of a child that has begun a group. A signal ends this process and the group: tests
    end what they have started."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) != signal.SIG_IGN:  # as by nohup
            signal.signal(number, lambda number, frame: sys.exit(128 + number))
    try:
        process.wait()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            os.killpg(process.pid, signal.SIGINT)
        process.wait()
        raise


class NotRun(SystemExit):
    """A part of the tests was not run."""


class Group:
    """Tests of one build folder that run together. pattern: the names, by a regular expression."""

    def __init__(self, title, folder, pattern, environment=None):
        self.title = title
        self.folder = folder
        self.pattern = pattern
        self.environment = environment or {}


GROUPS = (
    Group("release", RELEASE, "."),
    Group("sanitize", SANITIZE, "^(unit|fuzz)-"),
    Group("sanitized mprof", RELEASE, "^system-(top|guest|screen|raw|pid|live_random|shell_keys)$",
          SANITIZED_PROGRAM),
)


class Result:
    def __init__(self, group, case):
        self.name = case.get("name")
        self.group = group.title
        self.seconds = float(case.get("time"))
        self.failed = case.get("status") != "run"
        self.output = case.findtext("system-out") or ""

    @property
    def title(self):
        return self.name if self.group == "release" else f"{self.name} ({self.group})"

    def counted(self):
        return re.findall(r"^[.sxuFE]*counted: (.*)$", self.output, re.M)  # after unittest's dots


def names_of(group):
    """The names of the group's tests."""
    text = subprocess.run(["ctest", "--test-dir", group.folder, "-N", "-R", group.pattern], text=True,
                          capture_output=True, check=True).stdout
    return re.findall(r"^ *Test +#\d+: (\S+)$", text, re.M)


def run(group, wanted=lambda name: True, environment=None, quiet=False, at_a_time=None):
    """The results of the group's tests whose names are wanted."""
    names = [name for name in names_of(group) if wanted(name)]
    if not names:
        return []
    report = group.folder / "Testing" / "results.xml"
    report.parent.mkdir(exist_ok=True)
    report.unlink(missing_ok=True)
    exact = "^(" + "|".join(map(re.escape, names)) + ")$"
    command = ["ctest", "--test-dir", group.folder, "-R", exact, f"-j{at_a_time or jobs()}",
               "--output-on-failure", "--test-output-size-passed", "1000000",
               "--test-output-size-failed", "1000000", "--output-junit", report]
    wait_for(subprocess.Popen(command, env=dict(os.environ, **group.environment, **(environment or {})),
                              stdin=subprocess.DEVNULL, preexec_fn=begin_group,
                              stdout=subprocess.DEVNULL if quiet else None))
    cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase") if report.exists() else ()
    results = [Result(group, case) for case in cases]
    missing = set(names) - {result.name for result in results}
    if missing:
        raise NotRun(f"suite: ctest did not run {', '.join(sorted(missing))}")
    return results


def parts():
    """[(part, regular expression)]: a test belongs to the first that fits."""
    lines = (ROOT / "tests" / "parts.txt").read_text().splitlines()
    return [tuple(line.split()) for line in lines if line and not line.startswith("#")]


def part_of(name):
    return next(part for part, pattern in parts() if re.search(pattern, name))


def print_longest(results):
    print(f"the {LONGEST} longest tests:")
    for result in sorted(results, key=lambda result: -result.seconds)[:LONGEST]:
        print(f"  {result.seconds:6.1f} s  {result.title}")


def print_counted(results):
    """A table of what the tests counted and what failed."""
    width = max((len(result.title) for result in results), default=0)
    print("counted:")
    others = 0
    for result in results:
        lines = result.counted() or ["-"] * result.failed
        others += not lines
        for line in lines:
            verdict = "FAILED" if result.failed else "passed"
            print(f"  {result.title:{width}}  {verdict}  {result.seconds:7.1f} s  {line}")
    print(f"  tests that passed and repeat nothing, or have short counts only: {others}")


def print_failed(results):
    for result in results:
        if result.failed:
            print(f"FAILED: {result.title}")


def check():
    results = [result for group in GROUPS for result in run(group)]
    print_longest(results)
    return results


def soak_part(part):
    results = []
    for group in GROUPS:
        results += run(group, lambda name: part_of(name) == part, {"MPROF_SOAK": "1"})
    print_counted(results)
    return results


def in_minutes(seconds):
    return "{} min {} s".format(*divmod(round(seconds), 60))


def passed(title, run):
    """Whether run() returns results, none of which failed. Says what failed, and how long it took."""
    begin, before = time.monotonic(), os.times()
    results = run()
    print_failed(results)
    failed = sum(result.failed for result in results)
    spent = sum(os.times()[2:4]) - sum(before[2:4])  # of children that have ended
    print(f"{title}{len(results)} tests in {in_minutes(time.monotonic() - begin)}, "
          f"{in_minutes(spent)} of CPU, {failed} failed", flush=True)
    return bool(results) and not failed


def part_passed(part):
    """A part that is not run to its end keeps no other from being run."""
    try:
        return passed(f"soak-{part}: ", lambda: soak_part(part))
    except NotRun as error:
        print(error, file=sys.stderr)
        return False


def soak(wanted):
    known = [name for name, _ in parts()]
    for part in wanted:
        if part not in known:
            raise SystemExit(f"suite: no part '{part}' in tests/parts.txt; there are {', '.join(known)}")
    failed = [part for part in wanted if not part_passed(part)]
    if len(wanted) > 1:
        print(f"{len(failed)} of {len(wanted)} parts failed{': ' * bool(failed)}{', '.join(failed)}")
    return not failed


def main(arguments):
    if arguments == ["check"]:
        good = passed("", check)
    elif len(arguments) >= 2 and arguments[0] == "soak":
        good = soak(arguments[1:])
    else:
        raise SystemExit(__doc__)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
