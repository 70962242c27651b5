/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stub with its options away from their defaults. */
#include <stdint.h>

void sink(uintptr_t pc, uintptr_t lr, uint32_t exception);

#define MPROF_CNT         16
#define MPROF_HITCNT_INC  3
#define MPROF_DECAY       1
#define MPROF_CUSTOM_SINK sink
#define MPROF_IGNORE_CNT  4
/* clang-format off */
#define MPROF_IGNORE_LIST {0x9000000, 0x9000100}
/* clang-format on */
