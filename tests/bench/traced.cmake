# SPDX-License-Identifier: GPL-3.0-or-later
# What a traced call of a process costs, next to other tracers, in one run.
if(NOT Python3_FOUND OR NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR
    NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "bench-trace of processes is left out: this host is no x86-64 Linux")
  return()
endif()

# traced_calls(NAME OPTION...): the program, compiled with these options.
function(traced_calls name)
  add_executable(${name} EXCLUDE_FROM_ALL traced_calls.c)
  target_compile_options(${name} PRIVATE -O2 -Wall -Wextra ${ARGN})
endfunction()
set(stub ${PROJECT_SOURCE_DIR}/target-stub)
file(GLOB stub_sources ${stub}/src/*.c ${stub}/port/host/*.c)
add_library(traced-stub OBJECT EXCLUDE_FROM_ALL ${stub_sources})
target_include_directories(traced-stub PRIVATE ${stub}/include ${stub}/src ${stub}/port/host)
target_compile_options(traced-stub PRIVATE -O2 -mgeneral-regs-only -ffreestanding)
target_compile_definitions(traced-stub PRIVATE MPROF_CNT=0 MPROF_TRACE_CNT=4096 MPROF_THREADS=8)
traced_calls(traced-nothing)
traced_calls(traced-gprof -pg)
target_link_options(traced-gprof PRIVATE -pg)
traced_calls(traced-uftrace -pg -mfentry)
traced_calls(traced-mprof-exits -finstrument-functions)
traced_calls(traced-mprof-entries -pg -mfentry)
foreach(name exits entries)
  target_sources(traced-mprof-${name} PRIVATE $<TARGET_OBJECTS:traced-stub>)
endforeach()

add_custom_target(bench-trace-process
  COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_SOURCE_DIR}/bench_traced.py ${CMAKE_CURRENT_BINARY_DIR}
    -o ${CMAKE_BINARY_DIR}/bench/trace-process.json
  USES_TERMINAL VERBATIM)
add_dependencies(bench-trace-process traced-nothing traced-gprof traced-uftrace traced-mprof-exits
  traced-mprof-entries)
if(NOT TARGET bench-trace)
  add_custom_target(bench-trace)
endif()
add_dependencies(bench-trace bench-trace-process)
add_dependencies(bench bench-trace)
