# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(code test_code.c LIBS mprof-code gdbmi)
target_include_directories(test-code PRIVATE ${PROJECT_SOURCE_DIR}/cli/code)
target_compile_definitions(test-code PRIVATE _POSIX_C_SOURCE=200809L)
mprof_unit_test(annotate test_annotate.c LIBS mprof-annotate PkgConfig::JANSSON m)
target_include_directories(test-annotate PRIVATE ${PROJECT_SOURCE_DIR}/cli/view/annotate)
target_compile_definitions(test-annotate PRIVATE _POSIX_C_SOURCE=200809L)
