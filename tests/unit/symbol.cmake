# SPDX-License-Identifier: GPL-3.0-or-later
# ELF files of every sort for the symbol table's tests, made by the build.
set(symbol_data ${CMAKE_CURRENT_SOURCE_DIR}/data)
set(symbol_sources ${symbol_data}/symbol_main.c ${symbol_data}/symbol_other.c
  ${symbol_data}/symbol_asm.S)
set(symbol_dir ${CMAKE_CURRENT_BINARY_DIR}/symbol)
set(symbol_files)
file(MAKE_DIRECTORY ${symbol_dir})

# symbol_elf(FILE COMMAND...): the command makes FILE in symbol_dir.
function(symbol_elf name)
  add_custom_command(OUTPUT ${symbol_dir}/${name}
    COMMAND ${ARGN} ${symbol_dir}/${name}
    DEPENDS ${symbol_sources} ${symbol_files}
    VERBATIM)
  set(symbol_files ${symbol_files} ${symbol_dir}/${name} PARENT_SCOPE)
endfunction()

set(symbol_native ${CMAKE_C_COMPILER} -O1 -nostdlib -ffunction-sections -Wl,--build-id=sha1)
symbol_elf(native.elf ${symbol_native} -g -gdwarf-4 -fno-pie -static ${symbol_sources} -o)
symbol_elf(hooked.elf ${symbol_native} -g -O2 -O0 -pg -fpatchable-function-entry=2 -fno-pie -static
  -Wl,--unresolved-symbols=ignore-all ${symbol_sources} -o)
# One segment for code and data, as many linker scripts for microcontrollers make it.
include(CheckLinkerFlag)
check_linker_flag(C -Wl,--no-warn-rwx-segments MPROF_LINKER_WARNS_RWX)
set(symbol_rwx -Wl,-N)
if(MPROF_LINKER_WARNS_RWX)
  list(APPEND symbol_rwx -Wl,--no-warn-rwx-segments)
endif()
symbol_elf(one_segment.elf ${symbol_native} -fno-pie -static ${symbol_rwx} ${symbol_sources} -o)
symbol_elf(packed.elf ${symbol_native} -g -gdwarf-5 -gz=zlib -fno-pie -static
  ${symbol_sources} -o)
symbol_elf(native.so ${symbol_native} -g -gdwarf-5 -fPIC -shared ${symbol_sources} -o)
symbol_elf(native.o ${CMAKE_C_COMPILER} -O1 -g -c ${symbol_data}/symbol_other.c -o)
symbol_elf(plain.elf ${CMAKE_STRIP} -g ${symbol_dir}/native.elf -o)
symbol_elf(stripped.elf ${CMAKE_STRIP} -s ${symbol_dir}/native.elf -o)
symbol_elf(stripped.so ${CMAKE_STRIP} -s ${symbol_dir}/native.so -o)
symbol_elf(debug.elf ${CMAKE_OBJCOPY} --only-keep-debug ${symbol_dir}/native.elf)
# Builds without a build-id.
set(symbol_nameless ${CMAKE_C_COMPILER} -O1 -g -nostdlib -Wl,--build-id=none ${symbol_sources})
symbol_elf(nameless.elf ${symbol_nameless} -fno-pie -static -o)
symbol_elf(nameless.so ${symbol_nameless} -fPIC -shared -o)
foreach(kind elf so)
  symbol_elf(nameless_plain.${kind} ${CMAKE_OBJCOPY} --strip-debug ${symbol_dir}/nameless.${kind})
  symbol_elf(nameless_stripped.${kind} ${CMAKE_STRIP} -s ${symbol_dir}/nameless.${kind} -o)
endforeach()
symbol_elf(nameless_debug.elf ${CMAKE_OBJCOPY} --only-keep-debug ${symbol_dir}/nameless.elf)

find_program(ARM_GCC arm-none-eabi-gcc)
if(ARM_GCC)
  set(symbol_arm ${ARM_GCC} -mcpu=cortex-m3 -mthumb -O1 -g -nostdlib -ffunction-sections
    -Wl,--gc-sections -Wl,-Ttext=0 -Wl,--section-start=asm_code=0x8000 -Wl,-Tdata=0x20000000)
  symbol_elf(arm.elf ${symbol_arm} -gdwarf-5 ${symbol_sources} -o)
  symbol_elf(arm_big.elf ${symbol_arm} -gdwarf-4 -mbig-endian ${symbol_sources} -o)
endif()
add_custom_target(symbol-files DEPENDS ${symbol_files})

foreach(name symtab symtab-contents symtab-damaged)
  string(REPLACE "-" "_" file ${name})
  mprof_unit_test(${name} test_${file}.c symbol_checks.c LIBS mprof-symbol)
  add_dependencies(test-${name} symbol-files)
  target_include_directories(test-${name} PRIVATE ${PROJECT_SOURCE_DIR}/cli/symbol)
  target_compile_definitions(test-${name} PRIVATE SYMBOL_DATA="${symbol_data}"
    SYMBOL_FILES="${symbol_dir}" SYMBOL_ARM=$<BOOL:${ARM_GCC}>)
endforeach()

mprof_unit_test(segment-hash test_segment_hash.c symbol_checks.c LIBS mprof-symbol mprof-symbol-elf)
add_dependencies(test-segment-hash symbol-files)
target_include_directories(test-segment-hash PRIVATE ${PROJECT_SOURCE_DIR}/cli/symbol
  ${PROJECT_SOURCE_DIR}/cli/symbol/elf)
target_compile_definitions(test-segment-hash PRIVATE SYMBOL_FILES="${symbol_dir}")
mprof_unit_test(budget test_budget.c LIBS mprof-symbol mprof-symbol-dwarf)
add_dependencies(test-budget symbol-files)
target_include_directories(test-budget PRIVATE ${PROJECT_SOURCE_DIR}/cli/symbol)
target_compile_definitions(test-budget PRIVATE
  SYMBOL_FILES="${symbol_dir}" SYMBOL_ARM=$<BOOL:${ARM_GCC}>)

mprof_unit_test(line-program test_line_program.c LIBS mprof-symbol-dwarf)

mprof_has_firmware(found cortex-m0 cortex-m3 cortex-m33 cortex-m4f cortex-m7 two-sides rv32 rv64 x86-64)
if(found)
  mprof_unit_test(vectors test_vectors.c symbol_checks.c LIBS mprof-symbol)
  mprof_needs_firmware(test-vectors cortex-m0 cortex-m3 cortex-m33 cortex-m4f cortex-m7 two-sides rv32
    rv64 x86-64)
endif()
