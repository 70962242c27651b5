/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh on a live screen. */
#ifndef SCREEN_SCREEN_H
#define SCREEN_SCREEN_H

#include <screen/frame.h>

/* As view_frame_build(), where layout->screen. */
bool screen_build(const struct view_layout *layout, const struct view_status *status,
                  const struct profile *profile, const struct view_rows *rows,
                  struct view_frame *frame) __attribute__((warn_unused_result));

#endif
