/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of snapshots: read whole within bounds, packed and written. */
#define _XOPEN_SOURCE 700
#define ZLIB_CONST

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <base/atomic_write.h>
#include <base/file.h>
#include <base/vec.h>

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
    return VEC_ROOM(b->at, b->room, b->len, STEP);
}

static enum snapshot_code too_large(const char *name, char *text, size_t capacity)
{
    return snapshot_say(text, capacity, SNAPSHOT_EFORMAT,
                        "%s: more than %u MB when unpacked: too large for a profile", name,
                        SNAPSHOT_MAX_BYTES >> 20);
}

/* Where the bytes of a file come from, a step at a time. */
struct source {
    const char *name;
    int fd; /* -1: all are there */
    const uint8_t *next;
    size_t left;
    uint8_t step[STEP];
};

/* More bytes behind those that are left. */
static enum snapshot_code refill(struct source *s, char *text, size_t capacity)
{
    size_t got;

    if (s->fd < 0)
        return SNAPSHOT_OK;
    memmove(s->step, s->next, s->left);
    s->next = s->step;
    if (!file_read(s->fd, s->step + s->left, sizeof(s->step) - s->left, &got))
        return snapshot_say(text, capacity, SNAPSHOT_EOPEN, "%s: %s", s->name, strerror(errno));
    s->left += got;
    return SNAPSHOT_OK;
}

