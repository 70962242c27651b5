/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a host writes into s_prof, as bytes and where they go (docs/layout.md, "The word enable").
 */
#ifndef PROFILE_CONTROL_H
#define PROFILE_CONTROL_H

#include <profile/decode.h>

/* One write; several are to be made in their order. */
struct control_write {
    size_t offset; /* in s_prof */
    size_t len;
    uint8_t bytes[8];
};

/* Words for what can be switched: feeders "timer" and "hooks", blocks by their source's name.
 * 0: no such word. */
uint32_t control_switch(const char *word);
/* Whether there is something that the word switches. */
bool control_has(const struct decode_header *header, const char *word);
/* The next such word after the first ones, NULL: none. */
const char *control_word(size_t index);

/* Whether all of bits is on. */
bool control_is_on(const struct decode_header *header, uint32_t bits);

/* The word of a switch that is off and keeps source from counting: its feeder's or its own; NULL:
 * there is none. enable is 0 where it is not known. */
const char *control_off(uint32_t enable, enum decode_source source);

/* Switches bits, all of one byte of enable, on or off. */
struct control_write control_set(const struct decode_header *header, uint32_t bits, bool on);

/* The events shall look at the requests, or need not any more. */
struct control_write control_attention(const struct decode_header *header, bool wanted);

struct control_write control_request_reset(const struct decode_header *header, uint32_t request);
struct control_write control_nonce(const struct decode_header *header, uint32_t nonce);
struct control_write control_phase_only(const struct decode_header *header, uint32_t phase);

/* Range index of the filter, from start up to before end; start == end: none. */
#define CONTROL_RANGE_WRITES 3
void control_range(const struct decode_header *header, size_t index, uint64_t start, uint64_t end,
                   struct control_write writes[CONTROL_RANGE_WRITES]);

/* What the firmware itself has switched off: "stopped", "asleep", "out of phase"; NULL: nothing. */
const char *control_firmware_state(const struct decode_header *header);

#endif
