# SPDX-License-Identifier: GPL-3.0-or-later
# Processes whose calls are traced: mprof run, and the files that the stub keeps.
if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "system-traced is left out: this host is no x86-64 Linux")
  return()
endif()

# traced_target(TARGET): what program and stub are compiled with.
function(traced_target target)
  set_target_properties(${target} PROPERTIES C_STANDARD 11)
  target_compile_options(${target} PRIVATE -O2 -g -Wall -Wextra -Werror -Wno-frame-address)
  target_compile_definitions(${target} PRIVATE MPROF_CNT=0 MPROF_TRACE_CNT=4096 MPROF_CALL_CNT=64
    MPROF_THREADS=16)
endfunction()

set(stub ${PROJECT_SOURCE_DIR}/target-stub)
file(GLOB sources ${stub}/src/*.c ${stub}/port/host/*.c)
foreach(name calls-traced-stub traced-words-stub)
  add_library(${name} OBJECT ${sources})
  traced_target(${name})
  target_include_directories(${name} PRIVATE ${stub}/include ${stub}/src ${stub}/port/host)
  target_compile_options(${name} PRIVATE -ffreestanding $<$<C_COMPILER_ID:Clang>:-mgeneral-regs-only>)
endforeach()

# traced_program(NAME STUB LINK OPTION...): the program with calls hooked by these options of the compiler.
function(traced_program name with link)
  add_executable(${name} traced.c $<TARGET_OBJECTS:${with}>)
  traced_target(${name})
  target_include_directories(${name} PRIVATE ${stub}/include)
  target_compile_options(${name} PRIVATE ${ARGN})
  target_link_options(${name} PRIVATE ${link})
  target_link_libraries(${name} PRIVATE Threads::Threads)
endfunction()
find_package(Threads REQUIRED)
traced_program(traced-exits calls-traced-stub -pie -fPIE -finstrument-functions)
traced_program(traced-fentry calls-traced-stub -pie -fPIE -pg -mfentry)
traced_program(traced-pg calls-traced-stub -no-pie -fno-pie -pg)
traced_program(traced-words traced-words-stub -pie -fPIE -pg -mfentry)
target_compile_definitions(traced-words PRIVATE MPROF_TRACE_ARGS=4)
target_compile_definitions(traced-words-stub PRIVATE MPROF_TRACE_ARGS=4)
if(TARGET firmware-trace-x86-64)
  mprof_system_test(traced)
  mprof_system_test(graph)
endif()
