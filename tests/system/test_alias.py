# SPDX-License-Identifier: GPL-3.0-or-later
"""--alias, --region and several --elf: names of what the target reports elsewhere, or has of others."""

import json
import pathlib
import unittest

import arm
from case import SharedFolder
from rig import Rig
from support import FIRMWARE, mprof, symbols, wait_for

LAYOUT = """
MEMORY { FLASH (rx) : ORIGIN = 0x08004000, LENGTH = 256K  RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 64K }
SECTIONS {
 .text : { *(.text*) *(.rodata*) } > FLASH
 .ramfunc : { *(.ramfunc) } > RAM AT> FLASH
 .data : { *(.data*) } > RAM AT> FLASH
 .bss : { *(.bss*) } > RAM
}
"""
APP = """
struct item { void *addr; unsigned hits; };
struct item hits[8] = {{0, 1}};
volatile int sink;
__attribute__((noinline)) void app_fast(void) { for (int i = 0; i < 9; i++) sink += i; }
__attribute__((noinline, section(".ramfunc"))) void ram_spin(void) { for (int i = 0; i < 7; i++) sink ^= i; }
__attribute__((noinline, section(".data.code,\\"awx\\",%progbits@"))) void data_code(void) { sink--; }
void app_main(void) { app_fast(); ram_spin(); data_code(); }
"""
BOOT = """
volatile int flag;
__attribute__((noinline)) void boot_wait(void) { for (int i = 0; i < 9; i++) flag += i; }
void boot_main(void) { boot_wait(); }
"""
ALIAS = "0=0x08000000+1M"


