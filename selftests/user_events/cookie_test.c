// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that only the open file with their cookie takes: they are recorded as
 * those of write(), and have no effect on any other file.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "../lib/user_events.h"

static uint64_t cookie_of(int fd)
{
	uint64_t cookie = 0;

	EXPECT_OK(ioctl(fd, DIAG_IOCGCOOKIE, &cookie));
	EXPECT_NE(cookie, 0);

	return cookie;
}

static struct user_write write_of(uint64_t cookie, uint32_t index,
				  const void *payload, uint32_t size)
{
	const struct user_write record = {
		.size = sizeof(record),
		.write_index = index,
		.cookie = cookie,
		.payload = (uintptr_t)payload,
		.payload_size = size,
	};

	return record;
}

static int write_one(int fd, uint64_t cookie, uint32_t index,
		     const void *payload, uint32_t size)
{
	const struct user_write record = write_of(cookie, index, payload, size);

	return ioctl(fd, DIAG_IOCSWRITE, &record);
}

static struct user_piece piece_of(const void *at, size_t size)
{
	const struct user_piece piece = { (uintptr_t)at, size };

	return piece;
}

TEST(records_payloads_of_any_size)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	uint64_t cookie = cookie_of(fd);
	static unsigned char payload[3900];
	unsigned int i, j;

	for (i = 0; i < sizeof(payload); i++)
		payload[i] = i + 1;
	enable(event, true);
	for (i = 0; i < 300; i += 50) {
		trace_clear();
		raw_reset();
		pin_to_cpu(0);
		for (j = i; j < i + 50; j++)
			ASSERT_EQ(write_one(fd, cookie, 0, payload + j % 7,
					    j * 13),
				  0);
		for (j = i; j < i + 50; j++) {
			harness_context("payload of %u bytes", j * 13);
			expect_record(id, payload + j % 7, j * 13);
		}
		expect_no_record(id);
	}
}

/* Some of the pieces are in pages that are read from a file first. */
TEST(records_pieces)
{
	static const unsigned int counts[] = { 1, 2, 20, 21, USER_PIECES_MAX };
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	static struct user_piece pieces[USER_PIECES_MAX];
	struct user_write record = write_of(cookie_of(fd), 0, pieces, 0);
	int file = memfd_create("pieces", 0);
	unsigned char *pages;
	unsigned int i, j;

	ASSERT_OK(file);
	ASSERT_OK(ftruncate(file, 2 * PAGE));
	pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		     0);
	ASSERT_TRUE(pages != MAP_FAILED);
	for (i = 0; i < 2 * PAGE; i++)
		pages[i] = i * 7 + 1;
	pin_to_cpu(0);
	enable(event, true);
	for (i = 0; i < 2 * ARRAY_SIZE(counts); i++) {
		const unsigned int count = counts[i / 2];
		/* raw_stored() requires a small record first. */
		const size_t size = count == 1 || count > 100 ? 3 : 150;

		harness_context("%u pieces", count);
		for (j = 0; j < count; j++)
			pieces[j] = piece_of(pages + 500 + j * size, size);
		record.pieces = count;
		record.payload_size = count * size;
		if (i % 2)
			ASSERT_OK(madvise(pages, 2 * PAGE, MADV_DONTNEED));
		ASSERT_EQ(ioctl(fd, DIAG_IOCSWRITE, &record), 0);
		expect_record(id, pages + 500, count * size);
		expect_no_record(id);
	}
	for (j = 0; j < 50; j++)
		pieces[j] = piece_of(pages, PAGE / 40);
	record.pieces = j;
	record.payload_size = j * (PAGE / 40);
	EXPECT_EQ(ioctl(fd, DIAG_IOCSWRITE, &record), 0);
	expect_no_record(id);
}

