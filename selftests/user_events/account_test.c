// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every record is accounted for: a tracer has got it, or user_events_profile has
 * the reason why not. Each reason is produced on purpose, and the sums are exact
 * while several threads write.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define EVENT_DIR "events/user_events/%s"

/* Reasons for which no tracer was offered the record. */
static const char *const refusals[] = { "disabled", "fault", "invalid",
					"nomem" };
static const char *const ftrace_losses[] = {
	"ftrace_too_large",	"ftrace_buffer",   "ftrace_filtered",
	"ftrace_soft_disabled", "ftrace_detached",
};
static const char *const perf_losses[] = { "perf_too_large", "perf_absent" };

static unsigned long long sum(const char *event, const char *const *reasons,
			      size_t count)
{
	unsigned long long total = 0;
	size_t i;

	for (i = 0; i < count; i++)
		total += read_loss(event, reasons[i]);

	return total;
}

#define SUM(event, reasons) sum(event, reasons, ARRAY_SIZE(reasons))

static unsigned long long hits_of(const char *event)
{
	unsigned long long hits = 0, lost;

	EXPECT_TRUE(read_profile(event, &hits, &lost));

	return hits;
}

/* The reason has this number, and all others are 0. */
static void expect_only(const char *event, const char *reason,
			unsigned long long number)
{
	EXPECT_EQ(read_loss(event, reason), number);
	EXPECT_EQ(SUM(event, refusals) + SUM(event, ftrace_losses) +
			  SUM(event, perf_losses),
		  number);
}

static void write_u32(int fd, uint32_t value)
{
	EXPECT_EQ(emit(fd, 0, &value, sizeof(value)), 8);
}

/* The sum of a number in the stats of the CPUs of an instance. */
static unsigned long long stats(const char *directory, const char *label)
{
	unsigned long long total = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < cpu_count(); cpu++) {
		char *content =
			tfs_read("%s/per_cpu/cpu%u/stats", directory, cpu);

		/* Its first number is behind no newline. */
		total += number_after(text("\n%s", content),
				      text("\n%s: ", label));
	}

	return total;
}

/* Records that a trace instance has taken, whether it still has them or not. */
static unsigned long long taken(const char *directory)
{
	return stats(directory, "entries") + stats(directory, "overrun") +
	       stats(directory, "read events");
}

/* Records of 20 bytes that do not fit into the three pages of a small buffer */
#define FILLING (PAGE / 2)

/*
 * Makes a trace instance with a small buffer that does not overwrite, and enables
 * the event in it. Return: its directory.
 */
static const char *small_instance(const char *event)
{
	const char *name = text("instances/%s", uniq("inst"));

	ASSERT_OK(mkdir(text("%s/%s", tracefs(), name), 0700));
	ASSERT_OK(tfs_write("0", "%s/options/overwrite", name));
	ASSERT_OK(tfs_write("8", "%s/buffer_size_kb", name));
	ASSERT_OK(tfs_write("1", "%s/" EVENT_DIR "/enable", name, event));

	return name;
}

/* --- no tracer is offered the record --- */

TEST(counts_nothing_before_the_first_tracer)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	uint32_t value = 0;

	EXPECT_ERRNO(emit(fd, 0, &value, 4), EBADF);
	EXPECT_ERRNO(emit(fd, 0, &value, 3), EINVAL);
	EXPECT_EQ(SUM(event, refusals), 0);
}

TEST(counts_disabled)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	char payload[600] = { 0 };

	enable(event, true);
	enable(event, false);
	EXPECT_ERRNO(emit(fd, 0, payload, 4), EBADF);
	EXPECT_ERRNO(emit(fd, 0, map_page(PROT_NONE), 4), EBADF);
	EXPECT_ERRNO(emit(fd, 0, payload, sizeof(payload)), EBADF);
	expect_only(event, "disabled", 3);
	EXPECT_EQ(hits_of(event), 0);
}

