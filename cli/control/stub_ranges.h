/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of addresses by words, and those whose hits the stub ignores. What goes wrong is said. */
#ifndef TARGET_STUB_RANGES_H
#define TARGET_STUB_RANGES_H

#include <load/addr_ranges.h>

#include <target/stub_access.h>

/* Reads the words of an action of mprof control: functions, files and ranges as for --ignore, or
 * none. what: the action, for messages. A status. */
int stub_rules(char **words, const char *what, struct view_ignore *rules);

/* Adds the code that the rules stand for in this target. A status. */
int stub_ranges(struct control *control, const struct view_ignore *rules,
                struct addr_ranges *ranges);

/* The filter becomes what the words say, at least one of them. A status. */
int stub_ignore(struct control *control, char **words);

#endif
