// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf: counting and sampling with every scope, several perf events at once,
 * filters, and records that are too large for perf.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

static void write_u32(int fd, uint32_t value)
{
	EXPECT_EQ(emit(fd, 0, &value, sizeof(value)), 8);
}

static void write_times(int fd, unsigned int times)
{
	while (times--)
		write_u32(fd, times);
}

/* Writes the records in a child process. */
static void write_in_child(int fd, unsigned int times)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		write_times(fd, times);
		_exit(harness_failed());
	}
	wait_child(child);
}

static int open_perf(const char *event, pid_t pid, int cpu, unsigned int flags)
{
	int fd = perf_open(event_id(event), pid, cpu, flags);

	ASSERT_OK(fd);

	return fd;
}

/* --- counting --- */

TEST(counts_own_task)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int perf;

	EXPECT_ERRNO(emit(fd, 0, "abcd", 4), EBADF);
	perf = open_perf(event, 0, -1, PERF_COUNT);
	write_times(fd, 5);
	EXPECT_EQ(perf_count(perf), 5);
	write_in_child(fd, 7);
	EXPECT_EQ(perf_count(perf), 5);
	write_times(fd, 1);
	EXPECT_EQ(perf_count(perf), 6);
	close(perf);
	EXPECT_ERRNO(emit(fd, 0, "abcd", 4), EBADF);
}

TEST(counts_other_task)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int ends[2], perf;
	char byte = 0;
	pid_t child;

	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		ASSERT_EQ(read(ends[0], &byte, 1), 1);
		write_times(fd, 9);
		_exit(harness_failed());
	}
	perf = open_perf(event, child, -1, PERF_COUNT);
	write_times(fd, 3);
	ASSERT_EQ(write(ends[1], &byte, 1), 1);
	wait_child(child);
	EXPECT_EQ(perf_count(perf), 9);
}

TEST(counts_by_cpu)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	unsigned int cpu, number = cpu_count();
	int perf[64];

	ASSERT_LE(number, ARRAY_SIZE(perf));
	for (cpu = 0; cpu < number; cpu++)
		perf[cpu] = open_perf(event, -1, cpu, PERF_COUNT);
	for (cpu = 0; cpu < number; cpu++) {
		pin_to_cpu(cpu);
		write_times(fd, 10 + cpu);
		write_in_child(fd, 100);
	}
	for (cpu = 0; cpu < number; cpu++)
		EXPECT_EQ(perf_count(perf[cpu]), 110 + cpu);
}

TEST(counts_own_task_on_one_cpu)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int perf = open_perf(event, 0, 0, PERF_COUNT);

	pin_to_cpu(0);
	write_times(fd, 4);
	write_in_child(fd, 4);
	EXPECT_EQ(perf_count(perf), 4);
	if (cpu_count() > 1) {
		pin_to_cpu(1);
		write_times(fd, 4);
		EXPECT_EQ(perf_count(perf), 4);
	}
}

TEST(counts_children)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int perf = open_perf(event, 0, -1, PERF_COUNT | PERF_INHERIT);

	write_times(fd, 2);
	write_in_child(fd, 3);
	write_in_child(fd, 4);
	EXPECT_EQ(perf_count(perf), 9);
	close(perf);
	EXPECT_ERRNO(emit(fd, 0, "abcd", 4), EBADF);
}

TEST(counts_events_separately)
{
	int fd_a = open_event(uniq("a"), "u32 x");
	int fd_b = open_event(uniq("b"), "u32 x");
	int perf_a = open_perf(uniq("a"), 0, -1, PERF_COUNT);
	int perf_b = open_perf(uniq("b"), 0, -1, PERF_COUNT);

	write_times(fd_a, 3);
	write_times(fd_b, 5);
	EXPECT_EQ(perf_count(perf_a), 3);
	EXPECT_EQ(perf_count(perf_b), 5);
}

