/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of byte streams over sockets: bounded in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include <gdbmi/stream.h>

#include "port_server.h"

static void test_stream_times_out(void **state)
{
    (void)state;
    struct server server;
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char byte;

    start_tcp(&server, answer_text, "hello");
    assert_int_equal(gdbmi_stream_connect(server.address, 20000, &stream, &error), GDBMI_OK);
    assert_int_equal(stream->ops->read(stream, &byte, 1, 0, &error), 0);
    assert_int_equal(stream->ops->write(stream, "x", 1, 20000, &error), 0);
    assert_int_equal(stream->ops->read(stream, &byte, 1, 20000, &error), 1);
    assert_int_equal(byte, 'h');
    gdbmi_stream_close(stream);
    stop(&server);
}

/* A server that takes nothing any more must not block the client. */
static void test_write_is_bounded(void **state)
{
    (void)state;
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char address[64];
    static const char bytes[65536];
    int result = 0;

    int listener = reserve_port(address, sizeof(address));
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(gdbmi_stream_connect(address, 20000, &stream, &error), GDBMI_OK);
    for (int i = 0; i < 2000 && result == 0; i++)
        result = stream->ops->write(stream, bytes, sizeof(bytes), 20, &error);
    assert_int_equal(result, -1);
    assert_int_equal(error.code, GDBMI_ETIMEOUT);
    gdbmi_stream_close(stream);
    close(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_times_out),
        cmocka_unit_test(test_write_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
