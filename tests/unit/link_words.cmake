# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(link-words test_link_words.c LIBS mprof-target)
