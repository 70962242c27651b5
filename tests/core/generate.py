# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes firmware of a kind: C source whose functions, sizes, shares and phases a seed decides.

usage: generate.py KIND SEED FILE
       generate.py --list
The same kind and seed give the same source. generated/generated.h says what it is linked to.
"""

import random
import sys

SLOTS = 512  # of a phase: a round calls the function of a slot that chance decides
LAST_PART = 900  # permille of a run: the judge's window begins here


class Source:
    """Functions, each `uint32_t name(uint32_t x)`, and the tables of the phases."""

    def __init__(self, kind, seed):
        self.random = random.Random(f"{kind} {seed}")
        self.text = [f"/* Generated: kind {kind}, seed {seed}. */\n#include \"generated.h\"\n"]
        self.phases = []
        self.alarm = "{0, NULL, NULL}"
        self.sleeps = 0
        self.count = 0

    def step(self, indent="    "):
        """Some 10 bytes of code that the compiler can neither shorten nor merge."""
        shifts = self.random.randint(1, 30), self.random.randint(1, 30)
        return (f"{indent}STEP(x, {shifts[0]}, {shifts[1]}, {self.random.randint(1, 200)});\n")

    def steps(self, count, indent="    "):
        return "".join(self.step(indent) for _ in range(count))

    def function(self, body):
        name = f"f{self.count:03d}"
        self.count += 1
        self.text.append(f"APART uint32_t {name}(uint32_t x)\n{{\n{body}    return x;\n}}\n")
        return name

    def straight(self, steps):
        return self.function(self.steps(steps))

    def loop(self, turns, steps):
        return self.function(f"    for (uint32_t i = {turns}; i != 0; i--) {{\n"
                             f"{self.steps(steps, ' ' * 8)}        KEEP(i);\n    }}\n")

    def mixed(self, steps):
        """A third of them straight code, a third with a short loop, a third with a branch."""
        shape = self.random.randrange(3)
        if shape == 0:
            return self.straight(steps)
        if shape == 1:
            half = max(1, steps // 2)
            return self.function(
                f"{self.steps(steps - half)}    for (uint32_t i = 3; i != 0; i--) {{\n"
                f"{self.steps(half, ' ' * 8)}        KEEP(i);\n    }}\n")
        half = max(1, steps // 2)
        return self.function(f"    if (x & 0x10) {{\n{self.steps(half, ' ' * 8)}    }} else {{\n"
                             f"{self.steps(steps - half, ' ' * 8)}    }}\n")

    def calling(self, names, steps=1):
        """A function that calls those of these names."""
        return self.function("".join(self.steps(steps) + f"    x = {name}(x);\n"
                                     for name in names))

    def recursive(self, depth, steps):
        name = f"f{self.count:03d}"
        self.count += 1
        self.text.append(
            f"APART uint32_t {name}_deeper(uint32_t x, uint32_t depth)\n{{\n{self.steps(steps)}"
            f"    if (depth != 0)\n        x = {name}_deeper(x, depth - 1);\n"
            f"{self.steps(steps)}    return x;\n}}\n"
            f"APART uint32_t {name}(uint32_t x)\n{{\n"
            f"    return {name}_deeper(x, {depth} + (x & 3)) + 1;\n}}\n")
        return name

    def chain(self, depth, steps):
        name = self.straight(steps)
        for _ in range(depth - 1):
            name = self.function(f"{self.steps(steps)}    x = {name}(x);\n{self.steps(1)}")
        return name

    def several(self, count, low, high):
        """Functions of low to high steps, more small ones than large ones."""
        return [self.mixed(round(low * (high / low) ** self.random.random()))
                for _ in range(count)]

    def phase(self, permille, names, exponent):
        """Until that part of the run is over, these functions are called, each at times, and else as
        often as Zipf's law says, in random order."""
        names = self.random.sample(names, len(names))
        weights = [(rank + 1) ** -exponent for rank in range(len(names))]
        quota = [1 + weight * (SLOTS - len(names)) / sum(weights) for weight in weights]
        slots = [name for name, share in zip(names, quota) for _ in range(int(share))]
        rest = sorted(range(len(names)), key=lambda i: int(quota[i]) - quota[i])
        slots += [names[i] for i in rest[:SLOTS - len(slots)]]
        self.phases.append((permille, slots))

    def interrupts(self, period_us, low, high):
        self.alarm = f"{{{period_us}U, {low}, {high}}}"

    def write(self):
        tables = []
        for number, (_, slots) in enumerate(self.phases):
            lines = ",\n    ".join(", ".join(slots[i:i + 12]) for i in range(0, SLOTS, 12))
            tables.append(f"static const function_t s_calls_{number}[SLOTS] = {{\n    {lines}}};\n")
        ends = "".join(f"    {{{permille}U, s_calls_{number}}},\n"
                       for number, (permille, _) in enumerate(self.phases))
        return ("\n".join(self.text) + "\n" + "\n".join(tables) +
                f"\nconst struct phase phases[] = {{\n{ends}}};\n"
                f"const struct alarm_plan alarm_plan = {self.alarm};\n"
                f"const uint32_t sleeps = {self.sleeps}U;\n")


