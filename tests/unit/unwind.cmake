# SPDX-License-Identifier: GPL-3.0-or-later
set(unwind_room ${PROJECT_SOURCE_DIR}/cli/unwind)

# unwind_test(NAME): test_NAME.c, which sees inside of the room.
function(unwind_test name)
  string(REPLACE "-" "_" file ${name})
  mprof_unit_test(${name} test_${file}.c ${ARGN} LIBS mprof-unwind mprof-symbol mprof-symbol-budget
    mprof-base PkgConfig::LIBDW)
  target_include_directories(test-${name} PRIVATE ${unwind_room})
endfunction()

unwind_test(unwind-tables)
mprof_has_firmware(found cortex-m0 cortex-m3 cortex-m4f rv32 rv64 x86-64)
if(found)
  unwind_test(unwind-cfi symbol_checks.c)
  unwind_test(unwind-flow symbol_checks.c)
  unwind_test(unwind symbol_checks.c)
  foreach(name unwind-cfi unwind-flow unwind)
    mprof_needs_firmware(test-${name} cortex-m0 cortex-m3 cortex-m4f rv32 rv64 x86-64)
  endforeach()
endif()
