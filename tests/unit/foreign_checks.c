/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of other programs, written by hand and not by the encoder. */
#include "unit.h"

#include "foreign_checks.h"

static void add_varint(struct message *m, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        m->bytes[m->len++] = (uint8_t)(number | 0x80);
    m->bytes[m->len++] = (uint8_t)number;
}

void add_number(struct message *m, unsigned field, uint64_t value)
{
    add_varint(m, field << 3);
    add_varint(m, value);
}

static void add_bytes(struct message *m, unsigned field, const void *from, size_t len)
{
    add_varint(m, field << 3 | 2);
    add_varint(m, len);
    memcpy(m->bytes + m->len, from, len);
    m->len += len;
}

void add_message(struct message *m, unsigned field, const struct message *from)
{
    add_bytes(m, field, from->bytes, from->len);
}

void add_string(struct message *m, const char *text)
{
    add_bytes(m, 6, text, strlen(text));
}

void add_type(struct message *m, uint64_t name, uint64_t unit)
{
    struct message t = {.len = 0};

    add_number(&t, 1, name);
    add_number(&t, 2, unit);
    add_message(m, 1, &t);
}

void add_sample(struct message *m, bool packed, uint64_t leaf, uint64_t caller, uint64_t value)
{
    struct message s = {.len = 0}, list = {.len = 0};

    if (packed) {
        add_varint(&list, leaf);
        add_varint(&list, caller);
        add_message(&s, 1, &list);
        list.len = 0;
        add_varint(&list, value);
        add_message(&s, 2, &list);
    } else {
        add_number(&s, 1, leaf);
        add_number(&s, 1, caller);
        add_number(&s, 2, value);
    }
    add_number(&s, 99, 5); /* of a newer format */
    add_message(m, 2, &s);
}

void add_location(struct message *m, uint64_t id, uint64_t addr, uint64_t inner, uint64_t outer)
{
    struct message l = {.len = 0};
    struct message line = {.len = 0};

    add_number(&l, 1, id);
    add_number(&l, 3, addr);
    add_number(&line, 1, inner);
    add_number(&line, 2, 10 * inner);
    add_message(&l, 4, &line);
    if (outer) {
        line.len = 0;
        add_number(&line, 1, outer);
        add_number(&line, 2, 5);
        add_message(&l, 4, &line);
    }
    add_message(m, 4, &l);
}

void add_function(struct message *m, uint64_t id, uint64_t name)
{
    struct message f = {.len = 0};

    add_number(&f, 1, id);
    add_number(&f, 2, name);
    add_number(&f, 4, 6);
    add_message(m, 5, &f);
}

struct message make_pprof(bool packed, uint64_t addr)
{
    struct message m = {.len = 0};

    add_number(&m, 77, 1);
    add_type(&m, 1, 2);
    add_sample(&m, packed, 1000, 7, 30);
    add_sample(&m, packed, 7, 1000, 20);
    add_sample(&m, packed, 1000, 7, 12);
    add_location(&m, 7, addr ? addr + 0x10 : 0, 40, 0);
    add_location(&m, 1000, addr, 50, 60); /* fun_50, in fun_60 */
    add_function(&m, 50, 4);
    add_function(&m, 40, 3);
    add_function(&m, 60, 5);
    add_number(&m, 9, 12);
    add_string(&m, "");
    add_string(&m, "cpu");
    add_string(&m, "microseconds");
    add_string(&m, "fun_40");
    add_string(&m, "fun_50");
    add_string(&m, "fun_60");
    add_string(&m, "/x/file.go");
    return m;
}

void add_int(struct message *m, bool big, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++)
        m->bytes[m->len++] = (uint8_t)(value >> 8 * (big ? size - 1 - i : i));
}

struct message make_gmon(bool big, unsigned size, uint64_t low, uint64_t high, unsigned buckets,
                         bool arcs)
{
    struct message m = {.bytes = "gmon", .len = 4};

    add_int(&m, big, 4, 1);
    m.len += 12;
    add_int(&m, big, 1, 0);
    add_int(&m, big, size, low);
    add_int(&m, big, size, high);
    add_int(&m, big, 4, buckets);
    add_int(&m, big, 4, 100);
    memcpy(m.bytes + m.len, "seconds\0\0\0\0\0\0\0\0s", 16);
    m.len += 16;
    for (unsigned i = 0; i < buckets; i++)
        add_int(&m, big, 2, i % 4 == 1 ? 10 * i : 0);
    if (arcs) {
        add_int(&m, big, 1, 1);
        add_int(&m, big, size, low + 9);
        add_int(&m, big, size, low + 0x40);
        add_int(&m, big, 4, 77);
    }
    return m;
}

void check_refused(const struct message *m, const char *why)
{
    struct snapshot *s = NULL;
    char text[300] = "";

    assert_int_equal(snapshot_read(m->bytes, m->len, "x.pb.gz", &s, text, sizeof(text)),
                     SNAPSHOT_EFORMAT);
    assert_null(s);
    assert_memory_equal(text, "x.pb.gz: ", 9);
    assert_null(strchr(text, '\n'));
    if (!strstr(text, why))
        fail_msg("'%s' does not say '%s'", text, why);
}
