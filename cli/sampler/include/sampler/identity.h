/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the firmware in the target with an ELF file. */
#ifndef SAMPLER_IDENTITY_H
#define SAMPLER_IDENTITY_H

#include <stddef.h>

#include <gdbmi/link.h>
#include <symbol/symtab.h>

/* The result. */
enum identity {
    IDENTITY_SAME,       /* the build-id, or all bytes that were compared, are the same */
    IDENTITY_UNREADABLE, /* the target's memory reads as zeros or errors */
    IDENTITY_NOTHING,    /* the ELF file has no bytes to compare */
    IDENTITY_DIFFERS,    /* bytes differ in all readings */
    IDENTITY_MACHINE,    /* the ELF file is for another architecture */
    IDENTITY_LINK,       /* the link failed: see gdbmi_link_error() */
};

/*
 * Compares an ELF file with the target's memory: the build-id if that is loaded, otherwise up to 64
 * windows of 32 bytes in constant segments. Breakpoint instructions of a debugger are no
 * difference. A running target keeps running; if it must be halted to be read, it is halted once. A
 * difference is read looks times, 50 ms apart, before it counts: use IDENTITY_LOOKS, or 1 if it is
 * known to differ. Writes what was found to text, one line, unless the result is IDENTITY_SAME.
 */
enum identity identity_check(struct gdbmi_link *link, const struct symtab *symtab, unsigned looks,
                             char *text, size_t capacity) __attribute__((warn_unused_result));

#define IDENTITY_LOOKS 3

/* Compares len bytes, at most 32, that the target has sent of its memory at addr. Returns
 * IDENTITY_DIFFERS as above, IDENTITY_NOTHING if the ELF file has none of these bytes, else
 * IDENTITY_SAME. */
enum identity identity_compare(const struct symtab *symtab, uint64_t addr, const uint8_t *bytes,
                               size_t len, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Compares one of the windows with one read. turn chooses the window: increment it from call to
 * call to compare all of them. */
enum identity identity_glance(struct gdbmi_link *link, const struct symtab *symtab, unsigned turn)
    __attribute__((warn_unused_result));

#endif
