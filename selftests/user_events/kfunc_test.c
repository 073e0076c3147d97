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
#include <sys/mman.h>
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

/* Return: the number of the type, 0, or that behind the last type if !name. */
static uint32_t find_type(struct types types, uint32_t kind, const char *name)
{
	const struct btf_header *header = (const void *)types.data;
	const char *at = types.data + header->hdr_len + header->type_off;
	const char *end = at + header->type_len;
	const char *strings = types.data + header->hdr_len + header->str_off;
	uint32_t number = types.first;

	for (; at < end; number++) {
		const struct btf_type *type = (const void *)at;

		if (name && BTF_INFO_KIND(type->info) == kind &&
		    !strcmp(strings + type->name_off - types.first_string,
			    name))
			return number;
		at += sizeof(*type) + type_extra(type);
	}

	return name ? 0 : number;
}

/*
 * Return: the description of the module as a file, or -1. Some kernels list those
 * of earlier modules as long as a file has them. The last one is the newest.
 */
static int module_types_open(void)
{
	char name[32];
	struct bpf_btf_info info;
	union bpf_attr attr = {};
	int fd, found = -1;

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
		    info.kernel_btf && !strcmp(name, "user_events")) {
			close(found);
			found = fd;
		} else {
			close(fd);
		}
		attr = (union bpf_attr){ .start_id = attr.next_id };
	}

	return found;
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

static const struct types *kernel_types(void)
{
	static struct types kernel = { .first = 1 };

	if (!kernel.data)
		kernel.data = read_bytes("/sys/kernel/btf/vmlinux");

	return &kernel;
}

/* Return: the number of a function of the module, or 0. */
static uint32_t function_number(const char *name)
{
	static struct types module;

	if (!module.data) {
		const struct btf_header *header =
			(const void *)kernel_types()->data;

		module.data = read_bytes("/sys/kernel/btf/user_events");
		module.first = find_type(*kernel_types(), 0, NULL);
		module.first_string = header->str_len;
	}

	return find_type(module, BTF_KIND_FUNC, name);
}

/* Since Linux 6.11; programs of kprobes have functions then, too. */
static bool has_constant_names(void)
{
	return function_number("bpf_user_event_write");
}

static const char *skip_reason(void)
{
	const char *jit = read_file("/proc/sys/net/core/bpf_jit_enable");
	int fd;

	if (access("/sys/kernel/btf/user_events", R_OK))
		return "the module has no functions for BPF programs";

	fd = module_types_open();
	if (fd < 0)
		return "no BPF";

	close(fd);
	/* Off by default on riscv64, for instance */
	if (jit && *jit == '0')
		return "programs are not compiled: net.core.bpf_jit_enable is 0";

	return user_events_hooks.skip_reason();
}

/* --- forms of the functions --- */

/*
 * struct form - how a program calls the module
 * @name: for messages
 * @write: function that emits a record
 * @enabled: function that tells whether an event is enabled
 * @has_size: the size of the name is an argument
 * @type: type of the program that calls them
 */
struct form {
	const char *name;
	const char *write;
	const char *enabled;
	bool has_size;
	enum bpf_prog_type type;
};

static const struct form forms[] = {
	{ "name with size", "bpf_user_event_write_sized",
	  "bpf_user_event_enabled_sized", true, BPF_PROG_TYPE_TRACING },
	{ "constant name", "bpf_user_event_write", "bpf_user_event_enabled",
	  false, BPF_PROG_TYPE_SYSCALL },
};

static const struct form *form = forms;

