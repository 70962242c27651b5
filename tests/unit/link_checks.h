/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of a link of any kind, each checked. */
#ifndef LINK_CHECKS_H
#define LINK_CHECKS_H

#include <gdbmi/link.h>

/* The bytes are those of the fake's memory. */
void check_read(struct gdbmi_link *link, uint64_t addr, size_t len);

/* A read that fails with that code and text, and touches no byte. */
void check_no_read(struct gdbmi_link *link, uint64_t addr, size_t len, enum gdbmi_code code,
                   const char *text);

void check_state(struct gdbmi_link *link, enum gdbmi_state expected);

/* text is one line and has part in it. */
void check_text(const char *text, const char *part);

#endif
