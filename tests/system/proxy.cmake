# SPDX-License-Identifier: GPL-3.0-or-later
# A user's gdb through mprof: these need the example firmware, QEMU, OpenOCD and gdb.
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(OPENOCD openocd)
find_program(GDB_MULTIARCH gdb-multiarch)
if(NOT TARGET firmware-cortex-m3 OR NOT QEMU_SYSTEM_ARM OR NOT OPENOCD OR NOT GDB_MULTIARCH)
  message(STATUS "tests of --serve are left out: a cross compiler, QEMU, OpenOCD or gdb-multiarch is "
    "missing (make check installs them)")
  return()
endif()

mprof_system_test(proxy)
mprof_system_test(proxy_qemu)
