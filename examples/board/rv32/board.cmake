# SPDX-License-Identifier: 0BSD
# QEMU's virt with an RV32 hart.
set(board_family riscv)
set(board_machine -march=rv32imac -mabi=ilp32 -mcmodel=medany)
