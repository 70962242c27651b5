/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of a watch for a screen, which shows them while the link is in use. */
#ifndef TARGET_WATCH_COPY_H
#define TARGET_WATCH_COPY_H

#include <target/watch.h>

/*
 * Copies all that is shown of a watch, and frees what *copy owned: zeroed memory, or an earlier
 * copy. The copy has no link and no sampler, owns its profile and its focus, and borrows the ELF
 * file and the contexts of the session: session_settle() says for how long. The caller frees it
 * with watch_copy_free(). Returns false if memory runs out; *copy is unchanged then.
 */
bool watch_copy(const struct watch *watch, struct watch *copy) __attribute__((warn_unused_result));

/* Frees what a copy owns. */
void watch_copy_free(struct watch *copy);

#endif
