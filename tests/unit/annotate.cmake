# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(code test_code.c LIBS mprof-code gdbmi)
target_include_directories(test-code PRIVATE ${PROJECT_SOURCE_DIR}/cli/code)
target_compile_definitions(test-code PRIVATE _POSIX_C_SOURCE=200809L)
foreach(name annotate annotate-frame)
  string(REPLACE "-" "_" file ${name})
  mprof_unit_test(${name} test_${file}.c annotate_checks.c fake_names.c
    LIBS mprof-annotate PkgConfig::JANSSON m)
  target_include_directories(test-${name} PRIVATE ${PROJECT_SOURCE_DIR}/cli/view/annotate)
  target_compile_definitions(test-${name} PRIVATE _POSIX_C_SOURCE=200809L)
endforeach()
