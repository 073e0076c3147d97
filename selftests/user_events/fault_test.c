// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults at every byte that is copied from or to the process. A failed
 * call must leave nothing behind.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define COMMAND_MAX 512
#define FAULT_EVENT "events/exceptions/page_fault_kernel"

/*
 * Maps two pages, the second with this protection. Return: address of the
 * second.
 */
static unsigned char *two_pages(int protection)
{
	unsigned char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(pages != MAP_FAILED);
	memset(pages, 0, 2 * PAGE);
	ASSERT_OK(mprotect(pages + PAGE, PAGE, protection));

	return pages + PAGE;
}

static void expect_nothing_left(const char *event, int fd)
{
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
	EXPECT_ERRNO(del(fd, event), ENOENT);
}

/* --- registration --- */

TEST(rejects_structure_cut_at_every_byte)
{
	const char *event = uniq("e");
	unsigned char *second = two_pages(PROT_NONE);
	int fd = data_open();
	size_t readable;

	for (readable = 0; readable < sizeof(struct user_reg_status);
	     readable++) {
		struct user_reg_status in = {
			.size = sizeof(in),
			.name_args = (uintptr_t)event,
		};

		harness_context("%zu bytes readable", readable);
		memcpy(second - readable, &in, readable);
		EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, second - readable),
			     EFAULT);
		expect_nothing_left(event, fd);
	}
	harness_context(NULL);
	/* None of the failed registrations has used an index. */
	EXPECT_EQ(must_reg(fd, event), 0);
}

TEST(rejects_longer_structure_cut_at_every_byte)
{
	const char *event = uniq("e");
	unsigned char *second = two_pages(PROT_NONE);
	int fd = data_open();
	size_t readable;

	for (readable = 0; readable < 27; readable++) {
		struct {
			struct user_reg_status in;
			char tail[7];
		} in = {
			.in.size = 27,
			.in.name_args = (uintptr_t)event,
		};

		harness_context("%zu bytes readable", readable);
		memcpy(second - readable, &in, readable);
		EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, second - readable),
			     EFAULT);
		expect_nothing_left(event, fd);
	}
}

TEST(accepts_structure_across_pages)
{
	unsigned char *second = two_pages(PROT_READ | PROT_WRITE);
	int fd = data_open();
	size_t first;

	for (first = 0; first <= sizeof(struct user_reg_status); first++) {
		const char *event = uniq(text("%zu", first));
		struct user_reg_status in = {
			.size = sizeof(in),
			.name_args = (uintptr_t)event,
			.write_index = 1000,
		};

		harness_context("%zu bytes on the first page", first);
		memcpy(second - first, &in, sizeof(in));
		EXPECT_OK(ioctl(fd, DIAG_IOCSREG, second - first));
		memcpy(&in, second - first, sizeof(in));
		EXPECT_EQ(in.write_index, first);
		EXPECT_NE(in.status_bit, 0);
	}
}

/* The registration succeeds although its results cannot be stored. */
TEST(registers_with_outputs_cut_at_every_byte)
{
	int fd = data_open();
	size_t writable;

	for (writable = 0; writable <= sizeof(struct user_reg_status);
	     writable++) {
		const char *event = uniq(text("%zu", writable));
		unsigned char *second = two_pages(PROT_READ | PROT_WRITE);
		struct user_reg_status in = {
			.size = sizeof(in),
			.name_args = (uintptr_t)event,
		};

		harness_context("%zu bytes writable", writable);
		memcpy(second - writable, &in, sizeof(in));
		ASSERT_OK(mprotect(second, PAGE, PROT_READ));
		EXPECT_OK(ioctl(fd, DIAG_IOCSREG, second - writable));
		EXPECT_TRUE(
			!memcmp(second - writable, &in,
				offsetof(struct user_reg_status, status_bit)));
		EXPECT_EQ(must_reg(fd, event), writable);
		EXPECT_TRUE(tfs_exists("events/user_events/%s", event));
	}
}

TEST(rejects_command_cut_at_every_byte)
{
	const char *event = uniq("e");
	unsigned char *second = two_pages(PROT_NONE);
	char command[COMMAND_MAX];
	int fd = data_open();
	size_t readable;

	memset(command, ' ', sizeof(command));
	memcpy(command, event, strlen(event));
	for (readable = 0; readable < COMMAND_MAX; readable++) {
		char *at = (char *)second - readable;

		harness_context("%zu bytes readable", readable);
		memcpy(at, command, readable);
		EXPECT_ERRNO(reg(fd, at, NULL), EFAULT);
		EXPECT_ERRNO(del(fd, at), EFAULT);
	}
	/*
	 * With the maximum number of readable bytes, it is too long, not
	 * unreadable.
	 */
	memcpy(second - COMMAND_MAX, command, COMMAND_MAX);
	EXPECT_ERRNO(reg(fd, (char *)second - COMMAND_MAX, NULL), EINVAL);
	EXPECT_ERRNO(del(fd, (char *)second - COMMAND_MAX), EINVAL);
	harness_context(NULL);
	expect_nothing_left(event, fd);
}

