// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what one record costs a program, by its size and its tracers, beside
 * a system call that does nothing, /dev/null and trace_marker.
 *
 *	write [OPERATION]
 *
 * Prints lines "operation result" with nanoseconds per operation, which are
 * instructions if the clock counts instructions. With an argument, only runs
 * that operation, for scripts/bench/profile.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../../selftests/lib/user_events.h"

/*
 * A result is the median of batches, so it does not include interrupts, nor,
 * for small records, that a page of the trace buffer is full.
 */
#define BATCHES 101
#define BATCH 16

#define PAYLOAD_MAX 2000
#define RECORDS 64
#define PERF_PAGES 64

#define EVENT PREFIX "write"
#define TEXT_EVENT PREFIX "write_text"

static int data;
static bool has_batches;

/* The only operation to run, if not NULL */
static const char *profiled;

static struct {
	uint32_t index;
	unsigned char payload[PAYLOAD_MAX];
} record;

/* Used where the kernel has no status page */
static volatile uint32_t words[2];

/* Arguments and result of the operations */
static int file;
static size_t size;
static ssize_t expected;

static void do_nothing(void)
{
	__asm__ volatile("");
}

static void do_getppid(void)
{
	syscall(SYS_getppid);
}

static void do_write(void)
{
	if (write(file, &record, sizeof(record.index) + size) != expected)
		FAIL("write: %s", harness_errno(errno));
}

/* The result depends on the release of the in-kernel user_events. */
static void do_write_disabled(void)
{
	if (write(file, &record, sizeof(record.index) + size) == 0)
		FAIL("write: wrote nothing");
}

static void do_writev(void)
{
	const struct iovec vector[] = {
		{ &record.index, sizeof(record.index) },
		{ record.payload, size },
	};

	if (writev(file, vector, ARRAY_SIZE(vector)) != expected)
		FAIL("writev: %s", harness_errno(errno));
}

