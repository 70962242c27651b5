# SPDX-License-Identifier: GPL-3.0-or-later
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(OPENOCD openocd)
if(TARGET firmware-core-tests AND TARGET mprof-rig AND OPENOCD AND QEMU_SYSTEM_ARM)
  mprof_system_test(blocks ${PROJECT_BINARY_DIR}/tests/core/firmware/blocks.elf)
  mprof_system_test(trace ${PROJECT_BINARY_DIR}/tests/core/firmware/trace-live.elf
    ${PROJECT_BINARY_DIR}/tests/core/firmware/blocks.elf)
endif()
if(TARGET firmware-tick-locked AND TARGET mprof-rig)
  mprof_system_test(locked ${PROJECT_BINARY_DIR}/firmware/tick-locked.elf)
endif()
