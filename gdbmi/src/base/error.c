/* SPDX-License-Identifier: 0BSD */
/* The first error of a link or stream: a code, what may help, and one line of text. */
#include <gdbmi/error.h>

#include <stdarg.h>
#include <stdio.h>

static enum gdbmi_code set(struct gdbmi_error *error, enum gdbmi_code code, enum gdbmi_hint hint,
                           const char *format, va_list args) __attribute__((format(printf, 4, 0)));

static enum gdbmi_code set(struct gdbmi_error *error, enum gdbmi_code code, enum gdbmi_hint hint,
                           const char *format, va_list args)
{
    if (error->code != GDBMI_OK)
        return error->code;
    error->code = code;
    error->hint = hint;
    error->left = GDBMI_LEFT_NOTHING;
    vsnprintf(error->text, sizeof(error->text), format, args);
    return code;
}

enum gdbmi_code gdbmi_error_set(struct gdbmi_error *error, enum gdbmi_code code, const char *format,
                                ...)
{
    va_list args;

    va_start(args, format);
    code = set(error, code, GDBMI_HINT_NONE, format, args);
    va_end(args);
    return code;
}

enum gdbmi_code gdbmi_error_set_hint(struct gdbmi_error *error, enum gdbmi_code code,
                                     enum gdbmi_hint hint, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    code = set(error, code, hint, format, args);
    va_end(args);
    return code;
}

enum gdbmi_code gdbmi_error_take(struct gdbmi_error *error, const struct gdbmi_error *from)
{
    if (error->code == GDBMI_OK)
        *error = *from;
    return error->code;
}
