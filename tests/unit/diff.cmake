# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(diff-sim test_diff_sim.c diff_sim.c LIBS mprof-profile m)
set_tests_properties(unit-diff-sim PROPERTIES TIMEOUT 1200)