/* A test that runs in a process of its own for each form that the kernel has */
#define TEST_OF_FORMS(id)                     \
	static void of_form_##id(void);       \
	TEST(id)                              \
	{                                     \
		run_with_forms(of_form_##id); \
	}                                     \
	static void of_form_##id(void)

static void run_with_forms(void (*test)(void))
{
	for (form = forms; form < forms + ARRAY_SIZE(forms); form++) {
		if (!function_number(form->write))
			continue;

		harness_context("%s", form->name);
		if (in_child()) {
			test();
			end_child();
		}
	}
}

/* --- programs --- */

/*
 * struct place - where a program of BPF_PROG_TYPE_TRACING is attached
 * @type: kind of place
 * @number: number of its type
 * @types: description with this type, or 0 for that of the kernel
 */
struct place {
	enum bpf_attach_type type;
	uint32_t number;
	int types;
};

static struct place tracepoint(const char *name)
{
	return (struct place){
		.type = BPF_TRACE_RAW_TP,
		.number = find_type(*kernel_types(), BTF_KIND_TYPEDEF,
				    text("btf_trace_%s", name)),
	};
}

struct program {
	struct bpf_insn insns[64];
	size_t count;
};

static void append(struct program *program, const struct bpf_insn *insns,
		   size_t count)
{
	ASSERT_LE(program->count + count, ARRAY_SIZE(program->insns));
	memcpy(program->insns + program->count, insns, count * sizeof(*insns));
	program->count += count;
}

#define APPEND(program, ...)                                        \
	append((program), (const struct bpf_insn[]){ __VA_ARGS__ }, \
	       sizeof((const struct bpf_insn[]){ __VA_ARGS__ }) /   \
		       sizeof(struct bpf_insn))

#define LOAD_VALUE(reg, fd)                                                    \
	BPF_INSN(BPF_LD | BPF_DW | BPF_IMM, reg, BPF_PSEUDO_MAP_VALUE, 0, fd), \
		BPF_INSN(0, 0, 0, 0, 0)
#define SET(reg, value) BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, reg, 0, 0, value)
#define MOVE(to, from) BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
/* The offset is set by finish_jumps(). */
#define EXIT_UNLESS(reg, value) \
	BPF_INSN(BPF_JMP | BPF_JNE | BPF_K, reg, 0, 0, value)
#define CALL(name)                                                \
	BPF_INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 1, \
		 function_number(name))
#define CALL_KERNEL(function) \
	BPF_INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##function)
#define EXIT BPF_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static void set_value(int map, const void *value)
{
	uint32_t key = 0;
	union bpf_attr attr = { .map_fd = map,
				.key = (uintptr_t)&key,
				.value = (uintptr_t)value };

	ASSERT_OK(bpf(BPF_MAP_UPDATE_ELEM, &attr));
}

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
	int fd = bpf(BPF_MAP_CREATE, &attr);

	ASSERT_OK(fd);
	set_value(fd, value);

	return fd;
}

#define NAME_SIZE 128

static int make_name(const char *name)
{
	char value[NAME_SIZE] = "";

	snprintf(value, sizeof(value), "%s", name);
	return make_map(0, value, sizeof(value));
}

/* A constant string, as the verifier wants it */
static int make_string(const char *string)
{
	char value[NAME_SIZE] = "";
	union bpf_attr attr = {};

	snprintf(value, sizeof(value), "%s", string);
	attr.map_fd = make_map(BPF_F_RDONLY_PROG, value, sizeof(value));
	ASSERT_OK(bpf(BPF_MAP_FREEZE, &attr));

	return attr.map_fd;
}

/* Opened by each test, as the module can be another one. */
static int module_types = -1;

