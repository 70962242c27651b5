# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(view test_view.c LIBS mprof-view PkgConfig::JANSSON m)
mprof_unit_test(change test_change.c LIBS mprof-view PkgConfig::JANSSON m)
mprof_unit_test(change-screen test_change_screen.c LIBS mprof-view m)
mprof_unit_test(twins test_twins.c LIBS mprof-view)
mprof_unit_test(past test_past.c LIBS mprof-view m)
mprof_unit_test(screen-frame test_screen_frame.c LIBS mprof-view m)
mprof_unit_test(width test_width.c LIBS mprof-view mprof-term)
target_include_directories(test-width PRIVATE ${PROJECT_SOURCE_DIR}/cli/term)
