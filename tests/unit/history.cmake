# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(history test_history.c LIBS mprof-history)