static int load(enum bpf_prog_type type, const struct place *place,
		const struct program *program)
{
	static char log[16384];
	/* A call has the index of the file, from 1. */
	int files[2] = { -1, module_types };
	union bpf_attr attr = {
		.prog_type = type,
		.prog_flags = type == BPF_PROG_TYPE_SYSCALL ? BPF_F_SLEEPABLE
							    : 0,
		.insns = (uintptr_t)program->insns,
		.insn_cnt = program->count,
		.license = (uintptr_t) "GPL",
		.fd_array = (uintptr_t)files,
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd, error;

	if (place) {
		attr.expected_attach_type = place->type;
		attr.attach_btf_id = place->number;
		attr.attach_btf_obj_fd = place->types;
	}
	fd = bpf(BPF_PROG_LOAD, &attr);
	error = errno;
	if (fd < 0 && error != EACCES && error != EPERM)
		harness_note("%s", log);
	errno = error;
	return fd;
}

/* Where a program of BPF_PROG_TYPE_TRACING stores what a function returns */
static int result = -1;

/* What the function does not return */
#define NO_RESULT 12345

/*
 * Loads a program that makes a call, and returns what the function returns. One of
 * BPF_PROG_TYPE_TRACING stores it and runs in a system call of this process, see
 * run(), or elsewhere.
 */
static int load_call(enum bpf_prog_type type, const struct place *elsewhere,
		     const struct program *call)
{
	const struct place place = elsewhere ? *elsewhere
					     : tracepoint("sys_enter");
	static const uint32_t no_result = NO_RESULT;
	struct program program = {};
	size_t i;

	if (type != BPF_PROG_TYPE_TRACING) {
		program = *call;
		APPEND(&program, EXIT);
		return load(type, NULL, &program);
	}

	if (result < 0)
		result = make_map(0, &no_result, sizeof(no_result));
	if (!elsewhere) {
		APPEND(&program, /* The number of the system call */
		       BPF_INSN(BPF_LDX | BPF_MEM | BPF_DW, 2, 1, 8, 0),
		       EXIT_UNLESS(2, SYS_getppid),
		       CALL_KERNEL(get_current_pid_tgid),
		       BPF_INSN(BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32),
		       EXIT_UNLESS(0, getpid()));
	}
	append(&program, call->insns, call->count);
	APPEND(&program, LOAD_VALUE(1, result),
	       BPF_INSN(BPF_STX | BPF_MEM | BPF_W, 1, 0, 0, 0), SET(0, 0),
	       EXIT);
	for (i = 0; i < program.count; i++)
		if (program.insns[i].code == (BPF_JMP | BPF_JNE | BPF_K))
			program.insns[i].off = program.count - 3 - i;

	return load(type, &place, &program);
}

static void append_name(struct program *program, const char *event)
{
	if (form->has_size)
		APPEND(program, LOAD_VALUE(1, make_name(event)),
		       SET(2, strlen(event) + 1));
	else
		APPEND(program, LOAD_VALUE(1, make_string(event)));
}

static void append_record(struct program *program, const void *record,
			  size_t size)
{
	static char value[4096];
	unsigned int reg = form->has_size ? 3 : 2;

	memcpy(value, record, size);
	APPEND(program, LOAD_VALUE(reg, make_map(0, value, sizeof(value))),
	       SET(reg + 1, size), CALL(form->write));
}

static int load_writer_at(enum bpf_prog_type type,
			  const struct place *elsewhere, const char *event,
			  const void *record, size_t size)
{
	struct program call = {};

	if (module_types < 0)
		module_types = module_types_open();
	append_name(&call, event);
	append_record(&call, record, size);
	return load_call(type, elsewhere, &call);
}

/* A program that emits a record */
static int load_writer(enum bpf_prog_type type, const char *event,
		       const void *record, size_t size)
{
	return load_writer_at(type, NULL, event, record, size);
}

/* Attaches a program to its place. Return: a file, or -1. */
static int attach_to_place(int program)
{
	union bpf_attr attr = {};

	ASSERT_OK(program);
	attr.raw_tracepoint.prog_fd = program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

static int run_in_system_call(int program)
{
	static const uint32_t no_result = NO_RESULT;
	uint32_t key = 0;
	int32_t value = NO_RESULT;
	union bpf_attr attr = { .map_fd = result,
				.key = (uintptr_t)&key,
				.value = (uintptr_t)&value };
	int link = attach_to_place(program);

	ASSERT_OK(link);
	set_value(result, &no_result);
	syscall(SYS_getppid);
	close(link);
	ASSERT_OK(bpf(BPF_MAP_LOOKUP_ELEM, &attr));
	ASSERT_NE(value, NO_RESULT);

	return value;
}

/* Runs a program. Return: what the function returns */
static int run(int program)
{
	union bpf_attr attr = {};

	ASSERT_OK(program);
	if (form->type == BPF_PROG_TYPE_TRACING)
		return run_in_system_call(program);

	attr.test.prog_fd = program;
	ASSERT_OK(bpf(BPF_PROG_TEST_RUN, &attr));

	return (int)attr.test.retval;
}

/* Return: 0 or a negative errno */
static int write_bytes(const char *event, const void *record, size_t size)
{
	int program = load_writer(form->type, event, record, size);
	int ret = run(program);

	close(program);
	return ret;
}

static int is_enabled(const char *event)
{
	struct program call = {};
	int program, ret;

	if (module_types < 0)
		module_types = module_types_open();
	append_name(&call, event);
	APPEND(&call, CALL(form->enabled));
	program = load_call(form->type, NULL, &call);
	ret = run(program);
	close(program);
	return ret;
}

static const char valid[] = NUM4("\1", "\0", "\0", "\0")
	WORD("\0", "\5") "text";

/* --- tests --- */

/* ftrace, perf and the counters have the record of the program. */
TEST_OF_FORMS(program_emits_record)
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

TEST_OF_FORMS(invalid_records_are_not_emitted)
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

/*
 * Loads and runs a program that has NULL in a register: a value that a map does not
 * have. The verifier rejects it only since Linux 7.0.
 */
static void expect_error_for_null(struct program *call, unsigned int reg,
				  const struct program *rest, int expected)
{
	int map = make_map(0, valid, sizeof(valid)), program;

	APPEND(call, BPF_INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 1),
	       MOVE(2, 10), BPF_INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
	       BPF_INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0,
			map),
	       BPF_INSN(0, 0, 0, 0, 0), CALL_KERNEL(map_lookup_elem),
	       MOVE(reg, 0));
	append(call, rest->insns, rest->count);
	program = load_call(form->type, NULL, call);
	if (program < 0)
		EXPECT_EQ(errno, EACCES);
	else
		EXPECT_EQ(run(program), expected);
	close(program);
}