TEST(accepts_command_across_pages)
{
	const char *event = uniq("e");
	const char *command = text("%s u32 abc;u16 d", event);
	unsigned char *second = two_pages(PROT_READ | PROT_WRITE);
	int fd = data_open();
	size_t first;

	for (first = 0; first <= strlen(command) + 1; first++) {
		char *at = (char *)second - first;

		harness_context("%zu bytes on the first page", first);
		strcpy(at, command);
		EXPECT_OK(reg(fd, at, NULL));
		EXPECT_TRUE(
			dynevent_listed(text("u:%s u32 abc; u16 d", event)));
		close(fd);
		fd = data_open();
		strcpy(at, event);
		EXPECT_OK(del(fd, at));
	}
}

TEST(accepts_command_at_end_of_mapping)
{
	unsigned char *second = two_pages(PROT_NONE);
	int fd = data_open();
	size_t length;

	for (length = 12; length < 76; length++) {
		char *at = (char *)second - length - 1;

		harness_context("%zu characters", length);
		memset(at, 'n', length);
		memcpy(at, PREFIX, strlen(PREFIX));
		at[length] = '\0';
		EXPECT_OK(reg(fd, at, NULL));
		close(fd);
		fd = data_open();
		EXPECT_OK(del(fd, at));
	}
}

/* --- payload --- */

static void check_payload_cut(bool with_ftrace, bool with_perf)
{
	const char *event = uniq("e");
	unsigned char *second = two_pages(PROT_NONE);
	int fd = open_event(event, "u32 a");
	unsigned long long hits, lost;
	struct sample sample;
	struct perf perf = { .fd = -1 };
	size_t size, readable;

	memset(second - PAGE, 0, PAGE);
	if (with_ftrace)
		enable(event, true);
	if (with_perf)
		perf_map(&perf, event_id(event), 0, -1, 1);
	for (size = 8; size <= 72; size += 16)
		for (readable = 0; readable < size; readable++) {
			unsigned char *at = second - readable;
			struct iovec part = { .iov_base = at, .iov_len = size };

			harness_context("%zu of %zu bytes readable", readable,
					size);
			EXPECT_ERRNO(write(fd, at, size), EFAULT);
			EXPECT_ERRNO(pwrite(fd, at, size, 0), EFAULT);
			EXPECT_ERRNO(writev(fd, &part, 1), EFAULT);
			EXPECT_ERRNO(emit(fd, 0, at, size), EFAULT);
		}
	harness_context(NULL);
	EXPECT_EQ(trace_count(NULL, event), 0);
	if (with_perf)
		EXPECT_FALSE(perf_next(&perf, &sample));
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 0);
	EXPECT_EQ(lost, 0);
	/* The next valid record is recorded. */
	EXPECT_EQ(emit(fd, 0, "good", 4), 8);
	if (with_ftrace)
		EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
	if (with_perf)
		EXPECT_TRUE(perf_next(&perf, &sample));
}

TEST(ftrace_rejects_payload_cut_at_every_byte)
{
	check_payload_cut(true, false);
}

TEST(perf_rejects_payload_cut_at_every_byte)
{
	check_payload_cut(false, true);
}

TEST(ftrace_and_perf_reject_payload_cut_at_every_byte)
{
	check_payload_cut(true, true);
}

#define PAYLOAD 60

/* Stores a record of event 0, whose payload differs for each seed. */
static void put_record(unsigned char *at, size_t seed, unsigned char *payload)
{
	size_t i;

	memset(at, 0, 4);
	for (i = 0; i < PAYLOAD; i++)
		payload[i] = seed * 3 + i;
	memcpy(at + 4, payload, PAYLOAD);
}

TEST(records_payload_across_pages)
{
	const char *event = uniq("e");
	unsigned char *second = two_pages(PROT_READ);
	int fd = open_event(event, "u32 a");
	unsigned char expected[PAYLOAD];
	struct record record;
	size_t first;

	enable(event, true);
	for (first = 0; first <= 64; first++) {
		unsigned char *at = second - first;

		harness_context("%zu bytes on the first page", first);
		ASSERT_OK(mprotect(second, PAGE, PROT_READ | PROT_WRITE));
		put_record(at, first, expected);
		ASSERT_OK(mprotect(second, PAGE, PROT_READ));
		EXPECT_EQ(write(fd, at, 64), 64);
		ASSERT_TRUE(raw_next(event_id(event), &record));
		EXPECT_TRUE(!memcmp(record.bytes + common_fields_size(),
				    expected, sizeof(expected)));
	}
}

