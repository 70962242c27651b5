/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TCP ports for servers that are still to be started. */
#ifndef RIG_PORT_H
#define RIG_PORT_H

struct port {
    unsigned number; /* 0: none */
    int fd;          /* what holds it */
};

/* None; it may be released. */
void port_init(struct port *port);

/*
 * Takes the preferred port if nobody listens there on either loopback address, else another one;
 * port->number is 0 if there is none. A number and not "any": OpenOCD answers 0 when it is asked
 * later for the port of a target that was given 0. Until the release nobody is given the port by
 * the kernel, but a server that asks for it by its number, and for the reuse of its address, gets
 * it. Nothing is ever connected to: a debug server that listens there may halt what it serves at
 * the first connection.
 */
void port_reserve(struct port *port, unsigned preferred);
void port_release(struct port *port);

#endif
