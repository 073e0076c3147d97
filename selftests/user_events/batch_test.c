// SPDX-License-Identifier: GPL-2.0-only
/*
 * Batches: records of one system call are recorded as those of one write() each,
 * up to the first that fails.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define TRIGGER "events/user_events/%s/trigger"

static int batch(int fd, const struct user_record *records, uint32_t count)
{
	const struct user_batch all = {
		.size = sizeof(all),
		.count = count,
		.records = (uintptr_t)records,
	};

	return ioctl(fd, DIAG_IOCSBATCH, &all);
}

static struct user_record record_of(uint32_t index, const void *payload,
				    uint32_t size)
{
	const struct user_record record = {
		.write_index = index,
		.size = size,
		.payload = (uintptr_t)payload,
	};

	return record;
}

TEST(records_payloads_of_any_size)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	static unsigned char payload[3900];
	struct user_record records[300];
	unsigned int i;

	for (i = 0; i < sizeof(payload); i++)
		payload[i] = i + 1;
	for (i = 0; i < ARRAY_SIZE(records); i++)
		records[i] = record_of(0, payload + i % 7, i * 13);
	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(records); i += 50) {
		unsigned int j;

		trace_clear();
		raw_reset();
		pin_to_cpu(0);
		ASSERT_EQ(batch(fd, records + i, 50), 50);
		for (j = i; j < i + 50; j++) {
			harness_context("payload of %u bytes", j * 13);
			expect_record(id, payload + j % 7, j * 13);
		}
		expect_no_record(id);
	}
}

TEST(index_selects_event)
{
	int fd = data_open();
	struct user_record records[30];
	unsigned long long hits, lost;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(must_reg(fd, text("%s u32 a", uniq(text("%u", i)))),
			  i);
		enable(uniq(text("%u", i)), true);
	}
	for (i = 0; i < ARRAY_SIZE(records); i++)
		records[i] = record_of(i % 3, &i, sizeof(i));
	EXPECT_EQ(batch(fd, records, ARRAY_SIZE(records)), ARRAY_SIZE(records));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(trace_count(NULL, uniq(text("%u", i))), 10);
		ASSERT_TRUE(read_profile(uniq(text("%u", i)), &hits, &lost));
		EXPECT_EQ(hits, 10);
	}
}

/* Some kernels have padding behind the common fields, in which old bytes stay. */
static size_t common_fields_end(void)
{
	const char *last = common_fields(), *at;

	while ((at = strstr(last + 1, "offset:")))
		last = at;

	return number_after(last, "offset:") + number_after(last, "size:");
}

/* Records in a row have the header that the kernel gives to a single one. */
TEST(records_have_the_header_of_a_single_one)
{
	static const uint32_t value = 1;
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	const unsigned int id = event_id(event);
	const size_t end = common_fields_end();
	struct record single, next;
	struct user_record records[4];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(records); i++)
		records[i] = record_of(0, &value, sizeof(value));
	enable(event, true);
	pin_to_cpu(0);
	raw_reset();
	ASSERT_EQ(emit(fd, 0, &value, sizeof(value)), 8);
	ASSERT_EQ(batch(fd, records, ARRAY_SIZE(records)), 4);
	ASSERT_TRUE(raw_next(id, &single));
	for (i = 0; i < ARRAY_SIZE(records); i++) {
		ASSERT_TRUE(raw_next(id, &next));
		EXPECT_EQ(next.size, single.size);
		/* common_flags tell whether the task is to be rescheduled. */
		next.bytes[2] = single.bytes[2];
		memcpy(next.bytes + end, single.bytes + end,
		       common_fields_size() - end);
		EXPECT_TRUE(!memcmp(next.bytes, single.bytes, single.size));
	}
}

/* A trigger of the third record disables the event of the others. */
TEST(trigger_changes_the_records_behind_it)
{
	const char *event = uniq("e"), *other = uniq("other");
	const char *trigger = text("disable_event:user_events:%s", event);
	const uint32_t indices[] = { 0, 0, 1, 0, 0 };
	struct user_record records[ARRAY_SIZE(indices)];
	int fd = open_event(event, "");
	size_t i;

	ASSERT_EQ(must_reg(fd, other), 1);
	enable(event, true);
	enable(other, true);
	ASSERT_OK(tfs_write(trigger, TRIGGER, other));
	for (i = 0; i < ARRAY_SIZE(records); i++)
		records[i] = record_of(indices[i], NULL, 0);
	EXPECT_EQ(batch(fd, records, ARRAY_SIZE(records)), 5);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 2);
	EXPECT_EQ(trace_count(NULL, text(" %s:", other)), 1);
	EXPECT_EQ(read_loss(event, "ftrace_soft_disabled"), 2);
	ASSERT_OK(tfs_write(text("!%s", trigger), TRIGGER, other));
}

