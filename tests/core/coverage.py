# SPDX-License-Identifier: GPL-3.0-or-later
"""How often intervals hold the truth, and whether that may be chance."""

import math
import statistics

from chance import as_rarely

Z = 1.959963984540054
PROMISED = 0.95


def wilson(share, total):
    """The 95 % interval of a share of that many samples, by Wilson's score."""
    centre = (share + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = Z / (1 + Z * Z / total) * math.sqrt(share * (1 - share) / total +
                                               Z * Z / (4 * total * total))
    return centre - half, centre + half


class Tally:
    """Intervals of functions, over boots."""

    def __init__(self):
        self.functions = {}  # of anything that names one: [covered, all]
        self.widths = []
        self.exact_widths = []
        self.absent = 0  # functions without a row in the ranking
        self.worst = None

    def add(self, function, truth, interval, samples, has_row):
        low, high = interval
        covered = low <= truth <= high
        of_it = self.functions.setdefault(function, [0, 0])
        of_it[0] += covered
        of_it[1] += 1
        self.absent += not has_row
        exact_low, exact_high = wilson(truth, samples)
        self.widths.append(high - low)
        self.exact_widths.append(exact_high - exact_low)
        if not covered:
            distance = max(low - truth, truth - high) / (exact_high - exact_low)
            self.worst = max(self.worst or (0,), (distance, function, truth, low, high))

    def join(self, other):
        for function, (covered, total) in other.functions.items():
            of_it = self.functions.setdefault(function, [0, 0])
            of_it[0] += covered
            of_it[1] += total
        self.absent += other.absent
        self.widths += other.widths
        self.exact_widths += other.exact_widths
        if other.worst:
            self.worst = max(self.worst or (0,), other.worst)

    @property
    def sums(self):
        """(covered, all)"""
        return tuple(sum(column) for column in zip(*self.functions.values())) or (0, 0)

    @property
    def total(self):
        return self.sums[1]

    @property
    def pooled(self):
        covered, total = self.sums
        return covered / max(total, 1)

    def kinds(self):
        """{kind of firmware: [covered, all]}"""
        kinds = {}
        for (kind, _), (covered, total) in self.functions.items():
            of_it = kinds.setdefault(kind, [0, 0])
            of_it[0] += covered
            of_it[1] += total
        return kinds

    def below(self):
        """What holds the truth less often than promised: all intervals together, those of a kind of
        firmware, those of a function. Each of these three is one assertion of chance.py.

        Intervals of one boot count as independent ones. The number of them that miss varies no more
        than that: docs/testing.md."""
        found = []
        for groups in ({"all": self.sums}, self.kinds(), self.functions):
            found += [f"{name}: {covered} of {total} hold" for name, (covered, total) in groups.items()
                      if not as_rarely(total - covered, total, 1 - PROMISED, len(groups))]
        return found

    def width(self):
        """(median width in percentage points, that of a histogram of the same samples)"""
        return (100 * statistics.median(self.widths or [0]),
                100 * statistics.median(self.exact_widths or [0]))
