# SPDX-License-Identifier: GPL-3.0-or-later
foreach(subject rows ignore frame output unseen remedy)
  mprof_unit_test(ranking-${subject} test_ranking_${subject}.c ranking_checks.c frame_checks.c
    fake_names.c LIBS mprof-annotate PkgConfig::JANSSON m)
endforeach()
target_include_directories(test-ranking-unseen PRIVATE ${PROJECT_SOURCE_DIR}/cli/ranking)
mprof_unit_test(interval test_interval.c LIBS mprof-table m)
mprof_unit_test(column test_column.c LIBS mprof-table PkgConfig::JANSSON m)
mprof_unit_test(change test_change.c change_checks.c fake_names.c LIBS mprof-annotate m)
mprof_unit_test(change-output test_change_output.c change_checks.c fake_names.c
  LIBS mprof-annotate PkgConfig::JANSSON m)
mprof_unit_test(change-screen test_change_screen.c fake_names.c LIBS mprof-annotate m)
mprof_unit_test(twins test_twins.c fake_names.c LIBS mprof-annotate)
mprof_unit_test(sparklines test_sparklines.c recent_window_checks.c fake_names.c
  LIBS mprof-annotate)
mprof_unit_test(recent-window test_recent_window.c recent_window_checks.c LIBS mprof-profile)
mprof_unit_test(lockstep test_lockstep.c recent_window_checks.c LIBS mprof-profile)
foreach(subject golden frame room scroll random)
  mprof_unit_test(screen-${subject} test_screen_${subject}.c screen_checks.c frame_checks.c
    fake_names.c LIBS mprof-annotate m)
endforeach()
target_include_directories(test-screen-scroll PRIVATE ${PROJECT_SOURCE_DIR}/cli/view/screen)
mprof_unit_test(width test_width.c LIBS mprof-annotate mprof-term)
target_include_directories(test-width PRIVATE ${PROJECT_SOURCE_DIR}/cli/term)

mprof_has_firmware(found contexts rv32 x86-64)
if(found)
  mprof_unit_test(contexts test_contexts.c symbol_checks.c LIBS mprof-annotate m)
  mprof_needs_firmware(test-contexts contexts rv32 x86-64)
endif()