TEST(serves_several_tracers)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	struct sample sample;
	struct perf ring, second;
	int task, cpu, filtered;
	unsigned int samples = 0;

	pin_to_cpu(0);
	task = open_perf(event, 0, -1, PERF_COUNT);
	cpu = open_perf(event, -1, 0, PERF_COUNT);
	filtered = open_perf(event, 0, -1, PERF_COUNT);
	ASSERT_OK(ioctl(filtered, PERF_EVENT_IOC_SET_FILTER, "a < 4"));
	perf_map(&ring, event_id(event), 0, -1, 3);
	perf_map(&second, event_id(event), -1, 0, 3);
	enable(event, true);

	write_times(fd, 10);
	EXPECT_EQ(perf_count(task), 10);
	EXPECT_EQ(perf_count(cpu), 10);
	EXPECT_EQ(perf_count(filtered), 4);
	while (perf_next(&ring, &sample))
		samples++;
	EXPECT_EQ(samples, 10);
	while (perf_next(&second, &sample))
		samples++;
	EXPECT_EQ(samples, 20);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 10);

	/* Closing one tracer does not affect the others. */
	close(task);
	perf_close(&ring);
	write_times(fd, 10);
	EXPECT_EQ(perf_count(cpu), 20);
	EXPECT_EQ(perf_count(filtered), 8);
	close(cpu);
	close(filtered);
	enable(event, false);
	write_times(fd, 10);
	samples = 0;
	while (perf_next(&second, &sample))
		samples++;
	EXPECT_EQ(samples, 20);
	perf_close(&second);
	EXPECT_ERRNO(emit(fd, 0, "abcd", 4), EBADF);
}

TEST(counts_only_while_enabled)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int perf = open_perf(event, 0, -1, PERF_COUNT | PERF_DISABLED);

	/* A disabled perf event enables the user event, but does not count. */
	write_times(fd, 3);
	EXPECT_EQ(perf_count(perf), 0);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));
	write_times(fd, 3);
	EXPECT_EQ(perf_count(perf), 3);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_DISABLE, 0));
	write_times(fd, 3);
	EXPECT_EQ(perf_count(perf), 3);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_RESET, 0));
	EXPECT_EQ(perf_count(perf), 0);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));
	write_times(fd, 2);
	EXPECT_EQ(perf_count(perf), 2);
}

/* --- sampling --- */

TEST(samples_payload_of_any_size)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	unsigned char payload[200];
	struct sample sample;
	struct perf perf;
	size_t size, i;

	perf_map(&perf, id, 0, -1, 2);
	for (size = 0; size < sizeof(payload); size++) {
		/*
		 * The length word and the raw data together fill a multiple of
		 * 8 bytes.
		 */
		size_t stored =
			((common_fields_size() + size + 4 + 7) & ~7UL) - 4;
		uint16_t type;
		int32_t pid;

		harness_context("payload of %zu bytes", size);
		/* Padding must not have bytes of an earlier record. */
		memset(payload, 0xff, sizeof(payload));
		EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)),
			  sizeof(payload) + 4);
		EXPECT_TRUE(perf_next(&perf, &sample));
		memset(payload, 0x80 + size, sizeof(payload));
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
		if (!perf_next(&perf, &sample)) {
			FAIL("no sample");
			continue;
		}
		EXPECT_EQ(sample.size, stored);
		EXPECT_TRUE(!memcmp(sample.bytes + common_fields_size(),
				    payload, size));
		for (i = common_fields_size() + size; i < sample.size; i++)
			EXPECT_EQ(sample.bytes[i], 0);
		memcpy(&type, sample.bytes, sizeof(type));
		memcpy(&pid, sample.bytes + 4, sizeof(pid));
		EXPECT_EQ(type, id);
		EXPECT_EQ(pid, getpid());
		EXPECT_FALSE(perf_next(&perf, &sample));
	}
	perf_close(&perf);
}

TEST(samples_by_cpu)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	unsigned int cpu, number = cpu_count(), i;
	struct sample sample;
	struct perf perf[16];

	number = number < ARRAY_SIZE(perf) ? number : ARRAY_SIZE(perf);
	for (cpu = 0; cpu < number; cpu++)
		perf_map(&perf[cpu], event_id(event), -1, cpu, 2);
	for (cpu = 0; cpu < number; cpu++) {
		pin_to_cpu(cpu);
		for (i = 0; i < 20; i++)
			write_u32(fd, cpu * 1000 + i);
	}
	for (cpu = 0; cpu < number; cpu++) {
		for (i = 0; i < 20; i++) {
			uint32_t value;

			ASSERT_TRUE(perf_next(&perf[cpu], &sample));
			memcpy(&value, sample.bytes + common_fields_size(), 4);
			EXPECT_EQ(value, cpu * 1000 + i);
		}
		EXPECT_FALSE(perf_next(&perf[cpu], &sample));
		perf_close(&perf[cpu]);
	}
}

