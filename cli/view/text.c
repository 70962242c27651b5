/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing text, and cells of a fixed width. */
#define _XOPEN_SOURCE 700

#include <view/text.h>

#include <ctype.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include <symbol/layout.h>
#include <symbol/symtab.h>

/* Of a build, as many as tools show of a commit. */
#define BUILD_DIGITS 7

/* Bytes that a text of so many has at least: a power of two. */
static size_t room_for(size_t bytes)
{
    size_t room = 16;

    while (room < bytes && room <= SIZE_MAX / 2)
        room *= 2;
    return room < bytes ? bytes : room;
}

void text_add(struct text *text, const char *bytes, size_t len)
{
    if (text->failed)
        return;
    size_t room = text->bytes ? room_for(text->len + 1) : 0;
    if (text->len + len + 1 > room) {
        char *grown = realloc(text->bytes, room_for(text->len + len + 1));
        if (!grown) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
    }
    memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
    text->bytes[text->len] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
    char buffer[512];
    va_list args;

    va_start(args, format);
    int len = vsnprintf(buffer, sizeof(buffer), format, args);
    va_end(args);
    if (len < 0)
        text->failed = true;
    else
        text_add(text, buffer, (size_t)len < sizeof(buffer) ? (size_t)len : sizeof(buffer) - 1);
}

size_t text_char_len(const char *s)
{
    unsigned char c = (unsigned char)s[0];
    size_t len = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;

    /* Too long for what it means, a half of a pair of UTF-16, beyond Unicode. */
    unsigned char low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    unsigned char high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;

    if (c >= 0xf5 || (len > 1 && ((unsigned char)s[1] < low || (unsigned char)s[1] > high)))
        return 1;
    for (size_t i = 1; i < len; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 1;
    }
    return len;
}

int text_build_len(const char *build)
{
    const size_t prefix = strlen(SYMTAB_SEGMENTS);

    return BUILD_DIGITS + (strncmp(build, SYMTAB_SEGMENTS, prefix) == 0 ? (int)prefix : 0);
}

const char *text_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static void add_spaces(struct text *text, size_t count)
{
    static const char spaces[] = "                                ";
    size_t most = sizeof(spaces) - 1;

    for (; count > most; count -= most)
        text_add(text, spaces, most);
    text_add(text, spaces, count);
}

/* The character of len bytes at s. */
static uint32_t code_of(const char *s, size_t len)
{
    unsigned char c = (unsigned char)s[0];
    uint32_t code = len == 1 ? c : c & (0xff >> (len + 1));

    for (size_t i = 1; i < len; i++)
        code = code << 6 | ((unsigned char)s[i] & 0x3f);
    return code;
}

bool text_is_unsafe(const char *s, size_t len)
{
    char buffer[LAYOUT_SHOWN_MAX];

    return text_shown(s, len, buffer) != NULL;
}

const char *text_shown(const char *s, size_t len, char buffer[LAYOUT_SHOWN_MAX])
{
    uint32_t code = code_of(s, len);

    /* A byte that is no UTF-8. */
    return layout_shown(len == 1 && code >= 0x80 ? LAYOUT_WRONG : code, buffer);
}

/* On a terminal of another locale than a UTF-8 one, each is one cell, as term shows it. */
static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Cells of a character on its own; < 0: it is not to be shown in a column. */
static int width_of(const char *s, size_t len)
{
    return len == 1 || !is_utf8() ? 1 : wcwidth((wchar_t)code_of(s, len));
}

/* More on one letter would be seen in the lines above and below. */
#define MARKS_MAX 4

/* A text on its way into a column. */
struct walk {
    const char *at;
    size_t len;      /* of the character there */
    unsigned marks;  /* on the letter before */
    const char *out; /* what is shown of it */
    size_t out_len;  /* 0: nothing */
    char escape[LAYOUT_SHOWN_MAX];
};

static struct walk walk_from(const char *s)
{
    return (struct walk){.at = s, .marks = MARKS_MAX};
}

/* Printable ASCII, as nearly all names and numbers are, is its own cell. */
static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f;
}

/* What stands for the character; returns its cells. */
static unsigned show(struct walk *w, const char *out, size_t len, unsigned cells)
{
    w->out = out;
    w->out_len = len;
    return cells;
}

