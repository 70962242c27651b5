# SPDX-License-Identifier: GPL-3.0-or-later
find_program(GDB_MULTIARCH gdb-multiarch)
if(TARGET process-pie AND GDB_MULTIARCH)
  mprof_system_test(annotate)
else()
  message(STATUS "the tests of annotate are left out: gdb-multiarch is missing (make check installs it)")
endif()
if(TARGET firmware-core-tests AND TARGET mprof-rig AND TARGET firmware-cortex-m3 AND OPENOCD
    AND QEMU_SYSTEM_ARM AND GDB_MULTIARCH)
  mprof_system_test(annotate_target ${PROJECT_BINARY_DIR}/tests/core/firmware/blocks.elf)
endif()
