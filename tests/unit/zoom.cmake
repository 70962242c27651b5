# SPDX-License-Identifier: GPL-3.0-or-later
foreach(name zoom zoom-frame zoom-faults)
  string(REPLACE "-" "_" file ${name})
  mprof_unit_test(${name} test_${file}.c zoom_checks.c fake_names.c LIBS mprof-live)
  add_dependencies(test-${name} inlines-files)
  target_include_directories(test-${name} PRIVATE ${PROJECT_SOURCE_DIR}/cli/live
    ${PROJECT_SOURCE_DIR}/cli/view/annotate)
  target_compile_definitions(test-${name} PRIVATE _POSIX_C_SOURCE=200809L
    ZOOM_ELF="${CMAKE_CURRENT_BINARY_DIR}/inlines/native5.elf"
    ZOOM_OTHER="${CMAKE_CURRENT_BINARY_DIR}/inlines/cold5.elf")
endforeach()
