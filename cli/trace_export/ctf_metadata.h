/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metadata of a CTF folder, which describes its events. */
#ifndef TRACE_EXPORT_CTF_METADATA_H
#define TRACE_EXPORT_CTF_METADATA_H

#include "walk.h"

/* Numbers of its events. */
enum ctf_event {
    CTF_ENTRY,
    CTF_EXIT,
    CTF_MARK,
    CTF_LOST,
    CTF_RESTART,
    CTF_DAMAGED,
    CTF_RECORDING,
    CTF_ASLEEP,
    CTF_AWAKE,
};

/* Writes it, after all functions have come. */
void ctf_metadata_put(const struct trace_export *x, FILE *file);

#endif
