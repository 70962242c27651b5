/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, reading and closing a link to a fake QMP port, each checked. */
#ifndef QMP_CHECKS_H
#define QMP_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "fake_qmp.h"
#include "qmp_link.h"

#define RAM 0x20000000U
#define BAD FAKE_QMP_BAD

/* *link is NULL unless GDBMI_OK. */
enum gdbmi_code try_open(struct fake_qmp *qmp, const char *target, struct gdbmi_link **link,
                         struct gdbmi_error *error);
struct gdbmi_link *must_open(struct fake_qmp *qmp);

/* Frees the fake, too. */
void must_close(struct fake_qmp *qmp, struct gdbmi_link *link);

/* The bytes are those of the fake's memory. */
void check_read(struct gdbmi_link *link, uint64_t addr, size_t len);

/* text is one line and has part in it. */
void check_text(const char *text, const char *part);

void check_state(struct gdbmi_link *link, enum gdbmi_state expected);

/* No link opens: the error has the code, and part of its one line is text. Frees the fake. */
void check_refused(struct fake_qmp *qmp, const char *target, enum gdbmi_code code,
                   const char *text);

#endif
