/* SPDX-License-Identifier: 0BSD */
/* A link to what a target sends by itself: over a serial line, or kept in a file. */
#include "records_link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "link_ops.h"
#include "stream.h"

/* Time for opening a serial line. */
#define OPEN_MS 2000

struct records_link {
    struct gdbmi_link base;
    struct gdbmi_stream *stream; /* of a serial line, or NULL */
    int fd;                      /* of a file, or -1 */
};

static struct records_link *records_of(struct gdbmi_link *base)
{
    return (struct records_link *)base;
}

static enum gdbmi_code records_receive(struct gdbmi_link *base, void *bytes, size_t capacity,
                                       int timeout_ms, size_t *len, bool *ended)
{
    const struct records_link *link = records_of(base);
    ssize_t got;

    if (link->stream != NULL)
        got = stream_read(link->stream, bytes, capacity, clock_deadline(timeout_ms), &base->error);
    else
        got = read(link->fd, bytes, capacity);
    if (got < 0 && link->stream == NULL)
        return gdbmi_error_set(&base->error, GDBMI_ECLOSED, "%s: %s", base->address,
                               strerror(errno));
    if (got < 0)
        return base->error.code;
    *ended = got == 0 && link->stream == NULL;
    *len = (size_t)got;
    return GDBMI_OK;
}

static enum gdbmi_code no_target(struct gdbmi_link *base, const char *what)
{
    return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                           "%s: %s: these are records of a trace, not a target", base->address,
                           what);
}

static enum gdbmi_code records_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    (void)addr, (void)bytes, (void)len;
    return no_target(base, "memory cannot be read");
}

static enum gdbmi_code records_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                     size_t len)
{
    (void)addr, (void)bytes, (void)len;
    return no_target(base, "memory cannot be written");
}

static enum gdbmi_code records_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    (void)base;
    *state = GDBMI_STATE_UNKNOWN;
    return GDBMI_OK;
}

static enum gdbmi_code records_halt(struct gdbmi_link *base, bool *ours)
{
    *ours = false;
    return no_target(base, "nothing can be halted");
}

static enum gdbmi_code records_resume(struct gdbmi_link *base)
{
    return no_target(base, "nothing can be resumed");
}

static enum gdbmi_code records_pc(struct gdbmi_link *base, uint64_t *pc)
{
    (void)pc;
    return no_target(base, "there is no program counter");
}

static enum gdbmi_code records_command(struct gdbmi_link *base, const char *command, char **answer)
{
    (void)command, (void)answer;
    return no_target(base, "commands cannot be run");
}

static enum gdbmi_code records_close(struct gdbmi_link *base, bool resume,
                                     struct gdbmi_error *error)
{
    struct records_link *link = records_of(base);

    (void)resume, (void)error;
    gdbmi_stream_close(link->stream);
    if (link->fd >= 0)
        close(link->fd);
    free(link);
    return GDBMI_OK;
}

static const struct gdbmi_link_ops records_link_ops = {
    .read = records_read,
    .write = records_write,
    .state = records_state,
    .halt = records_halt,
    .resume = records_resume,
    .send_resume = records_resume,
    .pc = records_pc,
    .command = records_command,
    .receive = records_receive,
    .close = records_close,
};

static enum gdbmi_code refused(const char *path, const char *why, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_ECONNECT, "%s: %s", path, why);
}

/* Not blocking: opening a pipe without a writer would never return. */
static enum gdbmi_code open_file(const char *path, int *fd, struct gdbmi_error *error)
{
    struct stat about;
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (opened < 0)
        return refused(path, strerror(errno), error);
    enum gdbmi_code code = GDBMI_OK;
    if (fstat(opened, &about) != 0)
        code = refused(path, strerror(errno), error);
    else if (S_ISDIR(about.st_mode))
        code = refused(path, "this is a folder, not records of a trace; give a file in it", error);
    else if (!S_ISREG(about.st_mode))
        code = refused(path, "this is neither a file nor a serial line; copy it to a file first",
                       error);
    else if (about.st_size == 0)
        code = refused(path, "the file is empty: nothing was sent", error);
    if (code != GDBMI_OK)
        close(opened);
    else
        *fd = opened;
    return code;
}

/* What is not a file may be a serial line, also one that is not plugged in. */
static bool is_file(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 ? !S_ISCHR(about.st_mode) : strncmp(path, "/dev/", 5) != 0;
}

enum gdbmi_code records_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                  struct gdbmi_error *error)
{
    const char *path = options->records;
    struct records_link *made = calloc(1, sizeof(*made));

    if (made == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", path);
    made->fd = -1;
    link_init(&made->base, &records_link_ops, "records", path, 0);
    enum gdbmi_code code = is_file(path)
                               ? open_file(path, &made->fd, error)
                               : gdbmi_stream_connect(path, OPEN_MS, &made->stream, error);
    if (code != GDBMI_OK) {
        free(made);
        return code;
    }
    made->base.info.simulator = true;
    snprintf(made->base.why, sizeof(made->base.why), "records that the target sends by itself");
    *link = &made->base;
    return GDBMI_OK;
}
