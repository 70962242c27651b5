/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of a link of any kind, each checked. */
#include "unit.h"

#include "fake_stream.h"
#include "link_checks.h"
#include "link_ops.h"

struct gdbmi_link *check_opened(enum gdbmi_code code, struct gdbmi_link *link,
                                const struct gdbmi_error *error)
{
    if (code != GDBMI_OK)
        fail_msg("%s", error->text);
    assert_non_null(link);
    return link;
}

void check_close(struct gdbmi_link *link, const struct fake_stream *stream)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (gdbmi_link_close(link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_true(stream->closed_by_client);
}

void check_not_opened(const struct gdbmi_link *link, const struct gdbmi_error *error,
                      const struct fake_stream *stream, const char *part)
{
    assert_null(link);
    check_text(error->text, part);
    assert_true(stream->closed_by_client);
}

void check_read(struct gdbmi_link *link, uint64_t addr, size_t len)
{
    unsigned char *bytes = malloc(len);

    memset(bytes, 0xee, len);
    if (gdbmi_link_read(link, addr, bytes, len) != GDBMI_OK)
        fail_msg("%s", gdbmi_link_error(link)->text);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(bytes[i], fake_byte(addr + i));
    free(bytes);
}

void check_no_read(struct gdbmi_link *link, uint64_t addr, size_t len, enum gdbmi_code code,
                   const char *text)
{
    unsigned char *bytes = malloc(len);

    memset(bytes, 0xee, len);
    assert_int_equal(gdbmi_link_read(link, addr, bytes, len), code);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(bytes[i], 0xee);
    check_text(gdbmi_link_error(link)->text, text);
    free(bytes);
}

static bool is_given_up(void *context)
{
    bool *asked = context;

    *asked = true;
    return true;
}

void check_given_up(struct gdbmi_link *link, uint64_t addr, size_t len)
{
    bool asked = false;

    link->given_up = is_given_up;
    link->context = &asked;
    gdbmi_link_read_optional(link, true);
    check_no_read(link, addr, len, GDBMI_ETARGET, "nobody waits for the rest");
    assert_true(asked);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    check_read(link, addr, len);
    assert_int_equal(gdbmi_link_resume(link), GDBMI_OK);
    gdbmi_link_read_optional(link, false);
    asked = false;
    check_read(link, addr, len);
    assert_false(asked);
}

void check_state(struct gdbmi_link *link, enum gdbmi_state expected)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    assert_int_equal(gdbmi_link_state(link, &state), GDBMI_OK);
    assert_int_equal(state, expected);
}

void check_text(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text);
    assert_null(strchr(text, '\n'));
}
