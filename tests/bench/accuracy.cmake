# SPDX-License-Identifier: GPL-3.0-or-later
# The stub, natively, with every block, fed with streams of events whose counts are known.
set(stub ${PROJECT_SOURCE_DIR}/target-stub)
set(articles ${PROJECT_SOURCE_DIR}/tests/core/firmware)
file(GLOB stub_sources CONFIGURE_DEPENDS ${stub}/src/*.c)
add_executable(accuracy accuracy.c accuracy_stream.c ${stub_sources} ${articles}/reference.c)
mprof_target(accuracy)
target_compile_definitions(accuracy PRIVATE MPROF_CNT=256 MPROF_CALL_CNT=64 MPROF_STREAM_CNT=256
  REFERENCE_CNT=64)
target_include_directories(accuracy PRIVATE ${stub}/include ${stub}/src ${stub}/port/host
  ${articles})
target_link_libraries(accuracy PRIVATE mprof-ranking mprof-profile m)
# Its own loops are most of its time.
target_compile_options(accuracy PRIVATE -O2)

add_test(NAME bench-accuracy COMMAND accuracy --check)
set_tests_properties(bench-accuracy PROPERTIES TIMEOUT 900)
add_custom_target(bench-accuracy
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/bench
  COMMAND accuracy ${CMAKE_BINARY_DIR}/bench/accuracy.json
  USES_TERMINAL VERBATIM)
if(NOT TARGET bench)
  add_custom_target(bench)
endif()
add_dependencies(bench bench-accuracy)
