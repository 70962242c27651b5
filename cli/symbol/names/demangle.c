/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets libiberty read the name, which is what binutils and gdb use, and bounds what it writes. */
#define _POSIX_C_SOURCE 200809L

#include <names/demangle.h>

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* Longer ones stay as they are; the library would refuse them, too. */
#define SYMBOL_MAX 2048

struct writer {
    char *text;
    size_t used;
    jmp_buf full;
};

/* A short name may mean one of millions of characters: the library's only way out is a jump. It
 * holds no memory meanwhile, except for Rust names in letters that are not ASCII. */
static void on_text(const char *bytes, size_t len, void *context)
{
    struct writer *w = context;
    size_t room = DEMANGLE_MAX - 1 - w->used;

    if (len == 0)
        return;
    if (len <= room) {
        memcpy(w->text + w->used, bytes, len);
        w->used += len;
        return;
    }
    memcpy(w->text + w->used, bytes, room);
    memcpy(w->text + DEMANGLE_MAX - 4, "...", 3);
    w->used = DEMANGLE_MAX - 1;
    longjmp(w->full, 1);
}

static bool read_rust(const char *symbol, struct writer *w)
{
    if (setjmp(w->full) != 0)
        return true;
    return rust_demangle_callback(symbol, DMGL_NO_OPTS, on_text, w) && w->used != 0;
}

static bool read_cpp(const char *symbol, bool parameters, struct writer *w)
{
    int options = parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;

    w->used = 0;
    if (setjmp(w->full) != 0)
        return true;
    return cplus_demangle_v3_callback(symbol, options, on_text, w) && w->used != 0;
}

/* What compilers append begins at a point, which no name of C++ has inside. */
static bool read_parts(const char *symbol, bool parameters, struct writer *w)
{
    char base[SYMBOL_MAX];
    size_t len = strcspn(symbol, ".");
    const char *rest = symbol + len;

    snprintf(base, sizeof(base), "%.*s", (int)len, symbol);
    if (!read_cpp(base, parameters, w))
        return false;
    size_t room = DEMANGLE_MAX - w->used;
    if (rest[0] != '\0' && strlen(rest) + sizeof(" [clone ]") <= room)
        w->used += (size_t)snprintf(w->text + w->used, room, " [clone %s]", rest);
    return true;
}

bool demangle(const char *symbol, bool parameters, char text[DEMANGLE_MAX])
{
    struct writer w = {.text = text};

    if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R') || strlen(symbol) >= SYMBOL_MAX)
        return false;
    if (!read_rust(symbol, &w) && (symbol[1] != 'Z' || !read_parts(symbol, parameters, &w)))
        return false;
    text[w.used] = '\0';
    return true;
}
