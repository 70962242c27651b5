/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A budgets file: what is read is what its lines say, what is wrong is said once. */
#define _GNU_SOURCE

#include <gate/budgets.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <base/say.h>

static void check(const struct budgets *budgets)
{
    if (budgets->count == 0)
        abort();
    for (size_t i = 0; i < budgets->count; i++) {
        const struct budget *b = &budgets->all[i];
        if (b->glob[0] == '\0' || strpbrk(b->glob, "\r\n") || !(b->max_share >= 0) ||
            b->max_share > 1 || b->line == 0 || (i && b->line <= budgets->all[i - 1].line))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct budgets budgets = {.all = NULL};
    char path[40];
    int fd = memfd_create("budgets", MFD_CLOEXEC);

    if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    complain_hold(true);
    unsigned before = complaints();
    int status = budgets_load(path, &budgets);
    close(fd);
    if (complaints() - before != (status != STATUS_DONE))
        abort();
    if (status == STATUS_DONE)
        check(&budgets);
    budgets_free(&budgets);
    return 0;
}
