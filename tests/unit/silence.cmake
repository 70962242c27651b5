# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(silence test_silence.c LIBS mprof-target)
mprof_unit_test(focus test_focus.c LIBS mprof-target)