/* Behind the sums, there is a number for each CPU that has any. */
TEST(counts_by_cpu)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	unsigned int cpu, i, count = cpu_count();

	enable(event, true);
	for (cpu = 0; cpu < count; cpu += 2) {
		pin_to_cpu(cpu);
		for (i = 0; i <= cpu; i++)
			EXPECT_ERRNO(emit(fd, 0, "abc", 3), EINVAL);
	}
	for (cpu = 0; cpu < count; cpu++)
		EXPECT_EQ(read_loss(event, text("invalid@%u", cpu)),
			  cpu % 2 ? 0 : cpu + 1);
	EXPECT_EQ(read_loss(event, "fault@0"), 0);
}

/*
 * Maps a payload that is in memory, but not in the page table of the process: a
 * write must wait for the page fault.
 */
static void *not_present(const void *payload, size_t size)
{
	int fd = memfd_create("payload", 0);
	void *at;

	ASSERT_OK(fd);
	ASSERT_EQ(write(fd, payload, size), size);
	at = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_TRUE(at != MAP_FAILED);

	return at;
}

TEST(counts_invalid)
{
	const char *event = uniq("e"), *perf = uniq("p");
	int fd = open_event(event, "__rel_loc char[] a");
	int perf_fd = open_event(perf, "__rel_loc char[] a");
	uint32_t bad = DYN_LOC(100, 1), zero = 0;

	enable(event, true);
	ASSERT_OK(perf_open(event_id(perf), 0, -1, PERF_COUNT));
	/* too short */
	EXPECT_ERRNO(emit(fd, 0, &zero, 3), EINVAL);
	expect_only(event, "invalid", 1);
	/* a word that points outside: in the buffer, and in memory of the CPU */
	EXPECT_ERRNO(emit(fd, 0, &bad, 4), EFAULT);
	expect_only(event, "invalid", 2);
	EXPECT_ERRNO(emit(perf_fd, 0, &bad, 4), EFAULT);
	expect_only(perf, "invalid", 1);
	EXPECT_ERRNO(emit(fd, 0, not_present(&bad, 4), 4), EFAULT);
	expect_only(event, "invalid", 3);
	EXPECT_EQ(hits_of(event), 0);
	EXPECT_EQ(hits_of(perf), 0);
}

/* A record is validated although its buffer is off. */
TEST(counts_invalid_while_the_buffer_is_off)
{
	const char *event = uniq("e");
	int fd = open_event(event, "__rel_loc char[] a");
	uint32_t bad = DYN_LOC(100, 1);

	enable(event, true);
	ASSERT_OK(tfs_write("0", "tracing_on"));
	EXPECT_ERRNO(emit(fd, 0, &bad, 4), EFAULT);
	EXPECT_ERRNO(emit(fd, 0, not_present(&bad, 4), 4), EFAULT);
	expect_only(event, "invalid", 2);
}

TEST(counts_fault)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	const size_t size = 20 * PAGE;
	struct user_record record = { 0, 4, (uintptr_t)-4096L };
	struct user_batch batch = { sizeof(batch), 1, (uintptr_t)&record };
	unsigned char *large;

	enable(event, true);
	EXPECT_ERRNO(emit(fd, 0, map_page(PROT_NONE), 4), EFAULT);
	expect_only(event, "fault", 1);
	/* an address of the kernel */
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSBATCH, &batch), EFAULT);
	expect_only(event, "fault", 2);
	/* a record that is larger than any tracer takes */
	large = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(large != MAP_FAILED);
	ASSERT_OK(mprotect(large + size - PAGE, PAGE, PROT_NONE));
	EXPECT_ERRNO(emit(fd, 0, large, size), EFAULT);
	expect_only(event, "fault", 3);
	EXPECT_EQ(hits_of(event), 0);
}

/* --- a trace instance --- */

TEST(counts_too_large_for_ftrace)
{
	static char payload[1 << 17];
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	if (PAGE != 4096)
		SKIP("pages are larger");
	enable(event, true);
	EXPECT_EQ(emit(fd, 0, payload, 4070), 4074);
	EXPECT_EQ(emit(fd, 0, payload, 5000), 5004);
	EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)), sizeof(payload) + 4);
	expect_only(event, "ftrace_too_large", 3);
	EXPECT_EQ(hits_of(event), 3);
	write_u32(fd, 0);
	EXPECT_EQ(hits_of(event), 4);
	expect_only(event, "ftrace_too_large", 3);
}

