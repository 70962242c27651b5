# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig with firmware/blocks.c, which has every block and takes as many samples as it is told to.

Its time is that of its instructions, so that a busy host changes no share, and an idle one takes the
samples faster than a board.
"""

from rig import Rig, Tcl
from support import symbols, wait_for

MAGIC = 0x6672706d
BOOT, HEARTBEAT, RESET_DONE, ENABLE = 16, 20, 48, 64
ENDLESS = 0x7fffffff
# 32 ns an instruction.
ICOUNT = 5


class BlocksRig(Rig):
    """A running one; use it in a with statement. Places in its header are those of the list above."""

    def __init__(self, elf, **more):
        super().__init__(elf, **{"icount": ICOUNT, **more})
        self.elf = elf
        self.symbols = symbols(elf)
        self.prof = self.symbols["s_prof"][0]
        self.tcl = None

    def start(self):
        super().start()
        self.tcl = Tcl(self.tcl_port)
        self.wait_for_boot(1)
        return self

    def stop(self):
        if self.tcl is not None:
            self.tcl.close()
        return super().stop()

    def wait_for_boot(self, number):
        """Until mprof_init() is over for the so manieth time: s_prof keeps its words over a reset."""
        def ready():
            magic, = self.tcl.read(self.prof)
            return magic == MAGIC and self.word(BOOT) == number and self.word(ENABLE) != 0
        wait_for(f"mprof_init() number {number}", ready)

    def restart(self):
        """A reset, as by the button: no sample is taken and nothing is ignored, until told otherwise."""
        boot = self.word(BOOT)
        self.reset()
        self.wait_for_boot(boot + 1)
        wait_for("OpenOCD's word for it", lambda: self.tcl.state() == "running")

    def word(self, place):
        return self.tcl.read(self.prof + place)[0]

    def begin(self, samples=ENDLESS):
        """Lets the firmware go on until it has taken so many in all, and the rest of a round."""
        self.tcl.write(self.symbols["blocks_samples"][0], [samples])
        self.tcl.write(self.symbols["blocks_done"][0], [0])

    def until(self, samples):
        """Waits until there are so many."""
        wait_for(f"{samples} samples", lambda: self.word(HEARTBEAT) >= samples)

    def end(self):
        """Waits until it has taken what it was told to; how many that were. No more come."""
        wait_for("the firmware's last sample",
                 lambda: self.tcl.read(self.symbols["blocks_done"][0])[0] == 1)
        return self.word(HEARTBEAT)

    @property
    def link(self):
        """The options of mprof that lead here."""
        return ["--elf", str(self.elf), "--gdb", f":{self.gdb_port}", "--tcl", f":{self.tcl_port}"]
