/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stub with every block that there is. */
#ifndef BLOCKS_CONFIG_H
#define BLOCKS_CONFIG_H

#define MPROF_CNT        256
#define MPROF_CALL_CNT   64
#define MPROF_ARC_CNT    64
#define MPROF_TRACE_CNT  64
#define MPROF_STREAM_CNT 256
#define MPROF_HIST_CNT   1024
#define MPROF_HIST_BASE  0
#define MPROF_HIST_ERR   16
#define MPROF_IGNORE_CNT 4

#endif
