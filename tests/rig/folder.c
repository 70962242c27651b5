/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's temporary folder and the unix sockets that listen in it. */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TEMPLATE "mprof-rig-XXXXXX"
/* The longest name of a socket in the folder, with its slash. */
#define NAME_ROOM 16U

int folder_make(char path[SOCKET_PATH_MAX], struct fault *fault)
{
    const char *parent = getenv("TMPDIR");

    if (!parent || parent[0] != '/' ||
        strlen(parent) + sizeof "/" TEMPLATE + NAME_ROOM > SOCKET_PATH_MAX)
        parent = "/tmp";
    snprintf(path, SOCKET_PATH_MAX, "%s/" TEMPLATE, parent);
    if (!mkdtemp(path)) {
        path[0] = '\0';
        return fault_set(fault, "cannot make a folder in %s: %s", parent, strerror(errno));
    }
    return 0;
}

void folder_remove(const char *path)
{
    DIR *folder = path[0] ? opendir(path) : NULL;
    const struct dirent *entry;

    if (!folder)
        return;
    while ((entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(path);
}

static int try_bind(int fd, const struct sockaddr_un *address)
{
    return bind(fd, (const struct sockaddr *)address, sizeof *address);
}

static int bind_or_replace(int fd, const struct sockaddr_un *address)
{
    if (try_bind(fd, address) == 0)
        return 0;
    if (errno != EADDRINUSE)
        return -1;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int refused = connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 &&
                  errno == ECONNREFUSED;
    close(probe);
    errno = EADDRINUSE;
    return refused && unlink(address->sun_path) == 0 ? try_bind(fd, address) : -1;
}

int folder_listen(const char *path, struct fault *fault)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path)
        return fault_set(fault, "%s: too long a path for a socket", path);
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind_or_replace(fd, &address) != 0 || listen(fd, 8) != 0) {
        fault_set(fault, "cannot listen on %s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}