/* A shared page that was dropped keeps its contents, but is not mapped. */
static void check_absent_payload(bool with_ftrace, bool with_perf)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a"), file = memfd_create("payload", 0);
	unsigned char *second, expected[PAYLOAD];
	struct perf perf = { .fd = -1 };
	struct record record;
	struct sample sample;
	size_t first;

	ASSERT_OK(ftruncate(file, 2 * PAGE));
	second = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		      0);
	ASSERT_TRUE(second != MAP_FAILED);
	second += PAGE;
	if (with_ftrace)
		enable(event, true);
	if (with_perf)
		perf_map(&perf, event_id(event), 0, -1, 3);
	for (first = 0; first <= 64; first++) {
		unsigned char *at = second - first;

		harness_context("%zu bytes present", first);
		put_record(at, first, expected);
		ASSERT_OK(madvise(second, PAGE, MADV_DONTNEED));
		EXPECT_EQ(write(fd, at, 64), 64);
		if (with_ftrace) {
			ASSERT_TRUE(raw_next(event_id(event), &record));
			EXPECT_TRUE(!memcmp(record.bytes + common_fields_size(),
					    expected, sizeof(expected)));
		}
		if (with_perf) {
			ASSERT_TRUE(perf_next(&perf, &sample));
			EXPECT_TRUE(!memcmp(sample.bytes + common_fields_size(),
					    expected, sizeof(expected)));
			EXPECT_FALSE(perf_next(&perf, &sample));
		}
	}
	harness_context(NULL);
	EXPECT_FALSE(raw_next(event_id(event), &record));
}

TEST(ftrace_records_absent_payload_once)
{
	check_absent_payload(true, false);
}

TEST(perf_records_absent_payload_once)
{
	check_absent_payload(false, true);
}

TEST(ftrace_and_perf_record_absent_payload_once)
{
	check_absent_payload(true, true);
}

/* Fills the buffer of a CPU with records of 0xff bytes, and clears it. */
static void leave_old_bytes(int fd)
{
	static unsigned char payload[3900];
	unsigned int i;

	memset(payload, 0xff, sizeof(payload));
	for (i = 0; i < 64; i++)
		EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)),
			  sizeof(payload) + 4);
	trace_clear();
	raw_reset();
}

/*
 * The page fault on a payload is an event of its own, which is recorded behind
 * the entry that the module has reserved. So the entry stays in the buffer when
 * it is discarded.
 */
TEST(discarded_entry_has_no_old_bytes)
{
	const char *event = uniq("e"), *page_fault = FAULT_EVENT "/enable";
	int fd = open_event(event, ""), file = memfd_create("payload", 0);
	char *buffer_kb = tfs_read("buffer_size_kb");
	unsigned int entries = 0, faults, records, i;
	unsigned char *payload;
	struct record record;
	size_t size;

	if (!tfs_exists("%s", page_fault))
		SKIP("this kernel has no events for page faults");
	ASSERT_OK(ftruncate(file, PAGE));
	payload = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
	ASSERT_TRUE(payload != MAP_FAILED);
	pin_to_cpu(0);
	ASSERT_OK(tfs_write("64", "buffer_size_kb"));
	enable(event, true);
	leave_old_bytes(fd);

	ASSERT_OK(tfs_write("1", "%s", page_fault));
	for (size = 8; size < 3900; size += 97) {
		ASSERT_OK(madvise(payload, PAGE, MADV_DONTNEED));
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
	}
	EXPECT_OK(tfs_write("0", "%s", page_fault));
	faults = trace_count(NULL, " page_fault_kernel: ");
	records = trace_count(NULL, text(" %s:", event));
	while (raw_next(RAW_DISCARDED, &record)) {
		entries++;
		for (i = 0; i < record.size && !record.bytes[i]; i++)
			;
		EXPECT_EQ(i, record.size);
	}
	EXPECT_OK(tfs_write(buffer_kb, "buffer_size_kb"));
	/* Each payload also has a page fault while no entry is reserved. */
	if (!entries && faults < records + records / 2)
		SKIP("this kernel records no event within another");
	EXPECT_GT(entries, 0);
}

/* Larger than a page, with an inaccessible page at any position. */
TEST(rejects_large_payload_with_hole)
{
	static const size_t sizes[] = { 4000, 4064, 5000, 9000, 40000, 200000 };
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	size_t i, hole;

	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t pages = (sizes[i] + PAGE - 1) / PAGE + 1;
		unsigned char *all = mmap(NULL, pages * PAGE,
					  PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		ASSERT_TRUE(all != MAP_FAILED);
		for (hole = 0; hole * PAGE < sizes[i]; hole++) {
			harness_context("%zu bytes, page %zu missing", sizes[i],
					hole);
			ASSERT_OK(mprotect(all + hole * PAGE, PAGE, PROT_NONE));
			EXPECT_ERRNO(emit(fd, 0, all, sizes[i]), EFAULT);
			ASSERT_OK(mprotect(all + hole * PAGE, PAGE,
					   PROT_READ | PROT_WRITE));
		}
		munmap(all, pages * PAGE);
	}
	EXPECT_EQ(trace_count(NULL, event), 0);
}

