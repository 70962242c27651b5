/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other verbs ask of the stub. */
#ifndef COMMAND_CONTROL_H
#define COMMAND_CONTROL_H

#include "session.h"

/* The stub's counts begin anew. A status; what went wrong is said. */
int control_reset(struct session *session);

#endif
