# SPDX-License-Identifier: GPL-3.0-or-later
# The compilers' call hooks, on each core that has a compiler and a QEMU here.
find_program(MPROF_RISCV_GCC riscv64-unknown-elf-gcc)

set(boards "")
foreach(board cortex-m0 cortex-m3 cortex-m4f cortex-m7 cortex-m33 rv32 rv64 x86-64)
  core_qemu(runs ${board})
  if(board STREQUAL x86-64 AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(runs FALSE)
  elseif(board MATCHES "^rv" AND NOT MPROF_RISCV_GCC)
    set(runs FALSE)
  endif()
  if(runs)
    list(APPEND boards ${board})
    core_test(core-calls-${board} test_calls ${board})
  endif()
endforeach()

list(REMOVE_ITEM boards cortex-m4f cortex-m7 cortex-m33)
core_test(core-returns test_returns ${boards})
set(with_results ${boards})
list(REMOVE_ITEM with_results rv64)
core_test(core-results test_results ${with_results})
list(APPEND boards cortex-m4f)

# One of each instruction set that has registers of its own for floating point.
list(FILTER boards INCLUDE REGEX "m0|m4f|rv32|x86-64")
core_test(core-unhooked test_unhooked ${boards})

set(bench_calls ${python} ${CMAKE_CURRENT_SOURCE_DIR}/bench_calls.py ${plugin})
core_test(core-calls-cost bench_calls ${plugin} --check)
add_custom_target(bench-calls COMMAND ${bench_calls} -o ${CMAKE_BINARY_DIR}/bench/calls.json
  USES_TERMINAL VERBATIM)
add_dependencies(bench-calls count-plugin)
add_dependencies(bench bench-calls)
if(NOT TARGET bench-trace)
  add_custom_target(bench-trace)
endif()
add_dependencies(bench-trace bench-calls)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  core_test(core-calls-project test_calls_project)
endif()