/* Each record by itself where the kernel has no batches. */
static void do_batch(void)
{
	static struct user_record records[RECORDS];
	const struct user_batch batch = {
		.size = sizeof(batch),
		.count = has_batches ? RECORDS : 0,
		.records = (uintptr_t)records,
	};
	unsigned int i;

	for (i = 0; i < RECORDS; i++) {
		records[i].write_index = record.index;
		records[i].size = (uint32_t)size;
		records[i].payload = (uintptr_t)record.payload;
		if (!has_batches)
			do_write();
	}
	if (has_batches && ioctl(file, DIAG_IOCSBATCH, &batch) != RECORDS)
		FAIL("batch: %s", harness_errno(errno));
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static uint64_t median_batch(void (*run)(void))
{
	uint64_t batches[BATCHES], start;
	unsigned int i, j;

	for (i = 0; i < BATCHES; i++) {
		start = now();
		for (j = 0; j < BATCH; j++)
			run();
		batches[i] = now() - start;
	}
	qsort(batches, BATCHES, sizeof(*batches), compare);

	return batches[BATCHES / 2];
}

/* A plugin of QEMU counts what runs between calls of these two functions. */
__attribute__((noinline)) void profile_start(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) void profile_stop(void)
{
	__asm__ volatile("");
}

static void profile(void (*run)(void))
{
	unsigned int i;

	for (i = 0; i < BATCHES; i++) {
		profile_start();
		run();
		profile_stop();
	}
}

/*
 * Prints the cost of one operation without that of the loop, or of one record
 * of an operation that writes several.
 */
static void measure_records(const char *name, void (*run)(void),
			    unsigned int records)
{
	uint64_t loop, cost;

	/* The first operations are slower. */
	run();
	if (profiled) {
		if (!strcmp(name, profiled))
			profile(run);
		return;
	}
	loop = median_batch(do_nothing);
	cost = median_batch(run);

	printf("%s %llu\n", name,
	       (unsigned long long)((cost - loop) / BATCH / records));
	fflush(stdout);
}

static void measure(const char *name, void (*run)(void))
{
	measure_records(name, run, 1);
}

static void measure_write(const char *name, size_t bytes)
{
	size = bytes;
	expected = sizeof(record.index) + size;
	measure(name, do_write);
}

/* Registers with the interface that the kernel has. */
static uint32_t register_event(const char *command, unsigned int number)
{
	struct user_reg_status status;
	int index;

	if (!reg(data, command, &status))
		return status.write_index;
	index = reg_word(data, command, &words[number], 0);
	ASSERT_OK(index);

	return index;
}

/* Records to ftrace must arrive: others would be cheaper. */
static void expect_records(const char *event, bool any)
{
	unsigned int count = trace_count(NULL, event);

	if (!!count != any)
		FAIL("%u records of %s in trace", count, event);
	trace_clear();
}

static void measure_ftrace(void)
{
	enable(EVENT, true);
	measure_write("ftrace-24", 24);
	expect_records(EVENT, true);
	measure_write("ftrace-256", 256);
	measure_write("ftrace-2000", PAYLOAD_MAX);
	size = 24;
	expected = sizeof(record.index) + size;
	measure("writev-4+24", do_writev);
	expect_records(EVENT, true);
	measure_records("batch-64x24", do_batch, RECORDS);
	expect_records(EVENT, true);

	ASSERT_OK(tfs_write("a == 1", "events/user_events/%s/filter", EVENT));
	measure_write("filtered-24", 24);
	expect_records(EVENT, false);
	ASSERT_OK(tfs_write("0", "events/user_events/%s/filter", EVENT));
	enable(EVENT, false);
}

/* A word that points at a string after it: size and offset */
static void measure_text(void)
{
	static const char string[16] = "fifteen letters";
	const uint32_t word = sizeof(string) << 16 | 0;
	uint32_t event = record.index;

	record.index = register_event(TEXT_EVENT " __rel_loc char[] text", 1);
	memcpy(record.payload, &word, sizeof(word));
	memcpy(record.payload + sizeof(word), string, sizeof(string));
	enable(TEXT_EVENT, true);
	measure_write("rel-string-16", sizeof(word) + sizeof(string));
	expect_records(TEXT_EVENT, true);
	enable(TEXT_EVENT, false);
	memset(record.payload, 0, sizeof(record.payload));
	record.index = event;
}

/* The kernel overwrites old records of a buffer that is mapped read-only. */
static void measure_perf(void)
{
	size_t length = (1 + PERF_PAGES) * sysconf(_SC_PAGESIZE);
	int fd = perf_open(event_id(EVENT), 0, -1, 0);
	const struct perf_event_mmap_page *map;

	ASSERT_OK(fd);
	map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_TRUE(map != MAP_FAILED);
	measure_write("perf-24", 24);
	enable(EVENT, true);
	measure_write("both-24", 24);
	expect_records(EVENT, true);
	enable(EVENT, false);
	ASSERT_TRUE(profiled || map->data_head > 2ULL * BATCHES * BATCH * 24);
	close(fd);
}

int main(int argc, char **argv)
{
	const struct user_batch none = { .size = sizeof(none) };
	const char *fields = EVENT " u64 a; u64 b; u64 c";

	profiled = argc > 1 ? argv[1] : NULL;
	tfs_write("0", "options/record-cmd");
	data = data_open();
	has_batches = !ioctl(data, DIAG_IOCSBATCH, &none);
	record.index = register_event(fields, 0);

	measure("getppid", do_getppid);
	file = open("/dev/null", O_WRONLY);
	ASSERT_OK(file);
	measure_write("null-24", 24);
	close(file);

	file = data;
	size = 24;
	measure("disabled-24", do_write_disabled);
	measure_ftrace();
	measure_text();
	measure_perf();

	file = tfs_open(O_WRONLY, "trace_marker");
	ASSERT_OK(file);
	measure_write("trace-marker-24", 24 - sizeof(record.index));

	return 0;
}