TEST(counts_buffer_that_is_off)
{
	static const uint32_t zero;
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	enable(event, true);
	ASSERT_OK(tfs_write("0", "tracing_on"));
	write_u32(fd, 0);
	EXPECT_EQ(emit(fd, 0, not_present(&zero, 4), 4), 8);
	expect_only(event, "ftrace_buffer", 2);
	EXPECT_EQ(hits_of(event), 2);
	/* also with a filter, which accepts only the first */
	ASSERT_OK(tfs_write("a == 0", EVENT_DIR "/filter", event));
	write_u32(fd, 0);
	write_u32(fd, 1);
	EXPECT_EQ(read_loss(event, "ftrace_buffer"), 3);
	EXPECT_EQ(read_loss(event, "ftrace_filtered"), 1);
	EXPECT_EQ(hits_of(event), 4);
	ASSERT_OK(tfs_write("1", "tracing_on"));
	write_u32(fd, 0);
	EXPECT_EQ(read_loss(event, "ftrace_buffer"), 3);
}

/* The kernel counts each record once, too: it is offered only once. */
TEST(counts_buffer_that_is_full)
{
	static const uint32_t zero;
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	const char *directory;
	unsigned long long full;
	unsigned int i;

	pin_to_cpu(0);
	directory = small_instance(event);
	for (i = 0; i < FILLING; i++)
		write_u32(fd, i);
	full = read_loss(event, "ftrace_buffer");
	EXPECT_GT(full, 0);
	EXPECT_EQ(taken(directory) + full, FILLING);
	EXPECT_EQ(stats(directory, "dropped events"), full);
	/* a record whose memory is not there */
	EXPECT_EQ(emit(fd, 0, not_present(&zero, 4), 4), 8);
	expect_only(event, "ftrace_buffer", full + 1);
	EXPECT_EQ(stats(directory, "dropped events"), full + 1);
	/* with a filter */
	ASSERT_OK(tfs_write("a == 0", "%s/" EVENT_DIR "/filter", directory,
			    event));
	write_u32(fd, 0);
	write_u32(fd, 1);
	EXPECT_EQ(read_loss(event, "ftrace_buffer"), full + 2);
	EXPECT_EQ(read_loss(event, "ftrace_filtered"), 1);
	EXPECT_EQ(stats(directory, "dropped events"), full + 2);
	EXPECT_EQ(hits_of(event), FILLING + 3);
	EXPECT_EQ(taken(directory) + SUM(event, ftrace_losses), FILLING + 3);
}

TEST(counts_batch_in_buffer_that_is_full)
{
	static const uint32_t value;
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	struct user_record records[1000];
	const struct user_batch batch = { sizeof(batch), ARRAY_SIZE(records),
					  (uintptr_t)records };
	const size_t batches = PAGE / 4096;
	unsigned long long full;
	const char *directory;
	size_t i;

	pin_to_cpu(0);
	directory = small_instance(event);
	for (i = 0; i < ARRAY_SIZE(records); i++)
		records[i] = (struct user_record){ 0, sizeof(value),
						   (uintptr_t)&value };
	for (i = 0; i < batches; i++)
		EXPECT_EQ(ioctl(fd, DIAG_IOCSBATCH, &batch),
			  ARRAY_SIZE(records));
	full = read_loss(event, "ftrace_buffer");
	EXPECT_GT(full, 0);
	EXPECT_EQ(taken(directory) + full, batches * ARRAY_SIZE(records));
	EXPECT_EQ(stats(directory, "dropped events"), full);
	EXPECT_EQ(hits_of(event), batches * ARRAY_SIZE(records));
}

