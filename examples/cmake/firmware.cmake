# SPDX-License-Identifier: 0BSD
# What firmware has in common on all boards. MPROF_BOARD names the board: a folder of ../board.
if(NOT MPROF_BOARD)
  set(MPROF_BOARD cortex-m3)
endif()
set(board_examples ${CMAKE_CURRENT_LIST_DIR}/..)
set(board ${board_examples}/board/${MPROF_BOARD})
set(board_start ${board_examples}/start)
include(${board}/board.cmake)
set(board_memory ${board}/memory.ld)
set(board_compile ${board_machine})

if(board_family STREQUAL cortex-m)
  set(board_sources ${board_start}/cortex-m.c)
elseif(board_family STREQUAL riscv)
  enable_language(ASM)
  set(board_sources ${board_start}/riscv.S)
  # Not when linking: GCC 12 finds no libgcc by that name.
  list(TRANSFORM board_compile REPLACE "imac$" "imac_zicsr")
endif()
if(NOT board_family STREQUAL linux)
  set(CMAKE_C_STANDARD_LIBRARIES -lgcc)
endif()

# QEMU without -icount brings interrupts when the host gets to it: what is late there says nothing.
if(NOT DEFINED MPROF_LATE_TICKS)
  set(MPROF_LATE_TICKS 5000)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
add_compile_options(${board_compile} -O2 -g)
foreach(option -ffreestanding -ffunction-sections -fdata-sections -Wall -Wextra -Wpedantic -Wshadow
    -Werror)
  add_compile_options($<$<COMPILE_LANGUAGE:C>:${option}>)
endforeach()

# mprof_image(NAME SOURCE...): NAME.elf, put into MPROF_OUTPUT too if that is set.
function(mprof_image name)
  add_executable(${name} ${ARGN} ${board_sources})
  target_include_directories(${name} PRIVATE ${board} ${board_start} ${board_examples}/work)
  target_link_options(${name} PRIVATE ${board_machine} -Wl,--gc-sections -Wl,--build-id
    -Wl,-Map=${name}.map)
  if(NOT board_family STREQUAL linux)
    set_target_properties(${name} PROPERTIES SUFFIX .elf
      LINK_DEPENDS "${board_memory};${board_start}/${board_family}.ld")
    target_link_options(${name} PRIVATE -nostdlib -L${board_start} -T${board_memory})
  endif()
  if(MPROF_OUTPUT)
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${MPROF_OUTPUT}
      COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${name}> ${MPROF_OUTPUT})
  endif()
endfunction()
