/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of links: --record-link and --play-link. */
#ifndef TARGET_LINK_RECORD_H
#define TARGET_LINK_RECORD_H

#include <options/options.h>

/* Begins to record or to play what goes over links, if the options say so and it has not begun; the
 * time of monotonic_s() is then that of the record. Returns STATUS_DONE, or another status with a
 * message printed. */
int link_record_begin(const struct options *options);

/* Ends it, after all links were closed. Returns status, or STATUS_FAILED with a message printed if
 * the record could not be written and status is STATUS_DONE. */
int link_record_end(int status);

#endif