TEST(counts_filtered)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	unsigned int i;

	enable(event, true);
	ASSERT_OK(tfs_write("a < 3", EVENT_DIR "/filter", event));
	for (i = 0; i < 10; i++)
		write_u32(fd, i);
	expect_only(event, "ftrace_filtered", 7);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 3);
	/* common fields */
	ASSERT_OK(tfs_write(text("common_pid == %d && common_type == %u",
				 getpid(), event_id(event)),
			    EVENT_DIR "/filter", event));
	write_u32(fd, 100);
	expect_only(event, "ftrace_filtered", 7);
	ASSERT_OK(tfs_write(text("common_pid != %d", getpid()),
			    EVENT_DIR "/filter", event));
	write_u32(fd, 101);
	expect_only(event, "ftrace_filtered", 8);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 4);
	EXPECT_EQ(hits_of(event), 12);
}

/* A filter sees the count of preemption as it is recorded. */
TEST(filter_sees_common_fields)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	struct record record;
	unsigned int i;

	enable(event, true);
	write_u32(fd, 0);
	ASSERT_TRUE(raw_next(event_id(event), &record));
	ASSERT_OK(tfs_write(text("common_preempt_count == %u", record.bytes[3]),
			    EVENT_DIR "/filter", event));
	for (i = 0; i < 100; i++)
		write_u32(fd, i);
	EXPECT_EQ(read_loss(event, "ftrace_filtered"), 0);
}

TEST(counts_processes_that_are_not_selected)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	ASSERT_OK(tfs_write("1", "set_event_pid"));
	enable(event, true);
	write_u32(fd, 1);
	expect_only(event, "ftrace_filtered", 1);
	/* with a trigger that needs the record */
	ASSERT_OK(
		tfs_write("traceoff if a == 99", EVENT_DIR "/trigger", event));
	write_u32(fd, 2);
	expect_only(event, "ftrace_filtered", 2);
	EXPECT_EQ(hits_of(event), 2);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
}

TEST(counts_soft_disabled)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	/* The event is enabled for the trigger only. */
	ASSERT_OK(tfs_write("traceon", EVENT_DIR "/trigger", event));
	write_u32(fd, 1);
	expect_only(event, "ftrace_soft_disabled", 1);
	ASSERT_OK(tfs_write("!traceon", EVENT_DIR "/trigger", event));
	/* a trigger that needs the record */
	ASSERT_OK(tfs_write("traceon if a == 99", EVENT_DIR "/trigger", event));
	write_u32(fd, 2);
	expect_only(event, "ftrace_soft_disabled", 2);
	EXPECT_EQ(hits_of(event), 2);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
	/* and the event itself, with a filter */
	enable(event, true);
	ASSERT_OK(tfs_write("a == 3", EVENT_DIR "/filter", event));
	write_u32(fd, 3);
	write_u32(fd, 4);
	EXPECT_EQ(read_loss(event, "ftrace_filtered"), 1);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
}

/* As in the kernel, the trigger applies to the record that it runs for. */
TEST(counts_event_that_disables_itself)
{
	const char *event = uniq("e");
	const char *trigger = text("disable_event:user_events:%s", event);
	int fd = open_event(event, "u32 a");

	enable(event, true);
	ASSERT_OK(tfs_write(trigger, EVENT_DIR "/trigger", event));
	write_u32(fd, 1);
	write_u32(fd, 2);
	expect_only(event, "ftrace_soft_disabled", 2);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 0);
	EXPECT_EQ(hits_of(event), 2);
	ASSERT_OK(tfs_write(text("!%s", trigger), EVENT_DIR "/trigger", event));
}

TEST(counts_event_that_enables_itself)
{
	const char *event = uniq("e");
	const char *trigger = text("enable_event:user_events:%s", event);
	int fd = open_event(event, "u32 a");

	ASSERT_OK(tfs_write(trigger, EVENT_DIR "/trigger", event));
	write_u32(fd, 1);
	write_u32(fd, 2);
	expect_only(event, "ftrace_soft_disabled", 1);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
	EXPECT_EQ(hits_of(event), 2);
	ASSERT_OK(tfs_write(text("!%s", trigger), EVENT_DIR "/trigger", event));
}

/* --- perf --- */

TEST(counts_too_large_for_perf)
{
	static char payload[1 << 17];
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int perf = perf_open(event_id(event), 0, -1, PERF_COUNT);

	ASSERT_OK(perf);
	EXPECT_EQ(emit(fd, 0, payload, 10000), 10004);
	EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)), sizeof(payload) + 4);
	expect_only(event, "perf_too_large", 2);
	EXPECT_EQ(hits_of(event), 2);
	EXPECT_EQ(perf_count(perf), 0);
}

