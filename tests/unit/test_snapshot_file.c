/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of snapshots: whole or not at all, and no larger than is believed. */
#define _XOPEN_SOURCE 700
#define ZLIB_CONST

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "unit.h"

#include "snapshot_checks.h"

struct place {
    char folder[64];
    char path[96];
};

static struct place make_place(void)
{
    struct place p = {.folder = "/tmp/mprof-snapshot-XXXXXX"};

    assert_non_null(mkdtemp(p.folder));
    snprintf(p.path, sizeof(p.path), "%s/a.pb.gz", p.folder);
    return p;
}

/* The folder must hold nothing else. */
static void remove_place(const struct place *p)
{
    unlink(p->path);
    assert_int_equal(rmdir(p->folder), 0);
}

static size_t read_all(const char *path, uint8_t *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    size_t len = fread(bytes, 1, room, file);
    fclose(file);
    return len;
}

static struct snapshot *make_snapshot(uint32_t seed)
{
    struct profile p = checks_profile(seed, 16, false);
    struct snapshot *s = checks_make(&p, "chip");

    profile_free(&p);
    return s;
}

static void save_file(const struct snapshot *s, const char *path)
{
    char text[300] = "";

    if (snapshot_save(s, path, text, sizeof(text)) != SNAPSHOT_OK)
        fail_msg("%s", text);
}

