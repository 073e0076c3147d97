// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing records: errors and their order, the recorded bytes, counters of lost
 * records, and concurrent writers.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../lib/user_events.h"

/*
 * Largest payload in a page of ftrace's ring buffer, with two words in front of
 * each record. Before Linux 6.8, the module leaves room for a time stamp.
 */
static size_t ftrace_max(void)
{
	size_t time_stamp = kernel_has("ring_buffer_max_event_size") ? 0 : 8;

	return PAGE - raw_header() - 8 - time_stamp - common_fields_size();
}

/* --- errors --- */

TEST(rejects_write_shorter_than_index)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	uint32_t index = 0;
	struct iovec parts[2] = {
		{ .iov_base = &index, .iov_len = 1 },
		{ .iov_base = &index, .iov_len = 2 },
	};
	size_t i;

	enable(event, true);
	for (i = 0; i < 4; i++) {
		harness_context("%zu bytes", i);
		EXPECT_ERRNO(write(fd, &index, i), EFAULT);
	}
	harness_context(NULL);
	EXPECT_ERRNO(writev(fd, parts, 2), EFAULT);
	/* The kernel does not call the module for an empty write. */
	EXPECT_EQ(writev(fd, parts, 0), 0);
	parts[0].iov_len = 0;
	EXPECT_EQ(writev(fd, parts, 1), 0);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

TEST(rejects_unreadable_index)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");

	enable(event, true);
	EXPECT_ERRNO(write(fd, (void *)-4096L, 4), EFAULT);
	EXPECT_ERRNO(write(fd, map_page(PROT_NONE), 4), EFAULT);
	EXPECT_ERRNO(write(fd, guarded_page_end(), 4), EFAULT);
	EXPECT_ERRNO(write(fd, guarded_page_end() - 3, 4), EFAULT);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

/*
 * The index is checked first, then the size, then whether the event is enabled.
 */
TEST(checks_write_in_order)
{
	/*
	 * The index, and the number of readable bytes and of unreadable bytes
	 * that follow it.
	 */
	static const struct {
		int32_t index;
		size_t readable;
		size_t unreadable;
		int disabled;
		int enabled;
	} cases[] = {
		{ -1, 0, 0, EINVAL, EINVAL },
		{ -1, 8, 0, EINVAL, EINVAL },
		{ -1, 0, 8, EINVAL, EINVAL },
		{ INT32_MIN, 8, 0, EINVAL, EINVAL },
		{ 1, 0, 0, ENOENT, ENOENT },
		{ 1, 8, 0, ENOENT, ENOENT },
		{ 1, 0, 8, ENOENT, ENOENT },
		{ 2, 8, 0, ENOENT, ENOENT },
		{ INT32_MAX, 8, 0, ENOENT, ENOENT },
		{ 0, 0, 0, EINVAL, EINVAL },
		{ 0, 7, 0, EINVAL, EINVAL },
		{ 0, 0, 7, EINVAL, EINVAL },
		{ 0, 8, 0, EBADF, 0 },
		{ 0, 9, 0, EBADF, 0 },
		{ 0, 100, 0, EBADF, 0 },
		{ 0, 0, 8, EBADF, EFAULT },
		{ 0, 7, 1, EBADF, EFAULT },
		{ 0, 1, 7, EBADF, EFAULT },
		{ 0, 8, 1, EBADF, EFAULT },
		{ 0, 4000, 100, EBADF, EFAULT },
	};
	const char *event = uniq("e");
	unsigned char *boundary = guarded_page_end();
	int fd = open_event(event, "u64 a");
	unsigned int recorded = 0;
	bool on;
	size_t i;

	for (on = false;; on = true) {
		enable(event, on);
		for (i = 0; i < ARRAY_SIZE(cases); i++) {
			size_t size = cases[i].readable + cases[i].unreadable;
			int error = on ? cases[i].enabled : cases[i].disabled;
			int32_t index = cases[i].index;
			unsigned char *at = boundary - cases[i].readable;

			harness_context("%s, index %d, %zu bytes and %zu not "
					"mapped",
					on ? "enabled" : "disabled", index,
					cases[i].readable, cases[i].unreadable);
			if (error)
				EXPECT_ERRNO(emit(fd, index, at, size), error);
			else
				EXPECT_EQ(emit(fd, index, at, size), size + 4);
			recorded += on && !error;

			/* The same with a single write(). */
			at -= sizeof(index);
			memcpy(at, &index, sizeof(index));
			if (error)
				EXPECT_ERRNO(write(fd, at, size + 4), error);
			else
				EXPECT_EQ(write(fd, at, size + 4), size + 4);
			recorded += on && !error;
		}
		if (on)
			break;
	}
	harness_context(NULL);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), recorded);
}

