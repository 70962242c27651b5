# SPDX-License-Identifier: GPL-3.0-or-later
# What a live view is made of, without its screen and its target.
set(command_dir ${PROJECT_SOURCE_DIR}/cli/command)
mprof_unit_test(span test_span.c ${command_dir}/span.c LIBS mprof-profile mprof-sampler mprof-export
  mprof-view m)
target_include_directories(test-span PRIVATE ${command_dir})
