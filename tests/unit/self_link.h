/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A link to this process, which is a target that makes events whenever it is asked. */
#ifndef SELF_LINK_H
#define SELF_LINK_H

#include <string.h>

#include <link_ops.h>

/* The test's: makes count events. */
static void make_events(unsigned count);

/* How many are made before each request, and for each 16 records of that size that it reads. */
static unsigned per_request, per_16_records;
static size_t self_record_size;

static enum gdbmi_code self_read(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len)
{
    (void)link;
    make_events(per_request + (unsigned)(len / (16 * self_record_size)) * per_16_records);
    memcpy(bytes, (const void *)(uintptr_t)addr, len);
    return GDBMI_OK;
}

static enum gdbmi_code self_state(struct gdbmi_link *link, enum gdbmi_state *state)
{
    (void)link;
    *state = GDBMI_STATE_RUNNING;
    return GDBMI_OK;
}

static const struct gdbmi_link_ops self_ops = {.read = self_read, .state = self_state};

static void self_link_init(struct gdbmi_link *link, size_t record_size)
{
    per_request = per_16_records = 0;
    self_record_size = record_size;
    link_init(link, &self_ops, "test", "", 0);
    link->info.live = true;
}

#endif
