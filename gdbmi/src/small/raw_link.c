/* SPDX-License-Identifier: 0BSD */
/* A link to a file that holds a piece of a target's memory. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "link_ops.h"
#include "raw_link.h"

/* A dump that is being written again is looked at so often. */
#define TRIES    5
#define PAUSE_MS 20

struct raw_link {
    struct gdbmi_link base;
    char *path;
    uint64_t addr; /* of the file's first byte */
};

static struct raw_link *raw_of(struct gdbmi_link *base)
{
    return (struct raw_link *)base;
}

static enum gdbmi_code failed(struct gdbmi_link *base, const char *why)
{
    return gdbmi_error_set(&base->error, GDBMI_ETARGET, "%s: %s", base->address, why);
}

static enum gdbmi_code failed_to_open(struct gdbmi_link *base, int why)
{
    return gdbmi_error_set(&base->error, GDBMI_ETARGET, "%s: %s%s", base->address, strerror(why),
                           why == ENOENT ? "; check the path, or dump the table into it" : "");
}

/* The file as it is now: a debugger may have put another one in its place. Not blocking: opening a
 * pipe without a writer would never return. */
static enum gdbmi_code open_file(struct gdbmi_link *base, int *fd, struct stat *about)
{
    int opened = open(raw_of(base)->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (opened < 0 || fstat(opened, about) != 0) {
        enum gdbmi_code code = failed_to_open(base, errno);
        if (opened >= 0)
            close(opened);
        return code;
    }
    *fd = opened;
    if (S_ISDIR(about->st_mode))
        return failed(base, "this is a folder, not a dump of the table; give a file in it");
    if (!S_ISREG(about->st_mode))
        return failed(base, "this is not a regular file; copy it to one first");
    if (about->st_size == 0)
        return failed(base, "the file is empty: dump the table into it again");
    return GDBMI_OK;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Reads from an open file; *changed: somebody wrote to it meanwhile. */
static enum gdbmi_code read_open(struct gdbmi_link *base, int fd, const struct stat *before,
                                 uint64_t addr, unsigned char *bytes, size_t len, bool *changed)
{
    uint64_t size = (uint64_t)before->st_size;
    uint64_t at = addr - raw_of(base)->addr;
    struct stat after;
    ssize_t got = 0;

    if (addr < raw_of(base)->addr || at > size || len > size - at)
        return gdbmi_error_set(&base->error, GDBMI_ETARGET,
                               "%s: the file has %" PRIu64 " bytes from 0x%" PRIx64
                               ", which do not include the %zu bytes at 0x%" PRIx64,
                               base->address, size, raw_of(base)->addr, len, addr);
    for (size_t have = 0; have < len; have += (size_t)got) {
        got = pread(fd, bytes + have, len - have, (off_t)(at + have));
        if (got <= 0)
            break;
    }
    if (got < 0)
        return failed(base, strerror(errno));
    *changed = got == 0 ||
               (base->info.entry == 0 && (fstat(fd, &after) != 0 || !same_file(before, &after)));
    return GDBMI_OK;
}

static enum gdbmi_code read_once(struct gdbmi_link *base, uint64_t addr, unsigned char *bytes,
                                 size_t len, bool *changed)
{
    struct stat about;
    int fd = -1;

    *changed = false;
    enum gdbmi_code code = open_file(base, &fd, &about);
    if (code == GDBMI_OK)
        code = read_open(base, fd, &about, addr, bytes, len, changed);
    if (fd >= 0)
        close(fd);
    return code;
}

static enum gdbmi_code raw_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    enum gdbmi_code code = GDBMI_OK;
    bool changed = true;

    for (int i = 0; i < TRIES && changed && code == GDBMI_OK; i++) {
        if (i > 0)
            clock_sleep_ms(PAUSE_MS);
        code = read_once(base, addr, bytes, len, &changed);
    }
    if (code == GDBMI_OK && changed)
        code = failed(base, "the file keeps changing while it is read");
    return code;
}

static enum gdbmi_code no_target(struct gdbmi_link *base, const char *what)
{
    return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED, "%s: %s: this is a file, not a target",
                           base->address, what);
}

/* A process that has mapped the file sees what is written. */
static enum gdbmi_code write_file(struct gdbmi_link *base, uint64_t at, const void *bytes,
                                  size_t len)
{
    int fd = open(raw_of(base)->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    enum gdbmi_code code = GDBMI_OK;

    if (fd < 0)
        return failed_to_open(base, errno);
    if (pwrite(fd, bytes, len, (off_t)at) != (ssize_t)len)
        code = failed(base, errno ? strerror(errno) : "it cannot be written");
    close(fd);
    return code;
}

static enum gdbmi_code raw_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                 size_t len)
{
    uint64_t at = addr - raw_of(base)->addr;
    struct stat about;

    if (base->info.entry == 0)
        return no_target(base, "memory cannot be written");
    if (stat(raw_of(base)->path, &about) != 0)
        return failed_to_open(base, errno);
    if (addr < raw_of(base)->addr || at > (uint64_t)about.st_size ||
        len > (uint64_t)about.st_size - at)
        return failed(base, "it does not have these bytes");
    return write_file(base, at, bytes, len);
}

static enum gdbmi_code raw_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    (void)base;
    *state = GDBMI_STATE_UNKNOWN;
    return GDBMI_OK;
}

static enum gdbmi_code raw_halt(struct gdbmi_link *base, bool *ours)
{
    *ours = false;
    return no_target(base, "nothing can be halted");
}

static enum gdbmi_code raw_resume(struct gdbmi_link *base)
{
    return no_target(base, "nothing can be resumed");
}

static enum gdbmi_code raw_pc(struct gdbmi_link *base, uint64_t *pc)
{
    (void)pc;
    return no_target(base, "it has no program counter");
}

static enum gdbmi_code raw_command(struct gdbmi_link *base, const char *command, char **answer)
{
    (void)command, (void)answer;
    return no_target(base, "commands cannot be run");
}

static void raw_free(struct raw_link *link)
{
    free(link->path);
    free(link);
}

static enum gdbmi_code raw_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    (void)resume, (void)error;
    raw_free(raw_of(base));
    return GDBMI_OK;
}

static const struct gdbmi_link_ops raw_link_ops = {
    .read = raw_read,
    .write = raw_write,
    .state = raw_state,
    .halt = raw_halt,
    .resume = raw_resume,
    .send_resume = raw_resume,
    .pc = raw_pc,
    .command = raw_command,
    .close = raw_close,
};

enum gdbmi_code raw_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    struct stat about;
    int fd = -1;

    struct raw_link *made = calloc(1, sizeof(*made));
    if (made == NULL || (made->path = strdup(options->raw)) == NULL) {
        free(made);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", options->raw);
    }
    made->addr = options->raw_addr;
    link_init(&made->base, &raw_link_ops, "raw", options->raw, 0);
    made->base.info.live = made->base.info.simulator = true;
    made->base.info.entry = options->raw_entry;
    enum gdbmi_code code = open_file(&made->base, &fd, &about);
    if (fd >= 0)
        close(fd);
    if (code != GDBMI_OK) {
        code = gdbmi_error_set(error, GDBMI_ECONNECT, "%s", made->base.error.text);
        raw_free(made);
        return code;
    }
    snprintf(made->base.why, sizeof(made->base.why),
             "a dump of the table, read again at every refresh");
    *link = &made->base;
    return GDBMI_OK;
}
