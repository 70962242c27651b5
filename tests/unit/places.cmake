# SPDX-License-Identifier: GPL-3.0-or-later
# ELF files with every version of DWARF's line tables, and one of C++.
set(places_dir ${CMAKE_CURRENT_BINARY_DIR}/places)
set(places_data ${CMAKE_CURRENT_SOURCE_DIR}/data)
set(places_files)
file(MAKE_DIRECTORY ${places_dir})

# places_elf(FILE SOURCE COMMAND...): the command makes FILE of the source in places_dir.
function(places_elf name source)
  add_custom_command(OUTPUT ${places_dir}/${name}
    COMMAND ${ARGN} ${places_data}/${source} -o ${places_dir}/${name}
    DEPENDS ${places_data}/${source} VERBATIM)
  set(places_files ${places_files} ${places_dir}/${name} PARENT_SCOPE)
endfunction()

set(places_flags -O2 -g -nostdlib -ffreestanding -ffunction-sections -Wl,--gc-sections)
find_program(ARM_GCC arm-none-eabi-gcc)
find_program(ARM_GXX arm-none-eabi-g++)
find_program(RISCV_GCC riscv64-unknown-elf-gcc)
places_elf(packed.elf symbol_inlines.c ${CMAKE_C_COMPILER} ${places_flags} -gdwarf-5 -gz=zlib
  -fno-pie -static)
foreach(version 2 3 4 5)
  places_elf(native_${version}.elf symbol_inlines.c ${CMAKE_C_COMPILER} ${places_flags}
    -gdwarf-${version} -gstrict-dwarf -fno-pie -static)
  if(ARM_GCC)
    places_elf(arm_${version}.elf symbol_inlines.c ${ARM_GCC} ${places_flags} -gdwarf-${version}
      -gstrict-dwarf -mcpu=cortex-m3 -mthumb -Wl,-Ttext=0x8000 -Wl,-Tdata=0x20000000)
  endif()
  if(RISCV_GCC)
    places_elf(rv32_${version}.elf symbol_inlines.c ${RISCV_GCC} ${places_flags}
      -gdwarf-${version} -gstrict-dwarf -march=rv32imac -mabi=ilp32 -Wl,-Ttext=0x80000000
      -Wl,-e,_start)
  endif()
endforeach()
# One function with many rows: the program is gone on with from somewhere inside.
set(rows "volatile int rows_object;\nint _start(int x);\nint _start(int x)\n{\n")
foreach(number RANGE 1 400)
  string(APPEND rows "    rows_object += x * ${number};\n    if (x & ${number})\n        x--;\n")
endforeach()
file(CONFIGURE OUTPUT ${places_dir}/rows.c CONTENT "${rows}    return x;\n}\n")
set(places_data_kept ${places_data})
set(places_data ${places_dir})
places_elf(rows_native.elf rows.c ${CMAKE_C_COMPILER} ${places_flags} -gdwarf-4 -fno-pie -static)
if(ARM_GCC)
  places_elf(rows_arm.elf rows.c ${ARM_GCC} ${places_flags} -gdwarf-5 -mcpu=cortex-m3 -mthumb
    -Wl,-Ttext=0x8000 -Wl,-Tdata=0x20000000)
endif()
if(RISCV_GCC)
  places_elf(rows_rv32.elf rows.c ${RISCV_GCC} ${places_flags} -gdwarf-5 -march=rv32imac
    -mabi=ilp32 -Wl,-Ttext=0x80000000 -Wl,-e,_start)
endif()
set(places_data ${places_data_kept})
if(ARM_GXX)
  places_elf(cpp.elf symbol_cpp.cc ${ARM_GXX} ${places_flags} -std=c++17 -fno-exceptions -fno-rtti
    -mcpu=cortex-m3 -mthumb -Wl,-Ttext=0x8000 -Wl,-Tdata=0x20000000)
endif()
add_custom_target(places-files DEPENDS ${places_files})

foreach(name places demangle)
  mprof_unit_test(${name} test_${name}.c symbol_checks.c LIBS mprof-symbol mprof-symbol-names)
  add_dependencies(test-${name} places-files)
endforeach()
target_include_directories(test-places PRIVATE ${PROJECT_SOURCE_DIR}/cli/symbol)
target_compile_definitions(test-places PRIVATE SYMBOL_FILES="${places_dir}"
  SYMBOL_ARM=$<BOOL:${ARM_GCC}> SYMBOL_RISCV=$<BOOL:${RISCV_GCC}>)
target_compile_definitions(test-demangle PRIVATE SYMBOL_FILES="${places_dir}"
  SYMBOL_ARM=$<BOOL:${ARM_GXX}>)
