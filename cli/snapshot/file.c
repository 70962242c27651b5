/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of snapshots: read whole within bounds, written whole or not at all. */
#define _XOPEN_SOURCE 700
#define ZLIB_CONST

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "store.h"
#include "wire.h"

#define STEP 65536

/* zlib's words for a gzip header, with the widest window. */
#define GZIP_WINDOW (15 + 16)

struct bytes {
    uint8_t *at;
    size_t len, room;
};

static bool grow(struct bytes *b)
{
    return store_grow((void **)&b->at, &b->room, b->len, STEP, 1);
}

static enum snapshot_code too_large(const char *name, char *text, size_t capacity)
{
    return snapshot_say(text, capacity, SNAPSHOT_EFORMAT,
                        "%s: more than %u MB when it is unpacked: no profile that is believed",
                        name, SNAPSHOT_MAX_BYTES >> 20);
}

static enum snapshot_code read_file(int fd, const char *path, struct bytes *b, char *text,
                                    size_t capacity)
{
    for (;;) {
        if (b->len > SNAPSHOT_MAX_BYTES)
            return too_large(path, text, capacity);
        if (!grow(b))
            return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", path);
        ssize_t got = read(fd, b->at + b->len, b->room - b->len);
        if (got == 0)
            return SNAPSHOT_OK;
        if (got < 0 && errno != EINTR)
            return snapshot_say(text, capacity, SNAPSHOT_EOPEN, "%s: %s", path, strerror(errno));
        b->len += got > 0 ? (size_t)got : 0;
    }
}

