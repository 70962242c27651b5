# SPDX-License-Identifier: GPL-3.0-or-later
# --pid and --raw, and mprof log, which follows their builds: programs of this host that carry the
# stub, at fixed addresses and anywhere.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|i.86|aarch64|riscv")
  message(STATUS "tests of --pid are left out: they do not know ${CMAKE_SYSTEM_PROCESSOR}")
  return()
endif()

# process_program(NAME COMPILE LINK): the program, compiled and linked with these flags.
function(process_program name compile link)
  set(stub ${PROJECT_SOURCE_DIR}/target-stub)
  file(GLOB sources ${stub}/src/*.c)
  add_executable(${name} process.c ${sources})
  mprof_target(${name})
  target_include_directories(${name} PRIVATE ${stub}/include ${stub}/src ${stub}/port/host)
  target_compile_options(${name} PRIVATE -O1 -g ${compile})
  target_link_options(${name} PRIVATE ${link})
endfunction()
process_program(process-pie -fPIE -pie)
process_program(process-fixed -fno-pie -no-pie)
# Another build of the same program.
process_program(process-other -fPIE -pie)
target_compile_definitions(process-other PRIVATE MPROF_CNT=64)

mprof_system_test(pid)
mprof_system_test(raw)
mprof_system_test(shell)
mprof_system_test(shell_keys)
find_program(TMUX tmux)
if(TMUX)
  mprof_system_test(shell_console)
endif()
mprof_system_test(lists)
if(TARGET firmware-cortex-m3)
  mprof_system_test(mistakes)
endif()
mprof_system_test(live_random)
mprof_system_test(live_ways)
set_tests_properties(system-live_random PROPERTIES TIMEOUT 3600) # make soak
mprof_system_test(log)
mprof_system_test(store)
mprof_system_test(trends)

find_program(GDB_MULTIARCH gdb-multiarch)
if(GDB_MULTIARCH)
  mprof_system_test(annotate)
  mprof_system_test(annotate_code)
endif()
