/* SPDX-License-Identifier: 0BSD */
/* Messages that end with a byte 0x1a, out of a stream. */
#include "tcl_inbox.h"

#include <stdlib.h>
#include <string.h>

#include "stream.h"

#define MESSAGE_MAX (1U << 20)
#define FILL_MIN    4096

void tcl_inbox_open(struct tcl_inbox *inbox, struct gdbmi_stream *stream)
{
    *inbox = (struct tcl_inbox){.stream = stream};
}

void tcl_inbox_close(struct tcl_inbox *inbox)
{
    gdbmi_stream_close(inbox->stream);
    free(inbox->bytes);
    *inbox = (struct tcl_inbox){.stream = NULL};
}

/* Makes room behind what is to be kept. */
static enum gdbmi_code make_room(struct tcl_inbox *inbox, const char *address,
                                 struct gdbmi_error *error)
{
    inbox->len -= inbox->at;
    if (inbox->at > 0 && inbox->len > 0)
        memmove(inbox->bytes, inbox->bytes + inbox->at, inbox->len);
    inbox->at = 0;
    if (inbox->capacity - inbox->len >= FILL_MIN)
        return GDBMI_OK;
    if (inbox->capacity >= MESSAGE_MAX)
        return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: too long a result", address);
    size_t capacity = inbox->capacity == 0 ? 4 * FILL_MIN : inbox->capacity * 2;
    char *grown = realloc(inbox->bytes, capacity);
    if (grown == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    inbox->bytes = grown;
    inbox->capacity = capacity;
    return GDBMI_OK;
}

static enum gdbmi_code fill(struct tcl_inbox *inbox, uint64_t deadline, const char *address,
                            struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    enum gdbmi_code code = make_room(inbox, address, error);
    if (code != GDBMI_OK)
        return code;
    int len = stream_read(inbox->stream, inbox->bytes + inbox->len, inbox->capacity - inbox->len,
                          deadline, &why);
    if (len == 0)
        return GDBMI_ETIMEOUT;
    if (len < 0)
        return gdbmi_error_take(error, &why);
    inbox->len += (size_t)len;
    return GDBMI_OK;
}

enum gdbmi_code tcl_inbox_take(struct tcl_inbox *inbox, uint64_t deadline, const char *address,
                               char **message, struct gdbmi_error *error)
{
    size_t searched = 0; /* of what was not taken */
    char *end = NULL;

    for (;;) {
        size_t len = inbox->len - inbox->at;
        if (len > searched)
            end = memchr(inbox->bytes + inbox->at + searched, TCL_END_OF_MESSAGE, len - searched);
        if (end != NULL)
            break;
        searched = len;
        enum gdbmi_code code = fill(inbox, deadline, address, error);
        if (code != GDBMI_OK)
            return code;
    }
    *end = '\0';
    *message = inbox->bytes + inbox->at;
    inbox->at = (size_t)(end - inbox->bytes) + 1;
    return GDBMI_OK;
}

bool tcl_inbox_begins(const struct tcl_inbox *inbox, const char *text)
{
    size_t len = strlen(text);

    return inbox->len - inbox->at >= len && memcmp(inbox->bytes + inbox->at, text, len) == 0;
}

bool tcl_inbox_may_begin(const struct tcl_inbox *inbox, const char *word)
{
    size_t len = inbox->len - inbox->at;
    size_t all = strlen(word);

    return len == 0 || strncmp(inbox->bytes + inbox->at, word, len < all ? len : all) == 0;
}
