/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of budgets, each checked. */
#define _POSIX_C_SOURCE 200809L

#include <gate/budgets.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/file.h>
#include <base/number.h>
#include <base/say.h>
#include <base/vec.h>

/* More is no list that somebody wrote. */
#define BYTES_MAX (1u << 20)
#define GLOB_MAX  1024

#define BLANKS " \t"
#define ENDS   "\r\n"
#define BOM    "\xef\xbb\xbf" /* in front of UTF-8, by editors that want one */

struct reader {
    const char *path;
    struct budgets *budgets;
    size_t room;
    unsigned line;
};

static int refuse(const struct reader *r, const char *what, const char *why)
{
    complain(
        "%s:%u: %.60s%s; write a function and its largest share, like 'fir_* 12%%' or 'fir_* 0.12'",
        r->path, r->line, what, why);
    return STATUS_USAGE;
}

/* Up to 1 or 100 %, digits and a point only. */
static bool parse_share(const char *text, double *share)
{
    double number;

    if (!number_take_decimal(&text, &number))
        return false;
    bool percent = strcmp(text, "%") == 0;
    *share = number / (percent ? 100 : 1);
    return (!*text || percent) && *share <= 1;
}

static bool add_budget(struct reader *r, const char *glob, double share)
{
    struct budgets *b = r->budgets;

    if (!VEC_ROOM(b->all, r->room, b->count, 1))
        return false;
    b->all[b->count++] = (struct budget){.glob = glob, .max_share = share, .line = r->line};
    return true;
}

static void cut_comment(char *line)
{
    for (char *at = line; (at = strchr(at, '#')); at++) {
        if (at == line || strchr(BLANKS, at[-1])) {
            *at = '\0';
            return;
        }
    }
}

/* Without the blanks at its end; its length. */
static size_t cut_end(char *line)
{
    size_t len = strlen(line);

    while (len > 0 && strchr(BLANKS, line[len - 1]))
        len--;
    line[len] = '\0';
    return len;
}

/* The last word is the share, since names may hold blanks. */
static int take_line(struct reader *r, char *line)
{
    double share;

    cut_comment(line);
    line += strspn(line, BLANKS);
    size_t len = cut_end(line);
    if (len == 0)
        return STATUS_DONE;
    while (len > 0 && !strchr(BLANKS, line[len - 1]))
        len--;
    char *word = line + len;
    if (!parse_share(word, &share))
        return refuse(r, word, " is not a share from 0 to 100 %");
    *word = '\0';
    len = cut_end(line);
    if (len == 0)
        return refuse(r, "", "the function is missing");
    if (len >= GLOB_MAX)
        return refuse(r, line, "... is longer than 1023 bytes");
    if (add_budget(r, line, share))
        return STATUS_DONE;
    complain("out of memory");
    return STATUS_FAILED;
}

/* Lines end in LF, CR LF, or CR. */
static int take_lines(struct reader *r, char *text, size_t len)
{
    int status = STATUS_DONE;

    text[len] = '\0';
    for (size_t at = 0; at < len && status == STATUS_DONE;) {
        char *line = text + at;
        size_t line_len = strcspn(line, ENDS);
        r->line++;
        if (at + line_len < len && !line[line_len])
            return refuse(r, "", "not text");
        at += line_len + (strncmp(line + line_len, "\r\n", 2) == 0 ? 2 : 1);
        line[line_len] = '\0';
        status = take_line(r, line);
    }
    if (status != STATUS_DONE || r->budgets->count)
        return status;
    complain(
        "%s: no budgets; write a line of function and largest share for each, like 'fir_* 12%%'",
        r->path);
    return STATUS_USAGE;
}

/* Takes one byte more than there may be. path may be a pipe. */
static int read_file(const char *path, char *bytes, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && file_read(fd, bytes, BYTES_MAX + 1, len);
    int why = done ? EFBIG : errno;

    if (fd >= 0)
        close(fd);
    if (done && *len <= BYTES_MAX)
        return STATUS_DONE;
    complain("%s: %s", path, strerror(why));
    return STATUS_FAILED;
}

int budgets_load(const char *path, struct budgets *budgets)
{
    struct budgets taken = {.bytes = malloc(BYTES_MAX + 2)};
    struct reader r = {.path = path, .budgets = &taken};
    size_t len = 0;

    if (!taken.bytes) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    int status = read_file(path, taken.bytes, &len);
    size_t marked =
        len >= strlen(BOM) && memcmp(taken.bytes, BOM, strlen(BOM)) == 0 ? strlen(BOM) : 0;
    if (status == STATUS_DONE)
        status = take_lines(&r, taken.bytes + marked, len - marked);
    if (status == STATUS_DONE)
        *budgets = taken;
    else
        budgets_free(&taken);
    return status;
}

void budgets_free(struct budgets *budgets)
{
    free(budgets->all);
    free(budgets->bytes);
    *budgets = (struct budgets){.all = NULL};
}
