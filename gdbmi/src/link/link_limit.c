/* SPDX-License-Identifier: 0BSD */
/* How long the operations of a link may take. */
#include "clock.h"
#include "link_ops.h"

uint64_t link_limit_operation(int timeout_ms, size_t len)
{
    return clock_limit_begin((uint64_t)timeout_ms * LINK_OPERATION_ANSWERS +
                             (uint64_t)len * LINK_BYTE_MS);
}

uint64_t link_limit_answers(int timeout_ms, size_t more)
{
    return clock_limit_begin((uint64_t)timeout_ms * (LINK_OPERATION_ANSWERS + more));
}

uint64_t link_limit_opening(int timeout_ms)
{
    return clock_limit_begin((uint64_t)timeout_ms * LINK_OPENING_ANSWERS);
}

uint64_t link_limit_release(const struct gdbmi_link *link)
{
    return clock_limit_apart((uint64_t)link->timeout_ms * LINK_OPERATION_ANSWERS);
}