/* A record that fails is the first of the next call, which tells its error. */
TEST(stops_at_first_error)
{
	const char *event = uniq("e"), *disabled = uniq("off");
	int fd = open_event(event, "u64 a; __rel_loc char[] text");
	unsigned char *boundary = guarded_page_end();
	const uint32_t invalid[4] = { 0, 0, 1U << 16 | 4 };
	const uint32_t valid[4] = { 1, 2 };
	const struct {
		struct user_record record;
		int error;
	} cases[] = {
		{ record_of(UINT32_MAX, valid, 12), EINVAL },
		{ record_of(1U << 31, valid, 12), EINVAL },
		{ record_of(2, valid, 12), ENOENT },
		{ record_of(1000000, valid, 12), ENOENT },
		{ record_of(0, valid, 11), EINVAL },
		{ record_of(0, NULL, 0), EINVAL },
		{ record_of(1, valid, 12), EBADF },
		{ record_of(0, boundary, 12), EFAULT },
		{ record_of(0, boundary - 11, 12), EFAULT },
		{ record_of(0, boundary - 11, 5000), EFAULT },
		{ record_of(0, boundary - 11, UINT32_MAX), EFAULT },
		{ record_of(0, (void *)-4096L, 12), EFAULT },
		{ record_of(0, NULL, 12), EFAULT },
		{ record_of(0, invalid, 12), EFAULT },
	};
	struct user_record records[6];
	size_t i, at;

	ASSERT_EQ(must_reg(fd, disabled), 1);
	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (at = 0; at < ARRAY_SIZE(records); at++)
			records[at] = record_of(0, valid, 12);
		at = i % ARRAY_SIZE(records);
		records[at] = cases[i].record;
		harness_context("case %zu, record %zu", i, at);
		if (at)
			EXPECT_EQ(batch(fd, records, ARRAY_SIZE(records)),
				  (int)at);
		EXPECT_ERRNO(batch(fd, records + at, ARRAY_SIZE(records) - at),
			     cases[i].error);
		EXPECT_EQ(trace_count(NULL, event), at);
		trace_clear();
	}
}

/* Memory that the kernel could read. */
static void check_kernel_address(bool with_ftrace, bool with_perf)
{
	static const size_t sizes[] = { 1, 8, 24, 64, 65, 200, 1000, 5000 };
	const char *event = uniq("e");
	int fd = open_event(event, "");
	struct perf perf = { .fd = -1 };
	unsigned long long hits, lost;
	struct user_record record;
	struct sample sample;
	size_t i;

	if (with_ftrace)
		enable(event, true);
	if (with_perf)
		perf_map(&perf, event_id(event), 0, -1, 3);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		harness_context("%zu bytes", sizes[i]);
		record = record_of(0, NULL, sizes[i]);
		record.payload = kernel_address("vfs_write");
		ASSERT_NE(record.payload, 0);
		EXPECT_ERRNO(batch(fd, &record, 1), EFAULT);
	}
	harness_context(NULL);
	EXPECT_EQ(trace_count(NULL, event), 0);
	if (with_perf)
		EXPECT_FALSE(perf_next(&perf, &sample));
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 0);
	EXPECT_EQ(lost, 0);
}

TEST(rejects_memory_of_the_kernel)
{
	check_kernel_address(true, false);
	check_kernel_address(false, true);
	check_kernel_address(true, true);
}

TEST(rejects_unreadable_descriptions)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	struct user_record *end = (void *)guarded_page_end();
	struct user_record *unaligned = (void *)((char *)end - 39);
	unsigned int i;

	enable(event, true);
	EXPECT_ERRNO(batch(fd, NULL, 1), EFAULT);
	EXPECT_ERRNO(batch(fd, end, 1), EFAULT);
	EXPECT_ERRNO(batch(fd, (void *)-4096L, 1), EFAULT);
	EXPECT_EQ(batch(fd, NULL, 0), 0);
	EXPECT_EQ(trace_count(NULL, event), 0);

	for (i = 1; i <= 2; i++)
		end[-(int)i] = record_of(0, NULL, 0);
	EXPECT_EQ(batch(fd, end - 2, 4), 2);
	for (i = 0; i < 2; i++)
		memset(unaligned + i, 0, sizeof(*unaligned));
	EXPECT_EQ(batch(fd, unaligned, 3), 2);
	EXPECT_EQ(trace_count(NULL, event), 4);
}