TEST(sample_has_same_bytes_as_ftrace)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a;__rel_loc char[] b");
	struct record record;
	struct sample sample;
	struct perf perf;
	static const char payload[] = "12345678" WORD("\0", "\x06") "hello";

	perf_map(&perf, event_id(event), 0, -1, 1);
	enable(event, true);
	EXPECT_EQ(emit(fd, 0, payload, 18), 22);
	ASSERT_TRUE(perf_next(&perf, &sample));
	ASSERT_TRUE(raw_next(event_id(event), &record));
	EXPECT_TRUE(!memcmp(sample.bytes + common_fields_size(),
			    record.bytes + common_fields_size(), 18));
	EXPECT_TRUE(!memcmp(sample.bytes + common_fields_size(), payload, 18));
}

/*
 * struct callers - a sample with the registers of the writer
 * @header: its header
 * @ip: the instruction
 * @count: number of @chain
 * @chain: addresses behind PERF_CONTEXT_KERNEL, then behind PERF_CONTEXT_USER
 */
struct callers {
	struct perf_event_header header;
	uint64_t ip;
	uint64_t count;
	uint64_t chain[256];
};

/* Finds an address behind a mark of the chain. */
static bool chain_has(const struct callers *sample, uint64_t mark,
		      uint64_t address)
{
	uint64_t context = 0;
	size_t i;

	for (i = 0; i < sample->count; i++)
		if (sample->chain[i] >= PERF_CONTEXT_MAX)
			context = sample->chain[i];
		else if (context == mark &&
			 (!address || sample->chain[i] == address))
			return true;

	return false;
}

/* The stack starts in the module, and goes on in the process. */
TEST(sample_has_stack_of_writer)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = event_id(event),
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
		.sample_period = 1,
	};
	struct perf_event_mmap_page *map;
	struct callers sample;
	unsigned int round;
	int perf;

	perf = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	ASSERT_OK(perf);
	map = mmap(NULL, 2 * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		   MAP_SHARED, perf, 0);
	ASSERT_TRUE(map != MAP_FAILED);
	for (round = 0; round < 2; round++) {
		harness_context("ftrace attached: %u", round);
		enable(event, round);
		map->data_tail = map->data_head;
		write_u32(fd, 1);
		ASSERT_LE(map->data_head, sizeof(sample));
		memcpy(&sample,
		       (char *)map + sysconf(_SC_PAGESIZE) + map->data_tail,
		       sizeof(sample));
		EXPECT_EQ(sample.header.type, PERF_RECORD_SAMPLE);
		EXPECT_TRUE(module_has_code(sample.ip));
		ASSERT_LE(sample.count, ARRAY_SIZE(sample.chain));
		EXPECT_TRUE(chain_has(&sample, PERF_CONTEXT_KERNEL, sample.ip));
		/* Linux 6.1 on s390x has none. */
#ifndef __s390x__
		EXPECT_TRUE(chain_has(&sample, PERF_CONTEXT_USER, 0));
#endif
	}
}

/* --- filters --- */

