// SPDX-License-Identifier: GPL-2.0-only
/*
 * A BPF program that emits a user event for each program that is executed. Define
 * the event, compile this file and load it:
 *
 *   echo 'u:sample_exec u32 pid; char[16] comm' >>/sys/kernel/tracing/dynamic_events
 *   clang -O2 -g -target bpf -I/usr/include/$(uname -m)-linux-gnu \
 *       -c user_events_sample.bpf.c
 *   bpftool prog loadall user_events_sample.bpf.o /sys/fs/bpf/sample autoattach
 */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>

/* Functions of user_events, see Documentation/kernel.rst */
extern int bpf_user_event_enabled_sized(const char *name,
					__u32 name_size) __ksym;
extern int bpf_user_event_write_sized(const char *name, __u32 name_size,
				      const void *record, __u32 size) __ksym;

/* The verifier requires memory that can be written, so this is not constant. */
char event[] = "sample_exec";

SEC("tp_btf/sched_process_exec")
int emit_exec(void *context)
{
	struct {
		__u32 pid;
		char comm[16];
	} record = {};

	if (!bpf_user_event_enabled_sized(event, sizeof(event)))
		return 0;

	record.pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(record.comm, sizeof(record.comm));
	bpf_user_event_write_sized(event, sizeof(event), &record,
				   sizeof(record));
	return 0;
}

char _license[] SEC("license") = "GPL";
