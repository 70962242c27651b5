/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a watched target, for headers. */
#ifndef TARGET_WATCH_STATUS_H
#define TARGET_WATCH_STATUS_H

#include <table/status.h>
#include <target/watch.h>

/* Returns the state of the target as far as it is known. */
enum view_state watch_state(const struct watch *watch);

/* Returns what is known for an advice on lost hits. Borrows from the session. */
struct view_remedy watch_remedy(const struct watch *watch);

/* Returns the contents of a header. Strings belong to the watch. command is the verb ("top"),
 * start_s the time of monotonic_s() when it started. */
struct view_status watch_status(const struct watch *watch, const char *command, double start_s);

#endif
