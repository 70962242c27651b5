# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of mprof annotate share."""

import json

from case import Case


def hits_of(annotation):
    """Of its lines, and of their instructions, with those of the blocks that several of them share."""
    lines, blocks = annotation["lines"], annotation["blocks"]
    return tuple(sum(one["hits"] for one in own) +
                 sum(block["part"] for block in blocks if block["shared"] or block[sharing] > 1)
                 for own, sharing in ((lines, "lines"),
                                      ([step for line in lines for step in line["instructions"]],
                                       "instructions")))


def notes_of(annotation):
    """Whoever checks out other sources while tests run makes them newer than the ELF files."""
    return [note for note in annotation["notes"] if " is newer than the ELF file" not in note]


def possible(annotation):
    """The lines with hits, {source line without blanks: line}; and all that may have most hits."""
    lines = {line["source"].strip(): line for line in annotation["lines"]
             if line["most"] and line["source"]}
    most = max(line["most"] for line in lines.values())
    return lines, {source for source, line in lines.items() if line["most"] == most}


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
