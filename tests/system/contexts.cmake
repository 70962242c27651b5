# SPDX-License-Identifier: GPL-3.0-or-later
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(OPENOCD openocd)
if(TARGET firmware-contexts AND TARGET mprof-rig AND OPENOCD AND QEMU_SYSTEM_ARM)
  mprof_system_test(contexts ${PROJECT_BINARY_DIR}/firmware/contexts.elf)
  mprof_system_test(stat ${PROJECT_BINARY_DIR}/firmware/contexts.elf
    ${PROJECT_BINARY_DIR}/firmware/tick-locked.elf)
endif()
