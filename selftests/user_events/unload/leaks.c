// SPDX-License-Identifier: GPL-2.0-only
/* Leaks in a thousand rounds of loading and unloading. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "unload.h"

#define ROUNDS 1000
#define SLABS_MAX 512

/* Number of objects by which memory in use can vary without a leak. */
#define NOISE 200

/* @per_page: number of objects of a slab, which is usually a page. */
struct slab {
	char name[64];
	long active;
	long per_page;
};

struct memory {
	struct slab slabs[SLABS_MAX];
	unsigned int count;
	unsigned long long vmalloc_kib;
	unsigned long long percpu_kib;
};

static void try_write_file(const char *path, const char *what)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, what, strlen(what)) < 0)
		harness_note("%s: %s", path, harness_errno(errno));
	close(fd);
}

/* Counts the objects in use, after freeing cached ones. */
static void measure(struct memory *memory)
{
	char *content, *line, *next;
	struct dirent *entry;
	DIR *dir;

	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	try_write_file("/proc/sys/vm/drop_caches", "3\n");
	dir = opendir("/sys/kernel/slab");
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			try_write_file(text("/sys/kernel/slab/%s/shrink",
					    entry->d_name),
				       "1");
	if (dir)
		closedir(dir);

	memory->count = 0;
	content = read_file("/proc/slabinfo");
	next = content;
	while (next && (line = strsep(&next, "\n"))) {
		struct slab *slab = &memory->slabs[memory->count];

		if (memory->count < SLABS_MAX && line[0] != '#' &&
		    sscanf(line, "%63s %ld %*d %*d %ld", slab->name,
			   &slab->active, &slab->per_page) == 3)
			memory->count++;
	}
	free(content);
	content = read_file("/proc/meminfo");
	memory->vmalloc_kib = number_after(content, "VmallocUsed:");
	memory->percpu_kib = number_after(content, "Percpu:");
	free(content);
}

/*
 * Measures again and keeps the minimum of both: temporary objects are not
 * leaks, but are not necessarily freed at any given moment.
 */
static void measure_minimum(struct memory *memory)
{
	static struct memory now;
	unsigned int i, j;

	measure(&now);
	for (i = 0; i < memory->count; i++)
		for (j = 0; j < now.count; j++)
			if (!strcmp(memory->slabs[i].name, now.slabs[j].name) &&
			    now.slabs[j].active < memory->slabs[i].active)
				memory->slabs[i].active = now.slabs[j].active;
	if (now.vmalloc_kib < memory->vmalloc_kib)
		memory->vmalloc_kib = now.vmalloc_kib;
	if (now.percpu_kib < memory->percpu_kib)
		memory->percpu_kib = now.percpu_kib;
}

/*
 * A kernel with tracefs_d_iput() (Linux 6.6.y to 6.9 of spring 2024) never frees
 * an inode of tracefs (fixed by commit 0bcfd9aa4daf, "tracefs: Clear EVENT_INODE
 * flag in tracefs_drop_inode()").
 */
static bool is_leaked_by_kernel(const char *slab)
{
	return !strcmp(slab, "tracefs_inode_cache") &&
	       kernel_has("tracefs_d_iput");
}

/*
 * growth - list the counters that grew by at least @objects objects or KiB
 *
 * A slab cache must also have grown by two slabs: single objects of a small
 * size are not significant.
 *
 * Return: the names; empty if none has grown.
 */
static const char *growth(const struct memory *before,
			  const struct memory *after, long objects)
{
	const char *names = "";
	unsigned int i, j;

	for (i = 0; i < after->count; i++)
		for (j = 0; j < before->count; j++) {
			const struct slab *old = &before->slabs[j];
			const struct slab *new = &after->slabs[i];

			if (!strcmp(old->name, new->name) &&
			    new->active - old->active >=
				    objects &&new->active - old->active >=
				    2 * new->per_page &&
			    !is_leaked_by_kernel(new->name))
				names = text("%s %s (%ld to %ld)", names,
					     new->name, old->active,
					     new->active);
		}
	if (after->vmalloc_kib >= before->vmalloc_kib + objects)
		names = text("%s VmallocUsed (%llu to %llu KiB)", names,
			     before->vmalloc_kib, after->vmalloc_kib);
	if (after->percpu_kib >= before->percpu_kib + objects)
		names = text("%s Percpu (%llu to %llu KiB)", names,
			     before->percpu_kib, after->percpu_kib);

	return names;
}

static unsigned int rounds(void)
{
	const char *wanted = getenv("USER_EVENTS_ROUNDS");

	return wanted ? strtoul(wanted, NULL, 0) : ROUNDS;
}

