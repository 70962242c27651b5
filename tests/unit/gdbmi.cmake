# SPDX-License-Identifier: GPL-3.0-or-later
# As mprof_unit_test(), for tests that build clients on streams of their own: that takes the
# library's inner headers.
function(gdbmi_test name)
  mprof_unit_test(${name} ${ARGN} LIBS gdbmi)
  target_include_directories(test-${name} PRIVATE ${PROJECT_SOURCE_DIR}/gdbmi/src)
  target_compile_definitions(test-${name} PRIVATE _POSIX_C_SOURCE=200809L)
endfunction()

set(fake_gdb link_checks.c fake_gdb.c fake_nonstop.c fake_stream.c)
set(fake_tcl fake_tcl.c fake_stream.c)

mprof_unit_test(rsp test_rsp.c LIBS gdbmi)
mprof_unit_test(mi test_mi.c LIBS gdbmi)
gdbmi_test(link-rsp test_link_rsp.c ${fake_gdb})
gdbmi_test(link-servers test_link_servers.c ${fake_gdb})
gdbmi_test(link-faults test_link_faults.c ${fake_gdb})
gdbmi_test(link-tcl test_link_tcl.c tcl_checks.c ${fake_tcl})
gdbmi_test(link-tcl-wire test_link_tcl_wire.c tcl_checks.c ${fake_tcl})
gdbmi_test(link-mi test_link_mi.c fake_mi.c fake_stream.c)
gdbmi_test(link-ladder test_link_ladder.c port_server.c ${fake_tcl})
gdbmi_test(stream test_stream.c port_server.c ${fake_tcl})
gdbmi_test(resolve test_resolve.c)
target_link_options(test-resolve PRIVATE -Wl,--wrap=getaddrinfo)
gdbmi_test(rsp-guard test_rsp_guard.c ${fake_gdb})
target_compile_definitions(test-rsp-guard PRIVATE _DEFAULT_SOURCE)
gdbmi_test(guardian test_guardian.c)
target_compile_definitions(test-guardian PRIVATE _XOPEN_SOURCE=700)
