// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits: as many events as the status page has bits, enablers of a process,
 * and charging of memory to cgroups.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../lib/cgroup.h"
#include "../lib/user_events.h"

#define BITS 32768
#define PER_FILE 512

/* Memory of the directories of all these events in tracefs, with a margin. */
#define MEMORY_KIB (700 * 1024)

static const char *event_name(unsigned int i)
{
	static char name[64];

	snprintf(name, sizeof(name), PREFIX "limit_%u", i);

	return name;
}

TEST_TIMEOUT(all_status_bits_are_usable, 900)
{
	static unsigned char seen[BITS / 8 + 1];
	unsigned int active, registered = 0, i;
	struct user_reg_status out;
	/* Bit 0 is not used. A larger page has more bits than events. */
	const unsigned int limit = PAGE == 4096 ? BITS - 1 : BITS;
	int files[BITS / PER_FILE + 1];
	int deleter = data_open();
	int fd;

	if (number_after(read_file("/proc/meminfo"), "MemAvailable:") <
	    MEMORY_KIB)
		SKIP("needs %u MiB of free memory", MEMORY_KIB / 1024);
	active = number_after(tfs_read("user_events_status"), "Active: ");

	while (true) {
		if (registered % PER_FILE == 0)
			files[registered / PER_FILE] = data_open();
		if (reg(files[registered / PER_FILE], event_name(registered),
			&out))
			break;
		ASSERT_LE(out.status_bit, limit);
		EXPECT_NE(out.status_bit, 0);
		EXPECT_EQ(out.write_index, registered % PER_FILE);
		EXPECT_FALSE(status_page_bit(seen, out.status_bit));
		seen[out.status_bit / 8] |= 1 << (out.status_bit % 8);
		registered++;
		ASSERT_LE(registered, limit);
	}
	EXPECT_EQ(errno, EMFILE);
	EXPECT_EQ(registered, limit - active);
	EXPECT_EQ(number_after(tfs_read("user_events_status"), "Active: "),
		  limit);

	/* Existing events can still be joined and written. */
	EXPECT_EQ(must_reg(files[0], event_name(5)), 5);
	EXPECT_EQ(must_reg(deleter, event_name(registered - 1)), 0);
	i = 0;
	enable(event_name(registered - 1), true);
	EXPECT_EQ(write(deleter, &i, 4), 4);
	enable(event_name(registered - 1), false);

	/* The limit applies to every process. */
	EXPECT_ERRNO(reg(data_open(), PREFIX "one_more", NULL), EMFILE);
	EXPECT_ERRNO(dynevent_write("u:" PREFIX "one_more"), EMFILE);
	EXPECT_ERRNO(del_event(PREFIX "one_more"), ENOENT);
	EXPECT_ERRNO(del_event(event_name(0)), EBUSY);

	/* The bit of a deleted event is used again. */
	close(deleter);
	for (i = 0; i <= registered / PER_FILE; i++)
		close(files[i]);
	EXPECT_OK(del_event(event_name(7)));
	fd = data_open();
	EXPECT_OK(reg(fd, PREFIX "one_more", NULL));
	EXPECT_ERRNO(reg(fd, PREFIX "two_more", NULL), EMFILE);
	close(fd);
	EXPECT_OK(del_event(PREFIX "one_more"));

	/*
	 * The newest events first: the kernel finds them at the head of its
	 * lists.
	 */
	deleter = data_open();
	for (i = registered; i--;)
		if (i != 7 && del(deleter, event_name(i))) {
			FAIL("cannot delete %s: %s", event_name(i),
			     harness_errno(errno));
			break;
		}
	EXPECT_EQ(number_after(tfs_read("user_events_status"), "Active: "),
		  active);
}

/* --- charging --- */

/*
 * An enabler takes more than 6 words of kernel memory, so all of them take 768
 * KiB. Each CPU can have a stock of 256 KiB that is charged in advance.
 */
#define ENABLERS (sizeof(long) == 8 ? 16384 : 32768)
#define CHARGED (400 * 1024)

static void register_many(const char *event)
{
	uint32_t *words = malloc(ENABLERS * sizeof(*words));
	int fd = data_open();
	long long before;
	size_t i;

	pin_to_cpu(0);
	cgroup_enter();
	ASSERT_TRUE(words);
	memset(words, 0xff, ENABLERS * sizeof(*words));
	must_reg_word(fd, event, &words[0], 0);
	before = cgroup_charged();
	for (i = 1; i < ENABLERS; i++)
		if (reg_word(fd, event, &words[i], 0)) {
			FAIL("enabler %zu: %s", i, harness_errno(errno));
			break;
		}
	EXPECT_GE(cgroup_charged() - before, CHARGED);
}

TEST_TIMEOUT(charges_enablers_to_cgroup, 900)
{
	const char *event = uniq("e");

	cgroup_need_small_charges();
	cgroup_make();
	if (in_child()) {
		register_many(event);
		end_child();
	}
	cgroup_remove();
}

