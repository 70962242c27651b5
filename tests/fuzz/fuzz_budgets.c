/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A budgets file: what is read is what its lines say, what is wrong is said once. */
#define _GNU_SOURCE

#include "budgets.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command.h"

static unsigned said;

void complain(const char *format, ...)
{
    char line[4096];
    va_list args;

    va_start(args, format);
    if (vsnprintf(line, sizeof(line), format, args) <= 0)
        abort();
    va_end(args);
    said++;
}

int fail(const char *text)
{
    complain("%s", text);
    return STATUS_FAILED;
}

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
    said = 0;
    int status = budgets_load(path, &budgets);
    close(fd);
    if (said != (status != STATUS_DONE))
        abort();
    if (status == STATUS_DONE)
        check(&budgets);
    budgets_free(&budgets);
    return 0;
}
