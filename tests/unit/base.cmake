# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(file-stamp test_file_stamp.c LIBS mprof-base)
mprof_unit_test(number test_number.c LIBS mprof-base)
mprof_unit_test(nearest test_nearest.c LIBS mprof-base)
mprof_unit_test(string-pool test_string_pool.c LIBS mprof-base)
mprof_unit_test(vec test_vec.c LIBS mprof-base)
target_link_options(test-vec PRIVATE -Wl,--wrap=realloc)
mprof_unit_test(utf8 test_utf8.c LIBS mprof-base)
mprof_unit_test(sorted test_sorted.c LIBS mprof-base)
