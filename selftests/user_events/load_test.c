// SPDX-License-Identifier: GPL-2.0-only
/*
 * Much of everything, for a while: many enablers, readers that come and go as
 * fast as they can, and processes that are killed wherever they are. The
 * environment variable USER_EVENTS_LOAD says for how many seconds.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/user_events.h"

static unsigned int load_seconds(void)
{
	const char *wanted = getenv("USER_EVENTS_LOAD");

	return wanted ? strtoul(wanted, NULL, 10) : 5;
}

static long long seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec;
}

/* --- many enablers --- */

#define ENABLERS 10000

/* Some are written at once and the others soon afterwards. */
static void wait_words(const volatile uint32_t *words, uint32_t expected)
{
	long long start = 0;
	unsigned int i;

	for (i = 0; i < ENABLERS; i++)
		while (words[i] != expected)
			if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
				FAIL("word %u stays %#x and is not %#x", i,
				     words[i], expected);
				return;
			}
}

TEST_TIMEOUT(many_enablers_follow, 300)
{
	uint32_t *words = calloc(ENABLERS, sizeof(*words));
	const char *event = uniq("e");
	int fd = data_open(), said[2], told[2];
	unsigned int i;
	pid_t child;
	char byte;

	ASSERT_TRUE(words);
	for (i = 0; i < ENABLERS; i++)
		must_reg_word(fd, event, &words[i], 7);
	enable(event, true);
	wait_words(words, 1 << 7);

	ASSERT_OK(pipe(said));
	ASSERT_OK(pipe(told));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		ASSERT_EQ(write(said[1], "x", 1), 1);
		ASSERT_EQ(read(told[0], &byte, 1), 1);
		wait_words(words, 0);
		for (i = 0; i < ENABLERS; i++)
			EXPECT_OK(unreg(fd, &words[i], 7));
		_exit(harness_failed());
	}
	ASSERT_EQ(read(said[0], &byte, 1), 1);
	enable(event, false);
	wait_words(words, 0);
	ASSERT_EQ(write(told[1], "x", 1), 1);
	wait_child(child);
	for (i = 0; i < ENABLERS; i++)
		EXPECT_OK(unreg(fd, &words[i], 7));
}

/* --- every record accounted for --- */

#define CPUS_MAX 64

struct writer {
	pthread_t thread;
	unsigned int cpu;
	int fd;
	bool *stop;
	unsigned long long successes;
};

static void *write_always(void *data)
{
	struct writer *writer = data;
	uint32_t record[4] = { 0, writer->cpu, 0, 0 };
	ssize_t done;

	pin_to_cpu(writer->cpu);
	while (!__atomic_load_n(writer->stop, __ATOMIC_ACQUIRE)) {
		record[2]++;
		done = write(writer->fd, record, sizeof(record));
		if (done != (ssize_t)sizeof(record)) {
			FAIL("write returned %zd, %s", done,
			     harness_errno(errno));
			break;
		}
		writer->successes++;
	}

	return NULL;
}

/* Other readers than those that count. */
static void come_and_go(const char *event, unsigned int round)
{
	int perf;

	enable(event, true);
	perf = perf_open(event_id(event), -1, round % cpu_count(),
			 round % 2 ? PERF_COUNT : 0);
	EXPECT_OK(perf);
	enable(event, false);
	close(perf);
}

/* What the buffers of an instance have of a column of their statistics. */
static unsigned long long stats_sum(const char *instance, const char *label)
{
	unsigned long long sum = 0;
	unsigned int cpu;
	char *stats;

	for (cpu = 0; cpu < cpu_count(); cpu++) {
		stats = tfs_read("instances/%s/per_cpu/cpu%u/stats", instance,
				 cpu);
		ASSERT_TRUE(stats);
		sum += number_after(stats, label);
		free(stats);
	}

	return sum;
}

static unsigned long long in_ftrace(const char *instance)
{
	return stats_sum(instance, "entries: ") +
	       stats_sum(instance, "\noverrun: ") +
	       stats_sum(instance, "commit overrun: ") +
	       stats_sum(instance, "dropped events: ");
}

/* What was lost is told with the next record that there is room for. */
static unsigned long long in_perf(struct perf *perf, int fd)
{
	static struct sample sample;
	const uint32_t record[4] = { 0 };
	unsigned long long count = 0;

	while (perf_next(perf, &sample))
		count++;
	EXPECT_EQ(write(fd, record, sizeof(record)), (int)sizeof(record));
	while (perf_next(perf, &sample))
		count++;

	return count - 1 + perf->lost;
}

/*
 * Two readers stay while others come and go as fast as they can. Each of the
 * two has every record that a write said was taken, or counts it as lost.
 */
