/* SPDX-License-Identifier: 0BSD */
/* A sample of a core by one script of OpenOCD: halt, registers, stack, resume. */
#ifndef GDBMI_SRC_TCL_SAMPLE_H
#define GDBMI_SRC_TCL_SAMPLE_H

#include "link_ops.h"
#include "short_halt.h"
#include "tcl_port.h"

struct tcl_sampling {
    bool big_endian;
    bool m_profile; /* a Cortex-M, which says what halted it in DFSR */
    struct short_halt short_halt;
};

/*
 * Runs the script, or that of a short halt, and takes its result. The script resumes the core
 * whatever fails. It leaves a core alone that did not run, or that came to a breakpoint before it
 * could be halted: then the result is GDBMI_OK, and sample->known is 0. Returns GDBMI_ETARGET if
 * something failed after the halt.
 */
enum gdbmi_code tcl_sample_run(struct tcl_sampling *sampling, struct gdbmi_link *link,
                               struct tcl_port *port, const struct link_registers *map,
                               const struct gdbmi_sample_request *request,
                               struct gdbmi_sample *sample);

#endif
