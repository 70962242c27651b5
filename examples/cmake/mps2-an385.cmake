# SPDX-License-Identifier: 0BSD
# What firmware for the Cortex-M3 of QEMU's mps2-an385 has in common.
set(board ${CMAKE_CURRENT_LIST_DIR}/../mps2-an385)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
add_compile_options(-mcpu=cortex-m3 -mthumb -O2 -g -ffreestanding -ffunction-sections
  -fdata-sections -Wall -Wextra -Wpedantic -Wshadow -Werror)

# mprof_image(NAME SOURCE...): NAME.elf, put into MPROF_OUTPUT too if that is set.
function(mprof_image name)
  add_executable(${name} ${ARGN} ${board}/startup.c)
  set_target_properties(${name} PROPERTIES SUFFIX .elf LINK_DEPENDS ${board}/mps2-an385.ld)
  target_include_directories(${name} PRIVATE ${board})
  target_link_options(${name} PRIVATE -mcpu=cortex-m3 -mthumb -nostdlib -T${board}/mps2-an385.ld
    -Wl,--gc-sections -Wl,-Map=${name}.map)
  target_link_libraries(${name} PRIVATE gcc)
  if(MPROF_OUTPUT)
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${MPROF_OUTPUT}
      COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${name}> ${MPROF_OUTPUT}/${name}.elf)
  endif()
endfunction()