/* Cells of the character that the walk is at. */
static unsigned look(struct walk *w)
{
    if (is_plain(*w->at)) {
        w->len = 1;
        w->marks = 0;
        return show(w, w->at, 1, 1);
    }
    w->len = text_char_len(w->at);
    const char *shown = text_shown(w->at, w->len, w->escape);
    int width = shown ? -1 : width_of(w->at, w->len);
    if (width != 0)
        w->marks = 0;
    if (width > 0)
        return show(w, w->at, w->len, (unsigned)width);
    if (width < 0) {
        shown = shown ? shown : "?";
        return show(w, shown, strlen(shown), (unsigned)strlen(shown));
    }
    /* The first one of those that there are too many of stands for them. */
    w->marks += w->marks <= MARKS_MAX + 1;
    if (w->marks == MARKS_MAX + 1)
        return show(w, "?", 1, 1);
    return show(w, w->at, w->marks <= MARKS_MAX ? w->len : 0, 0);
}

size_t text_cells(const char *s)
{
    size_t cells = 0;

    for (struct walk w = walk_from(s); *w.at; w.at += w.len)
        cells += look(&w);
    return cells;
}

const char *text_skip_cells(const char *text, unsigned cells)
{
    struct walk w = walk_from(text);

    for (unsigned used = 0; *w.at; w.at += w.len) {
        unsigned take = look(&w);
        if (take && used >= cells) /* marks belong to what is before them */
            break;
        used += take;
    }
    return w.at;
}

/* Bytes at the start of s that are plain, at most so many. */
static size_t plain_len(const char *s, size_t most)
{
    size_t len = 0;

    while (len < most && is_plain(s[len]))
        len++;
    return len;
}

void text_cell(struct text *text, const char *from, unsigned width, bool right, bool pad)
{
    size_t whole = text_cells(from);
    size_t room = whole <= width ? width : width ? width - 1 : 0;
    size_t used = 0;

    if (right && pad && whole < width)
        add_spaces(text, width - whole);
    struct walk w = walk_from(from);
    size_t plain = plain_len(from, room);
    if (plain) {
        text_add(text, from, plain);
        used = plain;
        w.at += plain;
        w.marks = 0;
    }
    for (; *w.at; w.at += w.len) {
        unsigned cells = look(&w);
        if (used + cells > room)
            break;
        text_add(text, w.out, w.out_len);
        used += cells;
    }
    if (whole > width && width) {
        text_add(text, "~", 1);
        used++;
    }
    if (pad && (!right || whole > width) && used < width)
        add_spaces(text, width - used);
}

static void add_escaped(struct text *text, const char *from, size_t len, const char *special,
                        const char *before)
{
    for (size_t i = 0; i < len; i++) {
        if (strchr(special, from[i]))
            text_add(text, before, strlen(before));
        text_add(text, from + i, 1);
    }
}

void text_escape(struct text *text, const char *from, const char *special, const char *before)
{
    char buffer[LAYOUT_SHOWN_MAX];

    while (*from) {
        size_t len = text_char_len(from);
        const char *shown = text_shown(from, len, buffer);
        if (shown || len == 1)
            add_escaped(text, shown ? shown : from, shown ? strlen(shown) : 1, special, before);
        else
            text_add(text, from, len);
        from += len;
    }
}

static void put_text(void *context, const char *bytes, size_t len)
{
    text_add(context, bytes, len);
}

void text_csv(struct text *text, const char *from)
{
    const struct layout_sink sink = {.context = text, .put = put_text};

    layout_csv(&sink, from);
}

/* What sites make a mention or a link of is looked for when backslashes are gone; a comment in the
 * middle, which is not shown, keeps it apart. Where behind from it belongs, 0: nowhere. */
static size_t find_link(const char *from)
{
    if ((from[0] == '@' || from[0] == '#') && isalnum((unsigned char)from[1]))
        return 1;
    if (strncmp(from, "://", 3) == 0)
        return 1;
    return strncasecmp(from, "www.", 4) == 0 ? 3 : 0;
}

void text_markdown(struct text *text, const char *from)
{
    while (*from) {
        size_t len = 1;
        size_t apart = find_link(from);
        while (from[len] && !apart && !find_link(from + len))
            len++;
        char *part = strndup(from, apart ? apart : len);
        if (!part) {
            text->failed = true;
            return;
        }
        text_escape(text, part, TEXT_MARKDOWN, "\\");
        if (apart)
            text_add(text, "<!-- -->", 8);
        from += strlen(part);
        free(part);
    }
}