static void use_module(unsigned int round)
{
	const char *const events[] = { PREFIX "round_a", PREFIX "round_b" };
	volatile uint32_t words[3] = { 0 };
	const unsigned char *page = status_map();
	struct user_reg_status out;
	const struct {
		uint32_t index;
		uint32_t word;
		char data[4];
	} record = { 0, DYN_LOC(0, 4), "AAA" };
	int fd = data_open();
	pid_t child;
	int perf;

	ASSERT_OK(reg(fd, PREFIX "round_a __rel_loc char[] s", &out));
	must_reg(fd, PREFIX "round_b u32 a;char[20] b");
	enable(events[0], true);
	EXPECT_TRUE(status_page_bit(page, out.status_bit));
	EXPECT_EQ(write(fd, &record, sizeof(record)), sizeof(record));
	if (round % 10 == 0) {
		perf = perf_open(event_id(events[1]), 0, -1, PERF_COUNT);
		ASSERT_OK(perf);
		close(perf);
		ASSERT_OK(tfs_write("stacktrace",
				    "events/user_events/%s/trigger",
				    events[1]));
		ASSERT_OK(tfs_write("!stacktrace",
				    "events/user_events/%s/trigger",
				    events[1]));
	}
	must_reg_word(fd, PREFIX "round_c", &words[0], 0);
	must_reg_word(fd, PREFIX "round_c", &words[1], 1);
	ASSERT_OK(reg_enabler(fd, PREFIX "round_d u8 a", &words[2], 4, 2,
			      USER_EVENT_REG_MULTI_FORMAT));
	child = fork();
	ASSERT_OK(child);
	if (!child)
		_exit(unreg(fd, &words[1], 1) ? 1 : 0);
	enable(PREFIX "round_c", true);
	wait_value(&words[0], 1);
	wait_child(child);
	enable(PREFIX "round_c", false);
	wait_value(&words[0], 0);
	EXPECT_OK(unreg(fd, &words[0], 0));
	EXPECT_OK(unreg(fd, &words[1], 1));
	EXPECT_OK(unreg(fd, &words[2], 2));
	enable(events[0], false);
	close(fd);
	EXPECT_OK(del_event(events[0]));
	EXPECT_OK(dynevent_write("-:" PREFIX "round_b"));
	munmap((void *)page, PAGE);
}

static void run_rounds(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count && !harness_failed(); i++) {
		ASSERT_OK(load(""));
		use_module(i);
		module_must_unload();
	}
}

/* The smallest slab cache depends on the machine. */
static bool has_small_objects(const char *grown)
{
	return strstr(grown, "kmalloc-32 ") || strstr(grown, "kmalloc-64 ") ||
	       strstr(grown, "kmalloc-96 ") || strstr(grown, "kmalloc-128 ");
}

/* Verifies the measurement with objects that are known to be allocated. */
TEST(measurement_detects_small_objects)
{
	static struct memory before, after;
	const struct rlimit files = { .rlim_cur = 8192, .rlim_max = 8192 };
	/* With pages of 64 KiB, 2,000 of these objects are free before. */
	const unsigned int count = PAGE == 4096 ? 2000 : 6000;
	unsigned int i;

	if (access("/proc/slabinfo", R_OK))
		SKIP("no /proc/slabinfo");
	ASSERT_OK(setrlimit(RLIMIT_NOFILE, &files));
	measure(&before);
	/* Other processes allocate and free objects as well. */
	measure(&after);
	measure_minimum(&after);
	EXPECT_FALSE(has_small_objects(growth(&before, &after, 1000)));
	/* Each eventfd is one small allocation, in addition to its file. */
	for (i = 0; i < count; i++)
		ASSERT_OK(syscall(SYS_eventfd2, 0, 0));
	measure(&after);
	measure_minimum(&after);
	EXPECT_TRUE(has_small_objects(growth(&before, &after, 1000)));
}

/*
 * Return: as growth(), after waiting for objects that are freed after a grace
 * period.
 */
static const char *grown_in_rounds(unsigned int count, long objects)
{
	static struct memory before, after;
	const char *names;
	long long start = 0;

	measure(&before);
	run_rounds(count);
	measure(&after);
	while ((names = growth(&before, &after, objects))[0] &&
	       harness_deadline(&start, WAIT_TIMEOUT_S))
		measure_minimum(&after);

	return names;
}

TEST_TIMEOUT(rounds_leak_no_memory, 3600)
{
	unsigned int all = rounds(), warm_up = all / 5 ?: 1;
	unsigned int counted = all > warm_up ? all - warm_up : 1;
	struct timespec start, end;
	const char *names;
	/*
	 * With few rounds, only leaks of several objects per round are
	 * detected.
	 */
	long objects = counted * 3 / 4 > NOISE ? counted * 3 / 4 : NOISE;

	if (access("/proc/slabinfo", R_OK))
		SKIP("no /proc/slabinfo");
	module_must_unload();
	clock_gettime(CLOCK_MONOTONIC, &start);
	run_rounds(warm_up);
	names = grown_in_rounds(counted, objects);
	if (names[0]) {
		/*
		 * A leak continues in more rounds, while other allocations do
		 * not.
		 */
		harness_note("grew in %u rounds, measuring again:%s", counted,
			     names);
		names = grown_in_rounds(counted, objects);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	harness_note("all rounds took %lld s",
		     (long long)end.tv_sec - start.tv_sec);
	if (names[0])
		FAIL("grew in %u rounds:%s", counted, names);
	check_unloaded();
}
