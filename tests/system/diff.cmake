# SPDX-License-Identifier: GPL-3.0-or-later
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
mprof_system_test(diff)
mprof_system_test(diff_gate)
mprof_system_test(questions)
mprof_system_test(overlap)
if(TARGET firmware-cortex-m3 AND QEMU_SYSTEM_ARM)
  mprof_system_test(diff_target)
endif()
