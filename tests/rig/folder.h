/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's temporary folder and the unix sockets that listen in it. */
#ifndef RIG_FOLDER_H
#define RIG_FOLDER_H

#include "fault.h"

/* A unix socket's path must not be longer, with its NUL. */
#define SOCKET_PATH_MAX 108

/* Makes a folder under $TMPDIR, or under /tmp where that is not set or too long a name for sockets
 * in it. 0 or -1. */
int folder_make(char path[SOCKET_PATH_MAX], struct fault *fault);

/* Removes the folder and all files in it. Nothing when path is empty. */
void folder_remove(const char *path);

/* A listening unix socket; one that is left from a program that has died is replaced. Returns its
 * descriptor or -1. */
int folder_listen(const char *path, struct fault *fault);

#endif
