/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles in damaged gzip, behind a good header; and the same bytes well packed. */
#define ZLIB_CONST

#include "fuzz_snapshot.h"

#include <zlib.h>

static const uint8_t header[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};

static void try_damaged(const uint8_t *bytes, size_t len)
{
    uint8_t *file = malloc(sizeof(header) + len);

    if (!file)
        return;
    memcpy(file, header, sizeof(header));
    memcpy(file + sizeof(header), bytes, len);
    (void)fuzz_one(file, sizeof(header) + len);
    free(file);
}

/* In two members, of which the first one ends at cut. */
static size_t pack(const uint8_t *bytes, size_t len, size_t cut, uint8_t *to, size_t room)
{
    z_stream z = {.next_out = to, .avail_out = (uInt)room};

    if (deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    for (int member = 0; member < 2; member++) {
        z.next_in = member ? bytes + cut : bytes;
        z.avail_in = (uInt)(member ? len - cut : cut);
        if (deflate(&z, Z_FINISH) != Z_STREAM_END || (!member && deflateReset(&z) != Z_OK))
            abort();
    }
    deflateEnd(&z);
    return room - z.avail_out;
}

/* Packed or not, it is the same, in the words of the refusal, too. */
static void try_packed(const uint8_t *bytes, size_t len)
{
    struct snapshot *plain = NULL, *packed = NULL;
    char of_plain[300] = "", of_packed[300] = "";
    size_t room = 2 * len + 200;
    uint8_t *file = malloc(room);

    if (!file)
        return;
    size_t file_len = pack(bytes, len, len / 3, file, room);
    enum snapshot_code code = snapshot_read(bytes, len, "x", &plain, of_plain, sizeof(of_plain));
    if (snapshot_read(file, file_len, "x", &packed, of_packed, sizeof(of_packed)) != code ||
        strcmp(of_plain, of_packed) != 0)
        abort();
    snapshot_free(plain);
    snapshot_free(packed);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    try_damaged(bytes, len);
    if (len >= 2 && (bytes[0] != 0x1f || bytes[1] != 0x8b))
        try_packed(bytes, len);
    return 0;
}
