/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that the next event of each core serves. What goes wrong is said. */
#ifndef TARGET_STUB_REQUEST_H
#define TARGET_STUB_REQUEST_H

#include <target/stub_access.h>

/* Clears the counts of all cores. Returns STATUS_FAILED if no event came in time; the next event
 * clears them then. */
int stub_reset(struct control *control);

/* Only events of that phase are counted, 0: of all. A status, as above. */
int stub_choose_phase(struct control *control, uint32_t phase);

/* Points the focus at base and makes it count. The stub must have one. stays: no screen ends it.
 * Returns STATUS_FAILED if no event came in time; the focus is off then. */
int stub_focus(struct control *control, uint64_t base, bool stays);

#endif
