# SPDX-License-Identifier: GPL-3.0-or-later
# A process whose coverage is recorded.
if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "system-coverage is left out: this host is no x86-64 Linux")
  return()
endif()
find_package(Threads REQUIRED)

set(stub ${PROJECT_SOURCE_DIR}/target-stub)
file(GLOB sources ${stub}/src/*.c ${stub}/port/host/*.c)
add_library(coverage-stub OBJECT ${sources})
target_include_directories(coverage-stub PRIVATE ${stub}/include ${stub}/src ${stub}/port/host)
target_compile_options(coverage-stub PRIVATE -O2 -g -ffreestanding
  $<$<C_COMPILER_ID:Clang>:-mgeneral-regs-only>)
add_executable(coverage-process coverage.c $<TARGET_OBJECTS:coverage-stub>)
target_compile_options(coverage-process PRIVATE -O2 -g -fPIE -Wall -Wextra -Werror
  -fno-sanitize=all -fsanitize-coverage=trace-pc -fno-optimize-sibling-calls)
target_link_options(coverage-process PRIVATE -pie -fno-sanitize=all)
target_link_libraries(coverage-process PRIVATE Threads::Threads)
target_compile_definitions(coverage-stub PRIVATE
  MPROF_CONFIG_FILE="${CMAKE_CURRENT_SOURCE_DIR}/coverage_config.h")
mprof_system_test(coverage)
