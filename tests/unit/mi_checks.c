/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing a link through GDB/MI to a fake gdb, each checked. */
#include "unit.h"

#include "mi_checks.h"
#include "mi_link.h"

int mi_timeout_ms = MI_PATIENT_MS;

enum gdbmi_code try_open(struct fake_mi *mi, bool ours, bool allow_halt, struct gdbmi_link **link,
                         struct gdbmi_error *error)
{
    struct gdbmi_options options = {.allow_halt = allow_halt, .timeout_ms = mi_timeout_ms};

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return mi_link_on_stream(&mi->stream.base, ours, "fake-gdb", &options, link, error);
}

struct gdbmi_link *must_open(struct fake_mi *mi, bool ours, bool allow_halt)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    enum gdbmi_code code = try_open(mi, ours, allow_halt, &link, &error);
    return check_opened(code, link, &error);
}

void hurry(struct gdbmi_link *link)
{
    struct mi_link *mi = (struct mi_link *)link;

    mi->base.timeout_ms = mi->port.io.timeout_ms = MI_HURRIED_MS;
}

void must_close(struct fake_mi *mi, struct gdbmi_link *link, bool runs)
{
    check_close(link, &mi->stream);
    assert_int_equal(mi->runs, runs);
    fake_mi_free(mi);
}
