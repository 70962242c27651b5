/* SPDX-License-Identifier: 0BSD */
/* A file that is mapped over s_prof, so that what was recorded outlives the process. */
#ifdef __linux__
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gate.h"
#include "threads.h"

#if MPROF_THREADS

#define VARIABLE    "MPROF_FILE"
#define HOLD        "MPROF_HOLD" /* a descriptor: main() is not called until its pipe ends */
#define PATH_SIZE   4096
#define SUFFIX_SIZE 32 /* "." and a PID, twice, and "~" */

static char s_path[PATH_SIZE]; /* of the first process, absolute; empty: none */
static int s_shared;           /* a file is mapped over s_prof */

/* Appends text, and returns where it ended; NULL: there is no room. */
MPROF_UNHOOKED static char *append(char *to, const char *end, const char *text)
{
    size_t len = strlen(text);

    if (!to || end <= to || (size_t)(end - to) <= len)
        return NULL;
    memcpy(to, text, len + 1);
    return to + len;
}

MPROF_UNHOOKED static char *append_number(char *to, const char *end, unsigned long number)
{
    char digits[24];
    char *digit = &digits[sizeof(digits) - 1];

    *digit = '\0';
    do
        *--digit = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    return append(to, end, digit);
}

/* Writes all but s_prof itself. */
MPROF_UNHOOKED static int make_file(const char *path)
{
    const struct mprof_tail tail = {.magic = MPROF_TAIL_MAGIC,
                                    .size = sizeof(tail),
                                    .address = (uintptr_t)s_prof,
                                    .entry = getauxval(AT_ENTRY)};

    if (unlink(path) != 0 && errno != ENOENT)
        return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    int why = posix_fallocate(fd, 0, sizeof(s_prof) + sizeof(tail));
    if (why == 0 && pwrite(fd, &tail, sizeof(tail), sizeof(s_prof)) == (ssize_t)sizeof(tail))
        return fd;
    why = why ? why : errno;
    close(fd);
    unlink(path);
    errno = why;
    return -1;
}

/* fd -1: memory without a file. */
MPROF_UNHOOKED static int map(int fd)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *at = mmap(s_prof, sizeof(s_prof), PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0);

    if (at == MAP_FAILED)
        return -1;
    s_shared = fd >= 0;
    return 0;
}

/* A second mapping of the file that s_prof is in, or else a copy of s_prof: what undo() puts back.
 * MAP_FAILED: with errno. */
MPROF_UNHOOKED static void *keep(void)
{
    if (s_shared)
        return mremap(s_prof, 0, sizeof(s_prof), MREMAP_MAYMOVE);
    void *kept =
        mmap(NULL, sizeof(s_prof), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (kept != MAP_FAILED)
        memcpy(kept, s_prof, sizeof(s_prof));
    return kept;
}

MPROF_UNHOOKED static void undo(void *kept, int shared)
{
    if (mremap(kept, sizeof(s_prof), sizeof(s_prof), MREMAP_MAYMOVE | MREMAP_FIXED, s_prof) ==
        MAP_FAILED)
        abort();
    s_shared = shared;
}

/* Maps the file that was made, and gives it its name when it is complete. */
MPROF_UNHOOKED static int map_made(int fd, const char *made, const char *path)
{
    int shared = s_shared;
    void *kept = keep();

    if (kept == MAP_FAILED)
        return -1;
    int done = map(fd);
    if (done == 0) {
        mprof_threads_init();
        done = rename(made, path);
    }
    int why = errno;
    if (done == 0)
        munmap(kept, sizeof(s_prof));
    else
        undo(kept, shared);
    errno = why;
    return done;
}

/* A new file: another process may still write to one that had the name. */
MPROF_UNHOOKED static int map_path(const char *path)
{
    char made[PATH_SIZE];
    const char *end = made + sizeof(made);

    append(append_number(append(append(made, end, path), end, "."), end, (unsigned long)getpid()),
           end, "~");
    int fd = make_file(made);
    if (fd < 0)
        return -1;
    int done = map_made(fd, made, path);
    int why = errno;
    close(fd);
    if (done != 0)
        unlink(made);
    errno = why;
    return done;
}

MPROF_UNHOOKED static void complain(const char *path)
{
    int why = errno;
    char line[PATH_SIZE + 200];
    const char *end = line + sizeof(line);
    char *to = append(line, end, "mprof: cannot write ");

    to = append(append(append(to, end, path), end, ": "), end, strerror(why));
    to = append(to, end, "\n");
    if (to && write(STDERR_FILENO, line, (size_t)(to - line)) < 0)
        return;
}

/* Makes a path absolute, and leaves room for what other processes append. */
MPROF_UNHOOKED static int take_path(const char *given, char path[PATH_SIZE])
{
    char *to = path;
    const char *end = path + PATH_SIZE;

    if (given[0] != '/') {
        if (!getcwd(path, PATH_SIZE))
            return -1;
        to = append(path + strlen(path), end, "/");
    }
    if (append(to, end - SUFFIX_SIZE, given))
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* One that fails leaves the former file, whose name a child must know. */
MPROF_UNHOOKED int mprof_file(const char *path)
{
    char absolute[PATH_SIZE];

    mprof_threads_quiet();
    int done = take_path(path, absolute);
    if (done == 0)
        done = map_path(absolute);
    if (done == 0)
        memcpy(s_path, absolute, sizeof(s_path));
    mprof_threads_loud();
    return done;
}

/* The path for a process that this one makes or becomes; pid 0: it is to put its own. */
MPROF_UNHOOKED static void name_next(char path[PATH_SIZE], long pid)
{
    const char *end = path + PATH_SIZE;
    char *to = append(append(path, end, s_path), end, ".");

    if (pid != 0)
        append_number(to, end, (unsigned long)pid);
    else
        append(to, end, "%p");
}

/* A path that ends with ".%p" is of a process that started this one. */
MPROF_UNHOOKED static void take_pid(const char *given, char path[PATH_SIZE])
{
    size_t len = strlen(given);
    const char *end = path + PATH_SIZE;
    char *to = append(path, end, given);

    if (to && len > 2 && strcmp(given + len - 2, "%p") == 0)
        append_number(to - 2, end, (unsigned long)getpid());
}

/* Until mprof, which has started this program, has chosen what to record. If it ends, so does the
 * pipe. */
MPROF_UNHOOKED static void wait_for_host(void)
{
    const char *given = secure_getenv(HOLD);
    int fd = given ? atoi(given) : -1;
    char nothing;

    if (fd <= STDERR_FILENO)
        return;
    unsetenv(HOLD);
    while (read(fd, &nothing, 1) < 0 && errno == EINTR)
        ;
    close(fd);
}

MPROF_UNHOOKED int mprof_file_of_environment(void)
{
    const char *given = secure_getenv(VARIABLE);
    char path[PATH_SIZE] = "";

    if (!given || given[0] == '\0')
        return 0;
    take_pid(given, path);
    if (mprof_file(path) != 0) {
        complain(given);
        return 0;
    }
    if (strcmp(given, path) == 0) {
        name_next(path, 0);
        setenv(VARIABLE, path, 1);
    }
    wait_for_host();
    return 1;
}

/* Above all, its memory must not be the other process's. */
MPROF_UNHOOKED int mprof_file_of_child(void)
{
    char path[PATH_SIZE];

    if (s_path[0] == '\0')
        return 0;
    name_next(path, getpid());
    if (map_path(path) == 0)
        return 1;
    complain(path);
    if (map(-1) != 0)
        abort();
    mprof_threads_init();
    return 1;
}

#endif
#endif