TEST(counts_perf_events_of_others)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	int perf = perf_open(event_id(event), 0, -1, PERF_COUNT);

	ASSERT_OK(perf);
	write_u32(fd, 0);
	if (in_child()) {
		write_u32(fd, 0);
		end_child();
	}
	expect_only(event, "perf_absent", 1);
	EXPECT_EQ(hits_of(event), 2);
	EXPECT_EQ(perf_count(perf), 1);
}

/*
 * perf also takes no record while it handles another one of the same context on
 * the CPU. No process can produce that: module/tests/perf_test.c counts it.
 */

/* --- events that were removed --- */

/* Registers a volatile event, and writes as long as it exists. */
static void use_for_a_while(const char *event, unsigned int writes)
{
	static uint32_t word;
	int fd = data_open();

	ASSERT_EQ(must_reg_word(fd, text("%s u32 a", event), &word, 0), 0);
	enable(event, true);
	EXPECT_ERRNO(emit(fd, 0, "abc", 3), EINVAL);
	while (writes--)
		write_u32(fd, 0);
	enable(event, false);
	ASSERT_OK(unreg(fd, &word, 0));
	close(fd);
	EXPECT_FALSE(tfs_exists(EVENT_DIR, event));
}

TEST(counts_events_that_were_removed)
{
	const char *event = uniq("e"), *other = uniq("o");
	const char *removed = text("/%s", event);
	unsigned long long hits, lost, all_hits = 0;
	unsigned long long all = read_loss("/", "removed");

	read_profile("/", &all_hits, &lost);
	EXPECT_FALSE(read_profile(removed, &hits, &lost));
	use_for_a_while(event, 3);
	use_for_a_while(other, 7);
	use_for_a_while(event, 4);
	EXPECT_EQ(hits_of(removed), 7);
	EXPECT_EQ(read_loss(removed, "removed"), 2);
	EXPECT_EQ(read_loss(removed, "invalid"), 2);
	EXPECT_EQ(hits_of(text("/%s", other)), 7);
	EXPECT_EQ(hits_of("/"), all_hits + 14);
	EXPECT_EQ(read_loss("/", "removed"), all + 3);
	/* one that persists, deleted without a record */
	close(open_event(event, "u32 a"));
	EXPECT_EQ(read_loss(removed, "removed"), 2);
	EXPECT_OK(del_event(event));
	EXPECT_EQ(read_loss(removed, "removed"), 3);
	EXPECT_EQ(hits_of(removed), 7);
}

static void exist_for_a_moment(const char *event)
{
	static uint32_t word;
	int fd = data_open();

	ASSERT_EQ(must_reg_word(fd, event, &word, 0), 0);
	ASSERT_OK(unreg(fd, &word, 0));
	close(fd);
}

/* The names of the last ones are kept, and all are counted. */
TEST(forgets_names_of_events_that_were_removed)
{
	unsigned long long all, hits, lost;
	unsigned int i;

	exist_for_a_moment(uniq("first"));
	EXPECT_TRUE(read_profile(text("/%s", uniq("first")), &hits, &lost));
	all = read_loss("/", "removed");
	for (i = 0; i < 70; i++)
		exist_for_a_moment(uniq(text("%u", i)));
	EXPECT_FALSE(read_profile(text("/%s", uniq("first")), &hits, &lost));
	EXPECT_TRUE(read_profile(text("/%s", uniq("69")), &hits, &lost));
	EXPECT_EQ(read_loss("/", "removed"), all + 70);
	EXPECT_LE(count_lines(tfs_read("user_events_profile"), " removed="),
		  65);
}

/* --- under load --- */

#define WRITES 2000

/* The instance and the perf event that the threads write to. */
static struct load {
	const char *event;
	int fd;
	bool is_alone;
	unsigned long long errors[200];
	pthread_barrier_t barrier;
} load;

/*
 * Writes records that are taken, rejected by the filter, too large for ftrace, for
 * both, for all, invalid, and not readable.
 */
