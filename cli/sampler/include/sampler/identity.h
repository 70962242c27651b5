/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the firmware in the target is the one in the ELF file. */
#ifndef SAMPLER_IDENTITY_H
#define SAMPLER_IDENTITY_H

#include <stddef.h>

#include <gdbmi/link.h>
#include <symbol/symtab.h>

enum identity {
    IDENTITY_SAME,       /* the build-id, or all that was compared, is the same */
    IDENTITY_UNREADABLE, /* the target gave zeros or an error */
    IDENTITY_NOTHING,    /* the ELF has no bytes that could be compared */
    IDENTITY_DIFFERS,    /* at every look */
    IDENTITY_MACHINE,    /* the ELF is for another kind of core */
    IDENTITY_LINK,       /* the link failed: gdbmi_link_error() says how */
};

/*
 * Compares the ELF with the target's memory: its build-id where that is loaded, else up to 64
 * windows of 32 bytes spread over the segments that nobody writes to. Breakpoint instructions that
 * a debugger put there are no difference. A running target stays running: where memory can only be
 * read while it is halted, it is halted once for all windows. A difference is looked at so many
 * times, 50 ms apart, before it is believed: IDENTITY_LOOKS where it would be news, 1 where it is
 * known. Unless IDENTITY_SAME, text (capacity bytes, NUL-terminated) says in one line what was
 * seen.
 */
enum identity identity_check(struct gdbmi_link *link, const struct symtab *symtab, unsigned looks,
                             char *text, size_t capacity) __attribute__((warn_unused_result));

#define IDENTITY_LOOKS 3

/* Compares one window only, once, in one read: another one at each turn, all of them in as many
 * turns. */
enum identity identity_glance(struct gdbmi_link *link, const struct symtab *symtab, unsigned turn)
    __attribute__((warn_unused_result));

#endif
