# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that count their calls, for each way to see calls: arcs-exits, -fentry and -pg have the stub, arcs-gprof
# glibc's gprof, arcs-uftrace nothing.
if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "system-arcs is left out: this host is no x86-64 Linux")
  return()
endif()
find_package(Threads REQUIRED)
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
else()
  message(STATUS "system-arcs leaves out exceptions: there is no C++ compiler")
endif()

# Calls stay calls, but in one file; each function is one of its own, in one piece.
set_source_files_properties(arcs.c arcs_system.c arcs_exceptions.cc PROPERTIES
  COMPILE_OPTIONS -fno-optimize-sibling-calls)

set(whole -fno-ipa-icf -fno-reorder-blocks-and-partition)

# arcs_program(NAME LINK OPTION...): the program, compiled with these options.
function(arcs_program name link)
  add_executable(arcs-${name} arcs.c arcs_system.c arcs_tails.c)
  if(CMAKE_CXX_COMPILER)
    target_sources(arcs-${name} PRIVATE arcs_exceptions.cc)
    target_compile_definitions(arcs-${name} PRIVATE EXCEPTIONS)
  endif()
  target_compile_options(arcs-${name} PRIVATE -O2 -g -Wall -Wextra -Werror ${ARGN}
    "$<$<COMPILE_LANG_AND_ID:C,GNU>:${whole}>" "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${whole}>")
  target_link_options(arcs-${name} PRIVATE ${link})
  target_link_libraries(arcs-${name} PRIVATE Threads::Threads)
endfunction()

# Its ring and its table of arcs have room for all.
set(stub ${PROJECT_SOURCE_DIR}/target-stub)
file(GLOB sources ${stub}/src/*.c ${stub}/port/host/*.c)
add_library(arcs-stub OBJECT ${sources})
target_include_directories(arcs-stub PRIVATE ${stub}/include ${stub}/src ${stub}/port/host)
target_compile_options(arcs-stub PRIVATE -O2 -g -ffreestanding -Wno-frame-address
  $<$<C_COMPILER_ID:Clang>:-mgeneral-regs-only>)
target_compile_definitions(arcs-stub PRIVATE MPROF_CNT=0 MPROF_TRACE_CNT=4096 MPROF_ARC_CNT=256
  MPROF_THREADS=8)

arcs_program(exits -pie -fPIE -finstrument-functions -DEXITS)
arcs_program(fentry -pie -fPIE -pg -mfentry)
arcs_program(pg -no-pie -fno-pie -pg)
foreach(name exits fentry pg)
  target_sources(arcs-${name} PRIVATE $<TARGET_OBJECTS:arcs-stub>)
endforeach()
arcs_program(gprof "-no-pie;-pg" -fno-pie -pg)
arcs_program(uftrace -pie -fPIE -pg -mfentry)
mprof_system_test(arcs)
