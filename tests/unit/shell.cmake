# SPDX-License-Identifier: GPL-3.0-or-later
pkg_check_modules(READLINE REQUIRED readline)
set(command ${PROJECT_SOURCE_DIR}/cli/command)
mprof_unit_test(words test_words.c ${command}/words.c)
mprof_unit_test(prompt test_prompt.c ${command}/prompt.c ${command}/shell_history.c
  LIBS mprof-term mprof-symbol)
target_link_libraries(test-prompt PRIVATE ${READLINE_LINK_LIBRARIES})
foreach(name words prompt)
  target_include_directories(test-${name} PRIVATE ${command} ${READLINE_INCLUDE_DIRS})
endforeach()
