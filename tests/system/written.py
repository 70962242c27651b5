# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes snapshots of a history: programs, builds and times that are made up."""

from pprof_file import profile


def write(path, hits, time_s=0, build="", elf="fw.elf", unit="samples", duration_s=0, file="main.c",
          **conditions):
    """hits: function -> hits, or (function, file) -> hits; those of 0 are not in it."""
    conditions = {"sampler": "table", "target": "chip.cpu", **conditions}
    path.write_bytes(profile(
        {function: count for function, count in hits.items() if count}, build=build, elf=elf, unit=unit,
        seconds=duration_s, rate=None, file=file, time_s=time_s,
        conditions=[f"{key.replace('_', '-')}={value}" for key, value in conditions.items()]))
    return path
