/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of an image that is opened at the first question for debug information. */
#ifndef SYMBOL_IMAGE_DEBUG_H
#define SYMBOL_IMAGE_DEBUG_H

#include "image.h"

/* NULL: no memory. */
struct image_debug *image_debug_new(void);
void image_debug_free(struct image_debug *debug);

#endif
