# SPDX-License-Identifier: GPL-3.0-or-later
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(OPENOCD openocd)
if(NOT TARGET firmware-core-tests OR NOT TARGET mprof-rig OR NOT QEMU_SYSTEM_ARM OR NOT OPENOCD)
  message(STATUS "the tests of torn rows and of bytes read are left out: a cross compiler, QEMU or "
    "OpenOCD is missing (make check installs them)")
  return()
endif()
add_executable(torn-reader torn_reader.c)
mprof_target(torn-reader)
target_include_directories(torn-reader PRIVATE ${PROJECT_SOURCE_DIR}/tests/core/firmware)
target_link_libraries(torn-reader PRIVATE gdbmi mprof-profile mprof_stub)
mprof_system_test(poll_bytes ${PROJECT_BINARY_DIR}/tests/core/firmware)
mprof_system_test(torn $<TARGET_FILE:torn-reader>
  ${PROJECT_BINARY_DIR}/tests/core/firmware/churn.elf)
