/* SPDX-License-Identifier: 0BSD */
/* Addresses of hosts, looked up no longer than one wants to wait: getaddrinfo() itself may take a
 * minute, and cannot be told to stop. */
#include "resolve.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "clock.h"

#define MS_PER_S  1000
#define NS_PER_MS 1000000L
#define NS_PER_S  1000000000L

/* Belongs to both threads; the one that comes second frees it. */
struct lookup {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool done;      /* by the helper */
    bool abandoned; /* by the caller */
    int result;
    struct addrinfo *found;
    char host[256];
    char port[32];
};

static int ask_system(const char *host, const char *port, int flags, struct addrinfo **found)
{
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};

    return getaddrinfo(host, port, &hints, found);
}

static void lookup_free(struct lookup *lookup)
{
    pthread_cond_destroy(&lookup->changed);
    pthread_mutex_destroy(&lookup->mutex);
    free(lookup);
}

static void *run(void *argument)
{
    struct lookup *lookup = argument;
    struct addrinfo *found = NULL;

    int result = ask_system(lookup->host, lookup->port, 0, &found);
    pthread_mutex_lock(&lookup->mutex);
    bool abandoned = lookup->abandoned;
    lookup->done = true;
    lookup->result = result;
    lookup->found = found;
    pthread_cond_signal(&lookup->changed);
    pthread_mutex_unlock(&lookup->mutex);
    if (abandoned) {
        if (result == 0)
            freeaddrinfo(found);
        lookup_free(lookup);
    }
    return NULL;
}

static struct lookup *lookup_new(const char *host, const char *port)
{
    struct lookup *lookup = calloc(1, sizeof(*lookup));
    pthread_condattr_t attributes;

    if (lookup == NULL)
        return NULL;
    snprintf(lookup->host, sizeof(lookup->host), "%s", host);
    snprintf(lookup->port, sizeof(lookup->port), "%s", port);
    pthread_mutex_init(&lookup->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&lookup->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return lookup;
}

/* Signals are for the thread that waits for them. */
static int start(struct lookup *lookup)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&thread, NULL, run, lookup);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result == 0)
        pthread_detach(thread);
    return result;
}

static struct timespec moment_of(uint64_t deadline)
{
    struct timespec now;
    int left_ms = clock_left_ms(deadline);

    clock_gettime(CLOCK_MONOTONIC, &now);
    now.tv_sec += left_ms / MS_PER_S;
    now.tv_nsec += left_ms % MS_PER_S * NS_PER_MS;
    if (now.tv_nsec >= NS_PER_S) {
        now.tv_sec++;
        now.tv_nsec -= NS_PER_S;
    }
    return now;
}

/* true: the helper is done and the lookup is the caller's. false: it is the helper's now. */
static bool wait_for(struct lookup *lookup, uint64_t deadline)
{
    struct timespec until = moment_of(deadline);
    int result = 0;

    pthread_mutex_lock(&lookup->mutex);
    while (!lookup->done && result == 0)
        result = pthread_cond_timedwait(&lookup->changed, &lookup->mutex, &until);
    bool done = lookup->done;
    lookup->abandoned = !done;
    pthread_mutex_unlock(&lookup->mutex);
    return done;
}

static int finish(int result, const char **reason)
{
    if (result != 0)
        *reason = gai_strerror(result);
    return result == 0 ? 0 : EHOSTUNREACH;
}

static int resolve_name(const char *host, const char *port, uint64_t deadline,
                        struct addrinfo **found, const char **reason)
{
    struct lookup *lookup = lookup_new(host, port);

    if (lookup == NULL)
        return ENOMEM;
    int result = start(lookup);
    if (result != 0) {
        lookup_free(lookup);
        return result;
    }
    if (!wait_for(lookup, deadline)) {
        *reason =
            "looking up the host name took too long: check the network, or use a numeric address";
        return ETIMEDOUT;
    }
    result = lookup->result;
    *found = lookup->found;
    lookup_free(lookup);
    return finish(result, reason);
}

int resolve_host(const char *host, const char *port, uint64_t deadline, struct addrinfo **found,
                 const char **reason)
{
    /* No host is this one by both protocols, also where nothing resolves its name. */
    if (strcmp(host, "localhost") == 0)
        return finish(ask_system(NULL, port, 0, found), reason);
    if (ask_system(host, port, AI_NUMERICHOST, found) == 0)
        return 0;
    return resolve_name(host, port, deadline, found, reason);
}
