# SPDX-License-Identifier: GPL-3.0-or-later
# ELF files with variables and types as each kernel has them, by several versions of DWARF.
set(kernel_dir ${CMAKE_CURRENT_BINARY_DIR}/kernel)
file(MAKE_DIRECTORY ${kernel_dir})
set(kernel_sources ${CMAKE_CURRENT_SOURCE_DIR}/data/kernel_port.c
  ${CMAKE_CURRENT_SOURCE_DIR}/data/kernel_shapes.c)
set(kernel_files)
set(kernel_shapes FREERTOS FREERTOS_SMP ZEPHYR ZEPHYR_OLD THREADX CHIBIOS CHIBIOS_OLD NONE)

# kernel_elfs(PREFIX COMMAND...): one of each shape.
function(kernel_elfs prefix)
  foreach(shape ${kernel_shapes})
    set(file ${kernel_dir}/${prefix}_${shape}.elf)
    add_custom_command(OUTPUT ${file}
      COMMAND ${ARGN} -nostartfiles -Wl,-e,main -D${shape} ${kernel_sources} -o ${file}
      DEPENDS ${kernel_sources} VERBATIM)
    list(APPEND kernel_files ${file})
  endforeach()
  set(kernel_files ${kernel_files} PARENT_SCOPE)
endfunction()

kernel_elfs(native ${CMAKE_C_COMPILER} -g -gdwarf-5 -nostdlib -fno-pie -static)
kernel_elfs(plain ${CMAKE_C_COMPILER} -g0 -nostdlib -fno-pie -static)
find_program(ARM_GCC arm-none-eabi-gcc)
if(ARM_GCC)
  kernel_elfs(arm ${ARM_GCC} -mcpu=cortex-m3 -mthumb -g -gdwarf-2 -nostdlib)
  kernel_elfs(lto ${ARM_GCC} -mcpu=cortex-m3 -mthumb -O2 -g -flto -nostdlib)
endif()
add_custom_target(kernel-files DEPENDS ${kernel_files})
mprof_unit_test(kernel test_kernel.c scratch_file.c LIBS mprof-kernel)
add_dependencies(test-kernel kernel-files)
target_compile_definitions(test-kernel PRIVATE _POSIX_C_SOURCE=200809L KERNEL_FILES="${kernel_dir}"
  KERNEL_ARM=$<BOOL:${ARM_GCC}>)