static void *write_load(void *data)
{
	static char large[1 << 17];
	unsigned long i, thread = (unsigned long)data;

	/* The buffers of two processors have room for all of its records. */
	if (load.is_alone)
		pin_to_cpu(0);
	pthread_barrier_wait(&load.barrier);
	for (i = 0; i < WRITES; i++) {
		uint32_t payload[2] = { i % 3, thread };
		const void *at = payload;
		size_t size = sizeof(payload);

		switch (i % 16) {
		case 3:
			size = 3;
			break;
		case 5:
			at = (void *)(uintptr_t)PAGE;
			break;
		case 7:
			at = large;
			size = 5000;
			break;
		case 9:
			at = large;
			size = 10000;
			break;
		case 11:
			at = large;
			size = i % 5 ? 12000 : sizeof(large);
			break;
		}
		if (emit(load.fd, 0, at, size) < 0)
			__atomic_fetch_add(&load.errors[errno], 1,
					   __ATOMIC_RELAXED);
	}

	return NULL;
}

static void run_load(unsigned int threads)
{
	pthread_t ids[8];
	unsigned long i;

	load.is_alone = threads == 1;
	memset(load.errors, 0, sizeof(load.errors));
	pthread_barrier_init(&load.barrier, NULL, threads);
	for (i = 0; i < threads; i++)
		ASSERT_EQ(pthread_create(&ids[i], NULL, write_load, (void *)i),
			  0);
	for (i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
}

/* Each write is a hit, or has the reason that its writer was told. */
static void expect_all_written(unsigned int threads)
{
	const char *event = load.event;

	EXPECT_EQ(hits_of(event) + SUM(event, refusals), threads * WRITES);
	EXPECT_EQ(read_loss(event, "invalid"), load.errors[EINVAL]);
	EXPECT_EQ(read_loss(event, "fault"), load.errors[EFAULT]);
}

static const unsigned int crews[] = { 1, 2, 8 };

TEST(sum_is_exact_for_ftrace)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(crews); i++) {
		const char *directory;

		harness_context("%u threads", crews[i]);
		load.event = uniq(text("e%zu", i));
		load.fd = open_event(load.event, "u32 a; u32 b");
		directory = small_instance(load.event);
		ASSERT_OK(tfs_write("a != 1", "%s/" EVENT_DIR "/filter",
				    directory, load.event));
		run_load(crews[i]);
		expect_all_written(crews[i]);
		EXPECT_GT(read_loss(load.event, "ftrace_too_large"), 0);
		EXPECT_GT(read_loss(load.event, "ftrace_filtered"), 0);
		EXPECT_GT(read_loss(load.event, "ftrace_buffer"), 0);
		EXPECT_EQ(stats(directory, "dropped events"),
			  read_loss(load.event, "ftrace_buffer"));
		EXPECT_EQ(taken(directory) + SUM(load.event, ftrace_losses),
			  hits_of(load.event));
		ASSERT_OK(tfs_write("0", "%s/" EVENT_DIR "/enable", directory,
				    load.event));
		ASSERT_OK(rmdir(text("%s/%s", tracefs(), directory)));
	}
}

TEST(sum_is_exact_for_perf)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(crews); i++) {
		int perf;

		harness_context("%u threads", crews[i]);
		load.event = uniq(text("e%zu", i));
		load.fd = open_event(load.event, "u32 a; u32 b");
		/* of one CPU, so that the others are not selected */
		perf = perf_open(event_id(load.event), -1, 0, PERF_COUNT);
		ASSERT_OK(perf);
		run_load(crews[i]);
		expect_all_written(crews[i]);
		EXPECT_EQ(perf_count(perf) + SUM(load.event, perf_losses),
			  hits_of(load.event));
		close(perf);
	}
}

TEST(sum_is_exact_for_both)
{
	const char *directory;
	int perf;

	load.event = uniq("e");
	load.fd = open_event(load.event, "u32 a; u32 b");
	directory = small_instance(load.event);
	perf = perf_open(event_id(load.event), -1, 0, PERF_COUNT);
	ASSERT_OK(perf);
	run_load(8);
	expect_all_written(8);
	EXPECT_EQ(taken(directory) + SUM(load.event, ftrace_losses),
		  hits_of(load.event));
	EXPECT_EQ(perf_count(perf) + SUM(load.event, perf_losses),
		  hits_of(load.event));
}