TEST_OF_FORMS(missing_record_is_not_emitted)
{
	const char *event = uniq("e");
	struct program call = {}, rest = {};
	unsigned int reg = form->has_size ? 3 : 2;

	open_event(event, FIELDS);
	enable(event, true);
	module_types = module_types_open();
	append_name(&rest, event);
	APPEND(&rest, SET(reg + 1, sizeof(valid)), CALL(form->write));
	expect_error_for_null(&call, reg, &rest, -EFAULT);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
}

/* Names that are no strings, in the given number of bytes */
TEST(invalid_names_are_rejected)
{
	static const struct {
		const char *what;
		char bytes[8 + 1];
		unsigned int size;
		int expected;
	} cases[] = {
		{ "nothing", "", 0, -EINVAL },
		{ "no NUL", "abcd", 4, -EINVAL },
		{ "no NUL, largest", "abcdefgh", 8, -EINVAL },
		{ "empty", "", 1, -ENOENT },
		{ "bytes behind the NUL", "a\0bcdefg", 8, -ENOENT },
	};
	struct program call, rest = {};
	size_t i;

	module_types = module_types_open();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("%s", cases[i].what);
		call = (struct program){};
		APPEND(&call, LOAD_VALUE(1, make_map(0, cases[i].bytes, 8)),
		       SET(2, cases[i].size));
		append_record(&call, valid, sizeof(valid));
		EXPECT_EQ(run(load_call(form->type, NULL, &call)),
			  cases[i].expected);

		call.count -= 1;
		APPEND(&call, CALL(form->enabled));
		EXPECT_EQ(run(load_call(form->type, NULL, &call)), 0);
	}

	harness_context("NULL");
	call = (struct program){};
	APPEND(&rest, SET(2, 8));
	append_record(&rest, valid, sizeof(valid));
	expect_error_for_null(&call, 1, &rest, -EINVAL);
}

