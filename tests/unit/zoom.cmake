# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(zoom test_zoom.c LIBS mprof-live)
add_dependencies(test-zoom inlines-files)
target_include_directories(test-zoom PRIVATE ${PROJECT_SOURCE_DIR}/cli/live ${PROJECT_SOURCE_DIR}/cli/view/annotate)
target_compile_definitions(test-zoom PRIVATE _POSIX_C_SOURCE=200809L
  ZOOM_ELF="${CMAKE_CURRENT_BINARY_DIR}/inlines/native5.elf"
  ZOOM_OTHER="${CMAKE_CURRENT_BINARY_DIR}/inlines/cold5.elf")
