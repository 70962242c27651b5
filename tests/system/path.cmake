# SPDX-License-Identifier: GPL-3.0-or-later
find_program(GDB_MULTIARCH gdb-multiarch)
find_program(OPENOCD openocd)
find_program(TMUX tmux)
if(TARGET firmware-motor AND OPENOCD AND TMUX AND GDB_MULTIARCH)
  mprof_system_test(path)
endif()