TEST(rejects_pieces)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u64 a");
	unsigned char *boundary = guarded_page_end();
	const uint64_t valid = 1;
	struct user_piece pieces[2];
	struct user_write record = write_of(cookie_of(fd), 0, pieces, 8);
	const struct {
		struct user_piece first;
		struct user_piece second;
		int error;
	} cases[] = {
		{ { (uintptr_t)&valid, 8 }, { 0, 1 }, EINVAL },
		{ { (uintptr_t)&valid, 9 }, { 0, 0 }, EINVAL },
		{ { (uintptr_t)&valid, 4 }, { (uintptr_t)&valid, 3 }, EINVAL },
		{ { (uintptr_t)&valid, UINT64_MAX }, { 0, 9 }, EINVAL },
		{ { (uintptr_t)&valid, 4 }, { 0, 4 }, EFAULT },
		{ { (uintptr_t)boundary, 4 }, { (uintptr_t)&valid, 4 }, EFAULT },
		{ { (uintptr_t)boundary - 3, 4 },
		  { (uintptr_t)&valid, 4 },
		  EFAULT },
		{ { (uintptr_t)&valid, 4 },
		  { kernel_address("vfs_write"), 4 },
		  EFAULT },
	};
	unsigned long long hits, lost;
	size_t i;

	enable(event, true);
	record.pieces = 2;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("case %zu", i);
		pieces[0] = cases[i].first;
		pieces[1] = cases[i].second;
		EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &record),
			     cases[i].error);
	}
	harness_context(NULL);
	record.payload = (uintptr_t)boundary;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &record), EFAULT);
	record.payload = (uintptr_t)boundary - sizeof(pieces[0]);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &record), EFAULT);
	record.pieces = USER_PIECES_MAX + 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &record), EINVAL);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 0);
	EXPECT_EQ(read_loss(event, "fault"), 6);
	EXPECT_EQ(read_loss(event, "invalid"), 5);
}

/* As write(), but EBADF means that the file is closed. */
TEST(rejects_records)
{
	const char *event = uniq("e"), *disabled = uniq("off");
	int fd = open_event(event, "u64 a; __rel_loc char[] text");
	uint64_t cookie = cookie_of(fd);
	unsigned char *boundary = guarded_page_end();
	const uint32_t invalid[4] = { 0, 0, 1U << 16 | 4 };
	const uint32_t valid[4] = { 1, 2 };
	const struct {
		uint32_t index;
		const void *payload;
		uint32_t size;
		int error;
	} cases[] = {
		{ UINT32_MAX, valid, 12, EINVAL },
		{ 1U << 31, valid, 12, EINVAL },
		{ 2, valid, 12, ENOENT },
		{ 1000000, valid, 12, ENOENT },
		{ 0, valid, 11, EINVAL },
		{ 0, NULL, 0, EINVAL },
		{ 1, valid, 12, EAGAIN },
		{ 0, boundary, 12, EFAULT },
		{ 0, boundary - 11, 12, EFAULT },
		{ 0, boundary - 11, 5000, EFAULT },
		{ 0, boundary - 11, UINT32_MAX, EFAULT },
		{ 0, (void *)-4096L, 12, EFAULT },
		{ 0, NULL, 12, EFAULT },
		{ 0, invalid, 12, EFAULT },
	};
	size_t i;

	ASSERT_EQ(must_reg(fd, disabled), 1);
	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("case %zu", i);
		EXPECT_ERRNO(write_one(fd, cookie, cases[i].index,
				       cases[i].payload, cases[i].size),
			     cases[i].error);
	}
	harness_context(NULL);
	EXPECT_EQ(trace_count(NULL, event), 0);
	EXPECT_EQ(write_one(fd, cookie, 0, valid, 12), 0);
	EXPECT_EQ(trace_count(NULL, event), 1);
}

/* Memory that the kernel could read. */
TEST(rejects_memory_of_the_kernel)
{
	static const size_t sizes[] = {
		1, 8, 24, 64, 65, 200, 1000, 5000, 70000
	};
	const char *event = uniq("e");
	int fd = open_event(event, "");
	const uint64_t address = kernel_address("vfs_write");
	struct user_write record = write_of(cookie_of(fd), 0, NULL, 0);
	struct user_piece piece = { .address = address };
	unsigned long long hits, lost;
	size_t i;

	enable(event, true);
	ASSERT_NE(address, 0);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		harness_context("%zu bytes", sizes[i]);
		record.payload_size = sizes[i];
		record.payload = address;
		record.pieces = 0;
		EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &record), EFAULT);
		piece.size = sizes[i];
		record.payload = (uintptr_t)&piece;
		record.pieces = 1;
		EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &record), EFAULT);
	}
	harness_context(NULL);
	EXPECT_EQ(trace_count(NULL, event), 0);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 0);
}

