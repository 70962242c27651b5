/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader of GDB/MI finds in bytes, as text that a test can compare. */
#include "unit.h"

#include "mi_log.h"

static void log_format(struct taken *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void log_format(struct taken *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int len = vsnprintf(t->log + t->len, sizeof(t->log) - t->len, format, args);
    va_end(args);
    t->len += (size_t)len;
    assert_true(t->len < sizeof(t->log));
}

static void log_text(struct taken *t, const char *text, size_t len)
{
    assert_int_equal(text[len], 0);
    for (size_t i = 0; i < len; i++)
        log_format(t, (unsigned char)text[i] < ' ' ? "\\%03o" : "%c", (unsigned char)text[i]);
}

static void log_value(struct taken *t, const struct gdbmi_mi_value *value)
{
    size_t count = 0;

    if (value->name[0] != '\0')
        log_format(t, "%s:", value->name);
    if (value->type == GDBMI_MI_CONST) {
        log_format(t, "'");
        log_text(t, value->text, value->len);
        log_format(t, "'");
        assert_null(value->first);
        return;
    }
    log_format(t, value->type == GDBMI_MI_TUPLE ? "{" : "[");
    for (const struct gdbmi_mi_value *at = value->first; at != NULL; at = at->next) {
        log_value(t, at);
        count++;
    }
    assert_int_equal(count, value->count);
    log_format(t, value->type == GDBMI_MI_TUPLE ? "}" : "]");
}

static void log_message(struct taken *t, const struct gdbmi_mi_message *m)
{
    t->count++;
    log_format(t, "%c", "^*+=~@&>?"[m->kind]);
    if (m->has_token)
        log_format(t, "#%llu", (unsigned long long)m->token);
    log_format(t, "%s", m->name);
    log_text(t, m->text, m->len);
    assert_non_null(m->results);
    if (m->results->count > 0)
        log_value(t, m->results);
    log_format(t, "\n");
}

void feed_reader(struct gdbmi_mi_reader *reader, const char *bytes, size_t len, struct taken *t)
{
    struct gdbmi_mi_message message;
    size_t used = 0;

    do {
        /* A copy of the exact size, so that a sanitizer sees every byte read beyond it. */
        char *copy = malloc(len + 1);
        memcpy(copy, bytes, len);
        t->result = gdbmi_mi_feed(reader, copy, len, &used, &message);
        assert_true(used <= len);
        if (t->result == 1)
            log_message(t, &message);
        free(copy);
        bytes += used;
        len -= used;
    } while (t->result == 1);
}

void read_all(const char *bytes, size_t len, struct taken *t)
{
    struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();

    assert_non_null(reader);
    t->len = t->count = 0;
    t->log[0] = '\0';
    feed_reader(reader, bytes, len, t);
    gdbmi_mi_reader_free(reader);
}

void check_log(const char *wire, const char *expected)
{
    static struct taken taken;

    read_all(wire, strlen(wire), &taken);
    assert_int_equal(taken.result, 0);
    assert_string_equal(taken.log, expected);
}
