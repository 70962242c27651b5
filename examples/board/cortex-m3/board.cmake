# SPDX-License-Identifier: 0BSD
# QEMU's mps2-an385: a Cortex-M3.
set(board_family cortex-m)
set(board_machine -mcpu=cortex-m3 -mthumb)