TEST(checks_structure)
{
	static const uint32_t value = 1;
	unsigned char *at = map_page(PROT_READ | PROT_WRITE);
	struct user_write *record = (void *)at;
	const struct {
		uint32_t size;
		unsigned char excess;
		int error;
	} cases[] = {
		{ 0, 0, EINVAL },	{ 31, 0, EINVAL },
		{ 32, 0xff, 0 },	{ 33, 0, 0 },
		{ 33, 1, E2BIG },	{ PAGE, 0, 0 },
		{ PAGE + 1, 0, E2BIG }, { UINT32_MAX, 0, E2BIG },
	};
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	size_t i;

	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("size %u", cases[i].size);
		*record = write_of(cookie_of(fd), 0, &value, sizeof(value));
		record->size = cases[i].size;
		at[sizeof(*record)] = cases[i].excess;
		if (cases[i].error)
			EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, record),
				     cases[i].error);
		else
			EXPECT_EQ(ioctl(fd, DIAG_IOCSWRITE, record), 0);
	}
	harness_context(NULL);
	EXPECT_EQ(trace_count(NULL, event), 3);
	*record = write_of(cookie_of(fd), 0, &value, sizeof(value));
	record->flags = USER_WRITE_MAX;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, record), EINVAL);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, NULL), EFAULT);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, (void *)-4096L), EFAULT);
	record = (void *)(guarded_page_end() - 31);
	memset(record, 0, 31);
	record->size = sizeof(*record);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, record), EFAULT);
	EXPECT_EQ(trace_count(NULL, event), 3);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCGCOOKIE, NULL), EFAULT);
}

/* A structure and a payload whose pages are read from a file first */
TEST(faults_in_structure_and_payload)
{
	static const size_t sizes[] = { 1, 100, 500, 600, 3000, 3900 };
	const char *event = uniq("e");
	int fd = open_event(event, "");
	unsigned int id = event_id(event);
	uint64_t cookie = cookie_of(fd);
	int file = memfd_create("record", 0);
	unsigned char *pages;
	struct user_write *record;
	size_t i;

	ASSERT_OK(file);
	ASSERT_OK(ftruncate(file, 4 * PAGE));
	pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		     0);
	ASSERT_TRUE(pages != MAP_FAILED);
	for (i = 0; i < 2 * PAGE; i++)
		pages[i] = i * 7 + 1;
	record = (void *)(pages + 3 * PAGE - sizeof(*record) / 2);
	pin_to_cpu(0);
	enable(event, true);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		*record = write_of(cookie, 0, pages + PAGE - 50, sizes[i]);
		ASSERT_OK(madvise(pages, 4 * PAGE, MADV_DONTNEED));
		ASSERT_EQ(ioctl(fd, DIAG_IOCSWRITE, record), 0);
		expect_record(id, pages + PAGE - 50, sizes[i]);
		expect_no_record(id);
	}
}

TEST(writes_batches)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	static struct user_record records[USER_BATCH_MAX + 1];
	static const uint32_t value = 1;
	struct user_write all = write_of(cookie_of(fd), 0, records, 3);
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(records); i++)
		records[i] = (struct user_record){
			.size = sizeof(value),
			.payload = (uintptr_t)&value,
		};
	all.flags = USER_WRITE_BATCH;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &all), EAGAIN);
	enable(event, true);
	EXPECT_EQ(ioctl(fd, DIAG_IOCSWRITE, &all), 3);
	EXPECT_EQ(trace_count(NULL, event), 3);
	all.payload_size = ARRAY_SIZE(records);
	EXPECT_EQ(ioctl(fd, DIAG_IOCSWRITE, &all), USER_BATCH_MAX);
	all.payload_size = 3;
	records[1].write_index = 1;
	EXPECT_EQ(ioctl(fd, DIAG_IOCSWRITE, &all), 1);
	all.pieces = 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &all), EINVAL);
	all.pieces = 0;
	all.write_index = 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &all), EINVAL);
	all.write_index = 0;
	all.cookie++;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSWRITE, &all), ESTALE);
}