/* The name starts where the memory does, and can have any bytes behind it. */
TEST(name_ends_at_its_nul)
{
	const char *event = uniq("e");
	struct program call = {};
	char name[NAME_SIZE];

	memset(name, 'x', sizeof(name));
	snprintf(name, sizeof(name), "%s", event);
	open_event(event, FIELDS);
	enable(event, true);
	module_types = module_types_open();
	APPEND(&call, LOAD_VALUE(1, make_map(0, name, sizeof(name))),
	       SET(2, sizeof(name)));
	append_record(&call, valid, sizeof(valid));
	EXPECT_EQ(run(load_call(form->type, NULL, &call)), 0);
	EXPECT_STREQ(trace_text(event), text("%s: a=0x1 (1) b=text", event));
}

static volatile bool is_finished;

static void *change_name(void *memory)
{
	volatile char *name = memory;
	size_t length = strlen(memory);

	while (!is_finished) {
		memset((void *)(name + length), 'x', NAME_SIZE - length);
		name[length] = '\0';
		name[1] ^= 1;
	}

	return NULL;
}

/* Another process changes the name, also its end, while the module reads it. */
TEST(name_changes_while_it_is_read)
{
	const char *event = uniq("e");
	char name[NAME_SIZE] = "";
	struct program call = {};
	pthread_t thread;
	int map, i, ret, program;
	void *memory;

	open_event(event, FIELDS);
	enable(event, true);
	module_types = module_types_open();
	snprintf(name, sizeof(name), "%s", event);
	map = make_map(BPF_F_MMAPABLE, name, sizeof(name));
	memory = mmap(NULL, NAME_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, map,
		      0);
	ASSERT_TRUE(memory != MAP_FAILED);
	APPEND(&call, LOAD_VALUE(1, map), SET(2, NAME_SIZE));
	append_record(&call, valid, sizeof(valid));
	program = load_call(form->type, NULL, &call);
	pthread_create(&thread, NULL, change_name, memory);
	for (i = 0; i < 200; i++) {
		ret = run(program);
		EXPECT_TRUE(!ret || ret == -ENOENT || ret == -EINVAL);
	}
	is_finished = true;
	pthread_join(thread, NULL);
}

TEST_OF_FORMS(program_asks_whether_event_is_enabled)
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
TEST_OF_FORMS(events_are_found_by_name)
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

/* Attaches a program to a tracepoint of any kind, through perf. */
static int attach(unsigned int id, int program)
{
	int perf = perf_open(id, -1, 0, 0);

	ASSERT_OK(program);
	ASSERT_OK(perf);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_SET_BPF, program));
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));

	return perf;
}

static void require_tracepoint_programs(void)
{
	if (!has_constant_names())
		SKIP("programs of perf cannot call functions of modules");
}

/* The record that runs the program is not changed by the one that it emits. */
static void program_emits_while_a_record_is_written_of_form(void)
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

TEST(program_emits_while_a_record_is_written)
{
	require_tracepoint_programs();
	run_with_forms(program_emits_while_a_record_is_written_of_form);
}

static void attach_to_nmi(const char *event)
{
	const struct place place = tracepoint("nmi_handler");
	char *id = tfs_read("events/nmi/nmi_handler/id");

	if (form->type == BPF_PROG_TYPE_TRACING)
		ASSERT_OK(attach_to_place(load_writer_at(
			form->type, &place, event, valid, sizeof(valid))));
	else
		attach(number_after(id, ""),
		       load_writer(BPF_PROG_TYPE_TRACEPOINT, event, valid,
				   sizeof(valid)));
}

