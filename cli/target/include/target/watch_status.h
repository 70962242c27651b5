/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a watched target stands. */
#ifndef TARGET_WATCH_STATUS_H
#define TARGET_WATCH_STATUS_H

#include <table/status.h>
#include <target/watch.h>

/* "RUNNING", "HALTED", "LOST"; "": not known. */
const char *watch_state(const struct watch *watch);

/* What a header says; its texts are the watch's. command: "top"; start_s: when it began, on the
 * watch's clock. */
struct view_status watch_status(const struct watch *watch, const char *command, double start_s);

#endif