/* The same index is one of another event there. */
TEST(other_cookies_have_no_effect)
{
	const char *event = uniq("e"), *other_event = uniq("other");
	static const uint32_t value = 1;
	struct user_piece piece = piece_of(&value, sizeof(value));
	unsigned long long hits, lost;
	int fd = open_event(event, "u32 a");
	int other = open_event(other_event, "u32 a");
	struct user_write record;
	uint64_t cookie = cookie_of(fd);

	enable(event, true);
	enable(other_event, true);
	ASSERT_NE(cookie, cookie_of(other));
	EXPECT_ERRNO(write_one(other, cookie, 0, &value, 4), ESTALE);
	EXPECT_ERRNO(write_one(fd, cookie + 1, 0, &value, 4), ESTALE);
	EXPECT_ERRNO(write_one(fd, 0, 0, &value, 4), ESTALE);
	record = write_of(cookie, 0, &piece, sizeof(value));
	record.pieces = 1;
	EXPECT_ERRNO(ioctl(other, DIAG_IOCSWRITE, &record), ESTALE);
	EXPECT_EQ(ioctl(fd, DIAG_IOCSWRITE, &record), 0);
	ASSERT_TRUE(read_profile(other_event, &hits, &lost));
	EXPECT_EQ(hits, 0);
	EXPECT_EQ(read_loss(other_event, "invalid"), 0);
	EXPECT_EQ(trace_count(NULL, event), 1);
	/* Duplicates, and the file of a child, are the same file. */
	EXPECT_EQ(write_one(dup(fd), cookie, 0, &value, 4), 0);
	close(other);
	EXPECT_ERRNO(write_one(other, cookie, 0, &value, 4), EBADF);
}

TEST(child_writes_to_the_file_of_its_parent)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	static const uint32_t value = 1;
	uint64_t cookie = cookie_of(fd);
	pid_t child;

	enable(event, true);
	child = fork();
	ASSERT_OK(child);
	if (!child)
		_exit(write_one(fd, cookie, 0, &value, 4) != 0);
	wait_child(child);
	EXPECT_EQ(trace_count(NULL, event), 1);
}

