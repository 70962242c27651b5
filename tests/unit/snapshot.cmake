# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(snapshot test_snapshot.c snapshot_checks.c fake_names.c
  LIBS mprof-snapshot mprof-annotate)
mprof_unit_test(snapshot-contexts test_snapshot_contexts.c snapshot_checks.c fake_names.c
  LIBS mprof-snapshot mprof-annotate m)
mprof_unit_test(snapshot-lost test_snapshot_lost.c snapshot_checks.c fake_names.c
  LIBS mprof-snapshot mprof-annotate m)
mprof_unit_test(snapshot-wander test_snapshot_wander.c snapshot_checks.c fake_names.c
  LIBS mprof-snapshot mprof-annotate m)
foreach(name foreign gmon)
  mprof_unit_test(snapshot-${name} test_snapshot_${name}.c foreign_checks.c snapshot_checks.c
    fake_names.c LIBS mprof-snapshot mprof-annotate)
endforeach()
mprof_unit_test(snapshot-file test_snapshot_file.c snapshot_checks.c fake_names.c
  LIBS mprof-snapshot mprof-annotate PkgConfig::ZLIB)
mprof_unit_test(snapshot-random test_snapshot_random.c snapshot_checks.c fake_names.c
  LIBS mprof-snapshot mprof-annotate mprof-pprof)
mprof_unit_test(snapshot-stacks test_snapshot_stacks.c snapshot_checks.c fake_names.c
  LIBS mprof-snapshot mprof-annotate m)
