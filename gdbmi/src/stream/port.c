/* SPDX-License-Identifier: 0BSD */
/* What the clients of line and packet protocols have in common: a stream, and what it came to. */
#include "port.h"

#include <poll.h>
#include <string.h>

#include "clock.h"
#include "guardian.h"
#include "stream.h"

/* How often a wait looks whether the guardian has acted. */
#define LOOK_MS 250

static enum gdbmi_code lose(struct port *port, const struct gdbmi_error *why,
                            struct gdbmi_error *error)
{
    port->lost = true;
    port->useless = true;
    return gdbmi_error_take(error, why);
}

static enum gdbmi_code lose_to_guardian(struct port *port, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    guardian_explain(port->address, &why);
    return lose(port, &why, error);
}

enum gdbmi_code port_put(struct port *port, const void *bytes, size_t len,
                         struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    guardian_step(port->stream->guardian);
    if (guardian_has_acted(port->stream->guardian))
        return lose_to_guardian(port, error);
    if (port->stream->ops->write(port->stream, bytes, len, port->timeout_ms, &why) == 0)
        return GDBMI_OK;
    if (guardian_has_acted(port->stream->guardian))
        return lose_to_guardian(port, error);
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

/* Most of the time passes here. A process that is stopped meanwhile, and then continues, must not
 * take away what the guardian waits for; and a terminal does not tell that the guardian has ended
 * the connection. The times of these looks are not in a record: what is played has no
 * descriptor to look at. */
static void await_bytes(const struct port *port, uint64_t deadline)
{
    const struct guardian *guardian = port->stream->guardian;
    struct pollfd fd = {.fd = gdbmi_stream_descriptor(port->stream), .events = POLLIN};
    int ready = guardian == NULL || fd.fd < 0;

    while (ready == 0 && !guardian_has_acted(guardian)) {
        uint64_t now = clock_system_ns();
        if (now >= deadline)
            return;
        uint64_t left_ms = (deadline - now + 999999U) / 1000000U;
        ready = poll(&fd, 1, left_ms < LOOK_MS ? (int)left_ms : LOOK_MS);
    }
}

enum gdbmi_code port_fill(struct port *port, uint64_t deadline, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    guardian_step(port->stream->guardian);
    await_bytes(port, deadline);
    if (guardian_has_acted(port->stream->guardian))
        return lose_to_guardian(port, error);
    int len = read_stream(port, deadline, &why);
    if (guardian_has_acted(port->stream->guardian))
        return lose_to_guardian(port, error);
    if (len < 0)
        return lose(port, &why, error);
    port->in_at = 0;
    port->in_len = (size_t)len;
    return len == 0 ? GDBMI_ETIMEOUT : GDBMI_OK;
}