def equal(s):
    s.phase(1000, s.several(30, 8, 30), 0)


def zipf(s):
    s.phase(1000, s.several(60, 3, 12), 1.2)


def tight(s):
    """Tight loops next to long code that is passed through once."""
    loops = [s.loop(s.random.randint(8, 60), s.random.randint(1, 2)) for _ in range(6)]
    s.phase(1000, loops + [s.straight(s.random.randint(20, 50)) for _ in range(12)], 0.5)


def tiny(s):
    """Functions of a step or two, of which several are in one block."""
    small = [s.straight(s.random.randint(1, 2)) for _ in range(96)]
    s.phase(1000, [s.calling(small[i::16] + small[i:i + 3]) for i in range(16)], 0.8)


def recursion(s):
    s.phase(1000, [s.recursive(s.random.randint(2, 20), s.random.randint(1, 6))
                   for _ in range(8)] + s.several(6, 4, 20), 0.6)


def huge(s):
    """One function that is most of the code."""
    s.phase(1000, [s.straight(180)] + s.several(10, 4, 12), 0.4)


def deep(s):
    s.phase(1000, [s.chain(12, s.random.randint(1, 4)) for _ in range(5)], 0.7)


def interrupts(s):
    """Two interrupts, of which one interrupts the other; some functions are the main loop's, too."""
    shared = s.several(3, 6, 20)
    own = s.several(4, 8, 30)
    s.phase(1000, s.several(18, 4, 16) + shared, 0.9)
    s.interrupts(s.random.randint(21000, 33000), s.calling(own[:2] + shared * 3),
                 s.calling(own[2:] + shared[:1]))


def idle(s):
    """Sleeps until the next interrupt, in one of 256 rounds."""
    s.phase(1000, s.several(20, 4, 20), 1.0)
    s.interrupts(s.random.randint(23000, 41000), s.calling(s.several(3, 4, 20)),
                 s.calling(s.several(2, 2, 10)))
    s.sleeps = 1


def phases(s):
    """The working set changes, at the latest where the last tenth of the run begins."""
    common = s.several(4, 4, 12)
    ends = sorted(s.random.sample(range(40, 850, 10), 4)) + [LAST_PART, 1000]
    for permille in ends:
        s.phase(permille, common + s.several(5, 3, 9), 0.8)


def wide_equal(s):
    s.phase(1000, s.several(60, 12, 40), 0)


def wide_zipf(s):
    s.phase(1000, s.several(200, 4, 40), 1.1)


def wide_phases(s):
    common = s.several(6, 4, 20)
    for permille in (s.random.randint(100, 400), s.random.randint(450, 800), LAST_PART, 1000):
        s.phase(permille, common + s.several(36, 6, 40), 0.9)


def wide_tiny(s):
    small = [s.straight(s.random.randint(1, 3)) for _ in range(400)]
    s.phase(1000, [s.calling(small[i:i + 10]) for i in range(0, 400, 10)], 0.8)


def wide_huge(s):
    """A function larger than the table, short phases, and interrupts."""
    large = s.straight(700)
    for permille in [*range(90, LAST_PART, 90), LAST_PART, 1000]:
        s.phase(permille, [large] * 2 + s.several(12, 4, 20), 0.6)
    s.interrupts(27000, s.calling(s.several(5, 8, 30)), s.calling(s.several(2, 4, 8)))


KINDS = {kind.__name__: kind for kind in (
    equal, zipf, tight, tiny, recursion, huge, deep, interrupts, idle, phases,
    wide_equal, wide_zipf, wide_phases, wide_tiny, wide_huge)}


def generate(kind, seed):
    source = Source(kind, seed)
    KINDS[kind](source)
    return source.write()


def main():
    if sys.argv[1:] == ["--list"]:
        print(";".join(KINDS), end="")
        return
    kind, seed, file = sys.argv[1:]
    with open(file, "w", encoding="utf-8") as out:
        out.write(generate(kind, int(seed)))


if __name__ == "__main__":
    main()
