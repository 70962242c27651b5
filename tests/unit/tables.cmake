# SPDX-License-Identifier: GPL-3.0-or-later
# ELF files with veneers, aliases and code in RAM; and with tables that only their types describe.
set(tables_dir ${CMAKE_CURRENT_BINARY_DIR}/tables)
set(tables_data ${CMAKE_CURRENT_SOURCE_DIR}/data)
set(tables_files)
file(MAKE_DIRECTORY ${tables_dir})

# tables_elf(FILE SOURCE COMMAND...): the command makes FILE of the source in tables_dir.
function(tables_elf name source)
  add_custom_command(OUTPUT ${tables_dir}/${name}
    COMMAND ${ARGN} ${tables_data}/${source} -o ${tables_dir}/${name}
    DEPENDS ${tables_data}/${source}
    VERBATIM)
  set(tables_files ${tables_files} ${tables_dir}/${name} PARENT_SCOPE)
endfunction()

set(tables_native ${CMAKE_C_COMPILER} -O1 -nostdlib -ffreestanding -fno-stack-protector
  -fdata-sections -Wl,--gc-sections)
tables_elf(tables.elf symbol_tables.c ${tables_native} -g -gdwarf-5 -fno-pie -static)
tables_elf(tables_2.elf symbol_tables.c ${tables_native} -g -gdwarf-2 -gstrict-dwarf -fno-pie
  -static)
tables_elf(tables_pie symbol_tables.c ${tables_native} -g -gdwarf-4 -fPIE -pie)
tables_elf(tables_packed.elf symbol_tables.c ${tables_native} -g -gdwarf-5 -gz=zlib -fno-pie
  -static)
tables_elf(tables_plain.elf symbol_tables.c ${tables_native} -g0 -fno-pie -static)
find_program(TABLES_GCC gcc)
find_program(TABLES_CLANG clang)
set(parameters -O2 -Wno-psabi -nostdlib -ffreestanding -fno-stack-protector -fno-pie -static)
if(NOT TABLES_GCC)
  set(TABLES_GCC ${CMAKE_C_COMPILER})
endif()
tables_elf(parameters.elf symbol_parameters.c ${TABLES_GCC} ${parameters} -g)
tables_elf(parameters_scoped.elf symbol_scoped.cc ${TABLES_GCC} ${parameters} -g)
tables_elf(parameters_plain.elf symbol_parameters.c ${TABLES_GCC} ${parameters} -g0)
if(TABLES_CLANG)
  tables_elf(parameters_clang.elf symbol_parameters.c ${TABLES_CLANG} ${parameters} -g)
endif()
set(tables_ram -Wa,--no-warn -Wl,-e,Reset_Handler)
if(MPROF_LINKER_WARNS_RWX)
  list(APPEND tables_ram -Wl,--no-warn-rwx-segments)
endif()
tables_elf(veneers_native.elf symbol_veneers.c ${tables_native} -g -fno-pie -static
  ${tables_ram})

find_program(ARM_GCC arm-none-eabi-gcc)
if(ARM_GCC)
  set(tables_arm ${ARM_GCC} -mthumb -O1 -nostdlib -ffreestanding -Wa,--no-warn
    -fdata-sections -Wl,--gc-sections
    -L${PROJECT_SOURCE_DIR}/examples/start -T${PROJECT_SOURCE_DIR}/examples/board/cortex-m3/memory.ld)
  tables_elf(tables_arm.elf symbol_tables.c ${tables_arm} -mcpu=cortex-m3 -g -gdwarf-5
    -Wl,-e,_start)
  tables_elf(tables_be8.elf symbol_tables.c ${tables_arm} -mcpu=cortex-m3 -mbig-endian -g -gdwarf-4
    -Wl,-e,_start)
  tables_elf(veneers.elf symbol_veneers.c ${tables_arm} -mcpu=cortex-m3 -g -gdwarf-5
    -Wl,-e,Reset_Handler)
  tables_elf(veneers_be8.elf symbol_veneers.c ${tables_arm} -mcpu=cortex-m3 -mbig-endian -g
    -gdwarf-4)
  tables_elf(veneers_plain.elf symbol_veneers.c ${tables_arm} -mcpu=cortex-m3 -g0)
  tables_elf(parameters_soft.elf symbol_parameters.c ${tables_arm} -mcpu=cortex-m3 -O2 -g
    -Wl,-e,_start)
  tables_elf(parameters_hard.elf symbol_parameters.c ${tables_arm} -mcpu=cortex-m4
    -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2 -g -Wl,-e,_start)
  tables_elf(veneers_arm7.elf symbol_veneers.c ${tables_arm} -mcpu=arm7tdmi -g)
endif()

find_program(RISCV_GCC riscv64-unknown-elf-gcc)
if(RISCV_GCC)
  set(tables_riscv ${RISCV_GCC} -O1 -nostdlib -ffreestanding -fdata-sections -Wl,--gc-sections -DNO_RAM_CODE -g -Ttext=0x80000000)
  tables_elf(tables_rv64.elf symbol_tables.c ${tables_riscv} -march=rv64imac -mabi=lp64
    -mcmodel=medany -Wl,-e,_start)
  tables_elf(parameters_rv32.elf symbol_parameters.c ${tables_riscv} -march=rv32imac -mabi=ilp32
    -O2 ${tables_ram} -Wl,-e,_start)
  tables_elf(veneers_rv64.elf symbol_veneers.c ${tables_riscv} -march=rv64imac -mabi=lp64
    -mcmodel=medany -Wl,-e,Reset_Handler)
  tables_elf(veneers_rv32.elf symbol_veneers.c ${tables_riscv} -march=rv32imac -mabi=ilp32
    -Wl,-e,Reset_Handler)
endif()
add_custom_target(tables-files DEPENDS ${tables_files})

foreach(name tables names parameters)
  mprof_unit_test(${name} test_${name}.c symbol_checks.c LIBS mprof-symbol mprof-trace)
  add_dependencies(test-${name} tables-files)
  target_compile_definitions(test-${name} PRIVATE SYMBOL_FILES="${tables_dir}"
    SYMBOL_ARM=$<BOOL:${ARM_GCC}> SYMBOL_RISCV=$<BOOL:${RISCV_GCC}>
    SYMBOL_CLANG=$<BOOL:${TABLES_CLANG}>)
endforeach()

mprof_unit_test(addr-ranges test_addr_ranges.c LIBS mprof-load)
mprof_unit_test(elf-file test_elf_file.c scratch_file.c LIBS mprof-load)
add_dependencies(test-elf-file tables-files)
target_compile_definitions(test-elf-file PRIVATE _POSIX_C_SOURCE=200809L
  SYMBOL_FILES="${tables_dir}")
target_link_options(test-elf-file PRIVATE -Wl,--wrap=nanosleep,--wrap=time)
