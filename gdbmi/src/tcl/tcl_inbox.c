/* SPDX-License-Identifier: 0BSD */
/* Messages that end with a byte 0x1a, out of a stream. */
#include "tcl_inbox.h"

#include <string.h>

#include "stream.h"

#define MESSAGE_MAX (1U << 20)
#define FILL_MIN    4095

void tcl_inbox_open(struct tcl_inbox *inbox, struct gdbmi_stream *stream)
{
    *inbox = (struct tcl_inbox){.stream = stream};
}

void tcl_inbox_close(struct tcl_inbox *inbox)
{
    gdbmi_stream_close(inbox->stream);
    buffer_free(&inbox->in);
    *inbox = (struct tcl_inbox){.stream = NULL};
}

static enum gdbmi_code fill(struct tcl_inbox *inbox, uint64_t deadline, const char *address,
                            struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    buffer_drop(&inbox->in, inbox->at);
    inbox->at = 0;
    if (inbox->in.len > MESSAGE_MAX)
        return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: the result is too long", address);
    if (!buffer_reserve(&inbox->in, FILL_MIN))
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    int len = stream_read_more(inbox->stream, &inbox->in, deadline, &why);
    if (len == 0)
        return GDBMI_ETIMEOUT;
    return len < 0 ? gdbmi_error_take(error, &why) : GDBMI_OK;
}

bool tcl_inbox_is_gdb(const struct tcl_inbox *inbox)
{
    return tcl_inbox_begins(inbox, "+") || tcl_inbox_begins(inbox, "$");
}

enum gdbmi_code tcl_inbox_take(struct tcl_inbox *inbox, uint64_t deadline, const char *address,
                               char **message, struct gdbmi_error *error)
{
    size_t searched = 0; /* of what was not taken */
    char *end = NULL;

    for (;;) {
        size_t len = inbox->in.len - inbox->at;
        if (len > searched)
            end = memchr(inbox->in.data + inbox->at + searched, TCL_END_OF_MESSAGE, len - searched);
        if (end != NULL)
            break;
        searched = len;
        if (inbox->unknown && tcl_inbox_is_gdb(inbox))
            return GDBMI_EPROTOCOL;
        enum gdbmi_code code = fill(inbox, deadline, address, error);
        if (code != GDBMI_OK)
            return code;
    }
    *end = '\0';
    *message = inbox->in.data + inbox->at;
    inbox->at = (size_t)(end - inbox->in.data) + 1;
    return GDBMI_OK;
}

bool tcl_inbox_begins(const struct tcl_inbox *inbox, const char *text)
{
    size_t len = strlen(text);

    return inbox->in.len - inbox->at >= len && memcmp(inbox->in.data + inbox->at, text, len) == 0;
}

bool tcl_inbox_may_begin(const struct tcl_inbox *inbox, const char *word)
{
    size_t len = inbox->in.len - inbox->at;
    size_t all = strlen(word);

    return len == 0 || strncmp(inbox->in.data + inbox->at, word, len < all ? len : all) == 0;
}