/* The same structures in pages that are read from a file first. */
TEST(faults_in_descriptions_and_payloads)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	int file = memfd_create("batch", 0);
	static const size_t sizes[] = { 1, 100, 500, 600, 3000, 3900 };
	struct user_record *records;
	unsigned char *pages;
	size_t i;

	ASSERT_OK(file);
	ASSERT_OK(ftruncate(file, 4 * PAGE));
	pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		     0);
	ASSERT_TRUE(pages != MAP_FAILED);
	for (i = 0; i < 2 * PAGE; i++)
		pages[i] = i * 7 + 1;
	records = (void *)(pages + 3 * PAGE - sizeof(*records));
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		records[i] = record_of(0, pages + PAGE - 50, sizes[i]);
	pin_to_cpu(0);
	enable(event, true);
	ASSERT_OK(madvise(pages, 4 * PAGE, MADV_DONTNEED));
	EXPECT_EQ(batch(fd, records, ARRAY_SIZE(sizes)),
		  (int)ARRAY_SIZE(sizes));
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		expect_record(id, pages + PAGE - 50, sizes[i]);
	expect_no_record(id);
}

TEST(counts_records_too_large_as_lost)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	static unsigned char payload[100000];
	const struct user_record records[] = {
		record_of(0, payload, PAGE + 1000),
		record_of(0, payload, 65536 - common_fields_size()),
		record_of(0, payload, sizeof(payload)),
		record_of(0, payload, 24),
	};
	unsigned long long hits, lost;

	enable(event, true);
	EXPECT_EQ(batch(fd, records, 4), 4);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 4);
	EXPECT_EQ(lost, 3);
	EXPECT_EQ(trace_count(NULL, event), 1);
}

TEST(writes_limited_number_of_records)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	static struct user_record records[USER_BATCH_MAX + 1];
	unsigned long long hits, lost;

	enable(event, true);
	EXPECT_EQ(batch(fd, records, USER_BATCH_MAX), USER_BATCH_MAX);
	EXPECT_EQ(batch(fd, records, USER_BATCH_MAX + 1), USER_BATCH_MAX);
	EXPECT_EQ(batch(fd, records, UINT32_MAX), USER_BATCH_MAX);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 3 * USER_BATCH_MAX);
}

TEST(checks_structure)
{
	unsigned char *at = map_page(PROT_READ | PROT_WRITE);
	struct user_batch *all = (void *)at;
	const struct {
		uint32_t size;
		unsigned char excess;
		int error;
	} cases[] = {
		{ 0, 0, EINVAL },	{ 15, 0, EINVAL },
		{ 16, 0xff, 0 },	{ 17, 0, 0 },
		{ 17, 1, E2BIG },	{ PAGE, 0, 0 },
		{ PAGE + 1, 0, E2BIG }, { UINT32_MAX, 0, E2BIG },
	};
	int fd = data_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("size %u", cases[i].size);
		all->size = cases[i].size;
		at[sizeof(*all)] = cases[i].excess;
		if (cases[i].error)
			EXPECT_ERRNO(ioctl(fd, DIAG_IOCSBATCH, all),
				     cases[i].error);
		else
			EXPECT_EQ(ioctl(fd, DIAG_IOCSBATCH, all), 0);
	}
	harness_context(NULL);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSBATCH, NULL), EFAULT);
	all = (void *)(guarded_page_end() - 8);
	all->size = sizeof(*all);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSBATCH, all), EFAULT);
}

TEST(needs_file_open_for_writing)
{
	const char *event = uniq("e");
	const struct user_record record = record_of(0, NULL, 0);
	int fd = tfs_open(O_RDONLY, "user_events_data");

	ASSERT_OK(fd);
	ASSERT_EQ(must_reg(fd, event), 0);
	enable(event, true);
	EXPECT_ERRNO(batch(fd, &record, 1), EBADF);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

/* Attaches a program to an event that kills the process that writes a record. */
static void kill_at_record(const char *event)
{
	const struct bpf_insn program[] = {
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, SIGKILL),
		BPF_INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_send_signal),
		BPF_INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		BPF_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	int perf = perf_open(event_id(event), -1, 0, 0);
	int loaded = bpf_load(program, ARRAY_SIZE(program), NULL, 0);

	if (loaded < 0)
		SKIP("no BPF: %s", harness_errno(errno));
	ASSERT_OK(perf);
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_SET_BPF, loaded));
	ASSERT_OK(ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));
}

TEST(stops_when_killed)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	struct user_record records[100] = {};
	int status = 0;
	pid_t child;

	enable(event, true);
	kill_at_record(event);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		batch(fd, records, ARRAY_SIZE(records));
		_exit(0);
	}
	ASSERT_EQ(waitpid(child, &status, 0), child);
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	EXPECT_EQ(trace_count(NULL, event), 1);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
