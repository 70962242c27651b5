/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the rig's parts say what went wrong. */
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

int fault_set(struct fault *fault, const char *format, ...)
{
    if (fault->text[0] == '\0') {
        va_list args;
        va_start(args, format);
        vsnprintf(fault->text, sizeof fault->text, format, args);
        va_end(args);
    }
    return -1;
}
