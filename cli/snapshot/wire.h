/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outermost fields of a pprof profile, one after the other. */
#ifndef SNAPSHOT_WIRE_H
#define SNAPSHOT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <snapshot/snapshot.h>

/* Numbers of the fields of the message Profile, as in profile.proto. */
enum wire_field {
    WIRE_SAMPLE_TYPE = 1,
    WIRE_SAMPLE,
    WIRE_MAPPING,
    WIRE_LOCATION,
    WIRE_FUNCTION,
    WIRE_STRING_TABLE,
    WIRE_DROP_FRAMES,
    WIRE_KEEP_FRAMES,
    WIRE_TIME_NANOS,
    WIRE_DURATION_NANOS,
    WIRE_PERIOD_TYPE,
    WIRE_PERIOD,
    WIRE_COMMENT,
    WIRE_DEFAULT_SAMPLE_TYPE,
};

enum wire_kind {
    WIRE_VARINT = 0,
    WIRE_FIXED64 = 1,
    WIRE_BYTES = 2,
    WIRE_FIXED32 = 5,
};

struct wire_cursor {
    const uint8_t *at, *end;
};

/* One field: a number, or bytes that lie in what the cursor goes over. */
struct wire_item {
    uint64_t field;
    enum wire_kind kind;
    uint64_t number;
    const uint8_t *bytes;
    size_t len;
};

bool wire_varint(struct wire_cursor *c, uint64_t *number);

/* The next field; false: it is cut short, or of no kind that there is. */
bool wire_next(struct wire_cursor *c, struct wire_item *item);

/* Bytes that grow. */
struct wire_out {
    uint8_t *bytes;
    size_t len, capacity;
    bool failed;
};

void wire_put_number(struct wire_out *out, enum wire_field field, uint64_t number);
void wire_put_bytes(struct wire_out *out, enum wire_field field, const void *bytes, size_t len);
/* Room for len bytes of a field, NULL: no memory. */
uint8_t *wire_put_room(struct wire_out *out, enum wire_field field, size_t len);
void wire_put_varint(struct wire_out *out, uint64_t number);

/* The message in those bytes: a pprof profile that is not packed. */
enum snapshot_code pprof_read(const uint8_t *bytes, size_t len, const char *name,
                              struct snapshot **snapshot, char *text, size_t capacity);

/* A gmon.out; has_magic says whether it is one. */
bool gmon_has_magic(const uint8_t *bytes, size_t len);
enum snapshot_code gmon_read(const uint8_t *bytes, size_t len, const char *name,
                             struct snapshot **snapshot, char *text, size_t capacity);

#endif
