// SPDX-License-Identifier: GPL-2.0-only
/*
 * BPF programs that emit records: they call functions of the module. The programs
 * are written as instructions, so the module's description of these functions (BTF)
 * is read here, too.
 */
#include <fcntl.h>
#include <linux/btf.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/module.h"
#include "../lib/user_events.h"

#define FIELDS "u32 a; __rel_loc char[] b"

/* The largest record of a module, without its header of 8 or 12 bytes */
#define RECORD_MAX (2032 - common_fields_size())

/* --- the functions of the module --- */

/*
 * struct types - a description of types
 * @data: starts with a struct btf_header
 * @first: number of its first type
 * @first_string: offset of its first string
 */
struct types {
	const char *data;
	uint32_t first;
	uint32_t first_string;
};

/* Bytes behind a struct btf_type */
static size_t type_extra(const struct btf_type *type)
{
	size_t count = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return count * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return count * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return count * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return count * sizeof(struct btf_var_secinfo);
	/* BTF_KIND_ENUM64, which older headers do not have */
	case 19:
		return count * 3 * sizeof(uint32_t);
	default:
		return 0;
	}
}

/* Return: the number of the function, or that behind the last type if !name. */
static uint32_t find_function(struct types types, const char *name)
{
	const struct btf_header *header = (const void *)types.data;
	const char *at = types.data + header->hdr_len + header->type_off;
	const char *end = at + header->type_len;
	const char *strings = types.data + header->hdr_len + header->str_off;
	uint32_t number = types.first;

	for (; at < end; number++) {
		const struct btf_type *type = (const void *)at;

		if (name && BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(strings + type->name_off - types.first_string,
			    name))
			return number;
		at += sizeof(*type) + type_extra(type);
	}

	return name ? 0 : number;
}

/* Return: the description of the module as a file, or -1. */
static int module_types_open(void)
{
	char name[32];
	struct bpf_btf_info info;
	union bpf_attr attr = {};
	int fd;

	while (!bpf(BPF_BTF_GET_NEXT_ID, &attr)) {
		union bpf_attr get = { .btf_id = attr.next_id };
		union bpf_attr ask = {};

		fd = bpf(BPF_BTF_GET_FD_BY_ID, &get);
		info = (struct bpf_btf_info){ .name = (uintptr_t)name,
					      .name_len = sizeof(name) };
		ask.info.bpf_fd = fd;
		ask.info.info_len = sizeof(info);
		ask.info.info = (uintptr_t)&info;
		if (fd >= 0 && !bpf(BPF_OBJ_GET_INFO_BY_FD, &ask) &&
		    info.kernel_btf && !strcmp(name, "user_events"))
			return fd;
		close(fd);
		attr = (union bpf_attr){ .start_id = attr.next_id };
	}

	return -1;
}

/* Reads a file with bytes of any value. */
static char *read_bytes(const char *path)
{
	size_t size = 0, room = 32 << 20;
	char *bytes = malloc(room);
	int fd = open(path, O_RDONLY);
	ssize_t got;

	ASSERT_OK(fd);
	while ((got = read(fd, bytes + size, room - size)) > 0)
		size += got;
	close(fd);
	ASSERT_TRUE(size < room);

	return bytes;
}

/* Return: the number of a function of the module. */
static uint32_t function_number(const char *name)
{
	static struct types module;
	uint32_t number;

	if (!module.data) {
		struct types kernel = {
			.data = read_bytes("/sys/kernel/btf/vmlinux"),
			.first = 1,
		};
		const struct btf_header *header = (const void *)kernel.data;

		module.data = read_bytes("/sys/kernel/btf/user_events");
		module.first = find_function(kernel, NULL);
		module.first_string = header->str_len;
	}

	number = find_function(module, name);
	ASSERT_NE(number, 0);
	return number;
}

static const char *skip_reason(void)
{
	int fd;

	if (access("/sys/kernel/btf/user_events", R_OK))
		return "the module has no functions for BPF programs";

	fd = module_types_open();
	if (fd < 0)
		return "no BPF";

	close(fd);
	return user_events_hooks.skip_reason();
}

