/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of a session ask of each other. */
#ifndef TARGET_SESSION_PARTS_H
#define TARGET_SESSION_PARTS_H

#include <target/session.h>

#define SESSION_TEXT 480

/* session_link.c. STATUS_DONE, or a status with everything said. */
int session_open_link(struct session *s, const struct options *o, bool may_await);

/* Whether the options name a dump that is s_prof of a process, as its stub writes it: it says where
 * the program was. */
bool session_dump_has_tail(const struct session *s);
/* Sets what it says; false: it says nothing. */
bool session_read_tail(const struct session *s, uint64_t *address, uint64_t *entry);

/* session_server.c */
void session_say_link_error(const struct gdbmi_error *error);

/* session_elf.c: compares the ELF and its parts with the target, for the first time. any: firmware
 * that differs is no failure. A status, with everything said. */
int session_compare_first(struct session *s, bool any);

/* Moves the ELF file to where the program of a process is. false: text says why not. */
bool session_locate(struct session *s, char text[SESSION_TEXT]);

/* session_sampler.c: chooses how to read hits of the ELF that is there now, in place of what was
 * chosen before. false: text says why not. */
bool session_make_sampler(struct session *s, char text[SESSION_TEXT]);

/* session_readers.c: of the ELF that is there now, in place of those before. false: said why not.
 */
bool session_make_contexts(struct session *s);

/* session_tasks.c: finds the kernel of the ELF that is there now. */
void session_find_kernel(struct session *s);

/* session_keep.c: takes what fits from the keeper, and gives it back. */
void session_take(struct session *s);
void session_give_back(struct session *s);
/* Notes by what the link and the ELF file of a session were opened. */
void session_note_keys(struct session *s);
/* Whether the link works still; it does not hold the core then. */
bool session_link_works(struct session *s);

#endif
