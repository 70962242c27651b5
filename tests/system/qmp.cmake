# SPDX-License-Identifier: GPL-3.0-or-later
# --qmp on a real QEMU, and mprof inside a real gdb.
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(QEMU_SYSTEM_RISCV32 qemu-system-riscv32)
find_program(GDB_MULTIARCH gdb-multiarch)
if(NOT TARGET firmware-cortex-m3 OR NOT QEMU_SYSTEM_ARM OR NOT QEMU_SYSTEM_RISCV32)
  message(STATUS "tests of --qmp are left out: a cross compiler or QEMU is missing")
  return()
endif()

add_executable(qmp-race qmp_race.c)
mprof_target(qmp-race)
target_link_libraries(qmp-race PRIVATE gdbmi)
mprof_system_test(qmp)

if(GDB_MULTIARCH)
  mprof_system_test(gdb_command)
else()
  message(STATUS "the test of mprof inside gdb is left out: gdb-multiarch is missing")
endif()
mprof_system_test(time_range)