static void emit_in_nmi(void)
{
	const char *event = uniq("e"), *sample = uniq("s");
	unsigned long long hits, lost;

	open_event(event, FIELDS);
	/* Only records from an NMI */
	ASSERT_OK(tfs_write(text("common_flags & %u", COMMON_FLAGS_NMI),
			    "events/user_events/%s/filter", event));
	enable(event, true);
	pin_to_cpu(0);
	ASSERT_OK(module_load_file(sample_path(), text("name=%s", sample)));
	enable(sample, true);
	enable(text("%s_pieces", sample), true);
	attach_to_nmi(event);
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

/* The program runs in an NMI that the sample module causes. */
TEST(program_emits_in_nmi)
{
	if (!tfs_read("events/nmi/nmi_handler/id") ||
	    access(sample_path(), R_OK))
		SKIP("no NMI, or " SAMPLE ".ko is not beside USER_EVENTS_KO");
	run_with_forms(emit_in_nmi);
}

/* The program runs inside of perf, which takes no other record meanwhile. */
static void program_emits_into_its_own_event_of_form(void)
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

TEST(program_emits_into_its_own_event)
{
	require_tracepoint_programs();
	run_with_forms(program_emits_into_its_own_event_of_form);
}

/* A writer whose event has no room for the record of the program is not told. */
static void loss_of_program_is_not_that_of_writer_of_form(void)
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

TEST(loss_of_program_is_not_that_of_writer)
{
	require_tracepoint_programs();
	run_with_forms(loss_of_program_is_not_that_of_writer_of_form);
}

/*
 * Before Linux 6.11, a module cannot have functions for them; the kernel does not
 * verify the capabilities of those who load the others before Linux 6.5.
 */
TEST_OF_FORMS(programs_of_some_types_can_emit)
{
	const char *event = uniq("e");

	if (has_constant_names()) {
		EXPECT_OK(load_writer(BPF_PROG_TYPE_KPROBE, event, valid, 4));
		EXPECT_OK(load_writer(BPF_PROG_TYPE_SYSCALL, event, valid, 4));
	} else {
		EXPECT_ERRNO(load_writer(BPF_PROG_TYPE_KPROBE, event, valid, 4),
			     EACCES);
		if (load_writer(BPF_PROG_TYPE_SYSCALL, event, valid, 4) < 0)
			EXPECT_EQ(errno, EACCES);
	}
}

/* Security modules of BPF need not be active to load one. */
TEST_OF_FORMS(programs_of_security_modules_can_emit)
{
	struct place place = {
		.type = BPF_LSM_MAC,
		.number = find_type(*kernel_types(), BTF_KIND_FUNC,
				    "bpf_lsm_file_open"),
	};
	struct program call = {};

	/* This kernel has no such programs. */
	if (!place.number)
		return;

	module_types = module_types_open();
	append_name(&call, uniq("e"));
	append_record(&call, valid, 4);
	APPEND(&call, SET(0, 0), EXIT);
	EXPECT_OK(load(BPF_PROG_TYPE_LSM, &place, &call));
}

/* Socket filters are no programs for tracing. */
TEST_OF_FORMS(other_programs_cannot_emit)
{
	EXPECT_ERRNO(load_writer(BPF_PROG_TYPE_SOCKET_FILTER, uniq("e"), valid,
				 4),
		     EACCES);
}

/* CAP_PERFMON overrides the rights of events, and nothing else does. */
TEST_OF_FORMS(loading_requires_cap_perfmon)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
						 0 };
	struct __user_cap_data_struct data[2] = {};

	/* Opens what needs CAP_SYS_ADMIN. */
	ASSERT_OK(load_writer(form->type, uniq("e"), valid, 4));
	ASSERT_OK(syscall(SYS_capget, &head, data));
	data[CAP_SYS_ADMIN / 32].effective &= ~(1U << (CAP_SYS_ADMIN % 32));
	/* CAP_PERFMON is 38, CAP_BPF is 39. */
	data[1].effective &= ~(1U << (38 - 32));
	if (in_child()) {
		ASSERT_OK(syscall(SYS_capset, &head, data));
		EXPECT_ERRNO(load_writer(BPF_PROG_TYPE_SYSCALL, uniq("e"),
					 valid, 4),
			     EACCES);
		/* Programs of this type require it without a call, too. */
		EXPECT_ERRNO(load_writer(BPF_PROG_TYPE_TRACING, uniq("e"),
					 valid, 4),
			     EPERM);
		end_child();
	}
}

