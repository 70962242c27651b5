/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's headers, as they were read last, and writes to it. What goes wrong is said. */
#ifndef TARGET_STUB_ACCESS_H
#define TARGET_STUB_ACCESS_H

#include <profile/control.h>
#include <target/session.h>

struct control {
    struct session *session;
    const struct profile_object *objects; /* one a core; the sampler's, until the next look */
    size_t count;
};

/* Reads the headers. A status; STATUS_FAILED too if this stub has nothing to control. */
int stub_look(struct control *control);

/* The same, before a change. STATUS_FAILED too if the stub ignores what a host asks for. what: of
 * the message, like "reset". */
int stub_look_to_change(struct control *control, const char *what);

/* Writes to the core that the header is of. A status. */
int stub_write(struct control *control, const struct decode_header *header,
               const struct control_write *writes, size_t count);

#endif
