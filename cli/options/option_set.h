/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the table of options calls for the value of each option. */
#ifndef OPTIONS_OPTION_SET_H
#define OPTIONS_OPTION_SET_H

#include <options/option_table.h>

/* --allow-halt without a value. */
#define OPTION_DUTY_NORMAL 0.05
/* --stacks without a value. */
#define OPTION_STACKS_NORMAL 64

/* Each is the member set of struct option_spec. */
#define OPTION_SETTER(name) bool option_set_##name(struct options *o, const char *value, char *text)
OPTION_SETTER(gdb);
OPTION_SETTER(tcl);
OPTION_SETTER(target);
OPTION_SETTER(serve);
OPTION_SETTER(qmp);
OPTION_SETTER(mi);
OPTION_SETTER(raw);
OPTION_SETTER(records);
OPTION_SETTER(record_link);
OPTION_SETTER(play_link);
OPTION_SETTER(symbol);
OPTION_SETTER(budgets);
OPTION_SETTER(junit);
OPTION_SETTER(strict);
OPTION_SETTER(type);
OPTION_SETTER(context);
OPTION_SETTER(output);
OPTION_SETTER(script);
OPTION_SETTER(check);
OPTION_SETTER(list);
OPTION_SETTER(patch);
OPTION_SETTER(force);
OPTION_SETTER(reset);
OPTION_SETTER(reset_target);
OPTION_SETTER(settle);
OPTION_SETTER(record);
OPTION_SETTER(graph);
OPTION_SETTER(between);
OPTION_SETTER(worst);
OPTION_SETTER(arguments);
OPTION_SETTER(results);
OPTION_SETTER(restart_on_resume);
OPTION_SETTER(live);
OPTION_SETTER(trace);
OPTION_SETTER(batch);
OPTION_SETTER(verbose);
OPTION_SETTER(keep_going);
OPTION_SETTER(elf);
OPTION_SETTER(alias);
OPTION_SETTER(region);
OPTION_SETTER(mi_attach);
OPTION_SETTER(pid);
OPTION_SETTER(block_size);
OPTION_SETTER(sampler);
OPTION_SETTER(burst);
OPTION_SETTER(stacks);
OPTION_SETTER(allow_halt);
OPTION_SETTER(link_share);
OPTION_SETTER(by);
OPTION_SETTER(change_by);
OPTION_SETTER(ignore);
OPTION_SETTER(idle);
OPTION_SETTER(filter);
OPTION_SETTER(not );
OPTION_SETTER(start_at);
OPTION_SETTER(stop_at);
OPTION_SETTER(fields);
OPTION_SETTER(sort);
OPTION_SETTER(change_fields);
OPTION_SETTER(change_sort);
OPTION_SETTER(fdr);
OPTION_SETTER(noise);
OPTION_SETTER(fail_above);
OPTION_SETTER(fail_under);
OPTION_SETTER(not_seen);
OPTION_SETTER(anonymous);
OPTION_SETTER(cross_check);
OPTION_SETTER(coverage_format);
OPTION_SETTER(iterations);
OPTION_SETTER(events);
OPTION_SETTER(delay);
OPTION_SETTER(wait);
OPTION_SETTER(timeout);
OPTION_SETTER(limit);
OPTION_SETTER(format);
OPTION_SETTER(exporter);
OPTION_SETTER(duration);
OPTION_SETTER(focus);
OPTION_SETTER(hits);
OPTION_SETTER(precision);
OPTION_SETTER(runs);
OPTION_SETTER(store);
OPTION_SETTER(base);
OPTION_SETTER(new);
OPTION_SETTER(source);
OPTION_SETTER(min);
OPTION_SETTER(depth);
OPTION_SETTER(below);
OPTION_SETTER(shortest);
OPTION_SETTER(stack);
OPTION_SETTER(disassembler);
#undef OPTION_SETTER

#endif
