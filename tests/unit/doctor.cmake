# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(homogeneity test_homogeneity.c LIBS mprof-doctor m)