TEST(rejects_unreadable_vector)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");

	enable(event, true);
	EXPECT_ERRNO(syscall(SYS_writev, fd, map_page(PROT_NONE), 1), EFAULT);
	EXPECT_ERRNO(syscall(SYS_writev, fd,
			     guarded_page_end() - sizeof(struct iovec) / 2, 1),
		     EFAULT);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

/* --- reading --- */

TEST(failed_status_read_consumes_nothing)
{
	unsigned char *second = two_pages(PROT_NONE);
	int fd = status_open();
	char *content = tfs_read("user_events_status");

	EXPECT_ERRNO(read(fd, map_page(PROT_READ), 100), EFAULT);
	EXPECT_ERRNO(read(fd, second, 100), EFAULT);
	ASSERT_EQ(lseek(fd, 0, SEEK_SET), 0);
	/* The failed reads have not consumed anything. */
	EXPECT_STREQ(read_fd(fd), content);
}

/* --- memory that changes concurrently --- */

#define CHANGES 3000

struct changing {
	unsigned char *page;
	bool stop;
};

static void *change(void *data)
{
	struct changing *changing = data;

	while (!__atomic_load_n(&changing->stop, __ATOMIC_ACQUIRE)) {
		mprotect(changing->page, PAGE, PROT_NONE);
		madvise(changing->page, PAGE, MADV_DONTNEED);
		mprotect(changing->page, PAGE, PROT_READ);
	}

	return NULL;
}

/* Either the write fails, or the record is complete. */
TEST(record_is_complete_while_mapping_changes)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a;u64 b");
	struct changing changing = { .page = two_pages(PROT_READ) };
	unsigned int good = 0, bad = 0, records = 0, i;
	struct record record;
	pthread_t thread;

	ASSERT_OK(madvise(changing.page, PAGE, MADV_DONTNEED));
	memset(changing.page - 8, 0x55, 8);
	enable(event, true);
	ASSERT_EQ(pthread_create(&thread, NULL, change, &changing), 0);
	for (i = 0; i < CHANGES; i++) {
		ssize_t done = emit(fd, 0, changing.page - 8, 16);

		if (done == 20)
			good++;
		else if (done == -1 && errno == EFAULT)
			bad++;
		else
			FAIL("write returned %zd, %s", done,
			     harness_errno(errno));
	}
	__atomic_store_n(&changing.stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);

	EXPECT_EQ(good + bad, CHANGES);
	while (raw_next(event_id(event), &record)) {
		static const unsigned char expected[16] = {
			0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55,
		};

		EXPECT_EQ(record.size, common_fields_size() + 16);
		EXPECT_TRUE(!memcmp(record.bytes + common_fields_size(),
				    expected, 16));
		records++;
	}
	EXPECT_EQ(records, good);
}

/* --- a registration that is blocked in a page fault --- */

struct blocked {
	pthread_t thread;
	int fd;
	char *command;
	int result;
	bool done;
};

static void *register_blocked(void *data)
{
	struct blocked *blocked = data;

	blocked->result = reg(blocked->fd, blocked->command, NULL);
	__atomic_store_n(&blocked->done, true, __ATOMIC_RELEASE);

	return NULL;
}

/* A blocked process must not block others. */
TEST(blocked_registration_does_not_block_others)
{
	const char *event = uniq("e");
	struct blocked blocked = { .fd = data_open() };
	int fd = open_event(event, "u32 a");
	uint32_t record[2] = { 0, 1 };
	int uffd;

	blocked.command = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE((void *)blocked.command != MAP_FAILED);
	uffd = userfault_start(blocked.command, PAGE, 0);
	ASSERT_EQ(pthread_create(&blocked.thread, NULL, register_blocked,
				 &blocked),
		  0);
	wait_for_page_faults(uffd, 1);

	enable(event, true);
	EXPECT_EQ(write(fd, record, 8), 8);
	EXPECT_EQ(must_reg(data_open(), uniq("other")), 0);
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(dynevent_write(text("u:%s", uniq("dyn"))));
	EXPECT_OK(del_event(uniq("dyn")));
	EXPECT_FALSE(__atomic_load_n(&blocked.done, __ATOMIC_ACQUIRE));

	/* A page of zeros is an empty command. */
	resolve_page_faults(uffd, blocked.command, PAGE);
	pthread_join(blocked.thread, NULL);
	EXPECT_EQ(blocked.result, -1);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