/* --- programs --- */

#define LOAD_VALUE(reg, fd)                                                    \
	BPF_INSN(BPF_LD | BPF_DW | BPF_IMM, reg, BPF_PSEUDO_MAP_VALUE, 0, fd), \
		BPF_INSN(0, 0, 0, 0, 0)

/* An array with one value. Return: a file. */
static int make_map(unsigned int flags, const void *value, size_t size)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = size,
		.max_entries = 1,
		.map_flags = flags,
	};
	uint32_t key = 0;
	int fd = bpf(BPF_MAP_CREATE, &attr);

	ASSERT_OK(fd);
	attr = (union bpf_attr){ .map_fd = fd,
				 .key = (uintptr_t)&key,
				 .value = (uintptr_t)value };
	ASSERT_OK(bpf(BPF_MAP_UPDATE_ELEM, &attr));

	return fd;
}

/* A constant string, as the verifier wants it */
static int make_string(const char *string)
{
	char value[128] = "";
	union bpf_attr attr = {};

	snprintf(value, sizeof(value), "%s", string);
	attr.map_fd = make_map(BPF_F_RDONLY_PROG, value, sizeof(value));
	ASSERT_OK(bpf(BPF_MAP_FREEZE, &attr));

	return attr.map_fd;
}

/* Opened by each test, as the module can be another one. */
static int module_types = -1;

static int load(enum bpf_prog_type type, const struct bpf_insn *program,
		size_t count)
{
	static char log[16384];
	/* A call has the index of the file, from 1. */
	int files[2] = { -1, module_types };
	union bpf_attr attr = {
		.prog_type = type,
		.prog_flags = type == BPF_PROG_TYPE_SYSCALL ? BPF_F_SLEEPABLE
							    : 0,
		.insns = (uintptr_t)program,
		.insn_cnt = count,
		.license = (uintptr_t) "GPL",
		.fd_array = (uintptr_t)files,
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr), error = errno;

	if (fd < 0 && error != EACCES)
		harness_note("%s", log);
	errno = error;
	return fd;
}

#define CALL(name)                                                \
	BPF_INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 1, \
		 function_number(name))
#define EXIT BPF_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* A program that emits a record and returns what the function returns */
static int load_writer(enum bpf_prog_type type, const char *event,
		       const void *record, size_t size)
{
	static char value[4096];
	int name = make_string(event), bytes;

	if (module_types < 0)
		module_types = module_types_open();
	memcpy(value, record, size);
	bytes = make_map(0, value, sizeof(value));
	const struct bpf_insn program[] = {
		LOAD_VALUE(1, name),
		LOAD_VALUE(2, bytes),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, size),
		CALL("bpf_user_event_write"),
		EXIT,
	};

	return load(type, program, ARRAY_SIZE(program));
}

/* Runs a program. Return: what it returns */
static int run(int program)
{
	union bpf_attr attr = {};

	ASSERT_OK(program);
	attr.test.prog_fd = program;
	ASSERT_OK(bpf(BPF_PROG_TEST_RUN, &attr));

	return (int)attr.test.retval;
}

/* Return: 0 or a negative errno */
static int write_bytes(const char *event, const void *record, size_t size)
{
	int program = load_writer(BPF_PROG_TYPE_SYSCALL, event, record, size);
	int ret = run(program);

	close(program);
	return ret;
}

static int is_enabled(const char *event)
{
	const struct bpf_insn instructions[] = {
		LOAD_VALUE(1, make_string(event)),
		CALL("bpf_user_event_enabled"),
		EXIT,
	};
	int program, ret;

	if (module_types < 0)
		module_types = module_types_open();
	program = load(BPF_PROG_TYPE_SYSCALL, instructions,
		       ARRAY_SIZE(instructions));

	ret = run(program);
	close(program);
	return ret;
}

static const char valid[] = NUM4("\1", "\0", "\0", "\0")
	WORD("\0", "\5") "text";

/* --- tests --- */

