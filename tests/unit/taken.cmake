# SPDX-License-Identifier: GPL-3.0-or-later
mprof_has_firmware(has_firmware cortex-m3)
if(has_firmware)
  mprof_unit_test(taken test_taken.c LIBS mprof-sampler-taken gdbmi-inside m)
  mprof_unit_test(taken-halt test_taken_halt.c fake_clock.c
    LIBS mprof-sampler-taken gdbmi-inside mprof-base m)
  target_compile_definitions(test-taken-halt PRIVATE _POSIX_C_SOURCE=200809L)
  target_link_options(test-taken-halt PRIVATE -Wl,--wrap=clock_gettime,--wrap=nanosleep)
  mprof_needs_firmware(test-taken cortex-m3)
  mprof_unit_test(pcsr test_pcsr.c LIBS mprof-sampler-taken gdbmi-inside)
  mprof_needs_firmware(test-pcsr cortex-m3)
  mprof_needs_firmware(test-taken-halt cortex-m3)
endif()
