/* SPDX-License-Identifier: 0BSD */
/* The addresses of servers, as users write them. */
#include "address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool copy(char *out, size_t capacity, const char *text, size_t len)
{
    if (len >= capacity)
        return false;
    memcpy(out, text, len);
    out[len] = '\0';
    return true;
}

static void describe(struct address *address)
{
    bool is_ipv6 = strchr(address->host, ':') != NULL;

    if (address_is_path(address))
        snprintf(address->text, sizeof(address->text), "%s", address->path);
    else if (is_ipv6)
        snprintf(address->text, sizeof(address->text), "[%s]:%s", address->host, address->port);
    else
        snprintf(address->text, sizeof(address->text), "%s:%s", address->host, address->port);
}

static bool is_port(const char *text)
{
    char *end;
    long port;

    if (text[0] < '0' || text[0] > '9')
        return false;
    port = strtol(text, &end, 10);
    return *end == '\0' && port >= 1 && port <= 65535;
}

static bool parse_host_and_port(const char *text, struct address *address)
{
    const char *host = text;
    const char *colon = strrchr(text, ':');
    size_t host_len = colon != NULL ? (size_t)(colon - text) : 0;
    const char *port = colon != NULL ? colon + 1 : text;

    if (host_len >= 2 && text[0] == '[' && text[host_len - 1] == ']') {
        host++;
        host_len -= 2;
    } else if (memchr(text, ':', host_len) != NULL) {
        return false;
    }
    if (host_len == 0) {
        host = "localhost";
        host_len = strlen(host);
    }
    return is_port(port) && copy(address->host, sizeof(address->host), host, host_len) &&
           copy(address->port, sizeof(address->port), port, strlen(port));
}

bool address_is_path(const struct address *address)
{
    return address->is_unix || address->is_serial;
}

/* "/dev/ttyUSB0@115200": what stands before the '@', and the speed; all of it where none is. */
static size_t split_speed(const char *path, long *speed)
{
    const char *at = strrchr(path, '@');
    char *end;

    if (at == NULL || at[1] < '1' || at[1] > '9')
        return strlen(path);
    *speed = strtol(at + 1, &end, 10);
    return *end == '\0' ? (size_t)(at - path) : strlen(path);
}

/* A line that is not plugged in has no file. */
static bool is_serial_line(const char *path)
{
    struct stat info;

    if (stat(path, &info) == 0)
        return S_ISCHR(info.st_mode);
    return strncmp(path, "/dev/", 5) == 0;
}

static bool parse_path(const char *path, struct address *address)
{
    long speed = 0;
    size_t len = split_speed(path, &speed);

    if (path[0] == '\0' || !copy(address->path, sizeof(address->path), path, len))
        return false;
    address->is_serial = is_serial_line(address->path);
    address->is_unix = !address->is_serial;
    address->speed = address->is_serial ? speed : 0;
    return address->is_serial || copy(address->path, sizeof(address->path), path, strlen(path));
}

/* What stands there can be no way to a server; NULL: it may be one, or may come to be. */
static const char *wrong_file(const struct address *address)
{
    struct stat info;

    if (!address_is_path(address) || stat(address->path, &info) != 0 || S_ISCHR(info.st_mode) ||
        S_ISSOCK(info.st_mode))
        return NULL;
    return S_ISDIR(info.st_mode) ? "a folder" : "a file";
}

enum gdbmi_code address_parse(const char *text, struct address *address, struct gdbmi_error *error)
{
    static const char prefix[] = "unix:";
    bool good;

    *address = (struct address){.is_unix = false};
    if (strncmp(text, prefix, strlen(prefix)) == 0) {
        const char *path = text + strlen(prefix);
        address->is_unix = true;
        good = path[0] != '\0' && copy(address->path, sizeof(address->path), path, strlen(path));
    } else if (strchr(text, '/') != NULL) {
        good = parse_path(text, address);
    } else {
        good = parse_host_and_port(text, address);
    }
    if (!good)
        return gdbmi_error_set(
            error, GDBMI_EARG,
            "%.100s: not an address: use HOST:PORT, :PORT, unix:PATH or the path of a serial line",
            text);
    const char *wrong = wrong_file(address);
    if (wrong)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%.100s: this is %s: use the path of a socket or of a serial line",
                               address->path, wrong);
    describe(address);
    return GDBMI_OK;
}

void address_with_port(const struct address *host_of, const char *port, struct address *address)
{
    *address = *host_of;
    copy(address->port, sizeof(address->port), port, strlen(port));
    describe(address);
}

bool address_is_this_host(const struct address *address)
{
    return !address->is_unix &&
           (strcmp(address->host, "localhost") == 0 || strcmp(address->host, "::1") == 0 ||
            strncmp(address->host, "127.", 4) == 0);
}
