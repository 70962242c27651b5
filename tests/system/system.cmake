# SPDX-License-Identifier: GPL-3.0-or-later
# mprof itself, end to end: these need the example firmware, QEMU, OpenOCD and tmux.
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(OPENOCD openocd)
find_program(TMUX tmux)
if(NOT TARGET firmware-cortex-m3 OR NOT QEMU_SYSTEM_ARM OR NOT OPENOCD OR NOT TMUX)
  message(STATUS "end-to-end tests are left out: a cross compiler, QEMU, OpenOCD or tmux is missing "
    "(make check installs them)")
  return()
endif()

mprof_system_test(top $<TARGET_FILE:count-plugin>)
mprof_system_test(alias)
mprof_system_test(hostile)
mprof_system_test(inlines)
mprof_system_test(inside)
mprof_system_test(bad_input)
mprof_system_test(beside_gdb)
mprof_system_test(guest)
mprof_system_test(mi)
mprof_system_test(mi_guardian)
mprof_system_test(guardian $<TARGET_FILE:test-hold>)
set_tests_properties(system-guardian PROPERTIES TIMEOUT 1200) # make soak
mprof_system_test(screen)
mprof_system_test(shell_target)
mprof_system_test(changes)
if(GDB_MULTIARCH)
  mprof_system_test(annotate_target ${PROJECT_BINARY_DIR}/tests/core/firmware/blocks.elf)
endif()

add_executable(test-hold hold.c)
mprof_target(test-hold)
target_link_libraries(test-hold PRIVATE gdbmi)