static void test_save_and_load(void **state)
{
    static uint8_t first[65536], second[65536];
    struct place place = make_place();
    struct snapshot *s = make_snapshot(1), *loaded = NULL;
    struct stat about;
    char text[300];

    save_file(s, place.path);
    size_t len = read_all(place.path, first, sizeof(first));
    assert_int_equal(first[0], 0x1f);
    assert_memory_equal(first + 3, "\0\0\0\0\0", 5); /* no flags and no time */
    assert_int_equal(snapshot_load(place.path, &loaded, text, sizeof(text)), SNAPSHOT_OK);
    assert_true(checks_same(s, loaded));
    assert_int_equal(chmod(place.path, 0640), 0);
    save_file(loaded, place.path);
    assert_int_equal(read_all(place.path, second, sizeof(second)), len);
    assert_memory_equal(first, second, len);
    assert_int_equal(stat(place.path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    snapshot_free(s);
    snapshot_free(loaded);
    remove_place(&place);
}

/* A file may not grow beyond some bytes: as on a disk that is full. */
static void limit_files(rlim_t bytes, struct rlimit *before)
{
    assert_int_equal(getrlimit(RLIMIT_FSIZE, before), 0);
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = before->rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_full_disk(void **state)
{
    struct place place = make_place();
    struct snapshot *old = make_snapshot(1), *new = make_snapshot(2), *loaded = NULL;
    struct rlimit before;
    char text[300] = "";

    save_file(old, place.path);
    limit_files(100, &before);
    enum snapshot_code code = snapshot_save(new, place.path, text, sizeof(text));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(code, SNAPSHOT_EWRITE);
    assert_non_null(strstr(text, place.path));
    assert_non_null(strstr(text, "the old file is unchanged"));
    assert_int_equal(snapshot_load(place.path, &loaded, text, sizeof(text)), SNAPSHOT_OK);
    assert_true(checks_same(old, loaded));
    snapshot_free(old);
    snapshot_free(new);
    snapshot_free(loaded);
    remove_place(&place); /* no temporary file is left */
}

static void test_no_folder(void **state)
{
    struct snapshot *s = make_snapshot(1), *loaded = NULL;
    char text[300] = "";

    assert_int_equal(snapshot_save(s, "/nonexistent/a.pb.gz", text, sizeof(text)), SNAPSHOT_EWRITE);
    assert_non_null(strstr(text, "/nonexistent/a.pb.gz"));
    assert_int_equal(snapshot_save(s, "/dev/full", text, sizeof(text)), SNAPSHOT_EWRITE);
    assert_non_null(strstr(text, strerror(ENOSPC)));
    assert_int_equal(snapshot_load("/nonexistent/a.pb.gz", &loaded, text, sizeof(text)),
                     SNAPSHOT_EOPEN);
    assert_int_equal(snapshot_load("/", &loaded, text, sizeof(text)), SNAPSHOT_EOPEN);
    assert_int_equal(snapshot_load("/dev/null", &loaded, text, sizeof(text)), SNAPSHOT_EOPEN);
    assert_int_equal(snapshot_load("/dev/zero", &loaded, text, sizeof(text)), SNAPSHOT_EOPEN);
    assert_null(loaded);
    snapshot_free(s);
}

/* A link stays one. */
static void test_link(void **state)
{
    struct place place = make_place();
    struct snapshot *s = make_snapshot(1);
    struct stat about;
    char link[128];

    snprintf(link, sizeof(link), "%s/link", place.folder);
    save_file(s, place.path);
    assert_int_equal(symlink("a.pb.gz", link), 0);
    save_file(s, link);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    unlink(link);
    snapshot_free(s);
    remove_place(&place);
}

/* zeros times 1 MB, packed. */
static uint8_t *make_bomb(unsigned megabytes, size_t *len)
{
    static uint8_t zeros[1 << 20];
    size_t room = (1 << 16) + megabytes * 8192;
    uint8_t *bomb = malloc(room);
    z_stream z = {.next_out = bomb, .avail_out = (uInt)room};

    assert_non_null(bomb);
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    for (unsigned i = 0; i < megabytes; i++) {
        z.next_in = zeros;
        z.avail_in = sizeof(zeros);
        assert_int_equal(deflate(&z, i + 1 == megabytes ? Z_FINISH : Z_NO_FLUSH),
                         i + 1 == megabytes ? Z_STREAM_END : Z_OK);
    }
    *len = z.total_out;
    deflateEnd(&z);
    return bomb;
}

static void test_bomb(void **state)
{
    size_t len;
    uint8_t *bomb = make_bomb(300, &len);
    struct snapshot *s = NULL;
    char text[300] = "";

    assert_int_equal(snapshot_read(bomb, len, "bomb", &s, text, sizeof(text)), SNAPSHOT_EFORMAT);
    assert_non_null(strstr(text, "bomb: more than 256 MB"));
    free(bomb);
}

/* Two bytes of file that ask for many of memory: the message is refused, not the machine's memory
 * used up. */
static void test_many_small(void **state)
{
    size_t len = 24u << 20;
    uint8_t *file = malloc(len);
    struct snapshot *s = NULL;
    char text[300] = "";

    assert_non_null(file);
    for (size_t i = 0; i < len; i += 2) {
        file[i] = 2 << 3 | 2; /* an empty sample */
        file[i + 1] = 0;
    }
    assert_int_equal(snapshot_read(file, len, "many", &s, text, sizeof(text)), SNAPSHOT_EFORMAT);
    assert_non_null(strstr(text, "many: sample 8388608: too many"));

    /* One location with millions of empty lines. */
    file[0] = 1 << 3 | 2; /* a type without a name */
    file[1] = 0;
    for (size_t i = 8; i < len; i += 2) {
        file[i] = 4 << 3 | 2;
        file[i + 1] = 0;
    }
    size_t inner = len - 8;
    file[2] = 4 << 3 | 2;
    for (unsigned i = 0; i < 5; i++)
        file[3 + i] = (uint8_t)((inner >> 7 * i & 0x7f) | (i < 4 ? 0x80 : 0));
    assert_int_equal(snapshot_read(file, len, "many", &s, text, sizeof(text)), SNAPSHOT_EFORMAT);
    assert_non_null(strstr(text, "many: location 0: larger"));
    free(file);
}

static void test_packed_damage(void **state)
{
    static uint8_t file[65536];
    struct place place = make_place();
    struct snapshot *s = make_snapshot(4), *loaded = NULL;
    char text[300] = "";
    unsigned unused = 0;

    save_file(s, place.path);
    size_t len = read_all(place.path, file, sizeof(file));
    for (size_t cut = 0; cut < len; cut++) {
        assert_int_equal(snapshot_read(file, cut, "x", &loaded, text, sizeof(text)),
                         SNAPSHOT_EFORMAT);
    }
    for (size_t i = 20; i < len; i++) {
        file[i] ^= 0x10;
        /* The last byte of what is packed has bits that mean nothing. */
        if (snapshot_read(file, len, "x", &loaded, text, sizeof(text)) == SNAPSHOT_OK) {
            assert_true(checks_same(s, loaded));
            snapshot_free(loaded);
            loaded = NULL;
            unused++;
        }
        file[i] ^= 0x10;
    }
    assert_null(loaded);
    assert_true(unused <= 1);
    snapshot_free(s);
    remove_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save_and_load), cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_no_folder),     cmocka_unit_test(test_link),
        cmocka_unit_test(test_bomb),          cmocka_unit_test(test_many_small),
        cmocka_unit_test(test_packed_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
