/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files of a history are called, and what "@WORD" means. */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <base/number.h>
#include <history/history.h>
#include <ranking/build.h>

#define BUILD_MIN 4

bool history_name(const char *folder, int64_t time_ns, const char *build, unsigned number,
                  char *path, size_t capacity)
{
    time_t seconds = (time_t)(time_ns / 1000000000);
    size_t len = strlen(folder);
    bool ends = len > 0 && folder[len - 1] == '/';
    char stamp[32], again[16] = "";
    struct tm utc;

    if (time_ns < 0 || !gmtime_r(&seconds, &utc))
        return false;
    strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
    if (number > 1)
        snprintf(again, sizeof(again), "-%u", number);
    return (size_t)snprintf(path, capacity, "%s%s%s-%.*s%s.pb.gz", folder, ends ? "" : "/", stamp,
                            view_build_len(build), build[0] ? build : "nobuild", again) < capacity;
}

bool history_make_folder(const char *folder, char *text, size_t capacity)
{
    struct stat about;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        snprintf(text, capacity, "%s: cannot create this folder: %s", folder, strerror(errno));
        return false;
    }
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode)) {
        snprintf(text, capacity, "%s: not a folder", folder);
        return false;
    }
    if (access(folder, W_OK | X_OK) != 0) {
        snprintf(text, capacity, "%s: cannot write to this folder: %s", folder, strerror(errno));
        return false;
    }
    return true;
}

bool history_is_word(const char *operand)
{
    return operand[0] == '@';
}

static bool all_are(const char *word, int (*is)(int))
{
    for (const char *c = word; *c; c++) {
        if (!is((unsigned char)*c))
            return false;
    }
    return word[0] != '\0';
}

/* What follows "seg-"; NULL: the text does not begin so. */
static const char *hash_digits(const char *text)
{
    size_t len = strlen(SYMTAB_SEGMENTS);

    return strncasecmp(text, SYMTAB_SEGMENTS, len) == 0 ? text + len : NULL;
}

static bool is_of(const struct history_entry *e, const char *build)
{
    const char *digits = hash_digits(e->build);
    size_t len = strlen(build);

    return strncasecmp(e->build, build, len) == 0 ||
           (digits && strncasecmp(digits, build, len) == 0);
}

static bool has_build(const struct history *h, const char *build)
{
    for (size_t i = 0; i < h->count; i++) {
        if (is_of(&h->entries[i], build))
            return true;
    }
    return false;
}

static size_t pick_build(const struct history *h, const char *build, size_t *picked, char *text,
                         size_t capacity)
{
    size_t count = 0;

    for (size_t i = 0; i < h->count; i++) {
        const struct history_entry *e = &h->entries[i];
        if (!is_of(e, build))
            continue;
        if (count && strcasecmp(e->build, h->entries[picked[0]].build) != 0) {
            snprintf(text, capacity, "@%s: several builds in %s begin with this: %.12s and %.12s",
                     build, h->folder, h->entries[picked[0]].build, e->build);
            return 0;
        }
        picked[count++] = i;
    }
    if (count == 0)
        snprintf(text, capacity, "@%s: no snapshot in %s has a build that begins with this", build,
                 h->folder);
    return count;
}

static void say_missing(const struct history *h, const char *word, char *text, size_t capacity)
{
    if (h->count == 0)
        snprintf(text, capacity,
                 "@%s: there is no snapshot in %s; 'mprof snapshot --store %s' adds one", word,
                 h->folder, h->folder);
    else if (h->count == 1)
        snprintf(text, capacity, "@%s: there is one snapshot in %s, @0", word, h->folder);
    else
        snprintf(text, capacity, "@%s: there are %zu snapshots in %s, @0 to @%zu", word, h->count,
                 h->folder, h->count - 1);
}

size_t history_pick(const struct history *history, const char *word, size_t *picked, char *text,
                    size_t capacity)
{
    const char *hash = hash_digits(word);
    const char *digits = hash ? hash : word;
    size_t len = strlen(digits);

    uint64_t number;
    if (number_parse_digits(word, 10, &number) && number < history->count) {
        picked[0] = (size_t)number;
        return 1;
    }
    if (all_are(word, isdigit) && (len < BUILD_MIN || !has_build(history, word)))
        say_missing(history, word, text, capacity);
    else if (all_are(digits, isxdigit) && len >= BUILD_MIN)
        return pick_build(history, word, picked, text, capacity);
    else if (all_are(digits, isxdigit))
        snprintf(text, capacity, "@%s: give at least four digits of a build", word);
    else
        snprintf(text, capacity,
                 "@%.200s: not @NUMBER or @BUILD; for a file of that name use ./@%.200s", word,
                 word);
    return 0;
}
