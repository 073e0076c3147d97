// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin for QEMU that counts how often each instruction of a guest runs
 * between two instructions, by address.
 *
 *	-plugin FILE.so,start=ADDRESS,stop=ADDRESS,out=FILE
 *
 * Of all runs from @start to @stop it keeps the one with the fewest
 * instructions, and writes lines "address count" when QEMU exits. Addresses are
 * hexadecimal.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of the interface of plugins, version 1, that is used here. */
typedef uint64_t plugin_id;
struct qemu_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum {
	NO_REGISTERS = 0
};
enum {
	ADD_U64 = 0
};

void qemu_plugin_register_vcpu_tb_trans_cb(
	plugin_id id, void (*call)(plugin_id id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*call)(unsigned int cpu,
							 void *data),
					    int registers, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
						int operation, void *at,
						uint64_t value);
void qemu_plugin_register_atexit_cb(plugin_id id,
				    void (*call)(plugin_id id, void *data),
				    void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

int qemu_plugin_version = 1;
int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc,
			char **argv);

/**
 * struct counter - an instruction, each time QEMU translates it
 * @next: list of all
 * @address: where it is in the guest
 * @count: how often it ran
 * @before: @count at the last start
 * @best: how often it ran in the best run
 */
struct counter {
	struct counter *next;
	uint64_t address;
	uint64_t count;
	uint64_t before;
	uint64_t best;
};

static struct counter *counters;
static uint64_t start, stop, least = UINT64_MAX;
static const char *out;

static void run_started(unsigned int cpu, void *data)
{
	struct counter *one;

	(void)cpu;
	(void)data;
	for (one = counters; one; one = one->next)
		one->before = one->count;
}

static void run_stopped(unsigned int cpu, void *data)
{
	struct counter *one;
	uint64_t total = 0;

	(void)cpu;
	(void)data;
	for (one = counters; one; one = one->next)
		total += one->count - one->before;
	if (total >= least)
		return;

	least = total;
	for (one = counters; one; one = one->next)
		one->best = one->count - one->before;
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	struct qemu_plugin_insn *insn;
	struct counter *one;
	size_t i;

	(void)id;
	for (i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		one = calloc(1, sizeof(*one));
		if (!one)
			abort();
		insn = qemu_plugin_tb_get_insn(tb, i);
		one->address = qemu_plugin_insn_vaddr(insn);
		one->next = counters;
		counters = one;
		if (one->address == start)
			qemu_plugin_register_vcpu_insn_exec_cb(
				insn, run_started, NO_REGISTERS, NULL);
		if (one->address == stop)
			qemu_plugin_register_vcpu_insn_exec_cb(
				insn, run_stopped, NO_REGISTERS, NULL);
		qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD_U64,
							   &one->count, 1);
	}
}

static void write_counts(plugin_id id, void *data)
{
	FILE *file = fopen(out, "w");
	const struct counter *one;

	(void)id;
	(void)data;
	if (!file)
		return;

	for (one = counters; one; one = one->next)
		if (one->best)
			fprintf(file, "%016" PRIx64 " %" PRIu64 "\n",
				one->address, one->best);
	fclose(file);
}

int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc,
			char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "start=", 6))
			start = strtoull(argv[i] + 6, NULL, 16);
		else if (!strncmp(argv[i], "stop=", 5))
			stop = strtoull(argv[i] + 5, NULL, 16);
		else if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
	}
	if (!start || !stop || !out) {
		fprintf(stderr, "plugin: start, stop or out is missing\n");
		return -1;
	}

	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, write_counts, NULL);

	return 0;
}
