# SPDX-License-Identifier: GPL-3.0-or-later
# Large profiles, beside go tool pprof.
find_program(GO go)
if(NOT Python3_FOUND OR NOT GO)
  message(STATUS "bench-files is left out: python3 or go is missing (make check installs them)")
  return()
endif()

set(bench_files ${CMAKE_COMMAND} -E env MPROF_BUILD=${CMAKE_BINARY_DIR} PYTHONDONTWRITEBYTECODE=1
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bench_files.py)
add_custom_target(bench-files
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/bench/profiles
  COMMAND ${bench_files} --folder ${CMAKE_BINARY_DIR}/bench/profiles
    -o ${CMAKE_BINARY_DIR}/bench/files.json
  USES_TERMINAL VERBATIM)
add_dependencies(bench-files mprof)
add_dependencies(bench bench-files)
add_test(NAME bench-files COMMAND ${bench_files} --check)
set_tests_properties(bench-files PROPERTIES TIMEOUT 900)
