# SPDX-License-Identifier: GPL-3.0-or-later
set(command_dir ${PROJECT_SOURCE_DIR}/cli/command)
set(zoom_sources)
foreach(name annotate_code annotate_find elf_file elf_guess elf_map session session_keep silence watch watch_text zoom zoom_calls
    zoom_lines)
  list(APPEND zoom_sources ${command_dir}/${name}.c)
endforeach()
mprof_unit_test(zoom test_zoom.c ${zoom_sources}
  LIBS mprof-snapshot mprof-export mprof-sampler mprof-view mprof-term m)
add_dependencies(test-zoom inlines-files)
target_include_directories(test-zoom PRIVATE ${command_dir} ${PROJECT_SOURCE_DIR}/cli/view)
target_compile_definitions(test-zoom PRIVATE _POSIX_C_SOURCE=200809L
  ZOOM_ELF="${CMAKE_CURRENT_BINARY_DIR}/inlines/native5.elf"
  ZOOM_OTHER="${CMAKE_CURRENT_BINARY_DIR}/inlines/cold5.elf")