TEST(needs_file_open_for_writing)
{
	const char *event = uniq("e");
	int fd = tfs_open(O_RDONLY, "user_events_data");
	uint64_t cookie;

	ASSERT_OK(fd);
	ASSERT_EQ(must_reg(fd, event), 0);
	enable(event, true);
	cookie = cookie_of(fd);
	EXPECT_ERRNO(write_one(fd, cookie, 0, NULL, 0), EBADF);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

/* Kinds of files that can get the number of user_events_data */
static int open_regular(void)
{
	return open(text("/tmp/%s", uniq("file")), O_RDWR | O_CREAT, 0600);
}

static int open_log(void)
{
	return open(text("/tmp/%s", uniq("log")), O_RDWR | O_CREAT | O_APPEND,
		    0600);
}

static int open_memory(void)
{
	return memfd_create("memory", 0);
}

static int open_socket(void)
{
	int ends[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ? -1 : ends[0];
}

static int open_pipe(void)
{
	int ends[2];

	return pipe(ends) ? -1 : ends[1];
}

static int open_terminal(void)
{
	return posix_openpt(O_RDWR | O_NOCTTY);
}

static int open_marker(void)
{
	return tfs_open(O_WRONLY, "trace_marker");
}

static int open_status(void)
{
	return tfs_open(O_RDONLY, "user_events_status");
}

static int open_null(void)
{
	return open("/dev/null", O_RDWR);
}

TEST(other_files_do_not_know_it)
{
	int (*const openers[])(void) = {
		open_regular,  open_log,    open_memory, open_socket, open_pipe,
		open_terminal, open_marker, open_status, open_null,
	};
	static const char payload[] = "record";
	uint64_t cookie = cookie_of(data_open());
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(openers); i++) {
		harness_context("file %zu", i);
		fd = openers[i]();
		ASSERT_OK(fd);
		EXPECT_EQ(write_one(fd, cookie, 0, payload, sizeof(payload)),
			  -1);
		EXPECT_TRUE(errno == ENOTTY || errno == EINVAL);
		EXPECT_LE(lseek(fd, 0, SEEK_END), 0);
		close(fd);
	}
}

/* Other threads replace a file all the time, and each of their files stays empty. */
static void *replace_files(void *fd)
{
	int file = open_memory(), data = data_open(), i;

	for (i = 0; i < 20000; i++) {
		dup2(i % 2 ? file : data, *(int *)fd);
		if (lseek(file, 0, SEEK_END))
			break;
	}
	dup2(data, *(int *)fd);

	return (void *)(uintptr_t)lseek(file, 0, SEEK_END);
}

TEST(racing_files_stay_empty)
{
	const char *event = uniq("e");
	static const uint32_t value = 1;
	int fd = open_event(event, "u32 a"), number = dup(fd);
	uint64_t cookie = cookie_of(fd);
	pthread_t thread;
	void *size;
	int i;

	ASSERT_OK(number);
	enable(event, true);
	ASSERT_EQ(pthread_create(&thread, NULL, replace_files, &number), 0);
	for (i = 0; i < 20000; i++)
		if (write_one(number, cookie, 0, &value, 4))
			EXPECT_TRUE(errno == ENOTTY || errno == ESTALE);
	ASSERT_EQ(pthread_join(thread, &size), 0);
	EXPECT_EQ((uintptr_t)size, 0);
}

static struct user_write signal_record;
static int signal_fd;
static volatile sig_atomic_t signals;

static void write_in_handler(int signal)
{
	(void)signal;
	signals += !ioctl(signal_fd, DIAG_IOCSWRITE, &signal_record);
}

/* Between, and during, the writes that it interrupts */
TEST(signal_handlers_write)
{
	const struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	const struct itimerval never = {};
	const struct sigaction action = { .sa_handler = write_in_handler };
	const char *event = uniq("e");
	static const uint32_t value = 1;
	unsigned long long hits, lost;
	int i;

	signal_fd = open_event(event, "u32 a");
	signal_record = write_of(cookie_of(signal_fd), 0, &value, 4);
	enable(event, true);
	ASSERT_OK(sigaction(SIGALRM, &action, NULL));
	ASSERT_OK(setitimer(ITIMER_REAL, &often, NULL));
	for (i = 0; i < 20000; i++)
		ASSERT_EQ(ioctl(signal_fd, DIAG_IOCSWRITE, &signal_record), 0);
	ASSERT_OK(setitimer(ITIMER_REAL, &never, NULL));
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, 20000 + (unsigned long long)signals);
}

/* Enablers come and go meanwhile, and with them the last user of the event. */
static void *register_words(void *event)
{
	static uint32_t word;
	int i, fd;

	for (i = 0; i < 300; i++) {
		fd = data_open();
		must_reg_word(fd, event, &word, 0);
		unreg(fd, &word, 0);
		close(fd);
	}

	return NULL;
}

TEST(events_come_and_go_while_written)
{
	const char *event = uniq("e");
	const char *command = text("%s u32 a", event);
	static const uint32_t value = 1;
	static uint32_t word;
	pthread_t thread;
	uint64_t cookie;
	int i, fd;

	ASSERT_EQ(pthread_create(&thread, NULL, register_words,
				 (void *)command),
		  0);
	for (i = 0; i < 300; i++) {
		fd = data_open();
		cookie = cookie_of(fd);
		ASSERT_EQ(must_reg_word(fd, command, &word, 0), 0);
		enable(event, i % 2);
		unreg(fd, &word, 0);
		if (write_one(fd, cookie, 0, &value, 4))
			EXPECT_EQ(errno, EAGAIN);
		close(fd);
	}
	ASSERT_EQ(pthread_join(thread, NULL), 0);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
