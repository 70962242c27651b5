/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing text, and cells of a fixed width. */
#define _XOPEN_SOURCE 700

#include <base/text.h>

#include <ctype.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include <base/csv_cell.h>
#include <base/utf8.h>

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

char *text_end(struct text *text)
{
    text_add(text, "", 0);
    if (!text->failed)
        return text->bytes;
    free(text->bytes);
    return NULL;
}

char *text_with_newline(char *line)
{
    size_t len = line ? strlen(line) : 0;
    char *text = line ? realloc(line, len + 2) : NULL;

    if (text)
        memcpy(text + len, "\n", 2);
    else
        free(line);
    return text;
}

void text_printf(struct text *text, const char *format, ...)
{
    char buffer[512], *whole = buffer;
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(buffer, sizeof(buffer), format, args);
    if (len >= (int)sizeof(buffer)) {
        whole = malloc((size_t)len + 1);
        if (whole)
            len = vsnprintf(whole, (size_t)len + 1, format, again);
    }
    va_end(again);
    va_end(args);
    if (len < 0 || !whole)
        text->failed = true;
    else
        text_add(text, whole, (size_t)len);
    if (whole != buffer)
        free(whole);
}

static void add_spaces(struct text *text, size_t count)
{
    static const char spaces[] = "                                ";
    size_t most = sizeof(spaces) - 1;

    for (; count > most; count -= most)
        text_add(text, spaces, most);
    text_add(text, spaces, count);
}

/* On a terminal of another locale than a UTF-8 one, each is one cell, as term shows it. */
static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Cells of a character on its own; < 0: it is not to be shown in a column. */
static int width_of(struct utf8_char c)
{
    return c.len == 1 || !is_utf8() ? 1 : wcwidth((wchar_t)c.code);
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
    char escape[UTF8_SHOWN_MAX];
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
static unsigned measure_char(struct walk *w)
{
    if (is_plain(*w->at)) {
        w->len = 1;
        w->marks = 0;
        return show(w, w->at, 1, 1);
    }
    struct utf8_char c = utf8_next(w->at);
    w->len = c.len;
    const char *shown = utf8_shown(c.code, w->escape);
    int width = shown ? -1 : width_of(c);
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
        cells += measure_char(&w);
    return cells;
}

const char *text_skip_cells(const char *text, unsigned cells)
{
    struct walk w = walk_from(text);

    for (unsigned used = 0; *w.at; w.at += w.len) {
        unsigned take = measure_char(&w);
        if (take && used >= cells) /* marks belong to what is before them */
            break;
        used += take;
    }
    return w.at;
}

/* Between the parts of a header, which are not divided. */
#define PARTS_GAP "   "

size_t text_line_len(const char *text, unsigned width)
{
    size_t room = (size_t)(text_skip_cells(text, width ? width : 1) - text);
    size_t outer = 0, inner = 0, gap = 0;
    bool inside = false;

    if (text[room] == '\0')
        return room;
    for (size_t at = 0; at <= room; at++) {
        inside = text[at] == '[' || (inside && text[at] != ']');
        if (text[at] == ' ')
            *(inside ? &inner : &outer) = at;
        if (at && text[at - 1] != ' ' && strncmp(text + at, PARTS_GAP, strlen(PARTS_GAP)) == 0)
            gap = at;
    }
    if (gap)
        return gap;
    if (outer == 0)
        outer = inner;
    return outer ? outer : room;
}

const char *text_next_line(const char *text, unsigned width)
{
    text += text_line_len(text, width);
    return text + strspn(text, " ");
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
        unsigned cells = measure_char(&w);
        if (used + cells > room)
            break;
        text_add(text, w.out, w.out_len);
        used += cells;
    }
    if (whole > width && width) {
        text_printf(text, "%s", is_utf8() ? "\u2026" : "~");
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

char *text_end_line(struct text *text, unsigned width)
{
    struct text line = {.failed = text->failed};

    text_add(&line, "", 0);
    text_cell(&line, text->bytes ? text->bytes : "", width, false, false);
    while (line.len && line.bytes[line.len - 1] == ' ')
        line.bytes[--line.len] = '\0';
    free(text->bytes);
    *text = (struct text){.bytes = NULL};
    return text_end(&line);
}

void text_escape(struct text *text, const char *from, const char *special, const char *before)
{
    char buffer[UTF8_SHOWN_MAX];

    while (*from) {
        struct utf8_char c = utf8_next(from);
        const char *shown = utf8_shown(c.code, buffer);
        if (shown || c.len == 1)
            add_escaped(text, shown ? shown : from, shown ? strlen(shown) : 1, special, before);
        else
            text_add(text, from, c.len);
        from += c.len;
    }
}

static void put_text(void *context, const char *bytes, size_t len)
{
    text_add(context, bytes, len);
}

void text_csv(struct text *text, const char *from)
{
    const struct csv_sink sink = {.context = text, .put = put_text};

    csv_cell(&sink, from);
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

void text_add_shown(struct text *text, struct text *line, bool markdown)
{
    char *bytes = text_end(line);

    if (!bytes)
        text->failed = true;
    else if (markdown)
        text_markdown(text, bytes);
    else
        text_escape(text, bytes, "", "");
    free(bytes);
}
