/* SPDX-License-Identifier: 0BSD */
/* The first error of a link or stream: a code and one line of text. */
#include <gdbmi/error.h>

#include <stdarg.h>
#include <stdio.h>

enum gdbmi_code gdbmi_error_set(struct gdbmi_error *error, enum gdbmi_code code, const char *format,
                                ...)
{
    va_list args;

    if (error->code != GDBMI_OK)
        return error->code;
    error->code = code;
    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return code;
}
