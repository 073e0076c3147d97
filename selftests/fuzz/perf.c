// SPDX-License-Identifier: GPL-2.0-only
/* Operations on perf events and BPF programs. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/user_events.h"
#include "execute.h"
#include "operations.h"

static int perf(uint64_t slot)
{
	return FD_PERFS + (int)(slot % PERFS);
}

static unsigned long long id_of(uint64_t event)
{
	char *directory = event_directory(event, 0);
	char *content = tfs_read("%s/id", directory);
	unsigned long long id = content ? strtoull(content, NULL, 10) : 0;

	free(content);
	free(directory);

	return id;
}

/* Each bit of @how sets one attribute. */
static struct perf_event_attr attributes(unsigned long long id, uint64_t how)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(struct perf_event_attr),
		.config = id,
		.sample_period = how & 1 ? 1 : 0,
		.sample_type = how & 1 ? PERF_SAMPLE_RAW | PERF_SAMPLE_TID : 0,
		.wakeup_events = 1,
		.inherit = how >> 1 & 1,
		.disabled = how >> 2 & 1,
		.enable_on_exec = how >> 3 & 1,
		.remove_on_exec = how >> 4 & 1,
		.exclude_kernel = how >> 5 & 1,
		.task = how >> 6 & 1,
		.inherit_stat = how >> 7 & 1,
	};
}

/* Arguments: slot, event, target, attributes. */
void do_perf_open(const struct operation *operation)
{
	static const struct {
		pid_t task;
		int cpu;
	} targets[] = { { 0, -1 }, { -1, 0 }, { -1, 1 }, { 0, 0 }, { 1, -1 } };
	const uint64_t *arguments = operation->arguments;
	uint64_t target = arguments[2] % ARRAY_SIZE(targets);
	struct perf_event_attr attr =
		attributes(id_of(arguments[1]), arguments[3]);
	int fd;

	fd = (int)count_call(syscall(SYS_perf_event_open, &attr,
				     targets[target].task, targets[target].cpu,
				     -1, 0));
	if (fd < 0)
		return;
	dup2(fd, perf(arguments[0]));
	close(fd);
}

void do_perf_close(const struct operation *operation)
{
	count_call(close(perf(operation->arguments[0])));
}

/* Arguments: slot, log2 of pages. */
void do_perf_map(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	uintptr_t at = AREAS + (AREA_PERF + arguments[0] % PERFS) * AREA_SIZE;
	size_t length = (1 + (1UL << arguments[1] % 4)) * PAGE_4K;

	count_call((long)mmap((void *)at, length, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_FIXED, perf(arguments[0]), 0));
}

/* Arguments: slot, command, number. */
void do_perf_control(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	uint64_t number = arguments[2];
	int fd = perf(arguments[0]);

	switch (arguments[1] % 7) {
	case 0:
		count_call(ioctl(fd, PERF_EVENT_IOC_ENABLE, number & 1));
		break;
	case 1:
		count_call(ioctl(fd, PERF_EVENT_IOC_DISABLE, number & 1));
		break;
	case 2:
		count_call(ioctl(fd, PERF_EVENT_IOC_REFRESH, (int)number));
		break;
	case 3:
		count_call(ioctl(fd, PERF_EVENT_IOC_PERIOD, &number));
		break;
	case 4:
		count_call(ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, perf(number)));
		break;
	case 5:
		count_call(ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, number & 1));
		break;
	default:
		count_call(ioctl(fd, PERF_EVENT_IOC_RESET, 0));
	}
}

void do_perf_filter(const struct operation *operation)
{
	count_call(ioctl(perf(operation->arguments[0]),
			 PERF_EVENT_IOC_SET_FILTER, operation->text));
}

void do_perf_read(const struct operation *operation)
{
	count_call(read(perf(operation->arguments[0]), record_room(), PAGE_4K));
}

/* Loads a program that reads a word of the record and returns @result. */
static int load_program(short offset, int result)
{
	const struct bpf_insn program[] = {
		BPF_INSN(BPF_LDX | BPF_MEM | BPF_W, 6, 1, offset, 0),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, result),
		BPF_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};

	return bpf_load(program, ARRAY_SIZE(program), NULL, 0);
}

/* Arguments: slot, offset in words, result, whether to use a link. */
void do_perf_bpf(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	int program = load_program((short)(arguments[1] % 64 * 4),
				   (int)(arguments[2] & 1));
	union bpf_attr attr = {
		.link_create.prog_fd = program,
		.link_create.target_fd = perf(arguments[0]),
		.link_create.attach_type = BPF_PERF_EVENT,
	};

	if (count_call(program) < 0)
		return;
	if (arguments[3])
		count_call(bpf(BPF_LINK_CREATE, &attr));
	else
		count_call(ioctl(perf(arguments[0]), PERF_EVENT_IOC_SET_BPF,
				 program));
	close(program);
}
