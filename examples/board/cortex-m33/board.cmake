# SPDX-License-Identifier: 0BSD
# QEMU's mps2-an505: a Cortex-M33, which starts in the secure state and stays there.
set(board_family cortex-m)
set(board_machine -mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16)