TEST(filters_select_records)
{
	static const struct {
		const char *filter;
		unsigned int hits;
	} cases[] = {
		{ "a == 3", 1 },
		{ "a > 3", 6 },
		{ "a != 3", 9 },
		{ "a & 1", 5 },
		{ "a == 3 || a == 4", 2 },
		{ "s == \"n3\"", 1 },
		{ "s != \"n3\"", 9 },
		{ "s ~ \"n*\"", 10 },
		{ "s ~ \"*3\"", 1 },
		{ "s ~ \"*3*\"", 1 },
		{ "s == \"n3\" && a == 4", 0 },
		{ "t == \"x3\"", 1 },
		{ "t ~ \"x*\"", 10 },
	};
	const char *event = uniq("e");
	int fd = open_event(event,
			    "u32 a;__rel_loc char[] s;__data_loc char[] t");
	struct {
		uint32_t a;
		uint32_t s;
		uint32_t t;
		char data[8];
	} payload = { .s = DYN_LOC(4, 3),
		      .t = DYN_LOC(common_fields_size() + 15, 3) };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int perf = open_perf(event, 0, -1, PERF_COUNT);

		harness_context("%s", cases[i].filter);
		if (cases[i].filter[0] == 's' && !has_rel_loc_filters()) {
			EXPECT_ERRNO(ioctl(perf, PERF_EVENT_IOC_SET_FILTER,
					   cases[i].filter),
				     EINVAL);
			close(perf);
			continue;
		}
		if (ioctl(perf, PERF_EVENT_IOC_SET_FILTER, cases[i].filter)) {
			FAIL("cannot set the filter: %s", harness_errno(errno));
			continue;
		}
		for (payload.a = 0; payload.a < 10; payload.a++) {
			snprintf(payload.data, 3, "n%u", payload.a);
			snprintf(payload.data + 3, 3, "x%u", payload.a);
			EXPECT_EQ(emit(fd, 0, &payload, sizeof(payload)),
				  sizeof(payload) + 4);
		}
		EXPECT_EQ(perf_count(perf), cases[i].hits);
		close(perf);
	}
}

TEST(rejects_invalid_filters)
{
	static const char *const filters[] = { "b == 1", "a == \"x\"", "s > 1",
					       "a ==" };
	const char *event = uniq("e");
	size_t i;
	int perf;

	open_event(event, "u32 a;char[8] s");
	perf = open_perf(event, 0, -1, PERF_COUNT);
	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		harness_context("%s", filters[i]);
		EXPECT_ERRNO(ioctl(perf, PERF_EVENT_IOC_SET_FILTER, filters[i]),
			     EINVAL);
	}
}

/* The kernel accepts only one filter for a perf event. */
TEST(filter_is_set_once)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int perf = open_perf(event, 0, -1, PERF_COUNT);

	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_SET_FILTER, "a == 1"));
	write_times(fd, 10);
	EXPECT_EQ(perf_count(perf), 1);
	EXPECT_ERRNO(ioctl(perf, PERF_EVENT_IOC_SET_FILTER, "a < 5"), EEXIST);
	write_times(fd, 10);
	EXPECT_EQ(perf_count(perf), 2);
}

/* --- references --- */

TEST(rejects_delete_while_open)
{
	const char *event = uniq("e");
	int perf;

	close(open_event(event, "u32 a"));
	perf = open_perf(event, 0, -1, PERF_COUNT);
	EXPECT_ERRNO(del_event(event), EBUSY);
	EXPECT_ERRNO(dynevent_write(text("-:%s", event)), EBUSY);
	close(perf);
	EXPECT_OK(del_event(event));
}

TEST(mapping_holds_event_reference)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	struct sample sample;
	struct perf perf;

	perf_map(&perf, event_id(event), 0, -1, 1);
	close(perf.fd);
	EXPECT_TRUE(strstr(status_line(event), "# Used by perf"));
	write_u32(fd, 5);
	EXPECT_TRUE(perf_next(&perf, &sample));
	close(fd);
	EXPECT_ERRNO(del_event(event), EBUSY);
	perf.fd = -1;
	perf_close(&perf);
	EXPECT_OK(del_event(event));
}

TEST(holds_reference_after_exit_of_target)
{
	const char *event = uniq("e");
	pid_t child;
	int perf;

	close(open_event(event, "u32 a"));
	child = fork();
	ASSERT_OK(child);
	if (!child)
		while (true)
			pause();
	perf = open_perf(event, child, -1, PERF_COUNT);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	EXPECT_ERRNO(del_event(event), EBUSY);
	close(perf);
	EXPECT_OK(del_event(event));
}

TEST(releases_reference_at_exit_of_tracer)
{
	const char *event = uniq("e");

	close(open_event(event, "u32 a"));
	if (in_child()) {
		open_perf(event, -1, 0, PERF_COUNT);
		open_perf(event, 0, -1, 0);
		end_child();
	}
	EXPECT_OK(del_event(event));
}

