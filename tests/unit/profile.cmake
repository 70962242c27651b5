# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(decode test_decode.c LIBS mprof-profile mprof_layout)
mprof_unit_test(decode-rows test_decode_rows.c LIBS mprof-profile)
mprof_unit_test(rest test_rest.c LIBS mprof-profile m)
mprof_unit_test(blocks test_blocks.c object_checks.c LIBS mprof-profile m)
mprof_unit_test(control test_control.c object_checks.c LIBS mprof-profile)
mprof_unit_test(profile test_profile.c LIBS mprof-profile mprof_layout m)
mprof_unit_test(headerless test_headerless.c LIBS mprof-profile m)
mprof_unit_test(delta test_delta.c LIBS mprof-profile m)
