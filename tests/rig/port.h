/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TCP ports that nobody listens on. */
#ifndef RIG_PORT_H
#define RIG_PORT_H

/*
 * The preferred port if it can be bound on both loopback addresses, else another one that can, 0 if
 * there is none. A number and not "any": OpenOCD answers 0 when it is asked later for the port of a
 * target that was given 0. Nothing is ever connected to: a debug server that listens there may halt
 * what it serves at the first connection.
 */
unsigned port_usable(unsigned preferred);

#endif
