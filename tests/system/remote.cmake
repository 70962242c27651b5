# SPDX-License-Identifier: GPL-3.0-or-later
# GDB remote to servers that are not OpenOCD: real gdbserver, QEMU over a serial line and in disguise.
find_package(Threads REQUIRED)
add_executable(link-tool link_tool.c)
mprof_target(link-tool)
target_link_libraries(link-tool PRIVATE gdbmi)

# Not position independent: its addresses are those of the ELF file.
add_executable(gdbserver-program gdbserver_program.c)
mprof_target(gdbserver-program)
target_link_libraries(gdbserver-program PRIVATE mprof_stub Threads::Threads)
target_compile_options(gdbserver-program PRIVATE -fno-pie)
target_link_options(gdbserver-program PRIVATE -no-pie)

mprof_system_test(probe_rs)

find_program(GDBSERVER gdbserver)
if(GDBSERVER)
  mprof_system_test(gdbserver)
else()
  message(STATUS "the tests of gdbserver are left out: it is missing (make check installs it)")
endif()

# With the example firmware on the rig.
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(OPENOCD openocd)
if(TARGET firmware-cortex-m3 AND QEMU_SYSTEM_ARM AND OPENOCD)
  mprof_system_test(serial)
  mprof_system_test(allow_halt)
  mprof_system_test(gdb_port)
  mprof_system_test(swapped)
  mprof_system_test(foreign)
else()
  message(STATUS "the tests of serial lines and halts are left out: a cross compiler, QEMU or "
    "OpenOCD is missing (make check installs them)")
endif()
