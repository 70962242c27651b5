# SPDX-License-Identifier: GPL-3.0-or-later
# The zoom of the live screen, in a program of its own.
find_program(GDB_MULTIARCH gdb-multiarch)
find_program(TMUX tmux)
if(NOT GDB_MULTIARCH OR NOT TMUX OR NOT TARGET process-pie)
  message(STATUS "the test of the zoom is left out: gdb-multiarch or tmux is missing (make check "
    "installs them)")
  return()
endif()

set(command_dir ${PROJECT_SOURCE_DIR}/cli/command)
set(zoom_sources)
foreach(name annotate_code annotate_find draw elf_file elf_guess elf_map session session_keep
    signals style watch watch_text zoom
    zoom_calls zoom_lines)
  list(APPEND zoom_sources ${command_dir}/${name}.c)
endforeach()
add_executable(zoom-demo zoom_demo.c ${zoom_sources})
mprof_target(zoom-demo)
target_include_directories(zoom-demo PRIVATE ${command_dir})
target_link_libraries(zoom-demo PRIVATE mprof-snapshot mprof-export mprof-sampler mprof-view
  mprof-term m)
mprof_system_test(zoom $<TARGET_FILE:zoom-demo>
  ${PROJECT_BINARY_DIR}/tests/core/firmware/blocks.elf)