/* ftrace, perf and the counters have the record of the program. */
TEST(program_emits_record)
{
	const char *event = uniq("e");
	unsigned long long hits, lost;
	struct sample sample;
	struct perf perf;

	open_event(event, FIELDS);
	pin_to_cpu(0);
	perf_map(&perf, event_id(event), -1, 0, 2);
	enable(event, true);
	EXPECT_EQ(write_bytes(event, valid, sizeof(valid)), 0);
	ASSERT_TRUE(perf_next(&perf, &sample));
	EXPECT_FALSE(memcmp(sample.bytes + common_fields_size(), valid,
			    sizeof(valid)));
	EXPECT_STREQ(trace_text(event), text("%s: a=0x1 (1) b=text", event));
	expect_record(event_id(event), valid, sizeof(valid));
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 1);
	EXPECT_EQ(lost, 0);
	perf_close(&perf);
}

TEST(invalid_records_are_not_emitted)
{
	static const char outside[] = NUM4("\1", "\0", "\0", "\0")
		WORD("\1", "\5") "text";
	static const char large[4096];
	const char *event = uniq("e");

	open_event(event, FIELDS);
	EXPECT_EQ(write_bytes(event, valid, sizeof(valid)), -EBADF);
	enable(event, true);
	EXPECT_EQ(write_bytes(uniq("none"), valid, sizeof(valid)), -ENOENT);
	EXPECT_EQ(write_bytes("", valid, sizeof(valid)), -ENOENT);
	EXPECT_EQ(write_bytes(event, valid, 7), -EINVAL);
	EXPECT_EQ(write_bytes(event, valid, 0), -EINVAL);
	EXPECT_EQ(write_bytes(event, outside, sizeof(outside)), -EFAULT);
	EXPECT_EQ(write_bytes(event, large, RECORD_MAX), 0);
	EXPECT_EQ(write_bytes(event, large, RECORD_MAX + 1), -E2BIG);
	EXPECT_EQ(write_bytes(event, large, sizeof(large)), -E2BIG);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
}

/* The verifier rejects memory that can be NULL only since Linux 7.0. */
TEST(missing_record_is_not_emitted)
{
	const char *event = uniq("e");
	int name = make_string(event), map = make_map(0, valid, sizeof(valid));
	const struct bpf_insn instructions[] = {
		/* A value that the map does not have */
		BPF_INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 1),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		BPF_INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		BPF_INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0,
			 map),
		BPF_INSN(0, 0, 0, 0, 0),
		BPF_INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		LOAD_VALUE(1, name),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 0, 0, 0),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, sizeof(valid)),
		CALL("bpf_user_event_write"),
		EXIT,
	};
	int program;

	open_event(event, FIELDS);
	enable(event, true);
	module_types = module_types_open();
	program = load(BPF_PROG_TYPE_SYSCALL, instructions,
		       ARRAY_SIZE(instructions));
	if (program < 0)
		EXPECT_EQ(errno, EACCES);
	else
		EXPECT_EQ(run(program), -EFAULT);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
}

TEST(program_asks_whether_event_is_enabled)
{
	const char *event = uniq("e");

	EXPECT_EQ(is_enabled(event), 0);
	open_event(event, FIELDS);
	EXPECT_EQ(is_enabled(event), 0);
	enable(event, true);
	EXPECT_EQ(is_enabled(event), 1);
	enable(event, false);
	EXPECT_EQ(is_enabled(event), 0);
}

/* Names that precede and follow each other, also after a removal */
TEST(events_are_found_by_name)
{
	static const char *const tags[] = { "m", "c", "x", "a", "mm", "z", "b" };
	size_t i, removed;

	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		ASSERT_OK(dynevent_write(text("u:%s u32 a", uniq(tags[i]))));
		enable(uniq(tags[i]), true);
	}
	for (removed = 0; removed < ARRAY_SIZE(tags); removed++) {
		enable(uniq(tags[removed]), false);
		ASSERT_OK(del_event(uniq(tags[removed])));
		for (i = 0; i < ARRAY_SIZE(tags); i++) {
			harness_context("%s without %s", tags[i],
					tags[removed]);
			EXPECT_EQ(write_bytes(uniq(tags[i]), valid, 4),
				  i > removed ? 0 : -ENOENT);
		}
	}
}