TEST_TIMEOUT(nothing_vanishes, 900)
{
	struct writer writers[CPUS_MAX] = { 0 };
	struct perf perf[CPUS_MAX] = { 0 };
	const char *instance = uniq("instance");
	const char *event = uniq("e");
	unsigned long long successes = 0, lost = 0, sampled = 0;
	unsigned int rounds, cpu, count = cpu_count();
	int fd = data_open();
	long long end;
	bool stop = false;

	ASSERT_LE(count, CPUS_MAX);
	ASSERT_EQ(must_reg(fd, text("%s u32 cpu;u32 low;u32 high", event)), 0);
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	EXPECT_OK(tfs_write("64", "instances/%s/buffer_size_kb", instance));
	EXPECT_OK(tfs_write("1", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	for (cpu = 0; cpu < count; cpu++) {
		perf[cpu].ignore_lost = true;
		perf_map(&perf[cpu], event_id(event), -1, cpu, 4);
	}

	for (cpu = 0; cpu < count; cpu++) {
		writers[cpu].cpu = cpu;
		writers[cpu].fd = fd;
		writers[cpu].stop = &stop;
		ASSERT_EQ(pthread_create(&writers[cpu].thread, NULL,
					 write_always, &writers[cpu]),
			  0);
	}
	end = seconds_now() + load_seconds();
	for (rounds = 0; !harness_failed() && seconds_now() < end; rounds++)
		come_and_go(event, rounds);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (cpu = 0; cpu < count; cpu++) {
		pthread_join(writers[cpu].thread, NULL);
		successes += writers[cpu].successes;
	}
	harness_note("%llu records while readers came and went %u times",
		     successes, rounds);
	EXPECT_GT(rounds, 0);
	EXPECT_GT(successes, 0);
	EXPECT_EQ(in_ftrace(instance), successes);
	EXPECT_GT(stats_sum(instance, "entries: "), 0);

	for (cpu = 0; cpu < count; cpu++) {
		pin_to_cpu(cpu);
		sampled += in_perf(&perf[cpu], fd);
		lost += perf[cpu].lost;
		perf_close(&perf[cpu]);
	}
	EXPECT_EQ(sampled, successes);
	EXPECT_GT(sampled, lost);
	harness_note("perf had no room for %llu of them", lost);
	EXPECT_OK(tfs_write("0", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
}

/* --- processes that are killed --- */

#define PROCESSES 200
/* Whoever is killed may have to wait for all others first. */
#define BATCH 40
#define SHARED 10
/* Ended children that one process leaves to be waited for. */
#define LEFT 10

static unsigned int seed;

static unsigned int below(unsigned int limit)
{
	return rand_r(&seed) % limit;
}

static const char *shared_event(unsigned int number)
{
	static char name[SHARED][64];

	snprintf(name[number], sizeof(name[number]), PREFIX "load_%u", number);

	return name[number];
}

/* Some of this fails, as others do the same; all of it is cut short. */
static void do_something(int fd, uint32_t *words)
{
	const char *event = shared_event(below(SHARED));
	char command[128];
	uint32_t record[2] = { below(4), 5 };
	static unsigned int left;
	pid_t child;

	snprintf(command, sizeof(command), "%s u32 a", event);
	switch (below(7)) {
	case 0:
		reg(fd, command, NULL);
		break;
	case 1:
	case 2:
		reg_word(fd, command, &words[below(64)], below(32));
		break;
	case 3:
		unreg(fd, &words[below(64)], below(32));
		break;
	case 4:
		if (write(fd, record, sizeof(record)) < 0 && errno != EBADF &&
		    errno != ENOENT)
			FAIL("write: %s", harness_errno(errno));
		break;
	case 5:
		del(fd, event);
		break;
	case 6:
		child = fork();
		if (!child) {
			reg_word(fd, command, &words[below(64)], below(32));
			_exit(0);
		}
		if (child > 0 && below(2)) {
			waitpid(child, NULL, 0);
		} else if (++left == LEFT) {
			left = 0;
			while (wait(NULL) > 0)
				;
		}
		break;
	}
}

static void live(unsigned int number)
{
	uint32_t *words = calloc(64, sizeof(*words));
	int fd = data_open();

	seed += number;
	nice(10);
	/* Children that are not waited for end by themselves. */
	signal(SIGCHLD, below(2) ? SIG_IGN : SIG_DFL);
	while (true)
		do_something(fd, words);
}

static pid_t start(unsigned int number)
{
	pid_t child;

	ASSERT_OK(child = fork());
	if (!child)
		live(number);

	return child;
}

TEST_TIMEOUT(processes_are_killed_anywhere, 1800)
{
	pid_t children[PROCESSES], switcher;
	long long end;
	unsigned int killed, first, i;

	/* Whoever kills comes first, or little would be killed. */
	nice(-10);
	seed = getpid();
	harness_note("seed %u", seed);
	for (i = 0; i < PROCESSES; i++)
		children[i] = start(i);
	switcher = fork();
	ASSERT_OK(switcher);
	if (!switcher) {
		nice(10);
		while (true) {
			const char *event = shared_event(below(SHARED));

			tfs_write("1", "events/user_events/%s/enable", event);
			tfs_write("0", "events/user_events/%s/enable", event);
		}
	}

	end = seconds_now() + load_seconds();
	for (killed = 0; seconds_now() < end; killed += BATCH) {
		first = below(PROCESSES - BATCH + 1);
		for (i = first; i < first + BATCH; i++)
			kill(children[i], SIGKILL);
		for (i = first; i < first + BATCH; i++) {
			ASSERT_EQ(waitpid(children[i], NULL, 0), children[i]);
			children[i] = start(PROCESSES + killed + i - first);
		}
	}
	kill(switcher, SIGKILL);
	ASSERT_EQ(waitpid(switcher, NULL, 0), switcher);
	for (i = 0; i < PROCESSES; i++) {
		kill(children[i], SIGKILL);
		ASSERT_EQ(waitpid(children[i], NULL, 0), children[i]);
	}
	harness_note("%u processes were killed", killed + PROCESSES);
	EXPECT_GT(killed, 0);
	/* That no event is held by a dead process is seen after the test. */
	tfs_write("0", "events/user_events/enable");
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
