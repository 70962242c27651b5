# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(rsp test_rsp.c LIBS gdbmi)
mprof_unit_test(link-rsp test_link_rsp.c link_checks.c fake_gdb.c fake_nonstop.c fake_stream.c LIBS gdbmi)
mprof_unit_test(link-servers test_link_servers.c link_checks.c fake_gdb.c fake_nonstop.c
  fake_stream.c LIBS gdbmi)
mprof_unit_test(link-faults test_link_faults.c link_checks.c fake_gdb.c fake_nonstop.c fake_stream.c LIBS gdbmi)
mprof_unit_test(mi test_mi.c LIBS gdbmi)
mprof_unit_test(link-tcl test_link_tcl.c fake_tcl.c fake_stream.c LIBS gdbmi)
mprof_unit_test(link-mi test_link_mi.c fake_mi.c fake_stream.c LIBS gdbmi)
mprof_unit_test(link-ladder test_link_ladder.c LIBS gdbmi)
mprof_unit_test(resolve test_resolve.c LIBS gdbmi)
target_link_options(test-resolve PRIVATE -Wl,--wrap=getaddrinfo)
# These build clients on streams of their own, which takes the library's inner headers.
foreach(name link-rsp link-servers link-faults link-tcl link-mi link-ladder resolve)
  target_include_directories(test-${name} PRIVATE ${PROJECT_SOURCE_DIR}/gdbmi/src)
endforeach()
target_compile_definitions(test-resolve PRIVATE _POSIX_C_SOURCE=200809L)
target_compile_definitions(test-link-ladder PRIVATE _POSIX_C_SOURCE=200809L)
