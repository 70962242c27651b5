# SPDX-License-Identifier: 0BSD
# QEMU's mps2-an500: a Cortex-M7 with a floating point unit for doubles.
set(board_family cortex-m)
set(board_machine -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16)
