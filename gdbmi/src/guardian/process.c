/* SPDX-License-Identifier: 0BSD */
/* Whether a process is stopped, by its state in /proc. */
#include "process.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The name, which comes before the state, is in parentheses and may contain some. */
static bool says_stopped(const char *stat)
{
    const char *end = strrchr(stat, ')');

    return end != NULL && end[1] == ' ' && (end[2] == 'T' || end[2] == 't');
}

bool process_is_stopped(pid_t pid)
{
    char path[48];
    char stat[512];

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t len = read(fd, stat, sizeof(stat) - 1);
    close(fd);
    stat[len > 0 ? len : 0] = '\0';
    return says_stopped(stat);
}
