# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(trace-file test_trace_file.c scratch_file.c LIBS mprof-trace PkgConfig::ZLIB)
target_include_directories(test-trace-file PRIVATE ${PROJECT_SOURCE_DIR}/cli/trace)
target_compile_definitions(test-trace-file PRIVATE _POSIX_C_SOURCE=200809L)
mprof_unit_test(trace-calls test_trace_calls.c LIBS mprof-trace m)
mprof_unit_test(trace-filter test_trace_filter.c LIBS mprof-trace m)
target_compile_definitions(test-trace-filter PRIVATE _POSIX_C_SOURCE=200809L)
mprof_unit_test(trace-lines test_trace_lines.c LIBS mprof-table)
target_compile_definitions(test-trace-lines PRIVATE _POSIX_C_SOURCE=200809L)