static bool is_packed(const uint8_t *bytes, size_t len)
{
    return len >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static enum snapshot_code inflate_all(z_stream *z, const char *name, struct bytes *out, char *text,
                                      size_t capacity)
{
    int got = Z_OK;

    /* Several members may stand one behind the other. */
    while (got == Z_OK || (got == Z_STREAM_END && is_packed(z->next_in, z->avail_in))) {
        if (got == Z_STREAM_END)
            inflateReset(z);
        if (out->len > SNAPSHOT_MAX_BYTES)
            return too_large(name, text, capacity);
        if (!grow(out))
            return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", name);
        size_t room = out->room - out->len < STEP * 16 ? out->room - out->len : STEP * 16;
        z->next_out = out->at + out->len;
        z->avail_out = (uInt)room;
        got = inflate(z, Z_NO_FLUSH);
        out->len += room - z->avail_out;
    }
    if (got == Z_STREAM_END)
        return SNAPSHOT_OK;
    return snapshot_say(text, capacity, SNAPSHOT_EFORMAT, "%s: its gzip data are %s", name,
                        got == Z_BUF_ERROR ? "cut short" : "damaged");
}

static enum snapshot_code unpack(const uint8_t *bytes, size_t len, const char *name,
                                 struct bytes *out, char *text, size_t capacity)
{
    z_stream z = {.next_in = bytes, .avail_in = (uInt)len};

    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", name);
    enum snapshot_code code = inflate_all(&z, name, out, text, capacity);
    inflateEnd(&z);
    return code;
}

static enum snapshot_code read_plain(const uint8_t *bytes, size_t len, const char *name,
                                     struct snapshot **snapshot, char *text, size_t capacity)
{
    if (len == 0)
        return snapshot_say(text, capacity, SNAPSHOT_EFORMAT, "%s: empty", name);
    if (gmon_has_magic(bytes, len))
        return gmon_read(bytes, len, name, snapshot, text, capacity);
    return pprof_read(bytes, len, name, snapshot, text, capacity);
}

enum snapshot_code snapshot_read(const uint8_t *bytes, size_t len, const char *name,
                                 struct snapshot **snapshot, char *text, size_t capacity)
{
    struct bytes unpacked = {.at = NULL};

    if (len > SNAPSHOT_MAX_BYTES)
        return too_large(name, text, capacity);
    if (!is_packed(bytes, len))
        return read_plain(bytes, len, name, snapshot, text, capacity);
    enum snapshot_code code = unpack(bytes, len, name, &unpacked, text, capacity);
    if (code == SNAPSHOT_OK)
        code = read_plain(unpacked.at, unpacked.len, name, snapshot, text, capacity);
    free(unpacked.at);
    return code;
}

enum snapshot_code snapshot_load(const char *path, struct snapshot **snapshot, char *text,
                                 size_t capacity)
{
    struct bytes file = {.at = NULL};
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return snapshot_say(text, capacity, SNAPSHOT_EOPEN, "%s: %s", path, strerror(errno));
    enum snapshot_code code = read_file(fd, path, &file, text, capacity);
    close(fd);
    if (code == SNAPSHOT_OK)
        code = snapshot_read(file.at, file.len, path, snapshot, text, capacity);
    free(file.at);
    return code;
}

/* The same bytes give the same file: no time and no name in the header. */
static uint8_t *pack(const uint8_t *bytes, size_t len, size_t *packed_len)
{
    z_stream z = {.next_in = bytes, .avail_in = (uInt)len};
    gz_header header = {.os = 255};
    uint8_t *packed = NULL;

    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return NULL;
    uLong bound = deflateBound(&z, (uLong)len) + 64;
    if (deflateSetHeader(&z, &header) == Z_OK)
        packed = malloc(bound);
    z.next_out = packed;
    z.avail_out = (uInt)bound;
    if (packed && deflate(&z, Z_FINISH) != Z_STREAM_END) {
        free(packed);
        packed = NULL;
    }
    *packed_len = z.total_out;
    deflateEnd(&z);
    return packed;
}

static bool write_all(int fd, const uint8_t *bytes, size_t len)
{
    while (len > 0) {
        ssize_t put = write(fd, bytes, len);
        if (put < 0 && errno != EINTR)
            return false;
        bytes += put > 0 ? put : 0;
        len -= put > 0 ? (size_t)put : 0;
    }
    return fsync(fd) == 0;
}

/* The new name is on the disk only when the folder is. */
static void sync_folder(const char *path)
{
    char copy[PATH_MAX];

    snprintf(copy, sizeof(copy), "%s", path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)!fsync(fd);
    close(fd);
}

/* As any new file, or as the one that it replaces. */
static mode_t mode_for(const char *path)
{
    struct stat about;
    mode_t mask = umask(0);

    umask(mask);
    return stat(path, &about) == 0 ? about.st_mode & 0777 : 0666 & ~mask;
}

static bool replace(const char *path, const uint8_t *bytes, size_t len)
{
    char name[PATH_MAX];

    if ((size_t)snprintf(name, sizeof(name), "%s.XXXXXX", path) >= sizeof(name)) {
        errno = ENAMETOOLONG;
        return false;
    }
    int fd = mkstemp(name);
    if (fd < 0)
        return false;
    bool done = write_all(fd, bytes, len) && fchmod(fd, mode_for(path)) == 0;
    int saved = errno;
    if (close(fd) != 0 && done) {
        saved = errno;
        done = false;
    }
    if (done && rename(name, path) != 0) {
        saved = errno;
        done = false;
    }
    if (done)
        sync_folder(path);
    else
        unlink(name);
    errno = saved;
    return done;
}

/* What is no file, like a pipe or /dev/stdout, cannot be replaced. */
static bool write_into(const char *path, const uint8_t *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    bool done = write_all(fd, bytes, len) || errno == EINVAL || errno == ENOTSUP;
    int saved = errno;
    close(fd);
    errno = saved;
    return done;
}

static bool is_replaceable(const char *path)
{
    struct stat about;

    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

/* A link keeps being one: what it leads to is replaced. */
static bool write_file(const char *path, const uint8_t *bytes, size_t len)
{
    char real[PATH_MAX];

    if (!is_replaceable(path))
        return write_into(path, bytes, len);
    return replace(realpath(path, real) ? real : path, bytes, len);
}

enum snapshot_code snapshot_save(const struct snapshot *snapshot, const char *path, char *text,
                                 size_t capacity)
{
    size_t len = 0, packed_len = 0;
    uint8_t *bytes = snapshot_bytes(snapshot, &len);
    uint8_t *packed = bytes ? pack(bytes, len, &packed_len) : NULL;
    enum snapshot_code code = SNAPSHOT_OK;

    free(bytes);
    if (!packed)
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", path);
    if (!write_file(path, packed, packed_len))
        code = snapshot_say(text, capacity, SNAPSHOT_EWRITE,
                            "%s could not be written: %s; what stood there is as before", path,
                            strerror(errno));
    free(packed);
    return code;
}
