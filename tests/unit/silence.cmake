# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(silence test_silence.c ${PROJECT_SOURCE_DIR}/cli/command/silence.c LIBS mprof-profile m)
target_include_directories(test-silence PRIVATE ${PROJECT_SOURCE_DIR}/cli/command)
