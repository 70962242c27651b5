/* SPDX-License-Identifier: 0BSD */
/* Reads of one word, again and again, by a loop inside OpenOCD. */
#ifndef GDBMI_SRC_TCL_REPEAT_H
#define GDBMI_SRC_TCL_REPEAT_H

#include "tcl_memory.h"

/* As gdbmi_link_repeat(), in one command, which ends by OpenOCD's own clock. */
enum gdbmi_code tcl_repeat(struct tcl_memory *memory, const struct gdbmi_repeat *repeat,
                           uint32_t *values, size_t *count, enum gdbmi_state *state,
                           struct gdbmi_error *error);

#endif
