# SPDX-License-Identifier: GPL-3.0-or-later
# What a live view is made of, without its screen and its target.
foreach(name time-range time-range-resume)
  string(REPLACE "-" "_" file ${name})
  mprof_unit_test(${name} test_${file}.c time_range_checks.c fake_counts.c LIBS mprof-target m)
endforeach()

# Two builds of one program.
set(command_files ${CMAKE_CURRENT_BINARY_DIR}/command)
file(MAKE_DIRECTORY ${command_files})
set(functions "")
foreach(number RANGE 1 300)
  string(APPEND functions "FUNCTION(f_${number})\n")
endforeach()
file(CONFIGURE OUTPUT ${command_files}/functions.h CONTENT "${functions}")
foreach(build older newer)
  string(TOUPPER ${build} define)
  add_custom_command(OUTPUT ${command_files}/${build}.elf
    COMMAND ${CMAKE_C_COMPILER} -O1 -g -nostdlib -ffreestanding -fno-pie -static -Wl,--build-id
      -D${define} -DCOMMAND_FUNCTIONS="functions.h" -I${command_files}
      ${CMAKE_CURRENT_SOURCE_DIR}/data/command_build.c -o ${command_files}/${build}.elf
    DEPENDS data/command_build.c VERBATIM)
endforeach()
add_custom_target(command-files DEPENDS ${command_files}/older.elf ${command_files}/newer.elf)

foreach(name baseline baseline-effort save)
  string(REPLACE "-" "_" file ${name})
  mprof_unit_test(${name} test_${file}.c baseline_checks.c fake_counts.c LIBS mprof-live)
  target_include_directories(test-${name} PRIVATE ${PROJECT_SOURCE_DIR}/cli/live)
  add_dependencies(test-${name} command-files)
  target_compile_definitions(test-${name} PRIVATE COMMAND_FILES="${command_files}")
endforeach()
target_link_options(test-baseline-effort PRIVATE -Wl,--wrap=view_changes_make)

mprof_unit_test(row-key test_row_key.c row_key_checks.c fake_names.c LIBS mprof-live)
target_include_directories(test-row-key PRIVATE ${PROJECT_SOURCE_DIR}/cli/live)
mprof_unit_test(row-key-files test_row_key_files.c row_key_checks.c fake_names.c
  LIBS mprof-history mprof-export)
target_include_directories(test-row-key-files PRIVATE ${PROJECT_SOURCE_DIR}/cli/export)

# Builds of one program: the same under another name, and others; of which one may be anywhere, and
# one has a place of its own.
set(session_files ${CMAKE_CURRENT_BINARY_DIR}/session)
file(MAKE_DIRECTORY ${session_files})
set(session_build ${CMAKE_C_COMPILER} -O1 -nostdlib -ffreestanding
  -I${PROJECT_SOURCE_DIR}/target-stub/include ${CMAKE_CURRENT_SOURCE_DIR}/data/session_build.c)
add_custom_command(
  OUTPUT ${session_files}/older.elf ${session_files}/renamed.elf ${session_files}/newer.elf
    ${session_files}/pie.elf ${session_files}/part.elf
  COMMAND ${session_build} -fno-pie -static -o ${session_files}/older.elf
  COMMAND ${CMAKE_OBJCOPY} --redefine-sym beta=zeta ${session_files}/older.elf
    ${session_files}/renamed.elf
  COMMAND ${session_build} -fno-pie -static -DNEWER -o ${session_files}/newer.elf
  COMMAND ${session_build} -fPIE -pie -o ${session_files}/pie.elf
  COMMAND ${session_build} -fno-pie -static -DNEWER -Wl,-Ttext-segment=0x10000000
    -o ${session_files}/part.elf
  DEPENDS data/session_build.c VERBATIM)
add_custom_target(session-files DEPENDS ${session_files}/older.elf)
mprof_unit_test(session test_session.c LIBS mprof-target gdbmi-inside)
add_dependencies(test-session session-files)
target_include_directories(test-session PRIVATE ${PROJECT_SOURCE_DIR}/cli/target)
target_compile_definitions(test-session PRIVATE SESSION_FILES="${session_files}")

mprof_unit_test(watch-share test_watch_share.c LIBS mprof-target)
target_link_options(test-watch-share PRIVATE -Wl,--wrap=monotonic_s
  -Wl,--wrap=sampler_table_drain_s,--wrap=sampler_table_drain,--wrap=gdbmi_link_read_optional)
