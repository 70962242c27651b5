/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing a GDB remote link to a fake server, each checked. */
#include "unit.h"

#include "rsp_checks.h"
#include "rsp_open.h"

enum gdbmi_code try_open(struct fake_gdb *gdb, bool allow_halt, struct gdbmi_link **link,
                         struct gdbmi_error *error)
{
    struct gdbmi_options options = {.allow_halt = allow_halt, .timeout_ms = 2000};

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return rsp_link_open(&gdb->stream.base, "fake:3333", &options, link, error);
}

struct gdbmi_link *must_open(struct fake_gdb *gdb, bool allow_halt)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    enum gdbmi_code code = try_open(gdb, allow_halt, &link, &error);
    return check_opened(code, link, &error);
}

void must_close(struct fake_gdb *gdb, struct gdbmi_link *link)
{
    check_close(link, &gdb->stream);
    fake_gdb_free(gdb);
}

void init_gdbserver(struct fake_gdb *gdb, unsigned threads, int signal)
{
    fake_gdb_init(gdb, FAKE_LIVE, false);
    gdb->offers_no_ack = true;
    gdb->offers_non_stop = true;
    gdb->non_stop.works = true;
    gdb->non_stop.threads = threads;
    gdb->process = true;
    gdb->connect_signal = signal;
}