#define COUNTED 300
/* The counters of an event for a CPU, of which there are two or more */
#define COUNTERS_BYTES 88

/* Charged memory of counters of CPUs, which Linux charges since 5.9 */
static unsigned long long counters_charged(void)
{
	const char *stat = cgroup_get("memory.stat");

	return strstr(stat, "percpu ") ? number_after(stat, "percpu ") : 0;
}

/* All users of tracing would wait for a cgroup at its limit. */
TEST(charges_no_counters_to_tracer)
{
	unsigned long long before;
	int fd = data_open();
	unsigned int i;

	cgroup_make();
	if (in_child()) {
		cgroup_enter();
		for (i = 0; i < COUNTED; i++)
			must_reg(fd, uniq(text("%u", i)));
		before = counters_charged();
		for (i = 0; i < COUNTED; i++)
			enable(uniq(text("%u", i)), true);
		EXPECT_LE(counters_charged(),
			  before + COUNTED * COUNTERS_BYTES);
		end_child();
	}
	cgroup_remove();
}

/* --- enablers of a process --- */

#define ENABLERS_MAX 65536

/* All bits of as many 4-byte words as necessary, and one more. */
TEST_TIMEOUT(limits_enablers_of_a_process, 900)
{
	uint32_t *words = calloc(ENABLERS_MAX / 32 + 1, sizeof(*words));
	const char *event = uniq("e");
	int fd = data_open();
	unsigned int i;

	ASSERT_TRUE(words);
	for (i = 0; i < ENABLERS_MAX; i++)
		must_reg_word(fd, event, &words[i / 32], i % 32);
	EXPECT_ERRNO(reg_word(fd, event, &words[i / 32], 0), EMFILE);
	EXPECT_ERRNO(unreg(fd, &words[i / 32], 0), ENOENT);

	/* Another process has its own limit, which it has reached as well. */
	if (in_child()) {
		EXPECT_ERRNO(reg_word(fd, event, &words[i / 32], 0), EMFILE);
		EXPECT_OK(unreg(fd, &words[1], 5));
		EXPECT_OK(reg_word(fd, event, &words[i / 32], 0));
		EXPECT_ERRNO(reg_word(fd, event, &words[1], 5), EMFILE);
		end_child();
	}
	EXPECT_ERRNO(reg_word(fd, event, &words[i / 32], 0), EMFILE);
	EXPECT_OK(unreg(fd, &words[0], 0));
	EXPECT_OK(reg_word(fd, event, &words[i / 32], 0));
}

/* While a writer is blocked, the module has a buffer for its whole record. */
#define WRITERS 300
#define RECORD (60 * 1024)
#define WRITER_STACK (128 * 1024)

/* Memory that CPUs can have charged in advance, with a margin. */
#define CHARGED_AHEAD (1 << 20)

struct writers {
	pthread_barrier_t start;
	int fd;
	unsigned int index;
	void *payload;
};

static void *write_one(void *data)
{
	struct writers *writers = data;

	pthread_barrier_wait(&writers->start);
	EXPECT_EQ(emit(writers->fd, writers->index, writers->payload, RECORD),
		  RECORD + 4);

	return NULL;
}

static void write_blocked(const char *event)
{
	struct writers writers = { .fd = data_open() };
	pthread_t threads[WRITERS];
	pthread_attr_t small;
	long long before;
	size_t i;
	int uffd;

	cgroup_enter();
	writers.payload = mmap(NULL, RECORD, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(writers.payload != MAP_FAILED);
	uffd = userfault_start(writers.payload, RECORD, 0);
	writers.index = must_reg(writers.fd, event);
	ASSERT_EQ(pthread_barrier_init(&writers.start, NULL, WRITERS + 1), 0);
	ASSERT_EQ(pthread_attr_init(&small), 0);
	ASSERT_EQ(pthread_attr_setstacksize(&small, WRITER_STACK), 0);
	for (i = 0; i < WRITERS; i++)
		ASSERT_EQ(pthread_create(&threads[i], &small, write_one,
					 &writers),
			  0);
	before = cgroup_charged();
	pthread_barrier_wait(&writers.start);
	wait_for_page_faults(uffd, WRITERS);
	EXPECT_GE(cgroup_charged() - before, WRITERS * RECORD - CHARGED_AHEAD);
	resolve_page_faults(uffd, writers.payload, RECORD);
	for (i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
}

TEST(charges_records_of_blocked_writers_to_cgroup)
{
	const char *event = uniq("e");

	close(userfault_open(0));
	cgroup_need_small_charges();
	cgroup_make();
	must_reg(data_open(), event);
	enable(event, true);
	if (in_child()) {
		write_blocked(event);
		end_child();
	}
	cgroup_remove();
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
