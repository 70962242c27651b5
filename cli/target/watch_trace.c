/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a watch has read of a trace. */
#include <target/watch_trace.h>

#include <stdio.h>

const struct sampler_event *watch_events(struct watch *watch, bool last, size_t *count)
{
    *count = 0;
    return watch->session.sampler ? sampler_table_events(watch->session.sampler, last, count)
                                  : NULL;
}

bool watch_has_ended(const struct watch *watch, uint64_t *left_out)
{
    return watch->session.sampler && sampler_table_has_ended(watch->session.sampler, left_out);
}

struct decode_trace watch_trace(const struct watch *watch, unsigned core)
{
    return sampler_table_trace(watch->session.sampler, core);
}

const char *watch_frozen_when(const struct decode_frozen *frozen, char text[WATCH_FROZEN])
{
    text[0] = '\0';
    if (frozen->boots != 0)
        snprintf(text, WATCH_FROZEN, ", %u%s reset%s ago", frozen->boots,
                 frozen->boots == DECODE_FROZEN_BOOTS ? " or more" : "",
                 frozen->boots == 1 ? "" : "s");
    return text;
}

enum watch_peek watch_peek(const struct watch *watch, uint64_t addr, void *bytes, size_t len)
{
    const struct session *s = &watch->session;
    struct gdbmi_link *live = s->server.live && !target_is_dump(s->options) ? s->link : s->program;

    if (!live)
        return WATCH_PEEK_NEVER;
    enum gdbmi_code code = gdbmi_link_read(live, addr, bytes, len);
    if (code == GDBMI_OK)
        return WATCH_PEEK_DONE;
    return code == GDBMI_ETARGET ? WATCH_PEEK_GONE : WATCH_PEEK_NEVER;
}
