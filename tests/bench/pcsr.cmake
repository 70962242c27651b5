# SPDX-License-Identifier: GPL-3.0-or-later
# Samples without a stub, beside OpenOCD's own.
if(NOT Python3_FOUND OR NOT TARGET firmware-cortex-m3)
  message(STATUS "bench-pcsr is left out: python3 or a cross compiler is missing (make check installs them)")
  return()
endif()
add_custom_target(bench-pcsr
  COMMAND ${CMAKE_COMMAND} -E env MPROF_BUILD=${CMAKE_BINARY_DIR} PYTHONDONTWRITEBYTECODE=1
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bench_pcsr.py
    -o ${CMAKE_BINARY_DIR}/bench/pcsr.json
  USES_TERMINAL VERBATIM)
add_dependencies(bench-pcsr mprof mprof-rig)
add_dependencies(bench bench-pcsr)
