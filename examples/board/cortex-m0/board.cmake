# SPDX-License-Identifier: 0BSD
# QEMU's microbit: a Cortex-M0 (nRF51).
set(board_family cortex-m)
set(board_machine -mcpu=cortex-m0 -mthumb -masm-syntax-unified)
