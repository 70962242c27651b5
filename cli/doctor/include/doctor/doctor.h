/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out what keeps mprof from reading a target: mprof doctor. */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include <options/options.h>

/*
 * Checks the ELF file, the debug server, the target and the stub, continues after what fails, and
 * prints a page of findings in options->format. Its first line says what keeps 'mprof top' from
 * working, or how it will read. The ELF file or the server may be missing in the options. Halts
 * only what --allow-halt or a simulator allows, and leaves the target as it was found. Returns
 * STATUS_DONE if 'mprof top' works, else STATUS_FAILED.
 */
int doctor_run(const struct options *options);

#endif