TEST(rejects_write_without_registration)
{
	uint32_t index = 0;
	int32_t negative = -1;
	int fd = data_open();

	EXPECT_ERRNO(write(fd, &index, 4), ENOENT);
	EXPECT_ERRNO(write(fd, &negative, 4), EINVAL);
	EXPECT_ERRNO(write(fd, &index, 3), EFAULT);
}

TEST(rejects_write_while_disabled)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	uint32_t record[2] = { 0, 1 };
	int round;

	for (round = 0; round < 5; round++) {
		EXPECT_ERRNO(write(fd, record, 8), EBADF);
		enable(event, true);
		EXPECT_EQ(write(fd, record, 8), 8);
		enable(event, false);
	}
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 5);
}

TEST(lost_mapping_is_faulted_in)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	uint32_t *record = map_page(PROT_READ | PROT_WRITE);

	enable(event, true);
	EXPECT_EQ(write(fd, record, 8), 8);
	ASSERT_OK(madvise(record, PAGE, MADV_DONTNEED));
	EXPECT_EQ(write(fd, record, 8), 8);
	ASSERT_OK(munmap(record, PAGE));
	EXPECT_ERRNO(write(fd, record, 8), EFAULT);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x0 (0)", event)), 2);
}

/* --- recorded bytes --- */

/*
 * Expects one record of the event with exactly this payload, padded with zeros.
 */
static void check_record(unsigned int id, const void *payload, size_t size)
{
	struct record record;
	int32_t pid;
	size_t i;

	if (!raw_next(id, &record)) {
		FAIL("no record, expected %zu bytes", size);
		return;
	}
	EXPECT_EQ(record.size, raw_stored(common_fields_size() + size));
	EXPECT_TRUE(
		!memcmp(record.bytes + common_fields_size(), payload, size));
	for (i = common_fields_size() + size; i < record.size; i++)
		EXPECT_EQ(record.bytes[i], 0);
	memcpy(&pid, record.bytes + 4, sizeof(pid));
	EXPECT_EQ(pid, getpid());
}

TEST(records_payload_of_any_size)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	unsigned char payload[300];
	struct record record;
	size_t size;

	/* Earlier content of the buffers must not show up in padding. */
	pin_to_cpu(0);
	enable(event, true);
	memset(payload, 0xff, sizeof(payload));
	for (size = 0; size < 200; size++)
		EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)),
			  sizeof(payload) + 4);
	trace_clear();

	for (size = 0; size < sizeof(payload); size++)
		payload[size] = size + 1;
	for (size = 0; size < sizeof(payload); size++)
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
	for (size = 0; size < sizeof(payload); size++) {
		harness_context("payload of %zu bytes", size);
		check_record(id, payload, size);
	}
	EXPECT_FALSE(raw_next(id, &record));
}

/*
 * Maps an index of 0 and, behind it, two pages of a file. Return: the start of
 * the pages.
 */
static unsigned char *map_file_behind_index(void)
{
	unsigned char *start = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int file = memfd_create("payload", 0);

	ASSERT_TRUE(start != MAP_FAILED);
	ASSERT_OK(file);
	ASSERT_OK(ftruncate(file, 2 * PAGE));
	ASSERT_TRUE(mmap(start + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, file, 0) == start + PAGE);
	close(file);
	memset(start, 0, PAGE);

	return start + PAGE;
}

static ssize_t emit_absent(int fd, unsigned char *payload, size_t size,
			   bool vector)
{
	ASSERT_OK(madvise(payload, 2 * PAGE, MADV_DONTNEED));

	return vector ? emit(fd, 0, payload, size)
		      : write(fd, payload - 4, size + 4);
}

