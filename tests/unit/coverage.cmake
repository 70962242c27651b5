# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(flow test_flow.c LIBS mprof-coverage-model)
