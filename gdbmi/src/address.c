/* SPDX-License-Identifier: 0BSD */
/* The addresses of servers, as users write them. */
#include "address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

    if (address->is_unix)
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

enum gdbmi_code address_parse(const char *text, struct address *address, struct gdbmi_error *error)
{
    bool good;

    *address = (struct address){.is_unix = false};
    if (strncmp(text, "unix:", 5) == 0 || strchr(text, '/') != NULL) {
        const char *path = strncmp(text, "unix:", 5) == 0 ? text + 5 : text;
        address->is_unix = true;
        good = path[0] != '\0' && copy(address->path, sizeof(address->path), path, strlen(path));
    } else {
        good = parse_host_and_port(text, address);
    }
    if (!good)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%.100s: not an address: HOST:PORT, :PORT or unix:PATH is needed",
                               text);
    describe(address);
    return GDBMI_OK;
}

void address_with_port(const struct address *host_of, const char *port, struct address *address)
{
    *address = *host_of;
    copy(address->port, sizeof(address->port), port, strlen(port));
    describe(address);
}
