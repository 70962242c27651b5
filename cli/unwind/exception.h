/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exceptions of Cortex-M: what the core pushes when it takes one (ARMv7-M Architecture Reference
 * Manual, B1.5.6 to B1.5.8; ARMv8-M, B3.18 and B3.19). */
#ifndef UNWIND_EXCEPTION_H
#define UNWIND_EXCEPTION_H

#include "walk.h"

/* Whether a return address is EXC_RETURN: the function is the handler of an exception. */
bool exception_is_return(uint64_t ra);

/* Replaces the registers of a walk, at the return from a handler, by those of the interrupted
 * code. */
enum step exception_step(struct walk *walk, uint64_t exc_return);

#endif
