/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gmon.out behind a good header; the first byte says in which order its bytes are. */
#include "fuzz_snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const uint8_t little[20] = "gmon\1\0\0\0", big[20] = "gmon\0\0\0\1";
    uint8_t *file = malloc(len + sizeof(little));

    if (!file || len == 0) {
        free(file);
        return 0;
    }
    memcpy(file, bytes[0] & 1 ? big : little, sizeof(little));
    memcpy(file + sizeof(little), bytes + 1, len - 1);
    (void)fuzz_one(file, sizeof(little) + len - 1);
    free(file);
    return 0;
}
