# SPDX-License-Identifier: 0BSD
# QEMU's virt with an RV64 hart.
set(board_family riscv)
set(board_machine -march=rv64imac -mabi=lp64 -mcmodel=medany)