/* Attaches a program to a tracepoint of any kind. */
static int attach(unsigned int id, int program)
{
	int perf = perf_open(id, -1, 0, 0);

	ASSERT_OK(program);
	ASSERT_OK(perf);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_SET_BPF, program));
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));

	return perf;
}

/* The record that runs the program is not changed by the one that it emits. */
TEST(program_emits_while_a_record_is_written)
{
	const char *cause = uniq("cause"), *event = uniq("e");
	int fd = open_event(cause, "u32 a");
	unsigned long long hits, lost;
	uint32_t a = 7;

	open_event(event, FIELDS);
	enable(event, true);
	enable(cause, true);
	pin_to_cpu(0);
	attach(event_id(cause), load_writer(BPF_PROG_TYPE_TRACEPOINT, event,
					    valid, sizeof(valid)));
	EXPECT_EQ(emit(fd, 0, &a, 4), 8);
	EXPECT_STREQ(trace_text(cause), text("%s: a=0x7 (7)", cause));
	EXPECT_STREQ(trace_text(event), text("%s: a=0x1 (1) b=text", event));
	ASSERT_TRUE(read_profile(cause, &hits, &lost));
	EXPECT_EQ(hits, 1);
}

/* The program runs in an NMI that the sample module causes. */
TEST(program_emits_in_nmi)
{
	const char *event = uniq("e"), *sample = uniq("s");
	char *id = tfs_read("events/nmi/nmi_handler/id");
	unsigned long long hits, lost;

	if (!id || access(sample_path(), R_OK))
		SKIP("no NMI, or " SAMPLE ".ko is not beside USER_EVENTS_KO");
	open_event(event, FIELDS);
	/* Only records from an NMI */
	ASSERT_OK(tfs_write(text("common_flags & %u", COMMON_FLAGS_NMI),
			    "events/user_events/%s/filter", event));
	enable(event, true);
	pin_to_cpu(0);
	ASSERT_OK(module_load_file(sample_path(), text("name=%s", sample)));
	enable(sample, true);
	enable(text("%s_pieces", sample), true);
	attach(number_after(id, ""), load_writer(BPF_PROG_TYPE_TRACEPOINT,
						 event, valid, sizeof(valid)));
	EXPECT_OK(sample_emit("nmi"));
	EXPECT_STREQ(trace_text(event), text("%s: a=0x1 (1) b=text", event));
	EXPECT_CONTAINS(trace_text(sample), "number=0x2 (2) fixed=text");
	EXPECT_CONTAINS(trace_text(text("%s_pieces", sample)),
			"number=0x1 (1) length=(0)");
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_NE(hits, 0);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), hits);
	enable(sample, false);
	enable(text("%s_pieces", sample), false);
	EXPECT_OK(sample_unload());
}

/* The program runs inside of perf, which takes no other record meanwhile. */
TEST(program_emits_into_its_own_event)
{
	const char *event = uniq("e");
	int fd = open_event(event, FIELDS);
	unsigned long long hits, lost;

	enable(event, true);
	pin_to_cpu(0);
	attach(event_id(event), load_writer(BPF_PROG_TYPE_TRACEPOINT, event,
					    valid, sizeof(valid)));
	EXPECT_EQ(emit(fd, 0, valid, sizeof(valid)), 4 + sizeof(valid));
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 2);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 2);
	EXPECT_EQ(read_loss(event, "perf_absent"), 1);
}

