/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, reading and closing a link to a fake QMP port, each checked. */
#ifndef QMP_CHECKS_H
#define QMP_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "fake_qmp.h"
#include "link_checks.h"
#include "qmp_link.h"

/* *link is NULL unless GDBMI_OK. */
enum gdbmi_code try_open(struct fake_qmp *qmp, const char *target, struct gdbmi_link **link,
                         struct gdbmi_error *error);
struct gdbmi_link *must_open(struct fake_qmp *qmp);

/* Frees the fake, too. */
void must_close(struct fake_qmp *qmp, struct gdbmi_link *link);

/* No link opens: the error has the code, and part of its one line is text. Frees the fake. */
void check_refused(struct fake_qmp *qmp, const char *target, enum gdbmi_code code,
                   const char *text);

#endif
