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

    if (try_open(qmp, NULL, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    return link;
}

void must_close(struct fake_qmp *qmp, struct gdbmi_link *link)
{
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    assert_true(qmp->stream.closed_by_client);
    fake_qmp_free(qmp);
}

void check_read(struct gdbmi_link *link, uint64_t addr, size_t len)
{
    unsigned char *bytes = malloc(len);

    if (gdbmi_link_read(link, addr, bytes, len) != GDBMI_OK)
        fail_msg("%s", gdbmi_link_error(link)->text);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(bytes[i], fake_qmp_byte(addr + i));
    free(bytes);
}

void check_text(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text);
    assert_null(strchr(text, '\n'));
}

void check_state(struct gdbmi_link *link, enum gdbmi_state expected)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    assert_int_equal(gdbmi_link_state(link, &state), GDBMI_OK);
    assert_int_equal(state, expected);
}

void check_refused(struct fake_qmp *qmp, const char *target, enum gdbmi_code code, const char *text)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    assert_int_equal(try_open(qmp, target, &link, &error), code);
    assert_null(link);
    check_text(error.text, "fake");
    check_text(error.text, text);
    assert_true(qmp->stream.closed_by_client);
    fake_qmp_free(qmp);
}
