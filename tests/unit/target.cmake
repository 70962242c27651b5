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
