/* SPDX-License-Identifier: 0BSD */
/* A sample of a core by OpenOCD that is over before OpenOCD itself notices the halt: its own halt
 * reads all registers, tells its clients, and takes several times as long. */
#ifndef GDBMI_SRC_SHORT_HALT_H
#define GDBMI_SRC_SHORT_HALT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link_ops.h"

/* Bytes of a script, with the NUL: a gdb port takes no longer ones. */
#define SHORT_HALT_SCRIPT 1500

/* What of it works here. */
struct short_halt {
    bool tried; /* OpenOCD's own halt gave a sample: so this core is known, and its DFSR cleared */
    bool works; /* ... and of this core it can be tried */
    bool wide;  /* registers have 64 bits */
    bool m_profile, big_endian;
    unsigned wait;  /* after a failure: good samples by OpenOCD's own halt until the next try */
    unsigned pause; /* how many these were last; each failure doubles it, up to a limit */
    unsigned good;  /* short halts since the last failure, which is forgotten after pause */
};

/* After each sample by OpenOCD's own halt. */
void short_halt_found(struct short_halt *known, const struct gdbmi_link *link, bool m_profile,
                      bool wide);

/* Whether it can be tried, and gives all that is asked for: the program counter, the exception of a
 * Cortex-M, and the word. */
bool short_halt_can(const struct short_halt *known, const struct gdbmi_link *link,
                    const struct gdbmi_sample_request *request);

/* Writes the script. target is a word of Tcl: the target's name, or a command that gives it. */
void short_halt_say(const struct short_halt *known, const char *target,
                    const struct gdbmi_sample_request *request,
                    char text[static SHORT_HALT_SCRIPT]);

/*
 * Takes the script's result. No sample, sample->known is 0, if the core did not run, or came to a
 * breakpoint first: it is left alone. Returns GDBMI_EUNSUPPORTED, without an error's text, if this
 * core cannot be halted so, and then it is not tried again; GDBMI_ETARGET if something failed after
 * the halt, which is counted in link->short_failures. A halt that fails may be long: so OpenOCD's
 * own halt is used for a number of samples then. The core runs, as far as OpenOCD could make it.
 * *reset says that the core was reset, of which OpenOCD knows nothing.
 */
enum gdbmi_code short_halt_take(struct short_halt *known, struct gdbmi_link *link,
                                const struct link_registers *map,
                                const struct gdbmi_sample_request *request, const char *result,
                                struct gdbmi_sample *sample, bool *reset);

#endif
