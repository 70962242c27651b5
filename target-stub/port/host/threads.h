/* SPDX-License-Identifier: 0BSD */
/* What a process's threads and its file ask of each other. */
#ifndef MPROF_THREADS_H
#define MPROF_THREADS_H

#include "clear.h"

#if MPROF_THREADS

/* mprof_init() of all objects. No handler of a signal may run meanwhile. */
void mprof_threads_init(void);

/* Block all signals of the calling thread, and restore its mask. */
void mprof_threads_quiet(void);
void mprof_threads_loud(void);

/* Map the file that the environment names, and that of a process that fork() has made, and
 * initialise all objects. They return 0, and do nothing, if no file is wanted. */
int mprof_file_of_environment(void);
int mprof_file_of_child(void);

#endif
#endif
