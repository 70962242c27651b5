# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(made-trace made_trace.c)
mprof_target(made-trace)
target_link_libraries(made-trace PRIVATE mprof-trace)
mprof_system_test(diff_traces)