/*
 * If the payload must be faulted in, the module uses other memory to assemble
 * the record: the stack, or allocated memory for more than 512 bytes. Before
 * each record, a record of 0xff bytes leaves these bytes in that memory. A
 * kernel that clears memory on allocation hides an error here, so the guests of
 * scripts/check/vm/vm are started with init_on_alloc=0.
 */
TEST(records_payload_that_must_be_faulted_in)
{
	unsigned char *payload = map_file_behind_index();
	static unsigned char expected[3900];
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	unsigned long long hits, lost, records = 0;
	struct record record;
	size_t size, i;

	pin_to_cpu(0);
	enable(event, true);
	for (i = 0; i < sizeof(expected); i++)
		expected[i] = i + 1;
	for (size = 1; size < sizeof(expected); size += size < 530 ? 3 : 371) {
		harness_context("payload of %zu bytes", size);
		memset(payload, 0xff, size + 32);
		EXPECT_EQ(emit_absent(fd, payload, size + 32, size % 2),
			  size + 32 + 4);
		memcpy(payload, expected, size);
		EXPECT_EQ(emit_absent(fd, payload, size, size % 2), size + 4);
		records += 2;
		EXPECT_TRUE(raw_next(id, &record));
		check_record(id, expected, size);
	}
	EXPECT_FALSE(raw_next(id, &record));
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, records);
	EXPECT_EQ(lost, 0);
}

/*
 * The module assembles these records in memory that it uses again. Before each
 * of them, a record of 0xff bytes leaves these bytes there.
 */
TEST(records_large_payload_of_any_size)
{
	static unsigned char payload[4032], other[4032];
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	struct record record;
	size_t size, i;

	pin_to_cpu(0);
	enable(event, true);
	memset(other, 0xff, sizeof(other));
	for (i = 0; i < sizeof(payload); i++)
		payload[i] = i + 1;
	/* raw_stored() requires a small record first. */
	EXPECT_EQ(emit(fd, 0, payload, 0), 4);
	check_record(id, payload, 0);
	for (size = 490; size < 4000; size += size < 530 ? 1 : 137) {
		harness_context("payload of %zu bytes", size);
		EXPECT_EQ(emit(fd, 0, other, size + 32), size + 32 + 4);
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
		EXPECT_TRUE(raw_next(id, &record));
		check_record(id, payload, size);
	}
	EXPECT_FALSE(raw_next(id, &record));
}

/* With a filter, records take another path through the kernel. */
TEST(records_payload_with_filter)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	unsigned int id = event_id(event);
	unsigned char payload[64];
	struct record record;
	size_t size;

	pin_to_cpu(0);
	ASSERT_OK(tfs_write("a == 1", "events/user_events/%s/filter", event));
	enable(event, true);
	memset(payload, 0xff, sizeof(payload));
	for (size = 1; size < 64; size++)
		EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)),
			  sizeof(payload) + 4);
	for (size = 0; size < sizeof(payload); size++)
		payload[size] = size + 1;
	for (size = 1; size < sizeof(payload); size++)
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
	for (size = 1; size < sizeof(payload); size++) {
		harness_context("payload of %zu bytes", size);
		check_record(id, payload, size);
	}
	EXPECT_FALSE(raw_next(id, &record));
}

TEST(records_event_without_fields)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	uint32_t index = 0;

	EXPECT_ERRNO(write(fd, &index, 4), EBADF);
	enable(event, true);
	EXPECT_EQ(write(fd, &index, 4), 4);
	EXPECT_EQ(write(fd, &index, 4), 4);
	EXPECT_EQ(trace_count(NULL, text(" %s:No fields found", event)), 2);
	check_record(event_id(event), "", 0);
	check_record(event_id(event), "", 0);
}

TEST(records_payload_beyond_fields)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u16 a");
	unsigned char payload[13] = {
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
	};

	enable(event, true);
	EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)), sizeof(payload) + 4);
	EXPECT_STREQ(trace_text(event),
		     text(little_endian() ? "%s: a=0x201 (513)"
					  : "%s: a=0x102 (258)",
			  event));
	check_record(event_id(event), payload, sizeof(payload));
}

