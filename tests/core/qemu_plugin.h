/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debian ships no header for QEMU's plugins. These are the parts of version 1 of its interface
 * (QEMU 7.2, include/qemu/qemu-plugin.h) that are used here. */
#ifndef QEMU_PLUGIN_H
#define QEMU_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
typedef uint64_t plugin_id_t;
typedef void (*tb_callback_t)(plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*insn_callback_t)(unsigned cpu, void *data);
enum { OP_ADD_U64 = 0, CALLBACK_NO_REGS = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id_t id, tb_callback_t callback);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, insn_callback_t callback,
                                            int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op, void *word,
                                                uint64_t number);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

__attribute__((visibility("default"))) extern int qemu_plugin_version;
__attribute__((visibility("default"))) int
qemu_plugin_install(plugin_id_t id, const struct qemu_info *info, int argc, char **argv);

#endif
