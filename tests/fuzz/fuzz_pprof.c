/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pprof profiles, as they are when they are unpacked. */
#include "fuzz_snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    return fuzz_one(bytes, len);
}
