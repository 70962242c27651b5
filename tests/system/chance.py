# SPDX-License-Identifier: GPL-3.0-or-later
"""How far sampled numbers may be from the truth before a test fails.

The whole suite has some hundred assertions on sampled numbers. Each may fail by chance once in a
billion runs, so that the suite stays below one in a million.
"""

import math

ASSERTION = 1e-9  # of one assertion
BOUND = math.log(2 / ASSERTION)


def divergence(p, q):
    """Kullback and Leibler's, of two coins, in nats."""
    if not 0 < q < 1:
        return 0.0 if p == q else math.inf
    return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a)


def plausible(hits, total, share):
    """Whether hits of total independent samples agree with a true share.

    Chernoff's bound holds for any total, also a small one: wrongly false in less than ASSERTION of
    all cases. A timer that samples at even intervals, jittered or not, varies less than that.
    """
    return total * divergence(hits / total, share) <= BOUND if total else True


def margin(total, share):
    """The distance of a measured share from the true one that plausible() still allows."""
    low, high = 0.0, 1 - share
    for _ in range(60):
        middle = (low + high) / 2
        low, high = ((middle, high) if total * divergence(share + middle, share) <= BOUND
                     else (low, middle))
    return high


def as_rarely(number, total, rate, tests=1):
    """Whether so many of total independent events are no more than chance makes of a rate of at most rate.

    Exact: wrongly false in less than ASSERTION of all cases, in all of that many tests together.
    """
    logs = (math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1)
            + k * math.log(rate) + (total - k) * math.log(1 - rate) for k in range(number, total + 1))
    return sum(map(math.exp, logs)) * tests >= ASSERTION
