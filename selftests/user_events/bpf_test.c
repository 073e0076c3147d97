// SPDX-License-Identifier: GPL-2.0-only
/*
 * BPF programs that are attached to a user event run for every record, on every
 * CPU. The programs are written as instructions, without compiler or library.
 */
#include <sys/ioctl.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define LOAD_MAP(reg, fd)                                                   \
	BPF_INSN(BPF_LD | BPF_DW | BPF_IMM, reg, BPF_PSEUDO_MAP_FD, 0, fd), \
		BPF_INSN(0, 0, 0, 0, 0)

/*
 * An array of two numbers: the number of records, and the sum of their field.
 */
static int make_counters(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 2,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		SKIP("no BPF: %s", harness_errno(errno));

	return fd;
}

static unsigned long long read_counter(int map, uint32_t key)
{
	unsigned long long value = 0;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	EXPECT_OK(bpf(BPF_MAP_LOOKUP_ELEM, &attr));

	return value;
}

/* Kernels with neither kprobes nor uprobes have none for trace events. */
static bool kernel_has_programs(void)
{
	const struct bpf_insn nothing[] = {
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		BPF_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};

	return bpf_load(nothing, ARRAY_SIZE(nothing), NULL, 0) >= 0;
}

/*
 * load_program - load a program that counts records and sums up a field
 * @map: counters of the program
 * @offset: offset of a 32-bit field in the record
 * @result: return value of the program: whether perf receives the record
 */
static int load_program(int map, int offset, int result)
{
	const struct bpf_insn program[] = {
		/* r6 = the field, r7 = 1 */
		BPF_INSN(BPF_LDX | BPF_MEM | BPF_W, 6, 1, offset, 0),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 7, 0, 0, 1),
		/* counters[0] += r7 */
		BPF_INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		BPF_INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		LOAD_MAP(1, map),
		BPF_INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		BPF_INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1, 0),
		BPF_INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 7, 0, BPF_ADD),
		/* counters[1] += r6 */
		BPF_INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 1),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		BPF_INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		LOAD_MAP(1, map),
		BPF_INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		BPF_INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1, 0),
		BPF_INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 6, 0, BPF_ADD),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, result),
		BPF_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	char log[8192] = "";
	int fd = bpf_load(program, ARRAY_SIZE(program), log, sizeof(log));

	if (fd < 0 && errno == EINVAL && !kernel_has_programs())
		SKIP("this kernel has no BPF programs of trace events");
	if (fd < 0) {
		FAIL("cannot load the program: %s\n%s", harness_errno(errno),
		     log);
		harness_stop();
	}

	return fd;
}

static void write_u32(int fd, uint32_t value)
{
	EXPECT_EQ(emit(fd, 0, &value, sizeof(value)), 8);
}

/* As libbpf does it: one perf event, on CPU 0. */
static int attach(const char *event, int program)
{
	int perf = perf_open(event_id(event), -1, 0, 0);

	ASSERT_OK(perf);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_SET_BPF, program));
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));

	return perf;
}

TEST(runs_for_every_record)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int map = make_counters();
	int perf = attach(event, load_program(map, common_fields_size(), 0));
	uint32_t i;

	pin_to_cpu(0);
	for (i = 1; i <= 5; i++)
		write_u32(fd, i);
	EXPECT_EQ(read_counter(map, 0), 5);
	EXPECT_EQ(read_counter(map, 1), 15);
	close(perf);
	EXPECT_ERRNO(emit(fd, 0, &i, 4), EBADF);
	EXPECT_EQ(read_counter(map, 0), 5);
}

TEST(runs_on_every_cpu)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int map = make_counters();
	unsigned int cpu;
	uint32_t i;

	attach(event, load_program(map, common_fields_size(), 0));
	for (cpu = 0; cpu < cpu_count(); cpu++) {
		pin_to_cpu(cpu);
		for (i = 0; i < 5; i++)
			write_u32(fd, 1);
		EXPECT_EQ(read_counter(map, 0), 5 * (cpu + 1));
	}
}

TEST(reads_fields_at_their_offsets)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a;u32 b;u32 c");
	int map = make_counters();
	struct {
		uint64_t a;
		uint32_t b;
		uint32_t c;
	} payload = { .a = -1ULL, .b = 1000, .c = -1U };

	attach(event, load_program(map, common_fields_size() + 8, 0));
	EXPECT_EQ(emit(fd, 0, &payload, sizeof(payload)), 20);
	EXPECT_EQ(emit(fd, 0, &payload, sizeof(payload)), 20);
	EXPECT_EQ(read_counter(map, 0), 2);
	EXPECT_EQ(read_counter(map, 1), 2000);
}

