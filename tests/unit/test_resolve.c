/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the lookup of hosts, with a system that takes its time, and of serial lines' addresses.
 */
#include "unit.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <unistd.h>

#include "address.h"
#include "clock.h"
#include "proxy_listen.h"
#include "resolve.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned asked, answered; /* names */
static bool hangs;

int __real_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found);

/* A name is known as 127.0.0.9, or as nothing while it hangs. */
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found)
{
    if (host == NULL || (hints->ai_flags & AI_NUMERICHOST))
        return __real_getaddrinfo(host, port, hints, found);
    pthread_mutex_lock(&mutex);
    asked++;
    while (hangs)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    int result = strcmp(host, "unknown.example") == 0
                     ? EAI_NONAME
                     : __real_getaddrinfo("127.0.0.9", port, hints, found);
    pthread_mutex_lock(&mutex);
    answered++;
    pthread_mutex_unlock(&mutex);
    return result;
}

static unsigned read_count(const unsigned *count)
{
    pthread_mutex_lock(&mutex);
    unsigned value = *count;
    pthread_mutex_unlock(&mutex);
    return value;
}

static void hang(bool on)
{
    pthread_mutex_lock(&mutex);
    hangs = on;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void test_numbers_ask_nobody(void **state)
{
    static const char *const hosts[] = {"localhost", "127.0.0.1", "::1", "10.1.2.3"};
    struct addrinfo *found = NULL;
    const char *reason = NULL;

    hang(true);
    for (size_t i = 0; i < COUNT(hosts); i++) {
        assert_int_equal(resolve_host(hosts[i], "3333", clock_deadline(50), &found, &reason), 0);
        assert_non_null(found);
        freeaddrinfo(found);
    }
    hang(false);
    assert_int_equal(read_count(&asked), 0);
}

static void test_names(void **state)
{
    struct addrinfo *found = NULL;
    const char *reason = NULL;

    assert_int_equal(resolve_host("board.example", "3333", clock_deadline(20000), &found, &reason),
                     0);
    assert_int_equal(found->ai_family, AF_INET);
    freeaddrinfo(found);
    assert_int_equal(
        resolve_host("unknown.example", "3333", clock_deadline(20000), &found, &reason),
        EHOSTUNREACH);
    assert_non_null(reason);
}

/* The helper is left behind, and frees what it holds when its answer comes. */
static void test_hanging_lookup_is_bounded(void **state)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct proxy_listeners listeners;
    struct addrinfo *found = NULL;

    hang(true);
    unsigned before = read_count(&answered);
    for (unsigned i = 0; i < 3; i++) {
        const char *reason = NULL;
        assert_int_equal(resolve_host("board.example", "3333", clock_deadline(20), &found, &reason),
                         ETIMEDOUT);
        assert_non_null(strstr(reason, "took too long"));
    }
    assert_null(found);
    assert_int_equal(proxy_listen("board.example:3334", 20, &listeners, &error), GDBMI_ECONNECT);
    assert_non_null(strstr(error.text, "took too long"));
    hang(false);
    for (int i = 0; i < 2000 && read_count(&answered) < before + 4; i++)
        clock_sleep_ms(10);
    assert_int_equal(read_count(&answered), before + 4);
}

static void check_serial(const char *text, const char *path, long speed)
{
    struct address address;
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_int_equal(address_parse(text, &address, &error), GDBMI_OK);
    assert_true(address.is_serial);
    assert_false(address.is_unix);
    assert_true(address_is_path(&address));
    assert_string_equal(address.path, path);
    assert_int_equal(address.speed, speed);
}

static void check_unix(const char *text, const char *path)
{
    struct address address;
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_int_equal(address_parse(text, &address, &error), GDBMI_OK);
    assert_true(address.is_unix);
    assert_false(address.is_serial);
    assert_string_equal(address.path, path);
}

static void test_paths(void **state)
{
    check_serial("/dev/null", "/dev/null", 0);
    check_serial("/dev/null@115200", "/dev/null", 115200);
    check_serial("/dev/tty-that-is-not-there@9600", "/dev/tty-that-is-not-there", 9600);
    check_serial("/dev/serial/by-id/usb-1@2", "/dev/serial/by-id/usb-1", 2);
    check_serial("/dev/null@", "/dev/null@", 0);
    check_unix("/tmp/no-such-socket", "/tmp/no-such-socket");
    check_unix("./socket@115200", "./socket@115200");
    check_unix("unix:/dev/null", "/dev/null");
    check_unix("unix:socket", "socket");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_ask_nobody),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_hanging_lookup_is_bounded),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
