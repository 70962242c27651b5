# SPDX-License-Identifier: GPL-3.0-or-later
# Inlined functions, against binutils' addr2line; some stand at 0, where dropped functions are left.
set(inlines_dir ${CMAKE_CURRENT_BINARY_DIR}/inlines)
set(inlines_source ${CMAKE_CURRENT_SOURCE_DIR}/data/symbol_inlines.c)
file(MAKE_DIRECTORY ${inlines_dir})
set(inlines_flags -O2 -nostdlib -ffreestanding -ffunction-sections -Wl,--gc-sections)
set(inlines_files)

function(inlines_elf name)
  add_custom_command(OUTPUT ${inlines_dir}/${name}
    COMMAND ${ARGN} ${inlines_source} -o ${inlines_dir}/${name}
    DEPENDS ${inlines_source} VERBATIM)
  set(inlines_files ${inlines_files} ${inlines_dir}/${name} PARENT_SCOPE)
endfunction()

inlines_elf(native4.elf ${CMAKE_C_COMPILER} ${inlines_flags} -g -gdwarf-4 -fno-pie -static)
inlines_elf(native5.elf ${CMAKE_C_COMPILER} ${inlines_flags} -g -gdwarf-5 -fno-pie -static)
set(inlines_warm ${inlines_source})
set(inlines_source ${CMAKE_CURRENT_SOURCE_DIR}/data/symbol_cold.c)
foreach(version 4 5)
  inlines_elf(cold${version}.elf ${CMAKE_C_COMPILER} ${inlines_flags} -g -gdwarf-${version} -fno-pie
    -static)
endforeach()
set(inlines_source ${inlines_warm})
find_program(ARM_GCC arm-none-eabi-gcc)
if(ARM_GCC)
  foreach(version 4 5)
    foreach(start 0 8000)
      inlines_elf(arm${version}_${start}.elf ${ARM_GCC} ${inlines_flags} -mcpu=cortex-m3 -mthumb -g
        -gdwarf-${version} -Wl,-Ttext=0x${start} -Wl,-Tdata=0x20000000)
    endforeach()
  endforeach()
endif()
add_custom_target(inlines-files DEPENDS ${inlines_files})

mprof_unit_test(inlines test_inlines.c symbol_checks.c LIBS mprof-symbol)
add_dependencies(test-inlines inlines-files)
target_compile_definitions(test-inlines PRIVATE SYMBOL_FILES="${inlines_dir}"
  SYMBOL_ARM=$<BOOL:${ARM_GCC}>)
