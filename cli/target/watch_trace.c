/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a watch has read of a trace. */
#include <target/watch_trace.h>

const struct sampler_event *watch_events(struct watch *watch, bool last, size_t *count)
{
    *count = 0;
    return watch->session.sampler ? sampler_table_events(watch->session.sampler, last, count)
                                  : NULL;
}

struct decode_trace watch_trace(const struct watch *watch, unsigned core)
{
    return sampler_table_trace(watch->session.sampler, core);
}
