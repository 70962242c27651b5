# SPDX-License-Identifier: GPL-3.0-or-later
# Coverage by -fsanitize-coverage=trace-pc, as bits and as counters.
set(coverage_base 0)
if(board_family STREQUAL riscv)
  set(coverage_base 0x80000000U)
endif()

# coverage_image(NAME SOURCE BITS SIZE PORT [SOURCE...])
function(coverage_image name source bits size from)
  set(options MPROF_CNT=0 MPROF_COVERAGE_BASE=${coverage_base} MPROF_COVERAGE_SIZE=${size}
    MPROF_COVERAGE_BITS=${bits})
  stub_objects(objects ${from} ${stub_common} ${stub}/src/coverage.c WITH ${options})
  mprof_image(${name} ${source} ${ARGN} ${memset} ${objects})
  target_include_directories(${name} PRIVATE ${stub}/include ${stub}/src ${from})
  target_compile_definitions(${name} PRIVATE ${options})
endfunction()

set(coverage_size 4096)
add_library(coverage-code OBJECT coverage_code.c)
target_compile_options(coverage-code PRIVATE -fsanitize-coverage=trace-pc
  -fno-optimize-sibling-calls)
foreach(bits 1 8 32)
  coverage_image(coverage-${bits} coverage.c ${bits} ${coverage_size} ${port}
    $<TARGET_OBJECTS:coverage-code>)
endforeach()
coverage_image(coverage-outside coverage.c 1 384 ${port} $<TARGET_OBJECTS:coverage-code>)
coverage_image(coverage-live coverage.c 1 ${coverage_size} ${port} $<TARGET_OBJECTS:coverage-code>)
target_compile_definitions(coverage-live PRIVATE STAY)
foreach(bits 1 8)
  coverage_image(coverage-race-${bits} coverage_race.c ${bits} ${coverage_size} ${port})
endforeach()
foreach(bits 1 8)
  coverage_image(coverage-bench-${bits} coverage_bench.c ${bits} ${coverage_size} ${port})
endforeach()
# Over a port that stores no matter what came between, which the test must find out.
coverage_image(coverage-race-plain coverage_race.c 1 ${coverage_size}
  ${CMAKE_CURRENT_SOURCE_DIR}/plain)
