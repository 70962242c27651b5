# SPDX-License-Identifier: GPL-3.0-or-later
"""How often intervals hold the truth, and whether that may be chance."""

import math
import statistics

Z = 1.959963984540054
PROMISED = 0.95
SIGNIFICANCE = 0.05


def wilson(share, total):
    """The 95 % interval of a share of that many samples, by Wilson's score."""
    centre = (share + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = Z / (1 + Z * Z / total) * math.sqrt(share * (1 - share) / total +
                                               Z * Z / (4 * total * total))
    return centre - half, centre + half


def at_most(covered, total):
    """The probability that so few of the intervals of a function hold the truth, or fewer."""
    return sum(math.comb(total, k) * PROMISED ** k * (1 - PROMISED) ** (total - k)
               for k in range(covered + 1))


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
    def total(self):
        return sum(total for _, total in self.functions.values())

    @property
    def pooled(self):
        return sum(covered for covered, _ in self.functions.values()) / max(self.total, 1)

    def below(self):
        """[(p, function, covered, all)] of the functions that are covered less often than
        promised, by Holm's procedure over all functions."""
        tests = sorted((at_most(covered, total), function, covered, total)
                       for function, (covered, total) in self.functions.items())
        found = []
        for i, test in enumerate(tests):
            if test[0] * (len(tests) - i) > SIGNIFICANCE:
                break
            found.append(test)
        return found

    def width(self):
        """(median width in percentage points, that of a histogram of the same samples)"""
        return (100 * statistics.median(self.widths or [0]),
                100 * statistics.median(self.exact_widths or [0]))