class Elsewhere(SharedFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.path / "app.ld").write_text(LAYOUT)
        cls.app = cls.compile("app", APP, "-T", cls.path / "app.ld", "-Wl,-e,app_main")
        cls.boot = cls.compile("boot", BOOT, "-Ttext=0x08000000", "-Tbss=0x20001000", "-Wl,-e,boot_main")
        # The same addresses as the application, other names.
        cls.same = cls.compile("same", BOOT, "-Ttext=0x08004000", "-Tbss=0x20001000", "-Wl,-e,boot_main")

    @classmethod
    def compile(cls, name, source, *flags):
        return arm.build(cls.path / f"{name}.c", source, *flags)

    def dump(self, *rows):
        return "--symbol", "hits", "--raw", arm.dump(self.path / "hits.bin", rows, 8)

    def rows(self, *args, verb="report"):
        result = mprof(verb, *args, "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.said = result.stderr
        return {row["function"]: row for row in json.loads(result.stdout)["rows"]}

    def at(self, name, elf=None):
        return symbols(elf or self.app)[name][0]


class Alias(Elsewhere):
    def setUp(self):
        self.fast = self.at("app_fast")
        self.link = self.dump((self.fast + 4 - 0x08000000, 60), (self.fast + 8 - 0x08000000, 30))

    def test_names_and_the_reported_address(self):
        rows = self.rows("--elf", self.app, *self.link, "--alias", ALIAS)
        self.assertEqual(list(rows), ["app_fast"])
        row = rows["app_fast"]
        self.assertEqual((row["hits"], row["line"], int(row["address"], 16)),
                         (90, 5, self.fast - 0x08000000))
        self.assertIn(f"0x{self.fast - 0x08000000:08x}",
                      mprof("report", "--elf", self.app, *self.link, "--alias", ALIAS, "--fields",
                            "share,address").stdout)

    def test_both_places_are_one_row(self):
        link = self.dump((self.fast + 4 - 0x08000000, 60), (self.fast + 8, 30))
        row = self.rows("--elf", self.app, *link, "--alias", ALIAS)["app_fast"]
        self.assertEqual((row["hits"], int(row["address"], 16)), (90, self.fast))

    def test_snapshot_keeps_the_names(self):
        path = self.path / "alias.pb.gz"
        result = mprof("snapshot", "--elf", self.app, *self.link, "--alias", ALIAS, "-o", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        row = self.rows(path)["app_fast"]
        self.assertEqual((row["hits"], row["line"], int(row["address"], 16)),
                         (90, 5, self.fast - 0x08000000))
        result = mprof("annotate", "app_fast", "--elf", self.app, "--alias", ALIAS, path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("90 of 90", result.stdout)
        result = mprof("export", path, "--format", "callgrind")
        self.assertIn("app_fast", result.stdout, result.stderr)

    def test_nonsense(self):
        for values, words in (
                (["0"], "is not FROM=TO+SIZE"), (["0=0x08000000"], "is not FROM=TO+SIZE"),
                (["0=0x08000000+"], "is not"), (["0=0x08000000+1G"], "is not"), (["-1=5+1"], "is not"),
                ([" 0=5+1"], "is not"), (["0x=5+1"], "is not"), (["0=99999999999999999999+1"], "is not"),
                (["0=0x1000+0"], "is empty"), (["0xffffffffffffffff=0+2"], "beyond the last address"),
                (["0=0x1000+2k", "1k=0x8000+1k"], "overlaps another alias"),
                (["0=0x400+1M"], "FROM and TO overlap"), (["0=0+1"], "FROM and TO overlap"),
                (["0=1M+1M", "1M=2M+1M"], "another alias"), (["1M=2M+1M", "0=1M+1M"], "another alias"),
                (["0x100000000=0x08000000+1"], "beyond the 32-bit addresses")):
            result = mprof("report", "--elf", self.app, *self.link,
                           *(word for value in values for word in ("--alias", value)))
            self.refused(result, words, status=result.returncode or 1)


class Region(Elsewhere):
    def setUp(self):
        self.fast = self.at("app_fast")
        self.link = self.dump((0x1fff0100, 7), (0x1fff7f00, 3), (self.fast + 4, 10), (0x1fff8000, 1))

    def test_one_row(self):
        for by in ("function", "line"):
            rows = self.rows("--elf", self.app, *self.link, "--region", "ROM=0x1fff0000+32k", "--by", by)
            self.assertEqual((rows["[ROM]"]["hits"], rows["app_fast"]["hits"]), (10, 10), by)
            self.assertEqual(rows["[ROM]"]["address"], "0x1fff0000")
            self.assertEqual(rows[None]["address"], "0x1fff8000")

    def test_snapshot(self):
        path = self.path / "region.pb.gz"
        mprof("snapshot", "--elf", self.app, *self.link, "--region", "ROM=0x1fff0000+32k", "-o", path)
        self.assertEqual(self.rows(path)["[ROM]"]["hits"], 10)
        self.assertEqual(self.rows(path, "--by", "line")["[ROM]"]["hits"], 10)

    def test_nonsense(self):
        for values, words in (
                (["ROM"], "is not NAME=START+SIZE"), (["=0+1k"], "has no name"), (["a]=0+1"], "has no name"),
                (["a\x1b[2J=0+1"], "has no name"), ([f"{'n' * 40}=0+1"], "more than 39 bytes"),
                (["A=0+2k", "B=1k+1k"], "overlaps another region"),
                (["A=0+1k", "A=1k+1k"], "name of another region"), (["A=0+0"], "is empty"),
                (["A=0xffffffff+2"], "beyond the 32-bit addresses")):
            result = mprof("report", "--elf", self.app, *self.link,
                           *(word for value in values for word in ("--region", value)))
            self.refused(result, words, status=result.returncode or 1)
        result = mprof("report", "--elf", self.app, *self.link, "--alias", ALIAS, "--region",
                       "R=0x1000+1")
        self.assertIn("overlaps an alias", result.stderr)


class RamCode(Elsewhere):
    def test_by_the_address_where_it_runs(self):
        """Loaded from flash, run in RAM: names go by the address where it runs."""
        link = self.dump((self.at("ram_spin") + 4, 5), (self.at("data_code") + 4, 7))
        rows = self.rows("--elf", self.app, *link)
        self.assertEqual({name: (row["hits"], row["line"]) for name, row in rows.items()},
                         {"ram_spin": (5, 6), "data_code": (7, 7)})
        result = mprof("annotate", "ram_spin", "--elf", self.app, *link)
        self.assertIn("5 of 12", result.stdout, result.stderr)


class Several(Elsewhere):
    def setUp(self):
        self.link = self.dump((self.at("app_fast") + 4, 30), (self.at("boot_wait", self.boot) + 4, 20))

    def test_names_of_both(self):
        rows = self.rows("--elf", self.app, "--elf", self.boot, *self.link)
        self.assertEqual({name: (row["hits"], pathlib.Path(row["file"]).name) for name, row in rows.items()},
                         {"app_fast": (30, "app.c"), "boot_wait": (20, "boot.c")})
        self.assertEqual(self.said, "")
        self.assertNotIn("boot_wait", self.rows("--elf", self.app, *self.link))

    def test_annotate(self):
        result = mprof("annotate", "boot_wait", "--elf", self.app, "--elf", self.boot, *self.link)
        self.assertIn("20 of 50", result.stdout, result.stderr)
        self.assertIn("flag += i", result.stdout)
        self.assertRegex(result.stdout.splitlines()[0], r"boot\.elf$")

    def test_snapshot(self):
        path = self.path / "two.pb.gz"
        mprof("snapshot", "--elf", self.app, "--elf", self.boot, *self.link, "-o", path)
        self.assertEqual({name: row["hits"] for name, row in self.rows(path).items()},
                         {"app_fast": 30, "boot_wait": 20})

    def test_the_first_wins(self):
        rows = self.rows("--elf", self.app, "--elf", self.same, *self.link)
        self.assertEqual(rows["app_fast"]["hits"], 30)
        self.assertNotIn("boot_wait", rows)
        self.assertRegex(self.said, r"app\.elf and \S*same\.elf both have code at 0x08004000 \(2 "
                                    r"functions\): using names of app\.elf\n$")

    def test_an_alias_and_a_region_too(self):
        link = self.dump((self.at("app_fast") + 4 - 0x08000000, 30), (0x1fff0000, 2),
                         (self.at("boot_wait", self.boot) + 4 - 0x08000000, 20))
        rows = self.rows("--elf", self.app, "--elf", self.boot, *link, "--alias", ALIAS, "--region",
                         "ROM=0x1fff0000+32k")
        self.assertEqual({name: row["hits"] for name, row in rows.items()},
                         {"app_fast": 30, "boot_wait": 20, "[ROM]": 2})

    def test_what_cannot_be(self):
        for other, words in ((self.path / "none.elf", "none.elf"), ("/bin/true", "different processors"),
                             (self.path / "app.c", "app.c")):
            result = mprof("report", "--elf", self.app, "--elf", other, *self.link)
            self.refused(result, words)
        result = mprof("report", *(word for i in range(9) for word in ("--elf", f"{self.app}{i}")), *self.link)
        self.assertEqual(result.returncode, 2)
        self.assertIn("8 ELF files at most", result.stderr)


class OnTarget(Elsewhere):
    def test_a_second_file_that_is_not_in_the_target(self):
        """It is said, none of its names is shown, and the first one's are."""
        other = self.compile("other", BOOT, "-Ttext=0x0", "-Tbss=0x20001000", "-Wl,-e,boot_main")
        firmware = FIRMWARE / "cortex-m3.elf"
        with Rig(firmware, qemu_gdb=True) as rig:
            link = ("--gdb", f":{rig.gdb_port}")
            wait_for("hits", lambda: '"work_a"' in mprof("report", "--elf", firmware, *link, "--format",
                                                         "json").stdout)
            rows = self.rows("--elf", firmware, "--elf", other, *link)
            self.assertIn("work_a", rows)
            self.assertRegex(self.said, r"(?m)^mprof: \S+other\.elf is not in the target: .*; its names "
                                        r"are not shown$")
            rows = self.rows("--elf", firmware, "--elf", other, *link, "--force")
            self.assertRegex(self.said, r"other\.elf is not in the target: .*; its names are shown, "
                                        r"as given by --force")
            rows = self.rows("--elf", firmware, "--elf", self.boot, *link)
            self.assertIn("work_a", rows)
            self.assertNotIn("not in the target", self.said)  # nothing of it can be read there


if __name__ == "__main__":
    unittest.main()
