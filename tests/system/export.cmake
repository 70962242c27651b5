# SPDX-License-Identifier: GPL-3.0-or-later
mprof_system_test(export_files)
mprof_system_test(export_foreign)
mprof_system_test(trace_export)
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
find_program(OPENOCD openocd)
if(TARGET firmware-core-tests AND TARGET mprof-rig AND OPENOCD AND QEMU_SYSTEM_ARM)
  mprof_system_test(export ${PROJECT_BINARY_DIR}/tests/core/firmware/blocks.elf
    ${PROJECT_BINARY_DIR}/firmware/rv64.elf)
endif()
