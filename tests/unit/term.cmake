# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(term test_term.c LIBS mprof-term)
target_include_directories(test-term PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/../../cli/term)
