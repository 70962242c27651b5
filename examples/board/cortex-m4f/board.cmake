# SPDX-License-Identifier: 0BSD
# QEMU's mps2-an386: a Cortex-M4 with a floating point unit.
set(board_family cortex-m)
set(board_machine -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16)
