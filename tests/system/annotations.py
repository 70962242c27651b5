# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of mprof annotate share."""

import json

from case import Case


def hits_of(annotation):
    """Of its lines, and of their instructions."""
    lines = annotation["lines"]
    return (sum(line["hits"] for line in lines),
            sum(step["hits"] for line in lines for step in line["instructions"]))


class Annotations(Case):
    def good(self, *args, **more):
        return super().good("annotate", *args, **more)

    def bad(self, *args, status=1):
        return super().bad("annotate", *args, status=status)

    def annotation(self, *args):
        return self.json(*args)

    def reported(self, *files):
        """function -> row of a report."""
        rows = json.loads(Case.good(self, "report", *files, "--format", "json"))["rows"]
        return {row["function"]: row for row in rows}