static void *toggle(void *data)
{
	unsigned int i;

	for (i = 0; i < 200; i++) {
		tfs_write("0", "%s/" EVENT_DIR "/enable", (const char *)data,
			  load.event);
		tfs_write("1", "%s/" EVENT_DIR "/enable", (const char *)data,
			  load.event);
	}

	return NULL;
}

/* Also while the only tracer is attached and detached. */
TEST(sum_is_exact_while_the_tracer_changes)
{
	const char *directory;
	pthread_t toggler;

	load.event = uniq("e");
	load.fd = open_event(load.event, "u32 a; u32 b");
	directory = small_instance(load.event);
	ASSERT_EQ(pthread_create(&toggler, NULL, toggle, (void *)directory), 0);
	run_load(8);
	pthread_join(toggler, NULL);
	EXPECT_EQ(hits_of(load.event) + SUM(load.event, refusals), 8 * WRITES);
	EXPECT_EQ(taken(directory) + SUM(load.event, ftrace_losses),
		  hits_of(load.event));
}

/* --- writers that ask whether a tracer takes the record --- */

/* Registers the event for such writes. Return: the write index. */
static unsigned int reg_report(int fd, const char *command,
			       const volatile uint32_t *word)
{
	int index = reg_enabler(fd, command, word, sizeof(*word), 0,
				USER_EVENT_REG_REPORT);

	ASSERT_OK(index);

	return index;
}

/* Writes to the open file only. */
static int write_own(int fd, unsigned int index, const void *payload,
		     size_t size, bool in_pieces)
{
	const struct user_piece piece = { (uintptr_t)payload, size };
	struct user_write record = {
		.size = sizeof(record),
		.write_index = index,
		.payload = (uintptr_t)payload,
		.payload_size = size,
	};

	EXPECT_OK(ioctl(fd, DIAG_IOCGCOOKIE, &record.cookie));
	if (in_pieces) {
		record.payload = (uintptr_t)&piece;
		record.pieces = 1;
	}

	return ioctl(fd, DIAG_IOCSWRITE, &record);
}

/* All kinds of writes of a writer that asks have this error, or 0. */
static void expect_report(int fd, const void *payload, size_t size, int error)
{
	const unsigned int index = USER_EVENT_INDEX_REPORT;
	const struct user_record record = { index, size, (uintptr_t)payload };
	const struct user_batch batch = { sizeof(batch), 1,
					  (uintptr_t)&record };

	errno = 0;
	EXPECT_EQ(emit(fd, index, payload, size),
		  error ? -1 : (ssize_t)size + 4);
	EXPECT_EQ(errno, error);
	errno = 0;
	EXPECT_EQ(ioctl(fd, DIAG_IOCSBATCH, &batch), error ? -1 : 1);
	EXPECT_EQ(errno, error);
	errno = 0;
	EXPECT_EQ(write_own(fd, index, payload, size, false), error ? -1 : 0);
	EXPECT_EQ(errno, error);
	errno = 0;
	EXPECT_EQ(write_own(fd, index, payload, size, true), error ? -1 : 0);
	EXPECT_EQ(errno, error);
}

TEST(only_writers_that_ask_are_told)
{
	const char *event = uniq("e");
	const char *command = text("%s u32 a", event);
	static uint32_t words[2];
	const uint32_t value = 0;
	int fd = data_open();

	ASSERT_EQ(must_reg_word(fd, command, &words[0], 0), 0);
	ASSERT_EQ(reg_report(fd, command, &words[1]), USER_EVENT_INDEX_REPORT);
	enable(event, true);
	expect_report(fd, &value, 4, 0);
	ASSERT_OK(tfs_write("0", "tracing_on"));
	expect_report(fd, &value, 4, ENOSPC);
	EXPECT_EQ(emit(fd, 0, &value, 4), 8);
	EXPECT_EQ(write_own(fd, 0, &value, 4, false), 0);
	EXPECT_EQ(write_own(fd, 0, &value, 4, true), 0);
	/* No event has the index, or it is negative. */
	EXPECT_ERRNO(emit(fd, USER_EVENT_INDEX_REPORT | 1, &value, 4), ENOENT);
	EXPECT_ERRNO(emit(fd, 3U << 30, &value, 4), EINVAL);
	EXPECT_ERRNO(write_own(fd, 3U << 30, &value, 4, false), EINVAL);
	expect_only(event, "ftrace_buffer", 7);
}