/* Splits index and payload into two parts at every byte. */
TEST(records_vector_of_two_parts)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a;u64 b");
	unsigned int id = event_id(event);
	unsigned char bytes[20] = { 0 };
	size_t i, cut;

	for (i = 4; i < sizeof(bytes); i++)
		bytes[i] = i * 7;
	enable(event, true);
	for (cut = 0; cut <= sizeof(bytes); cut++) {
		const struct iovec parts[] = {
			{ .iov_base = bytes, .iov_len = cut },
			{ .iov_base = bytes + cut,
			  .iov_len = sizeof(bytes) - cut },
		};

		harness_context("cut at %zu", cut);
		EXPECT_EQ(writev(fd, parts, 2), sizeof(bytes));
		check_record(id, bytes + 4, 16);
	}
}

/* The first part is the index. */
TEST(records_payload_of_several_parts)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a;u64 b");
	unsigned int id = event_id(event);
	static unsigned char bytes[3000];
	uint32_t index = 0;
	size_t i, cut;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i * 7;
	pin_to_cpu(0);
	enable(event, true);
	for (cut = 0; cut < sizeof(bytes); cut += cut < 100 ? 1 : 97) {
		const struct iovec parts[] = {
			{ .iov_base = &index, .iov_len = sizeof(index) },
			{ .iov_base = bytes, .iov_len = cut },
			{ .iov_base = NULL },
			{ .iov_base = bytes + cut,
			  .iov_len = sizeof(bytes) - cut },
		};

		harness_context("cut at %zu", cut);
		EXPECT_EQ(writev(fd, parts, 4), 4 + sizeof(bytes));
		check_record(id, bytes, sizeof(bytes));
	}
}

TEST(records_vector_of_single_bytes)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a;u64 b");
	unsigned char bytes[20] = { 0 };
	struct iovec parts[3 * sizeof(bytes)];
	size_t i;

	for (i = 4; i < sizeof(bytes); i++)
		bytes[i] = 0xa0 + i;
	/* Between them are empty parts, whose address is not used. */
	for (i = 0; i < sizeof(bytes); i++) {
		parts[3 * i] = (struct iovec){ .iov_base = NULL };
		parts[3 * i + 1] = (struct iovec){
			.iov_base = &bytes[i],
			.iov_len = 1,
		};
		parts[3 * i + 2] = (struct iovec){ .iov_base = (void *)8 };
	}
	enable(event, true);
	EXPECT_EQ(writev(fd, parts, ARRAY_SIZE(parts)), sizeof(bytes));
	check_record(event_id(event), bytes + 4, 16);
}

/* With the index as the first part, by number of parts. */
TEST(records_vectors_of_any_number_of_parts)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a;u64 b"), id;
	unsigned char bytes[16];
	struct iovec parts[64];
	uint32_t index = 0;
	size_t i, count;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = 0xa0 + i;
	enable(event, true);
	id = event_id(event);
	for (count = 2; count <= ARRAY_SIZE(parts); count++) {
		harness_context("%zu parts", count);
		parts[0] = (struct iovec){ &index, sizeof(index) };
		for (i = 1; i < count; i++)
			parts[i] =
				(struct iovec){ &bytes[(i - 1) % sizeof(bytes)],
						i <= sizeof(bytes) };
		if (count <= sizeof(bytes))
			parts[count - 1].iov_len = sizeof(bytes) + 2 - count;
		EXPECT_EQ(writev(fd, parts, count), 4 + sizeof(bytes));
		check_record(id, bytes, sizeof(bytes));
	}
	harness_context(NULL);
}

TEST(rejects_vector_with_unmapped_part)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a;u32 b");
	uint32_t index = 0, value = 1;
	struct iovec parts[] = {
		{ .iov_base = &index, .iov_len = 4 },
		{ .iov_base = &value, .iov_len = 4 },
		{ .iov_base = guarded_page_end(), .iov_len = 4 },
	};

	enable(event, true);
	EXPECT_ERRNO(writev(fd, parts, 3), EFAULT);
	parts[1].iov_base = guarded_page_end() - 2;
	parts[2].iov_base = &value;
	EXPECT_ERRNO(writev(fd, parts, 3), EFAULT);
	parts[0].iov_base = guarded_page_end() - 2;
	parts[1].iov_base = &value;
	EXPECT_ERRNO(writev(fd, parts, 3), EFAULT);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