/* Programs that are attached to the function that they call do not call themselves. */
TEST_OF_FORMS(program_is_attached_to_its_function)
{
	const char *event = uniq("e"), *inner = uniq("inner");
	struct place place = { .type = BPF_TRACE_FENTRY,
			       .number = function_number(form->write) };
	int program, link;

	open_event(event, FIELDS);
	open_event(inner, FIELDS);
	enable(event, true);
	enable(inner, true);
	module_types = module_types_open();
	place.types = module_types;
	program = load_writer_at(BPF_PROG_TYPE_TRACING, &place, inner, valid,
				 sizeof(valid));
	link = attach_to_place(program);
	/* ENOTSUPP of the kernel: this processor has no such programs. */
	if (link < 0 && errno == 524)
		return;
	ASSERT_OK(link);
	EXPECT_EQ(write_bytes(event, valid, sizeof(valid)), 0);
	close(link);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
	EXPECT_EQ(trace_count(NULL, text(" %s:", inner)), 1);
}

/* The kernel frees the programs of other tests later. */
static void wait_for_last_reference(void)
{
	long long start = 0;

	while (module_references() && harness_deadline(&start, WAIT_TIMEOUT_S))
		;
	ASSERT_EQ(module_references(), 0);
}

/* A program needs the code of the module. */
TEST_OF_FORMS(program_keeps_module)
{
	int program;

	wait_for_last_reference();
	program = load_writer(form->type, uniq("e"), valid, 4);
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

/* The module might have no memory for records of programs yet. */
TEST_OF_FORMS(first_records_are_emitted)
{
	const char *event = uniq("e");
	int i, fd;

	wait_for_last_reference();
	module_must_unload();
	ASSERT_OK(module_load_file(module_path(), ""));
	module_types = module_types_open();
	fd = open_event(event, FIELDS);
	enable(event, true);
	for (i = 0; i < 10; i++)
		EXPECT_EQ(write_bytes(event, valid, sizeof(valid)), 0);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 10);
	/* An event has a reference to the module. */
	enable(event, false);
	close(fd);
	ASSERT_OK(del_event(event));
}

/* Without the kernel's function that reads descriptions, there are no functions. */
TEST(module_works_without_description)
{
	static const char *const names[] = { "btf_module_notify",
					     "btf_module_notifX", NULL };
	const char *event = uniq("e"), *path;

	/* Since Linux 6.11, the description is in the file of the module. */
	if (!module_has_name(names[0]))
		return;

	wait_for_last_reference();
	module_must_unload();
	path = module_alter(names);
	ASSERT_OK(module_load_file(path, ""));
	EXPECT_ERRNO(access("/sys/kernel/btf/user_events", F_OK), ENOENT);
	EXPECT_OK(dynevent_write(text("u:%s u32 a", event)));
	EXPECT_OK(del_event(event));
	module_must_unload();
	unlink(path);
	ASSERT_OK(module_load_file(module_path(), ""));
}

static void *call_kernel(void *unused)
{
	while (!is_finished)
		getppid();

	return unused;
}

static void attach_to_system_calls(const char *event)
{
	const struct place place = tracepoint("sys_enter");
	char *id = tfs_read("events/raw_syscalls/sys_enter/id");

	if (form->type == BPF_PROG_TYPE_TRACING)
		ASSERT_OK(attach_to_place(load_writer_at(
			form->type, &place, event, valid, sizeof(valid))));
	else
		attach(number_after(id, ""),
		       load_writer(BPF_PROG_TYPE_TRACEPOINT, event, valid,
				   sizeof(valid)));
}

/*
 * A program runs for each system call on all CPUs, and emits into an event that is
 * defined, enabled, disabled and removed meanwhile.
 */
TEST_OF_FORMS(events_are_removed_while_program_emits)
{
	const char *event = uniq("e");
	unsigned int i, rounds = harness_rounds(50);
	unsigned long long hits, lost, total = 0;
	pthread_t thread;

	attach_to_system_calls(event);
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
