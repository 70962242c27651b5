# SPDX-License-Identifier: GPL-3.0-or-later
# The zoom of the live screen.
find_program(GDB_MULTIARCH gdb-multiarch)
find_program(OPENOCD openocd)
find_program(TMUX tmux)
if(NOT GDB_MULTIARCH OR NOT OPENOCD OR NOT TMUX OR NOT TARGET process-pie)
  message(STATUS "the test of the zoom is left out: gdb-multiarch, OpenOCD or tmux is missing (make "
    "check installs them)")
  return()
endif()

mprof_system_test(zoom ${PROJECT_BINARY_DIR}/tests/core/firmware/blocks.elf)