TEST(tells_that_the_event_is_disabled)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	static char payload[100000];

	expect_report(fd, payload, 4, EAGAIN);
	enable(event, true);
	enable(event, false);
	expect_report(fd, payload, 4, EAGAIN);
	expect_report(fd, payload, 600, EAGAIN);
	expect_report(fd, payload, sizeof(payload), EAGAIN);
	expect_only(event, "disabled", 12);
	EXPECT_ERRNO(emit(fd, 0, payload, 4), EBADF);
}

TEST(tells_that_the_buffer_is_full)
{
	static const uint32_t zero;
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	const char *directory;
	unsigned int i;

	pin_to_cpu(0);
	directory = small_instance(event);
	for (i = 0; i < FILLING; i++)
		write_u32(fd, i);
	expect_report(fd, &zero, 4, ENOSPC);
	expect_report(fd, not_present(&zero, 4), 4, ENOSPC);
	EXPECT_ERRNO(write_own(fd, USER_EVENT_INDEX_REPORT,
			       not_present(&zero, 4), 4, false),
		     ENOSPC);
	/* with a filter */
	ASSERT_OK(tfs_write("a == 0", "%s/" EVENT_DIR "/filter", directory,
			    event));
	expect_report(fd, &zero, 4, ENOSPC);
}

TEST(tells_that_a_record_is_too_large)
{
	static char payload[1 << 17];
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");

	if (PAGE != 4096)
		SKIP("pages are larger");
	enable(event, true);
	expect_report(fd, payload, 4000, 0);
	expect_report(fd, payload, 5000, E2BIG);
	expect_report(fd, payload, sizeof(payload), E2BIG);
	/* perf of most kernels takes larger ones. */
	ASSERT_OK(perf_open(event_id(event), 0, -1, PERF_COUNT));
	expect_report(fd, payload, 5000, perf_max() < 5000 ? E2BIG : 0);
	expect_report(fd, payload, 9000, E2BIG);
	expect_report(fd, payload, sizeof(payload), E2BIG);
	enable(event, false);
	expect_report(fd, payload, 9000, E2BIG);
}

TEST(one_tracer_is_enough)
{
	static const uint32_t zero;
	const char *event = uniq("e");
	int fd = open_event(event, "u32 a");
	const char *directory;

	directory = small_instance(event);
	enable(event, true);
	ASSERT_OK(tfs_write("0", "tracing_on"));
	expect_report(fd, &zero, 4, 0);
	ASSERT_OK(tfs_write("0", "%s/tracing_on", directory));
	expect_report(fd, &zero, 4, ENOSPC);
	ASSERT_OK(perf_open(event_id(event), 0, -1, PERF_COUNT));
	expect_report(fd, &zero, 4, 0);
}

TEST(records_that_no_tracer_wants_are_no_error)
{
	static const uint32_t values[2] = { 0, 1 };
	const char *event = uniq("e"), *perf = uniq("p");
	int fd = open_event(event, "u32 a");
	int perf_fd = open_event(perf, "u32 a");
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		pause();
		_exit(0);
	}
	enable(event, true);
	ASSERT_OK(tfs_write("a == 0", EVENT_DIR "/filter", event));
	expect_report(fd, &values[1], 4, 0);
	EXPECT_EQ(read_loss(event, "ftrace_filtered"), 4);
	ASSERT_OK(perf_open(event_id(perf), child, -1, PERF_COUNT));
	expect_report(perf_fd, &values[0], 4, 0);
	EXPECT_EQ(read_loss(perf, "perf_absent"), 4);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