/* Each event of a file gets the records with its index. */
TEST(index_selects_event)
{
	struct record record;
	unsigned int i;
	uint32_t value;
	int fd = data_open();

	for (i = 0; i < 10; i++) {
		ASSERT_EQ(must_reg(fd, text("%s u32 a", uniq(text("%u", i)))),
			  i);
		enable(uniq(text("%u", i)), true);
	}
	for (i = 0; i < 10; i++) {
		value = 1000 + i;
		EXPECT_EQ(emit(fd, i, &value, sizeof(value)), 8);
	}
	for (i = 0; i < 10; i++) {
		harness_context("event %u", i);
		EXPECT_STREQ(trace_text(uniq(text("%u", i))),
			     text("%s: a=0x%x (%u)", uniq(text("%u", i)),
				  1000 + i, 1000 + i));
	}
	raw_reset();
	EXPECT_TRUE(raw_next(event_id(uniq("0")), &record));
}

/*
 * Tests the first unused index for every number of events: the table of a file
 * grows in steps, and is full before each step.
 */
TEST(rejects_first_unused_index)
{
	int fd = data_open();
	uint32_t index;

	for (index = 0; index < 50; index++) {
		harness_context("%u events", index);
		EXPECT_ERRNO(write(fd, &index, sizeof(index)), ENOENT);
		ASSERT_EQ(must_reg(fd, uniq(text("%u", index))), index);
		EXPECT_ERRNO(write(fd, &index, sizeof(index)), EBADF);
	}
	EXPECT_ERRNO(write(fd, &index, sizeof(index)), ENOENT);
}

/* --- records that are too large --- */

/*
 * Writes a record of this size. Return: the increase of the counter of lost
 * records.
 */
static unsigned long long write_and_count_lost(int fd, const char *event,
					       size_t size)
{
	unsigned long long hits, lost, hits_after, lost_after;
	unsigned char *payload = calloc(1, size + 1);

	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
	ASSERT_TRUE(read_profile(event, &hits_after, &lost_after));
	free(payload);

	return lost_after - lost;
}

TEST(counts_record_too_large_for_ftrace_as_lost)
{
	const size_t max = ftrace_max();
	const struct {
		size_t size;
		bool recorded;
	} cases[] = {
		{ max - 1, true }, { max, true },	    { max + 1, false },
		{ PAGE, false },   { 2 * PAGE - 8, false }, { 2 * PAGE, false },
		{ 65536, false },  { 1 << 20, false },
	};
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	unsigned int id = event_id(event);
	struct record record;
	size_t i;

	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("payload of %zu bytes", cases[i].size);
		EXPECT_EQ(write_and_count_lost(fd, event, cases[i].size),
			  !cases[i].recorded);
		raw_reset();
		if (raw_next(id, &record) != cases[i].recorded)
			FAIL("expected the opposite: recorded or not recorded");
	}
	harness_context(NULL);
	EXPECT_EQ(write_and_count_lost(fd, event, 100), 0);
	EXPECT_TRUE(raw_next(id, &record));
}

/*
 * A time stamp precedes a record that follows another one after a long time, and
 * every record while the time stamps of the buffer are absolute.
 */
TEST(record_of_any_size_keeps_recording_on)
{
	const size_t max = ftrace_max();
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	unsigned int id = event_id(event);
	struct record record;
	bool found;
	size_t size;

	pin_to_cpu(0);
	enable(event, true);
	for (size = max - 12; size <= max + 12; size++) {
		harness_context("payload of %zu bytes", size);
		usleep(200 * 1000);
		write_and_count_lost(fd, event, size);
		EXPECT_EQ(write_and_count_lost(fd, event, 4), 0);
		raw_reset();
		for (found = false; raw_next(id, &record);)
			found = record.size < 100;
		EXPECT_TRUE(found);
	}
	EXPECT_STREQ(tfs_read("tracing_on"), "1\n");
}

