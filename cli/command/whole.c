/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text into a file, or to stdout. */
#define _POSIX_C_SOURCE 200809L

#include "whole.h"

#include <errno.h>
#include <string.h>

#include <snapshot/whole.h>

#include "command.h"

static bool write_file(const char *path, const char *text)
{
    struct whole_file file;

    if (!whole_open(&file, path, false))
        return false;
    (void)!fputs(text, file.out);
    return whole_close(&file, true);
}

int whole_write(const char *path, const char *text)
{
    if (path ? write_file(path, text) : fputs(text, stdout) != EOF && fflush(stdout) == 0)
        return STATUS_DONE;
    complain("%s could not be written: %s", path ? path : "the output", strerror(errno));
    return STATUS_FAILED;
}