static bool is_packed(const uint8_t *bytes, size_t len)
{
    return len >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static enum snapshot_code make_room(struct bytes *b, const char *name, char *text, size_t capacity)
{
    if (b->len > SNAPSHOT_MAX_BYTES)
        return too_large(name, text, capacity);
    if (!grow(b))
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", name);
    return SNAPSHOT_OK;
}

/* One turn: what is left goes into out; *got is zlib's word. */
static enum snapshot_code inflate_step(z_stream *z, struct source *s, struct bytes *out, int *got,
                                       char *text, size_t capacity)
{
    enum snapshot_code code = s->left < 2 ? refill(s, text, capacity) : SNAPSHOT_OK;

    if (code == SNAPSHOT_OK)
        code = make_room(out, s->name, text, capacity);
    if (code != SNAPSHOT_OK)
        return code;
    size_t room = out->room - out->len < STEP * 16 ? out->room - out->len : STEP * 16;
    uInt offered = s->left < STEP ? (uInt)s->left : STEP;
    z->next_in = s->next;
    z->avail_in = offered;
    z->next_out = out->at + out->len;
    z->avail_out = (uInt)room;
    *got = inflate(z, Z_NO_FLUSH);
    out->len += room - z->avail_out;
    s->next += offered - z->avail_in;
    s->left -= offered - z->avail_in;
    return SNAPSHOT_OK;
}

static enum snapshot_code inflate_all(z_stream *z, struct source *s, struct bytes *out, char *text,
                                      size_t capacity)
{
    enum snapshot_code code = SNAPSHOT_OK;
    int got = Z_OK;

    while (code == SNAPSHOT_OK && got == Z_OK) {
        code = inflate_step(z, s, out, &got, text, capacity);
        if (got != Z_STREAM_END || code != SNAPSHOT_OK)
            continue;
        /* Several members may stand one behind the other. */
        if (s->left < 2)
            code = refill(s, text, capacity);
        if (!is_packed(s->next, s->left))
            return code;
        got = inflateReset(z);
    }
    if (code != SNAPSHOT_OK)
        return code;
    return snapshot_say(text, capacity, SNAPSHOT_EFORMAT,
                        "%s: its gzip data are %s; copy or record it again", s->name,
                        got == Z_BUF_ERROR ? "cut short" : "damaged");
}

static enum snapshot_code unpack(struct source *s, struct bytes *out, char *text, size_t capacity)
{
    z_stream z = {.next_in = NULL};

    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", s->name);
    enum snapshot_code code = inflate_all(&z, s, out, text, capacity);
    inflateEnd(&z);
    return code;
}

/* As it is. */
static enum snapshot_code copy_all(struct source *s, struct bytes *out, char *text, size_t capacity)
{
    enum snapshot_code code = SNAPSHOT_OK;

    while (code == SNAPSHOT_OK && s->left > 0) {
        code = make_room(out, s->name, text, capacity);
        if (code != SNAPSHOT_OK)
            return code;
        memcpy(out->at + out->len, s->next, s->left);
        out->len += s->left;
        s->left = 0;
        code = refill(s, text, capacity);
    }
    return code;
}

static enum snapshot_code read_plain(const uint8_t *bytes, size_t len, const char *name,
                                     struct snapshot **snapshot, char *text, size_t capacity)
{
    if (len == 0)
        return snapshot_say(text, capacity, SNAPSHOT_EFORMAT, "%s: empty; record it again", name);
    if (gmon_has_magic(bytes, len))
        return gmon_read(bytes, len, name, snapshot, text, capacity);
    return pprof_read(bytes, len, name, snapshot, text, capacity);
}

/* Whatever is packed is unpacked while it is read, so that no file is in memory twice. */
static enum snapshot_code read_source(struct source *s, struct snapshot **snapshot, char *text,
                                      size_t capacity)
{
    struct bytes bytes = {.at = NULL};
    enum snapshot_code code = is_packed(s->next, s->left) ? unpack(s, &bytes, text, capacity)
                                                          : copy_all(s, &bytes, text, capacity);

    if (code == SNAPSHOT_OK)
        code = read_plain(bytes.at, bytes.len, s->name, snapshot, text, capacity);
    free(bytes.at);
    return code;
}

enum snapshot_code snapshot_read(const uint8_t *bytes, size_t len, const char *name,
                                 struct snapshot **snapshot, char *text, size_t capacity)
{
    struct source s = {.name = name, .fd = -1, .next = bytes, .left = len};

    if (len > SNAPSHOT_MAX_BYTES)
        return too_large(name, text, capacity);
    if (!is_packed(bytes, len))
        return read_plain(bytes, len, name, snapshot, text, capacity);
    return read_source(&s, snapshot, text, capacity);
}

static enum snapshot_code read_fd(int fd, const char *path, struct snapshot **snapshot, char *text,
                                  size_t capacity)
{
    struct source s = {.name = path, .fd = fd};

    s.next = s.step;
    enum snapshot_code code = refill(&s, text, capacity);
    return code == SNAPSHOT_OK ? read_source(&s, snapshot, text, capacity) : code;
}

enum snapshot_code snapshot_load(const char *path, struct snapshot **snapshot, char *text,
                                 size_t capacity)
{
    struct stat about;
    char why[FILE_WHY_MAX];
    int fd = file_open(path, "a snapshot", &about, why);

    if (fd < 0)
        return snapshot_say(text, capacity, SNAPSHOT_EOPEN, "%s: %s", path, why);
    enum snapshot_code code = read_fd(fd, path, snapshot, text, capacity);
    close(fd);
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

static bool write_file(const char *path, const uint8_t *bytes, size_t len, bool fresh)
{
    struct atomic_write file;

    if (!atomic_write_open(&file, path, fresh))
        return false;
    (void)!fwrite(bytes, 1, len, file.out);
    return atomic_write_close(&file, true);
}

static enum snapshot_code save(const struct snapshot *snapshot, const char *path, bool fresh,
                               char *text, size_t capacity)
{
    size_t len = 0, packed_len = 0;
    uint8_t *bytes = snapshot_bytes(snapshot, &len);
    uint8_t *packed = bytes ? pack(bytes, len, &packed_len) : NULL;

    free(bytes);
    if (!packed)
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", path);
    bool done = write_file(path, packed, packed_len, fresh);
    int wrong = errno;
    free(packed);
    if (done)
        return SNAPSHOT_OK;
    if (fresh && wrong == EEXIST)
        return snapshot_say(text, capacity, SNAPSHOT_ETAKEN,
                            "%s exists already: give another name with -o", path);
    return snapshot_say(text, capacity, SNAPSHOT_EWRITE, "cannot write %s: %s%s", path,
                        strerror(wrong),
                        fresh || !atomic_write_stands(path) ? "" : "; the old file is unchanged");
}

enum snapshot_code snapshot_save(const struct snapshot *snapshot, const char *path, char *text,
                                 size_t capacity)
{
    return save(snapshot, path, false, text, capacity);
}

enum snapshot_code snapshot_save_new(const struct snapshot *snapshot, const char *path, char *text,
                                     size_t capacity)
{
    return save(snapshot, path, true, text, capacity);
}
