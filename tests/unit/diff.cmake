# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(diff-sim test_diff_sim.c diff_sim.c LIBS mprof-profile m)
set_tests_properties(unit-diff-sim PROPERTIES TIMEOUT 3600)
mprof_unit_test(wander test_wander.c LIBS mprof-profile m)
mprof_unit_test(wander-sim test_wander_sim.c LIBS mprof-profile m)
set_tests_properties(unit-wander-sim PROPERTIES TIMEOUT 3600)
mprof_unit_test(match test_match.c LIBS mprof-profile)
mprof_unit_test(diff test_diff.c diff_checks.c LIBS mprof-profile m)
mprof_unit_test(diff-runs test_diff_runs.c diff_checks.c LIBS mprof-profile m)
mprof_unit_test(gate test_gate.c diff_checks.c LIBS mprof-profile m)
mprof_unit_test(diff-numbers test_diff_numbers.c LIBS mprof-profile m)
target_include_directories(test-diff-numbers PRIVATE ${PROJECT_SOURCE_DIR}/cli/profile)

# The tables of docs/statistics.md, with the program's own code.
add_custom_target(bench-diff
  COMMAND ${CMAKE_COMMAND} -E env MPROF_SOAK=1 $<TARGET_FILE:test-diff-sim>
  COMMAND ${CMAKE_COMMAND} -E env MPROF_SOAK=1 $<TARGET_FILE:test-wander-sim>
  USES_TERMINAL VERBATIM)
add_dependencies(bench-diff test-diff-sim test-wander-sim)
