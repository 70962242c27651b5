# SPDX-License-Identifier: GPL-3.0-or-later
find_package(Threads REQUIRED)
mprof_unit_test(torn test_torn.c LIBS mprof_stub mprof-profile Threads::Threads)
