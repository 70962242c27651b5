# SPDX-License-Identifier: GPL-3.0-or-later
# Firmware that generate.py writes: an image of each kind, with a table of the default size; half of
# that on a Cortex-M0.
find_program(MPROF_PYTHON python3 REQUIRED)
set(generated ${CMAKE_CURRENT_LIST_DIR})
set(generator ${generated}/../../generate.py)
set(generated_seed 1)
set(generated_cnt 256)
if(MPROF_BOARD STREQUAL cortex-m0)
  set(generated_cnt 128)
endif()

add_library(generated-stub STATIC ${stub_sources})
target_include_directories(generated-stub PUBLIC ${stub}/include PRIVATE ${stub}/src ${port})
target_compile_definitions(generated-stub PUBLIC MPROF_CNT=${generated_cnt}
  MPROF_LATE_TICKS=${MPROF_LATE_TICKS})

add_library(generated-main OBJECT ${generated}/main.c)
target_include_directories(generated-main PRIVATE ${generated} ${CMAKE_CURRENT_SOURCE_DIR}
  ${board} ${board_start} ${board_examples}/work)
target_link_libraries(generated-main PRIVATE generated-stub)

execute_process(COMMAND ${MPROF_PYTHON} -B ${generator} --list OUTPUT_VARIABLE generated_kinds
  COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${generator})
foreach(kind ${generated_kinds})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/generated/${kind}.c)
  add_custom_command(OUTPUT ${source} DEPENDS ${generator} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/generated
    COMMAND ${MPROF_PYTHON} -B ${generator} ${kind} ${generated_seed} ${source})
  mprof_image(generated-${kind} $<TARGET_OBJECTS:generated-main> ${source})
  target_include_directories(generated-${kind} PRIVATE ${generated} ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(generated-${kind} PRIVATE generated-stub)
endforeach()
