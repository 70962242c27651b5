/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown of a watch, without the link. */
#include <target/watch_copy.h>

#include <profile/delta.h>

void watch_copy_free(struct watch *copy)
{
    profile_free(&copy->profile);
    profile_init(&copy->profile);
    focus_free(&copy->focus);
}

bool watch_copy(const struct watch *watch, struct watch *copy)
{
    const struct sampler_table *sampler = watch->session.sampler;
    const struct decode_header *header = sampler ? sampler_table_header(sampler) : NULL;
    struct watch made = *watch;

    if (!profile_copy(&watch->profile, &made.profile))
        return false;
    if (!focus_copy(&watch->focus, &made.profile, &made.focus)) {
        profile_free(&made.profile);
        return false;
    }
    if (sampler)
        made.has_header = header != NULL;
    if (header)
        made.header = *header;
    made.session.past = session_stats(&watch->session);
    made.session.link = NULL;
    made.session.sampler = NULL;
    watch_copy_free(copy);
    *copy = made;
    return true;
}
