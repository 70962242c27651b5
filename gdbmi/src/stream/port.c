/* SPDX-License-Identifier: 0BSD */
/* What the clients of line and packet protocols have in common: a stream, and what it came to. */
#include "port.h"

#include <string.h>

#include "guardian.h"
#include "stream.h"

static enum gdbmi_code lose(struct port *port, const struct gdbmi_error *why,
                            struct gdbmi_error *error)
{
    port->lost = true;
    port->useless = true;
    return gdbmi_error_take(error, why);
}

enum gdbmi_code port_put(struct port *port, const void *bytes, size_t len,
                         struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    if (port->stream->ops->write(port->stream, bytes, len, port->timeout_ms, &why) == 0)
        return GDBMI_OK;
    return lose(port, &why, error);
}

static int read_stream(struct port *port, uint64_t deadline, struct gdbmi_error *why)
{
    struct guardian *guardian = port->stream->guardian;
    size_t room = sizeof(port->in);
    char *heard = guardian_heard(guardian, &room);

    int len = stream_read(port->stream, heard != NULL ? heard : port->in, room, deadline, why);
    if (heard != NULL && len > 0) {
        memcpy(port->in, heard, (size_t)len);
        guardian_keep(guardian, (size_t)len);
    }
    return len;
}

enum gdbmi_code port_fill(struct port *port, uint64_t deadline, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    int len = read_stream(port, deadline, &why);
    if (len < 0)
        return lose(port, &why, error);
    port->in_at = 0;
    port->in_len = (size_t)len;
    return len == 0 ? GDBMI_ETIMEOUT : GDBMI_OK;
}
