# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of mprof export share."""

from case import Case

ARM_GPROF, RISCV_GPROF = "arm-none-eabi-gprof", "riscv64-unknown-elf-gprof"
TEXT_FORMATS = ("callgrind", "folded", "speedscope", "csv", "json", "html")


class Exports(Case):
    def export(self, name, *files, options=()):
        """The bytes of that format. (On standard output they are the same: test_outputs.py.)"""
        out = self.folder / f"out.{name}"
        self.assertEqual(self.good("export", "--format", name, *files, "-o", out, *options), "")
        return out.read_bytes()

    def text(self, name, *files, options=()):
        return self.export(name, *files, options=options).decode()