/*
 * The largest record has 65536 bytes with its 8 bytes of header. It is offered
 * to tracers, but does not fit into a buffer with pages of 4096 bytes. A larger
 * record is only counted.
 */
TEST(counts_records_that_no_tracer_can_take)
{
	const size_t max = 65536 - common_fields_size();
	const size_t cases[] = { max - 1, max, max + 1, max + 2, max + 8 };
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	size_t i;

	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned long long hits, lost, hits_after, lost_after;

		harness_context("payload of %zu bytes", cases[i]);
		ASSERT_TRUE(read_profile(event, &hits, &lost));
		EXPECT_EQ(write_and_count_lost(fd, event, cases[i]), 1);
		ASSERT_TRUE(read_profile(event, &hits_after, &lost_after));
		EXPECT_EQ(hits_after - hits, 1);
	}
}

/* The memory of a record that is not offered is read nevertheless. */
TEST(rejects_unreadable_record_that_is_too_large)
{
	const size_t size = 20 * PAGE;
	unsigned long long hits, lost;
	const char *event = uniq("e");
	int fd = open_event(event, "u8 a");
	unsigned char *at;

	at = mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(at != MAP_FAILED);
	ASSERT_OK(mprotect(at + size, PAGE, PROT_NONE));
	enable(event, true);
	EXPECT_ERRNO(emit(fd, 0, at, size + 1), EFAULT);
	EXPECT_ERRNO(emit(fd, 0, at + 1, size), EFAULT);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 0);
	EXPECT_EQ(lost, 0);
	EXPECT_EQ(emit(fd, 0, at, size), size + 4);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(lost, 1);
}

/* Sets a CPU online or offline. Return: 0, or -1 with errno. */
static int set_online(unsigned int cpu, bool on)
{
	return write_file(on ? "1" : "0",
			  text("/sys/devices/system/cpu/cpu%u/online", cpu));
}

/*
 * A busy CPU of RHEL 8.4 that comes online pushes away its idle task, and the kernel
 * panics. Later kernels push tasks only while a CPU is going offline.
 */
static bool kernel_pushes_idle_tasks(void)
{
	return kernel_has("init_task") &&
	       kernel_has("__balance_push_cpu_stop") &&
	       !kernel_has("__cpu_dying_mask");
}

/* The counters of an offline CPU are included. */
TEST(profile_includes_offline_cpus)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	unsigned int cpu = cpu_count() - 1;
	unsigned long long hits, lost;
	uint32_t record[2] = { 0, 1 };
	unsigned int i;

	if (!cpu)
		SKIP("needs two CPUs");
	if (kernel_pushes_idle_tasks())
		SKIP("this kernel can panic when a CPU comes online");
	enable(event, true);
	pin_to_cpu(cpu);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(write(fd, record, 8), 8);
	EXPECT_EQ(write_and_count_lost(fd, event, 1 << 20), 1);
	pin_to_cpu(0);
	EXPECT_EQ(write(fd, record, 8), 8);

	if (set_online(cpu, false))
		SKIP("cannot set CPU %u offline: %s", cpu,
		     harness_errno(errno));
	EXPECT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_OK(set_online(cpu, true));
	EXPECT_EQ(hits, 7);
	EXPECT_EQ(lost, 1);
}

/*
 * One line for each event: number of records written while the event was
 * enabled, number of records that were too large, and the reasons that occurred,
 * then the reasons of each CPU.
 */