/* A program must not be able to read beyond the fields. */
TEST(rejects_read_beyond_fields)
{
	const char *event = uniq("e");
	int map = make_counters();
	int perf;

	open_event(event, "u32 a");
	perf = perf_open(event_id(event), -1, 0, 0);
	ASSERT_OK(perf);
	EXPECT_ERRNO(ioctl(perf, PERF_EVENT_IOC_SET_BPF,
			   load_program(map, common_fields_size() + 4, 0)),
		     EACCES);
	EXPECT_ERRNO(ioctl(perf, PERF_EVENT_IOC_SET_BPF,
			   load_program(map, 1024, 0)),
		     EACCES);
	EXPECT_OK(ioctl(perf, PERF_EVENT_IOC_SET_BPF,
			load_program(map, common_fields_size(), 0)));
}

/* An event without fields has no readable bytes. */
TEST(rejects_read_without_fields)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	int map = make_counters();
	uint32_t index = 0;
	int perf;

	perf = perf_open(event_id(event), -1, 0, 0);
	ASSERT_OK(perf);
	EXPECT_ERRNO(ioctl(perf, PERF_EVENT_IOC_SET_BPF,
			   load_program(map, common_fields_size(), 0)),
		     EACCES);
	EXPECT_EQ(write(fd, &index, 4), 4);
	EXPECT_EQ(read_counter(map, 0), 0);
}

TEST(result_selects_samples)
{
	int result;

	for (result = 0; result < 2; result++) {
		const char *event = uniq(text("%d", result));
		int fd = open_event(event, "u32 a");
		int map = make_counters();
		struct sample sample;
		struct perf perf;
		unsigned int samples = 0, i;

		harness_context("program returns %d", result);
		pin_to_cpu(0);
		perf_map(&perf, event_id(event), -1, 0, 2);
		ASSERT_OK(
			ioctl(perf.fd, PERF_EVENT_IOC_SET_BPF,
			      load_program(map, common_fields_size(), result)));
		for (i = 0; i < 5; i++)
			write_u32(fd, i);
		while (perf_next(&perf, &sample))
			samples++;
		EXPECT_EQ(samples, 5 * result);
		EXPECT_EQ(read_counter(map, 0), 5);
		perf_close(&perf);
	}
}

TEST(works_beside_other_tracers)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int map = make_counters(), second = make_counters();
	unsigned int i;

	attach(event, load_program(map, common_fields_size(), 1));
	attach(event, load_program(second, common_fields_size(), 1));
	enable(event, true);
	for (i = 0; i < 6; i++)
		write_u32(fd, i);
	EXPECT_EQ(read_counter(map, 0), 6);
	EXPECT_EQ(read_counter(second, 0), 6);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 6);
}

TEST(holds_event_reference)
{
	const char *event = uniq("e");
	int map = make_counters();
	int perf;

	close(open_event(event, "u32 a"));
	perf = attach(event, load_program(map, common_fields_size(), 0));
	EXPECT_ERRNO(del_event(event), EBUSY);
	close(perf);
	EXPECT_OK(del_event(event));
}

/* A record that is too large reaches no tracer and causes no warning. */
TEST(counts_record_that_is_too_large_as_lost)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	unsigned char *payload = calloc(1, 16384);
	unsigned long long hits, lost;
	int map = make_counters();

	attach(event, load_program(map, common_fields_size(), 0));
	EXPECT_EQ(emit(fd, 0, payload, 16384), 16388);
	EXPECT_EQ(read_counter(map, 0), 0);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(lost, 1);
	EXPECT_EQ(emit(fd, 0, payload, 100), 104);
	EXPECT_EQ(read_counter(map, 0), 1);
}

/* A program runs for each hit, or the reason why not is counted. */
TEST(runs_and_losses_are_all_hits)
{
	static char payload[1 << 17];
	static const size_t sizes[] = { 4, 10000, sizeof(payload), 100 };
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int map = make_counters();
	unsigned long long hits, lost;
	unsigned int i;

	attach(event, load_program(map, common_fields_size(), 0));
	for (i = 0; i < 400; i++) {
		pin_to_cpu(i % cpu_count());
		EXPECT_EQ(emit(fd, 0, payload, sizes[i % 4]), sizes[i % 4] + 4);
	}
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 400);
	EXPECT_EQ(lost, 200);
	EXPECT_EQ(read_loss(event, "perf_too_large"), 200);
	EXPECT_EQ(read_loss(event, "perf_absent"), 0);
	EXPECT_EQ(read_counter(map, 0), 200);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
