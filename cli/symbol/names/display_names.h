/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What functions are called. */
#ifndef SYMBOL_TITLES_H
#define SYMBOL_TITLES_H

#include "candidates.h"

/* Fills functions with what was chosen, in its order. false: no memory. */
bool display_names_make(struct functions *functions, const struct candidates *candidates);

#endif