TEST(profile_counts_hits_and_lost_records)
{
	const char *event = uniq("e");
	unsigned long long hits, lost, hits_after;
	uint32_t record[2] = { 0, 1 };
	int fd = open_event(event, "u32 a");
	char *line;
	int i;

	pin_to_cpu(0);
	line = find_line(tfs_read("user_events_profile"), event);
	EXPECT_STREQ(line, text("  %-44s %15llu %15llu", event, 0ULL, 0ULL));
	EXPECT_ERRNO(write(fd, record, 8), EBADF);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 0);
	EXPECT_EQ(lost, 0);
	enable(event, true);
	for (i = 0; i < 10; i++)
		EXPECT_EQ(write(fd, record, 8), 8);
	ASSERT_TRUE(read_profile(event, &hits_after, &lost));
	EXPECT_EQ(hits_after, 10);
	EXPECT_EQ(lost, 0);
	/* A failed write is no hit. */
	EXPECT_ERRNO(write(fd, record, 4), EINVAL);
	EXPECT_ERRNO(emit(fd, 0, NULL, 4), EFAULT);
	ASSERT_TRUE(read_profile(event, &hits_after, &lost));
	EXPECT_EQ(hits_after, 10);
	EXPECT_EQ(lost, 0);
	line = find_line(tfs_read("user_events_profile"), event);
	EXPECT_STREQ(line, text("  %-44s %15llu %15llu fault=1 invalid=1"
				" fault@0=1 invalid@0=1",
				event, 10ULL, 0ULL));
}

/* A record that fits into no page of ftrace, valid or not. */
static void check_lost(const char *name, const char *fields, uint32_t word,
		       int error)
{
	const char *event = uniq(name);
	int fd = open_event(event, fields);
	unsigned long long hits, lost;
	unsigned char payload[4080];
	size_t size = sizeof(payload) - common_fields_size();

	memset(payload, 0, sizeof(payload));
	memcpy(payload, &word, sizeof(word));
	enable(event, true);
	if (error)
		EXPECT_ERRNO(emit(fd, 0, payload, size), error);
	else
		EXPECT_EQ(emit(fd, 0, payload, size), size + 4);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, !error);
	EXPECT_EQ(lost, !error);
}

TEST(record_that_is_too_large_is_lost_once)
{
	if (PAGE != 4096)
		SKIP("pages are larger");
	check_lost("one", "__rel_loc char[] a", 0, 0);
	check_lost("many",
		   "__rel_loc char[] a; __rel_loc char[] b; __rel_loc char[] c;"
		   "__rel_loc char[] d; __rel_loc char[] e; __rel_loc char[] f",
		   0, 0);
	check_lost("invalid", "__rel_loc char[] a", DYN_LOC(65535, 1), EFAULT);
}

TEST(profile_is_read_only)
{
	int fd = tfs_open(O_WRONLY, "user_events_profile");

	if (fd >= 0)
		EXPECT_ERRNO(write(fd, "x", 1), EINVAL);
}

/* --- concurrent writers --- */

#define THREADS 4
#define ROUNDS 500

struct writer {
	pthread_t thread;
	int fd;
	uint32_t number;
};

static void *run_writer(void *data)
{
	struct writer *writer = data;
	uint32_t i;

	for (i = 0; i < ROUNDS; i++) {
		uint32_t record[3] = { 0, writer->number, i };

		EXPECT_EQ(write(writer->fd, record, sizeof(record)),
			  sizeof(record));
	}

	return NULL;
}