/* A writer whose event has no room for the record of the program is not told. */
TEST(loss_of_program_is_not_that_of_writer)
{
	const char *event = uniq("e");
	int fd = open_event(event, FIELDS);
	unsigned long long hits, lost;

	tfs_write("1", "events/user_events/%s/enable", event);
	tfs_write("a == 2", "events/user_events/%s/filter", event);
	pin_to_cpu(0);
	attach(event_id(event), load_writer(BPF_PROG_TYPE_TRACEPOINT, event,
					    valid, sizeof(valid)));
	EXPECT_EQ(emit(fd, 0, valid, sizeof(valid)), 4 + sizeof(valid));
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 2);
	EXPECT_EQ(read_loss(event, "ftrace_filtered"), 2);
}

TEST(programs_of_kprobes_can_emit)
{
	EXPECT_OK(load_writer(BPF_PROG_TYPE_KPROBE, uniq("e"), valid, 4));
}

/* Socket filters are no programs for tracing. */
TEST(other_programs_cannot_emit)
{
	EXPECT_ERRNO(load_writer(BPF_PROG_TYPE_SOCKET_FILTER, uniq("e"), valid,
				 4),
		     EACCES);
}

/* CAP_PERFMON overrides the rights of events, and nothing else does. */
TEST(loading_requires_cap_perfmon)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
						 0 };
	struct __user_cap_data_struct data[2] = {};

	/* Opens what needs CAP_SYS_ADMIN. */
	ASSERT_OK(load_writer(BPF_PROG_TYPE_SYSCALL, uniq("e"), valid, 4));
	ASSERT_OK(syscall(SYS_capget, &head, data));
	data[CAP_SYS_ADMIN / 32].effective &= ~(1U << (CAP_SYS_ADMIN % 32));
	/* CAP_PERFMON is 38, CAP_BPF is 39. */
	data[1].effective &= ~(1U << (38 - 32));
	if (in_child()) {
		ASSERT_OK(syscall(SYS_capset, &head, data));
		EXPECT_ERRNO(load_writer(BPF_PROG_TYPE_SYSCALL, uniq("e"),
					 valid, 4),
			     EACCES);
		end_child();
	}
}

/* A program needs the code of the module. */
TEST(program_keeps_module)
{
	long long start = 0;
	int program;

	/* The kernel frees the programs of other tests later. */
	while (module_references() && harness_deadline(&start, WAIT_TIMEOUT_S))
		;
	EXPECT_EQ(module_references(), 0);

	program = load_writer(BPF_PROG_TYPE_SYSCALL, uniq("e"), valid, 4);
	ASSERT_OK(program);
	EXPECT_EQ(module_references(), 1);
	EXPECT_ERRNO(module_unload(), EAGAIN);
	EXPECT_EQ(run(program), -ENOENT);
	close(program);
	module_must_unload();
	ASSERT_OK(module_load_file(module_path(), ""));
	module_types = module_types_open();
	EXPECT_EQ(write_bytes(uniq("e"), valid, 4), -ENOENT);
}

static volatile bool is_finished;

static void *call_kernel(void *unused)
{
	while (!is_finished)
		getppid();

	return unused;
}

/*
 * A program runs for each system call on all CPUs, and emits into an event that is
 * defined, enabled, disabled and removed meanwhile.
 */
TEST(events_are_removed_while_program_emits)
{
	const char *event = uniq("e");
	unsigned int i, rounds = harness_rounds(50);
	unsigned long long hits, lost, total = 0;
	pthread_t thread;

	attach(number_after(tfs_read("events/raw_syscalls/sys_enter/id"), ""),
	       load_writer(BPF_PROG_TYPE_TRACEPOINT, event, valid,
			   sizeof(valid)));
	pthread_create(&thread, NULL, call_kernel, NULL);
	for (i = 0; i < rounds; i++) {
		int fd = open_event(event, FIELDS);

		enable(event, true);
		if (i & 1)
			usleep(1000);
		enable(event, false);
		close(fd);
		ASSERT_TRUE(read_profile(event, &hits, &lost));
		total += hits;
		ASSERT_OK(del_event(event));
	}
	EXPECT_TRUE(total);
	is_finished = true;
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	static struct harness_hooks hooks;

	hooks = user_events_hooks;
	hooks.skip_reason = skip_reason;
	return harness_main(argc, argv, &hooks);
}
