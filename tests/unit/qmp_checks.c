/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, reading and closing a link to a fake QMP port, each checked. */
#include "qmp_checks.h"

#include "unit.h"

enum gdbmi_code try_open(struct fake_qmp *qmp, const char *target, struct gdbmi_link **link,
                         struct gdbmi_error *error)
{
    struct gdbmi_options options = {.timeout_ms = 2000, .target = target};

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    fake_stream_put(&qmp->stream, qmp->greeting, strlen(qmp->greeting));
    return qmp_link_attach(&qmp->stream.base, "fake:4444", &options, link, error);
}

struct gdbmi_link *must_open(struct fake_qmp *qmp)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    enum gdbmi_code code = try_open(qmp, NULL, &link, &error);
    return check_opened(code, link, &error);
}

void must_close(struct fake_qmp *qmp, struct gdbmi_link *link)
{
    check_close(link, &qmp->stream);
    fake_qmp_free(qmp);
}

void check_refused(struct fake_qmp *qmp, const char *target, enum gdbmi_code code, const char *text)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    assert_int_equal(try_open(qmp, target, &link, &error), code);
    check_text(error.text, "fake");
    check_not_opened(link, &error, &qmp->stream, text);
    fake_qmp_free(qmp);
}