TEST(threads_share_a_file)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 writer;u32 round");
	unsigned int id = event_id(event), total = 0, i;
	static bool seen[THREADS][ROUNDS];
	struct writer writers[THREADS];
	struct record record;

	enable(event, true);
	for (i = 0; i < THREADS; i++) {
		writers[i] = (struct writer){ .fd = fd, .number = i };
		ASSERT_EQ(pthread_create(&writers[i].thread, NULL, run_writer,
					 &writers[i]),
			  0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(writers[i].thread, NULL);

	while (raw_next(id, &record)) {
		uint32_t fields[2];

		ASSERT_EQ(record.size, common_fields_size() + sizeof(fields));
		memcpy(fields, record.bytes + common_fields_size(),
		       sizeof(fields));
		ASSERT_LT(fields[0], THREADS);
		ASSERT_LT(fields[1], ROUNDS);
		EXPECT_FALSE(seen[fields[0]][fields[1]]);
		seen[fields[0]][fields[1]] = true;
		total++;
	}
	EXPECT_EQ(total, THREADS * ROUNDS);
}

/*
 * struct blocked - a writer that is blocked in the page fault on its payload
 * @thread: the writer
 * @fd: file that it writes to
 * @vector: use writev()
 * @page: page with the payload
 * @faults: userfaultfd that receives the fault
 * @result: return value of the write
 * @done: the write has returned
 */
struct blocked {
	pthread_t thread;
	int fd;
	bool vector;
	unsigned char *page;
	int faults;
	ssize_t result;
	bool done;
};

static void *write_blocked(void *data)
{
	struct blocked *blocked = data;

	if (blocked->vector)
		blocked->result = emit(blocked->fd, 0, blocked->page, 4);
	else
		blocked->result = write(blocked->fd, blocked->page - 4, 8);
	__atomic_store_n(&blocked->done, true, __ATOMIC_RELEASE);

	return NULL;
}

/* Starts a writer and waits until it is blocked in its page fault. */
static void block(struct blocked *blocked, int fd, bool vector)
{
	unsigned char *pages;

	pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(pages != MAP_FAILED);
	memset(pages, 0, PAGE);
	*blocked = (struct blocked){
		.fd = fd,
		.vector = vector,
		.page = pages + PAGE,
	};

	blocked->faults = userfault_start(blocked->page, PAGE, 0);
	ASSERT_EQ(pthread_create(&blocked->thread, NULL, write_blocked,
				 blocked),
		  0);
	wait_for_page_faults(blocked->faults, 1);
}

static void unblock(struct blocked *blocked)
{
	EXPECT_FALSE(__atomic_load_n(&blocked->done, __ATOMIC_ACQUIRE));
	resolve_page_faults(blocked->faults, blocked->page, PAGE);
	pthread_join(blocked->thread, NULL);
	EXPECT_EQ(blocked->result, 8);
}

static void check_others_proceed(bool blocked_in_vector, bool vector)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	struct blocked blocked;
	uint32_t record[2] = { 0, 7 };
	int i;

	enable(event, true);
	block(&blocked, fd, blocked_in_vector);
	for (i = 0; i < 10; i++)
		if (vector)
			EXPECT_EQ(emit(fd, 0, record + 1, 4), 8);
		else
			EXPECT_EQ(write(fd, record, 8), 8);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x7", event)), 10);
	unblock(&blocked);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x0", event)), 1);
}

TEST_TIMEOUT(blocked_write_does_not_block_write, WAIT_TIMEOUT_S)
{
	check_others_proceed(false, false);
}

TEST_TIMEOUT(blocked_write_does_not_block_writev, WAIT_TIMEOUT_S)
{
	check_others_proceed(false, true);
}

TEST_TIMEOUT(blocked_writev_does_not_block_write, WAIT_TIMEOUT_S)
{
	check_others_proceed(true, false);
}

TEST_TIMEOUT(blocked_writev_does_not_block_writev, WAIT_TIMEOUT_S)
{
	check_others_proceed(true, true);
}

/* Other operations must not be blocked either. */
TEST_TIMEOUT(blocked_write_does_not_block_other_operations, WAIT_TIMEOUT_S)
{
	const char *event = uniq("e"), *other = uniq("o"), *new = uniq("n");
	int fd = open_event(event, "u32 a");
	struct blocked blocked;
	uint32_t record[2] = { 1, 7 };
	int perf;

	must_reg(fd, text("%s u32 a", other));
	enable(event, true);
	block(&blocked, fd, false);

	EXPECT_EQ(must_reg(fd, new), 2);
	EXPECT_EQ(must_reg(data_open(), new), 0);
	enable(other, true);
	EXPECT_EQ(write(fd, record, 8), 8);
	perf = perf_open(event_id(event), -1, 0, PERF_COUNT);
	EXPECT_OK(perf);
	close(perf);
	EXPECT_OK(dynevent_write(text("u:%s_dyn", new)));
	EXPECT_OK(dynevent_write(text("-:%s_dyn", new)));
	EXPECT_TRUE(status_line(event));
	EXPECT_ERRNO(del_event(event), EBUSY);
	/*
	 * The event can be disabled although it was enabled when the write
	 * started.
	 */
	enable(event, false);
	enable(event, true);

	unblock(&blocked);
	EXPECT_LE(trace_count(NULL, text(" %s: a=0x0", event)), 1);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
