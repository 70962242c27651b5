/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the ways to update a profile share. */
#ifndef PROFILE_PRIVATE_H
#define PROFILE_PRIVATE_H

#include <profile/profile.h>

/* Works out the sums over the rows. */
void profile_add_up(struct profile *profile);

#endif
