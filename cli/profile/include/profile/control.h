/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to the stub, as bytes to write into s_prof (docs/layout.md, "The word enable"). */
#ifndef PROFILE_CONTROL_H
#define PROFILE_CONTROL_H

#include <profile/decode.h>

/* One write. If a request needs several, make them in their order. */
struct control_write {
    size_t offset;    /* bytes from the start of s_prof */
    size_t len;       /* bytes to write, 1 to 8 */
    uint8_t bytes[8]; /* in the target's byte order */
};

/* Returns the bit of enable for the word of a switch: "timer" and "hooks" for the sources of hits,
 * "sink", and the names of decode_source_name() for blocks. 0 if there is no such switch. */
uint32_t control_switch(const char *word);

/* Whether the target has what the word switches. Always true for "timer" and "hooks". */
bool control_has(const struct decode_header *header, const char *word);

/* Returns the word number index, from 0 on, or NULL at the end of the list. */
const char *control_word(size_t index);

/* Whether all of bits are set in enable. */
bool control_is_on(const struct decode_header *header, uint32_t bits);

/* Returns the word of a switch that is off and prevents a block from counting: that of its source
 * of hits or its own. NULL if there is none, or if enable is 0, which means not known. */
const char *control_off(uint32_t enable, enum decode_source source);

/* Each of these makes one write for a target with this header. */

/* Sets or clears bits of enable, all in the same byte. */
struct control_write control_set(const struct decode_header *header, uint32_t bits, bool on);

/* Makes events read the requests (wanted), or stop doing so. */
struct control_write control_attention(const struct decode_header *header, bool wanted);

/* Write a request for events to read: a reset, by a number other than reset_done; a nonce, which
 * comes back in nonce_echo; and the phase to count, 0 for all. */
struct control_write control_request_reset(const struct decode_header *header, uint32_t request);
struct control_write control_nonce(const struct decode_header *header, uint32_t nonce);
struct control_write control_phase_only(const struct decode_header *header, uint32_t phase);

/* Makes the writes that ask for a focus at base, by a number other than decode_focus.done. */
#define CONTROL_FOCUS_WRITES 3
void control_focus(const struct decode_header *header, uint64_t base, uint32_t request,
                   struct control_write writes[CONTROL_FOCUS_WRITES]);

/* Whether a focus stays on until it is switched off, by the number that asked for it: it does if
 * the number is even. With an odd number it is that of a screen or command, which ends it. */
bool control_focus_stays(uint32_t request);

/* Whether the focus of some core counts, by the bits of enable that are set on any. */
bool control_is_focused(uint32_t enable);

/* Makes the focus count, from the event on that reads the requests; or makes it stop. */
struct control_write control_focus_switch(const struct decode_header *header, bool on);

/* Makes the writes that withdraw a request for a focus: the focus is off, events do not look for
 * requests, and the next one that does finds the one that was served last, decode_focus.done. */
#define CONTROL_WITHDRAW_WRITES 2
void control_focus_withdraw(const struct decode_header *header, uint32_t done,
                            struct control_write writes[CONTROL_WITHDRAW_WRITES]);

/* Makes the writes that set entry index of the filter, below its count, to start <= address < end.
 * If start equals end, they clear the entry. An end beyond the address space is its last address.
 */
#define CONTROL_RANGE_WRITES 3
void control_range(const struct decode_header *header, size_t index, uint64_t start, uint64_t end,
                   struct control_write writes[CONTROL_RANGE_WRITES]);

/* The trace records only functions in some ranges of code, if the filter is on. Its ranges are
 * written to a list that is not in use, which is then chosen. */

/* Returns how many ranges a list has room for; 0: the stub has no such filter. */
size_t control_traced_most(const struct decode_header *header);

/* Makes the writes that set entry index of the list that is not in use. The ranges come sorted, and
 * after the last one an entry whose start and end are UINT64_MAX. */
#define CONTROL_TRACED_WRITES 2
void control_traced(const struct decode_header *header, size_t index, uint64_t start, uint64_t end,
                    struct control_write writes[CONTROL_TRACED_WRITES]);

/* Makes the write that takes this list into use, and sets *traced to what the header says then,
 * never 0; and makes the write that switches the filter. */
struct control_write control_choose_traced(const struct decode_header *header, uint32_t *traced);
struct control_write control_filter_switch(const struct decode_header *header, bool on);

/* Makes the writes by which calls go to one tracer alone: "calls", "arcs", "trace", "sink", or
 * "none" of them. Returns their number. */
#define CONTROL_TRACER_WRITES 2
size_t control_tracer(const struct decode_header *header, const char *tracer,
                      struct control_write writes[CONTROL_TRACER_WRITES]);

/* Whether the firmware itself lets its trace record (mprof_trace_enable()). */
bool control_is_traced(const struct decode_header *header);

/* Returns why the firmware itself does not count: "stopped", "asleep", "out of phase"; NULL if it
 * counts. */
const char *control_firmware_state(const struct decode_header *header);

#endif
