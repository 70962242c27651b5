# SPDX-License-Identifier: GPL-3.0-or-later
# Names of a large ELF file, beside the tools that people know.
find_program(GDB NAMES gdb gdb-multiarch)
add_executable(symbolize EXCLUDE_FROM_ALL symbolize.c)
mprof_target(symbolize)
target_link_libraries(symbolize PRIVATE mprof-symbol)
if(NOT Python3_FOUND OR NOT GDB OR NOT TARGET process-fixed)
  message(STATUS "bench-view is left out: python3 or gdb is missing (make check installs them), or "
    "there is no stub for this host")
  return()
endif()
set(view_dir ${CMAKE_BINARY_DIR}/bench/view)
add_custom_target(bench-view
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/make_big_elf.py ${view_dir}
  COMMAND ${CMAKE_COMMAND} -E env MPROF_BUILD=${CMAKE_BINARY_DIR} PYTHONDONTWRITEBYTECODE=1
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bench_view.py ${view_dir}/big.elf
    $<TARGET_FILE:symbolize> -o ${CMAKE_BINARY_DIR}/bench/view.json
  USES_TERMINAL VERBATIM)
add_dependencies(bench-view symbolize mprof process-fixed)
foreach(rig mprof-rig firmware-cortex-m3 firmware-cortex-m3-many)
  if(TARGET ${rig})
    add_dependencies(bench-view ${rig})
  endif()
endforeach()
add_dependencies(bench bench-view)
