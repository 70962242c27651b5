# SPDX-License-Identifier: GPL-3.0-or-later
# Processes whose calls are traced: mprof run, and the files that the stub keeps.
if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "system-traced is left out: this host is no x86-64 Linux")
  return()
endif()

# traced_program(NAME LINK OPTION...): the program with calls hooked by these options of the compiler.
function(traced_program name link)
  set(stub ${PROJECT_SOURCE_DIR}/target-stub)
  file(GLOB sources ${stub}/src/*.c ${stub}/port/host/*.c)
  add_library(${name}-stub OBJECT ${sources})
  target_include_directories(${name}-stub PRIVATE ${stub}/include ${stub}/src ${stub}/port/host)
  target_compile_options(${name}-stub PRIVATE -O2 -g -ffreestanding
    $<$<C_COMPILER_ID:Clang>:-mgeneral-regs-only>)
  add_executable(${name} traced.c $<TARGET_OBJECTS:${name}-stub>)
  target_include_directories(${name} PRIVATE ${stub}/include)
  target_compile_options(${name} PRIVATE -O2 -g ${ARGN})
  target_link_options(${name} PRIVATE ${link})
  foreach(target ${name} ${name}-stub)
    set_target_properties(${target} PROPERTIES C_STANDARD 11)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Werror -Wno-frame-address)
    target_compile_definitions(${target} PRIVATE MPROF_CNT=0 MPROF_TRACE_CNT=4096 MPROF_CALL_CNT=64
      MPROF_THREADS=16)
  endforeach()
  target_link_libraries(${name} PRIVATE Threads::Threads)
endfunction()
find_package(Threads REQUIRED)
traced_program(traced-exits -pie -fPIE -finstrument-functions)
traced_program(traced-fentry -pie -fPIE -pg -mfentry)
traced_program(traced-pg -no-pie -fno-pie -pg)
if(TARGET firmware-trace-x86-64)
  mprof_system_test(traced)
endif()
