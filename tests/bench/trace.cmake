# SPDX-License-Identifier: GPL-3.0-or-later
# Traces: what printing and reporting a recorded one cost.
add_executable(trace-events EXCLUDE_FROM_ALL trace_events.c)
mprof_target(trace-events)
target_link_libraries(trace-events PRIVATE mprof-trace)
if(NOT Python3_FOUND)
  message(STATUS "bench-trace-file is left out: python3 is missing (make check installs it)")
  return()
endif()
add_custom_target(bench-trace-file
  COMMAND ${CMAKE_COMMAND} -E env MPROF_BUILD=${CMAKE_BINARY_DIR} PYTHONDONTWRITEBYTECODE=1
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bench_trace_file.py
    $<TARGET_FILE:trace-events> -o ${CMAKE_BINARY_DIR}/bench/trace-file.json
  USES_TERMINAL VERBATIM)
add_dependencies(bench-trace-file trace-events mprof)
add_dependencies(bench bench-trace-file)
