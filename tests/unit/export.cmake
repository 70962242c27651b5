# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(export test_export.c snapshot_checks.c fake_names.c LIBS mprof-export mprof-annotate)
target_include_directories(test-export PRIVATE ${PROJECT_SOURCE_DIR}/cli/export)
target_compile_definitions(test-export PRIVATE _POSIX_C_SOURCE=200809L)
