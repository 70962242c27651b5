# SPDX-License-Identifier: GPL-3.0-or-later
# The examples, each on its own core.
find_program(MPROF_QEMU_RISCV32 qemu-system-riscv32)
find_program(MPROF_QEMU_RISCV64 qemu-system-riscv64)

# core_qemu(RESULT BOARD): whether the QEMU of the board is there.
function(core_qemu result board)
  set(${result} TRUE PARENT_SCOPE)
  if(board MATCHES "^rv" AND NOT (MPROF_QEMU_RISCV32 AND MPROF_QEMU_RISCV64))
    message(STATUS "tests on ${board} are left out: qemu-system-riscv32 or -riscv64 is missing "
      "(make check installs them)")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

set(examples ${CMAKE_BINARY_DIR}/firmware)
set(elves ${examples}/cortex-m3-many.elf)
foreach(board cortex-m0 cortex-m3 cortex-m4f cortex-m7 cortex-m33 rv32 rv64)
  if(NOT TARGET firmware-${board})
    continue()
  endif()
  list(APPEND elves ${examples}/${board}.elf)
  core_qemu(runs ${board})
  if(NOT runs)
    continue()
  endif()
  core_test(core-shares-${board} test_shares ${board} work_ ${examples}/${board}.elf ${plugin})
  if(TARGET firmware-selfcheck-${board})
    core_test(core-selfcheck-${board} test_shares ${board} mprof_selfcheck_
      ${examples}/selfcheck-${board}.elf ${plugin})
  endif()
endforeach()
core_test(core-room test_room ${elves})

if(TARGET firmware-x86-64)
  core_test(core-shares-x86-64 test_shares x86-64 work_ ${examples}/x86-64)
endif()
if(TARGET firmware-tick-jittered)
  core_test(core-tick test_tick ${examples}/tick-locked.elf ${examples}/tick-fixed.elf
    ${examples}/tick-jittered.elf ${plugin})
endif()
core_test(core-in-step test_in_step ${firmware} ${plugin})
if(TARGET firmware-cortex-m0)
  core_test(core-boot-cortex-m0 test_boot cortex-m0 ${examples}/cortex-m0.elf)
endif()
core_qemu(runs rv32)
if(TARGET firmware-rv32 AND runs)
  core_test(core-boot-rv32 test_boot rv32 ${examples}/rv32.elf)
endif()
if(TARGET firmware-rv32-two AND runs)
  core_test(core-two-harts test_two_harts ${examples}/rv32-two.elf ${plugin})
endif()
if(TARGET firmware-two-sides)
  core_test(core-two-sides test_two_sides ${examples}/two-sides.elf ${plugin})
endif()
set(inside)
foreach(pair cortex-m3=motor cortex-m0=cortex-m0 cortex-m3=motor-table cortex-m3=cortex-m3
    cortex-m3=contexts cortex-m3=cortex-m3-many cortex-m3=tick-jittered cortex-m4f=cortex-m4f
    cortex-m7=cortex-m7 cortex-m33=cortex-m33 rv32=rv32 rv64=rv64 cortex-m0=selfcheck-cortex-m0
    cortex-m3=selfcheck-cortex-m3 rv64=selfcheck-rv64)
  string(REGEX REPLACE "=.*" "" board ${pair})
  string(REGEX REPLACE ".*=" "" name ${pair})
  core_qemu(runs ${board})
  if(TARGET firmware-${name} AND runs)
    list(APPEND inside ${board}=${examples}/${name}.elf)
  endif()
endforeach()
list(APPEND inside cortex-m3=${firmware} cortex-m0=${firmware}-cortex-m0)
if("rv32" IN_LIST boards)
  list(APPEND inside rv32=${firmware}-rv32)
endif()
core_test(core-inside test_inside ${plugin} ${inside})

# Copies of ELF files in which functions call the hook.
set(instrumented)
foreach(board cortex-m0 cortex-m3 cortex-m4f cortex-m7 cortex-m33 rv32 rv64 x86-64)
  core_qemu(runs ${board})
  if(runs AND NOT (board MATCHES "^rv" AND NOT MPROF_RISCV_GCC) AND
      NOT (board STREQUAL x86-64 AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"))
    list(APPEND instrumented ${board})
  endif()
endforeach()
core_test(core-instrument test_instrument --examples ${plugin} $<TARGET_FILE:pcs-plugin>
  ${instrumented})
