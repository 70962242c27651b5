# SPDX-License-Identifier: GPL-3.0-or-later
# Calls of the hook that the stub writes.
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(stub ${PROJECT_SOURCE_DIR}/target-stub)
  mprof_unit_test(patch-point test_patch_point.c ${stub}/src/patch.c LIBS Threads::Threads)
  target_include_directories(test-patch-point PRIVATE ${stub}/include ${stub}/src ${stub}/port/host)
  target_compile_definitions(test-patch-point PRIVATE MPROF_PATCH_CNT=4 MPROF_TRACE_CNT=64)
endif()

mprof_unit_test(site test_site.c LIBS mprof-instrument mprof-symbol)

# Sites in ELF files, which each compiler makes.
set(sites_dir ${CMAKE_CURRENT_BINARY_DIR}/sites)
set(sites_source ${CMAKE_CURRENT_SOURCE_DIR}/data/sites.c)
set(sites_files)
file(MAKE_DIRECTORY ${sites_dir})

# sites_elf(NAME FAR COMMAND...): with the section .far at the address FAR.
function(sites_elf name far)
  add_custom_command(OUTPUT ${sites_dir}/${name}
    COMMAND ${ARGN} -Os -g -nostdlib -ffreestanding -fno-asynchronous-unwind-tables
      -Wl,-e,main -Wl,--build-id=none -Wl,--section-start=.far=${far} ${sites_source}
      -o ${sites_dir}/${name}
    DEPENDS ${sites_source} VERBATIM)
  set(sites_files ${sites_files} ${sites_dir}/${name} PARENT_SCOPE)
endfunction()

find_program(MPROF_ARM_GCC arm-none-eabi-gcc)
find_program(MPROF_RISCV_GCC riscv64-unknown-elf-gcc)
find_program(MPROF_CLANG clang)
find_program(MPROF_GCC gcc)
find_program(MPROF_LLD ld.lld)
if(NOT MPROF_ARM_GCC OR NOT MPROF_RISCV_GCC OR NOT MPROF_CLANG OR NOT MPROF_GCC OR
    NOT MPROF_LLD OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "test instrument is left out: a cross compiler, clang or ld.lld is missing, or this host "
    "is not x86-64")
  return()
endif()
set(sites_arm ${MPROF_ARM_GCC} -mthumb -fpatchable-function-entry=3 -Wl,-Ttext=0x8000)
set(sites_riscv ${MPROF_RISCV_GCC} -fpatchable-function-entry=2 -Wl,-Ttext=0x80000000
  -mcmodel=medany)
set(sites_x86 -fpatchable-function-entry=5 -fno-pie -static -mcmodel=large)
sites_elf(m0.elf 0x4000000 ${sites_arm} -mcpu=cortex-m0 -mlong-calls)
sites_elf(m3.elf 0x4000000 ${sites_arm} -mcpu=cortex-m3 -mlong-calls)
sites_elf(big.elf 0x4000000 ${sites_arm} -mcpu=cortex-m3 -mlong-calls -mbig-endian)
sites_elf(stripped.elf 0x4000000 ${sites_arm} -mcpu=cortex-m3 -mlong-calls -s)
sites_elf(rv32imc.elf 0x80400000 ${sites_riscv} -march=rv32imac_zicsr -mabi=ilp32)
sites_elf(rv32i.elf 0x80400000 ${sites_riscv} -march=rv32i_zicsr -mabi=ilp32)
sites_elf(rv64.elf 0x80400000 ${sites_riscv} -march=rv64imac_zicsr -mabi=lp64)
sites_elf(gcc.elf 0x200000000 ${MPROF_GCC} ${sites_x86} -fcf-protection)
sites_elf(clang.elf 0x200000000 ${MPROF_CLANG} ${sites_x86} -fcf-protection)
sites_elf(clang_rv32.elf 0x80400000 ${MPROF_CLANG} --target=riscv32 -fuse-ld=lld -march=rv32imac
  -mabi=ilp32 -fpatchable-function-entry=2 -Wl,-Ttext=0x80000000 -mcmodel=medany)
add_custom_target(sites-files DEPENDS ${sites_files})

mprof_unit_test(instrument test_instrument.c symbol_checks.c
  LIBS mprof-instrument mprof-sampler mprof-symbol)
add_dependencies(test-instrument sites-files)
target_include_directories(test-instrument PRIVATE ${PROJECT_SOURCE_DIR}/cli/symbol)
target_compile_definitions(test-instrument PRIVATE _POSIX_C_SOURCE=200809L
  SYMBOL_FILES="${sites_dir}")
