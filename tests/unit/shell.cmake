# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(tokenizer test_tokenizer.c LIBS mprof-shell)
mprof_unit_test(shell-run test_shell_run.c LIBS mprof-shell)
mprof_unit_test(prompt test_prompt.c LIBS mprof-shell mprof-term)
target_include_directories(test-prompt PRIVATE ${PROJECT_SOURCE_DIR}/cli/shell)
