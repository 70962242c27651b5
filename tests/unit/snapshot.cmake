# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(snapshot test_snapshot.c snapshot_checks.c LIBS mprof-snapshot mprof-annotate)
mprof_unit_test(snapshot-foreign test_snapshot_foreign.c snapshot_checks.c LIBS mprof-snapshot
  mprof-annotate)
mprof_unit_test(snapshot-file test_snapshot_file.c snapshot_checks.c LIBS mprof-snapshot mprof-annotate
  PkgConfig::ZLIB)
mprof_unit_test(snapshot-random test_snapshot_random.c snapshot_checks.c LIBS mprof-snapshot
  mprof-annotate mprof-pprof)
