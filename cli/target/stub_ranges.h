/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's filter: ranges of addresses whose hits it ignores. What goes wrong is said. */
#ifndef TARGET_STUB_RANGES_H
#define TARGET_STUB_RANGES_H

#include "stub_access.h"

/* The filter becomes what the words say, at least one of them: functions and ranges as for
 * --ignore, or none. A status. */
int stub_ignore(struct control *control, char **words);

#endif
