/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, reading and closing a link to a fake Tcl port, each checked. */
#include "unit.h"

#include "tcl_checks.h"
#include "tcl_link.h"

enum gdbmi_code try_open(struct fake_tcl *tcl, const char *address, const char *gdb_port,
                         const char *target, struct gdbmi_link **link, struct gdbmi_error *error)
{
    /* Only a channel lets real time pass; a text that names the time is of 2 s. */
    struct gdbmi_options options = {.timeout_ms = strcmp(address, NEAR) == 0 ? 100 : 2000,
                                    .target = target};
    enum tcl_peer peer;

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return tcl_link_open(&tcl->stream.base, address, gdb_port, &options, link, &peer, error);
}

struct gdbmi_link *must_open(struct fake_tcl *tcl, const char *address, const char *gdb_port)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    enum gdbmi_code code = try_open(tcl, address, gdb_port, NULL, &link, &error);
    return check_opened(code, link, &error);
}

void must_close(struct fake_tcl *tcl, struct gdbmi_link *link)
{
    check_close(link, &tcl->stream);
    fake_tcl_free(tcl);
}

void check_refused(struct fake_tcl *tcl, const char *gdb_port, const char *target,
                   enum gdbmi_code code, const char *text)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    assert_int_equal(try_open(tcl, FAR, gdb_port, target, &link, &error), code);
    /* A stream that is lost says so itself. */
    check_text(error.text, tcl->stream.closed ? "fake: " : FAR ": ");
    check_not_opened(link, &error, &tcl->stream, text);
    fake_tcl_free(tcl);
}
