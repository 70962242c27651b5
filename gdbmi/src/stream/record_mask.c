/* SPDX-License-Identifier: 0BSD */
/* Replaces what may be names in the lines of GDB/MI, whose grammar is in gdb's manual, "GDB/MI
 * Output Syntax". */
#include "record_mask.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array[0]))
/* Of a packet: enough to tell a stop from other answers. */
#define PACKET_SHOWN 5

/* Results with numbers and words of gdb's own. */
static const char *const shown_results[] = {
    "addr", "begin",  "contents",    "end",   "id",        "offset",          "param",
    "pid",  "reason", "signal-name", "state", "thread-id", "stopped-threads",
};

static const char *const shown_values[] = {"on", "off", "auto"};

static bool is_one_of(const char *const *words, size_t count, const char *text, size_t len)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i]) == len && memcmp(words[i], text, len) == 0)
            return true;
    }
    return false;
}

/* A text up to its quote keeps only its length, and escapes like \n. */
static void hide(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool escape = text[i] == '\\' && i + 1 < len && (text[i + 1] < '0' || text[i + 1] > '9');
        if (escape)
            i++;
        else
            text[i] = 'x';
    }
}

/* The length of a text up to its quote. */
static size_t text_len(const char *text, size_t room)
{
    size_t len = 0;

    while (len < room && text[len] != '"')
        len += text[len] == '\\' && len + 1 < room ? 2 : 1;
    return len;
}

static const char *find(const char *text, size_t len, const char *word)
{
    size_t word_len = strlen(word);

    for (size_t i = 0; i + word_len <= len; i++) {
        if (memcmp(text + i, word, word_len) == 0)
            return text + i;
    }
    return NULL;
}

/* gdb quotes the names in its messages, and paths have a '/'. */
static bool has_name(const char *text, size_t len)
{
    return memchr(text, '/', len) != NULL || memchr(text, '"', len) != NULL ||
           memchr(text, '`', len) != NULL || memchr(text, '\'', len) != NULL;
}

static bool is_shown(const char *result, size_t result_len, const char *text, size_t len)
{
    static const char *const value[] = {"value"};
    static const char *const message[] = {"msg"};

    if (is_one_of(shown_results, COUNT(shown_results), result, result_len))
        return true;
    if (is_one_of(value, 1, result, result_len))
        return is_one_of(shown_values, COUNT(shown_values), text, len);
    return is_one_of(message, 1, result, result_len) && !has_name(text, len);
}

/* "^done,groups=[{id="i1",pid="7",executable="/x"}]": NAME="TEXT" in any nesting. */
static void hide_results(char *line, size_t len)
{
    size_t name = 0; /* where the last name began */

    for (size_t i = 0; i < len; i++) {
        if (line[i] == ',' || line[i] == '{' || line[i] == '[')
            name = i + 1;
        if (line[i] != '"')
            continue;
        size_t text = i + 1;
        size_t in_quotes = text_len(line + text, len - text);
        size_t name_len = i > name && line[i - 1] == '=' ? i - 1 - name : 0;
        if (!is_shown(line + name, name_len, line + text, in_quotes))
            hide(line + text, in_quotes);
        i = text + in_quotes;
    }
}

/* gdb's log, "&"[remote] Sending packet: $?#3f\n"": which packets they are, and not what is in
 * them. */
static void hide_log(char *text, size_t len)
{
    static const char *const before[] = {"acket: $", "acket received: "};

    if (find(text, len, "Ack") != NULL)
        return;
    for (size_t i = 0; i < COUNT(before); i++) {
        const char *at = find(text, len, before[i]);
        if (at == NULL)
            continue;
        size_t shown = (size_t)(at - text) + strlen(before[i]) + PACKET_SHOWN;
        if (shown < len)
            hide(text + shown, len - shown);
        return;
    }
    if (len >= 8 && memcmp(text, "warning:", 8) == 0)
        hide(text + 8, len - 8);
    else if (find(text, len, "[remote]") == NULL)
        hide(text, len);
}

static void hide_line(struct record_mask *mask, char *line, size_t len)
{
    size_t at = 0;

    while (at < len && line[at] >= '0' && line[at] <= '9')
        at++;
    char kind = at < len ? line[at] : '\0';
    bool quoted = at + 1 < len && line[at + 1] == '"';
    if (kind == '^')
        mask->asked = false;
    if (kind != '\0' && strchr("^*+=", kind) != NULL)
        hide_results(line + at, len - at);
    else if (kind == '&' && quoted)
        hide_log(line + at + 2, text_len(line + at + 2, len - at - 2));
    else if ((kind == '~' || kind == '@') && quoted && !mask->asked)
        hide(line + at + 2, text_len(line + at + 2, len - at - 2));
    else if (!((kind == '~' || kind == '@') && quoted) && strncmp(line, "(gdb)", 5) != 0)
        hide(line, len);
}

void record_mask_sent(struct record_mask *mask, const char *bytes, size_t len)
{
    if (find(bytes, len, "-interpreter-exec") != NULL)
        mask->asked = true;
}

void record_mask_received(struct record_mask *mask, const char *bytes, size_t len,
                          struct buffer *out)
{
    while (len > 0) {
        const char *end = memchr(bytes, '\n', len);
        size_t some = end != NULL ? (size_t)(end - bytes) + 1 : len;
        buffer_add(&mask->line, bytes, some);
        bytes += some;
        len -= some;
        if (end == NULL || mask->line.data == NULL)
            break;
        size_t whole = mask->line.len - 1;
        whole -= whole > 0 && mask->line.data[whole - 1] == '\r';
        hide_line(mask, mask->line.data, whole);
        buffer_add(out, mask->line.data, mask->line.len);
        mask->line.len = 0;
    }
}

void record_mask_free(struct record_mask *mask)
{
    buffer_free(&mask->line);
}
