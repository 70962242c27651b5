# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(wire test_wire.c rsp_checks.c link_checks.c fake_gdb.c fake_nonstop.c fake_stream.c LIBS mprof-wire
  gdbmi-inside)
