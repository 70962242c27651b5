/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the options say of the server, and what is said when it fails. */
#include "session_parts.h"

#include <base/say.h>
#include <target/link_words.h>

void session_say_link_error(const struct gdbmi_error *error)
{
    char text[LINK_WORDS];

    complain("%s", link_words(error, text));
}

int session_link_failed(struct session *session)
{
    if (!session->said)
        session_say_link_error(gdbmi_link_error(session->link));
    session->said = true;
    return STATUS_FAILED;
}

bool target_is_dump(const struct options *options)
{
    char text[GDBMI_WAY_TEXT];

    for (const struct gdbmi_way *way = gdbmi_ways; way->name; way++) {
        if (way->is_dump && way->named(&options->link, text))
            return true;
    }
    return false;
}

bool session_may_return(const struct session *session, bool stopped)
{
    const struct gdbmi_options *link = &session->options->link;
    const struct gdbmi_way *way = gdbmi_way_of(link);
    bool ended = session->link && gdbmi_link_error(session->link)->code == GDBMI_EPLAY;

    return way && !ended && (way->is_server || (stopped && !link->mi_attach));
}