TEST(rejects_unknown_id)
{
	const char *event = uniq("e");
	unsigned int id;

	close(open_event(event, ""));
	id = event_id(event);
	EXPECT_OK(del_event(event));
	EXPECT_ERRNO(perf_open(id, 0, -1, PERF_COUNT), EINVAL);
}

/* --- too large --- */

TEST(counts_record_that_is_too_large_as_lost)
{
	const size_t max = perf_max();
	const size_t cases[] = { 2032, 2036,	4064,	4065,	 8176,
				 8180, max - 1, max,	max + 1, 8192,
				 8193, 65536,	1 << 20 };
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	unsigned char *payload = malloc(1 << 20);
	unsigned long long hits, lost, lost_after;
	struct sample sample;
	struct perf perf;
	int count;
	size_t i;

	memset(payload, 0x5a, 1 << 20);
	perf_map(&perf, event_id(event), 0, -1, 3);
	count = open_perf(event, 0, -1, PERF_COUNT);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned long long before = perf_count(count);
		bool sampled = cases[i] <= max;

		harness_context("payload of %zu bytes", cases[i]);
		ASSERT_TRUE(read_profile(event, &hits, &lost));
		EXPECT_EQ(emit(fd, 0, payload, cases[i]), cases[i] + 4);
		ASSERT_TRUE(read_profile(event, &hits, &lost_after));
		EXPECT_EQ(lost_after - lost, !sampled);
		EXPECT_EQ(perf_count(count) - before, sampled);
		if (perf_next(&perf, &sample) != sampled)
			FAIL("expected the opposite: sampled or not sampled");
		else if (sampled)
			EXPECT_TRUE(!memcmp(sample.bytes + common_fields_size(),
					    payload, cases[i]));
	}
	/* Smaller records are still sampled. */
	harness_context(NULL);
	EXPECT_EQ(emit(fd, 0, payload, 4), 8);
	EXPECT_TRUE(perf_next(&perf, &sample));
}

/* Each tracer that could not accept the record is counted. */
TEST(counts_lost_record_of_each_tracer)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	unsigned char *payload = calloc(1, 16384);
	unsigned long long hits, lost;
	int perf;

	if (perf_max() < PAGE)
		SKIP("perf accepts no record that ftrace does not accept");
	perf = open_perf(event, 0, -1, PERF_COUNT);
	enable(event, true);
	EXPECT_EQ(emit(fd, 0, payload, 5000), 5004);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(lost, 1);
	EXPECT_EQ(perf_count(perf), 1);
	EXPECT_EQ(emit(fd, 0, payload, 10000), 10004);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(lost, 3);
	EXPECT_EQ(perf_count(perf), 1);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
}

/* ftrace accepts at most 4064 bytes, with pages of 4096 bytes. */
TEST(counts_record_that_only_perf_takes)
{
	static const char payload[4072];
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	bool taken = perf_max() > sizeof(payload);
	unsigned long long hits, lost;
	size_t size, records = 0;
	int perf;

	if (PAGE != 4096)
		SKIP("pages are larger");
	perf = open_perf(event, 0, -1, PERF_COUNT);
	enable(event, true);
	for (size = 4065; size <= sizeof(payload); size++) {
		harness_context("payload of %zu bytes", size);
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
		records++;
		ASSERT_TRUE(read_profile(event, &hits, &lost));
		EXPECT_EQ(hits, records);
		EXPECT_EQ(lost, taken ? records : 2 * records);
		EXPECT_EQ(perf_count(perf), taken ? records : 0);
	}
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
}

/* Nothing on this CPU would have got the record. */
TEST(record_too_large_for_other_cpu_is_not_lost)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	unsigned char *payload = calloc(1, 16384);
	unsigned long long hits, lost;
	int perf;

	if (cpu_count() < 2)
		SKIP("needs two CPUs");
	perf = open_perf(event, -1, 1, PERF_COUNT);
	pin_to_cpu(0);
	EXPECT_EQ(emit(fd, 0, payload, 16384), 16388);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 1);
	EXPECT_EQ(lost, 0);
	pin_to_cpu(1);
	EXPECT_EQ(emit(fd, 0, payload, 16384), 16388);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 2);
	EXPECT_EQ(lost, 1);
	EXPECT_EQ(perf_count(perf), 0);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
