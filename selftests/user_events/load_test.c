// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load: many enablers, tracers that attach and detach continuously, and
 * processes that are killed at any point. USER_EVENTS_LOAD is the duration in
 * seconds.
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

/* Some words are written synchronously, the others by a work item. */
static void wait_words(const volatile uint32_t *words, uint32_t expected)
{
	unsigned int i;

	for (i = 0; i < ENABLERS && !harness_failed(); i++) {
		harness_context("word %u", i);
		wait_value(&words[i], expected);
	}
	harness_context(NULL);
}

TEST_TIMEOUT(many_enablers_are_updated, 300)
{
	uint32_t *words = calloc(ENABLERS, sizeof(*words));
	const char *event = uniq("e");
	int fd = data_open(), from_child[2], to_child[2];
	unsigned int i;
	pid_t child;
	char byte;

	ASSERT_TRUE(words);
	for (i = 0; i < ENABLERS; i++)
		must_reg_word(fd, event, &words[i], 7);
	enable(event, true);
	wait_words(words, 1 << 7);

	ASSERT_OK(pipe(from_child));
	ASSERT_OK(pipe(to_child));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		ASSERT_EQ(write(from_child[1], "x", 1), 1);
		ASSERT_EQ(read(to_child[0], &byte, 1), 1);
		wait_words(words, 0);
		for (i = 0; i < ENABLERS; i++)
			EXPECT_OK(unreg(fd, &words[i], 7));
		_exit(harness_failed());
	}
	ASSERT_EQ(read(from_child[0], &byte, 1), 1);
	enable(event, false);
	wait_words(words, 0);
	ASSERT_EQ(write(to_child[1], "x", 1), 1);
	wait_child(child);
	for (i = 0; i < ENABLERS; i++)
		EXPECT_OK(unreg(fd, &words[i], 7));
}

/* --- all records accounted for --- */

#define CPUS_MAX 64

struct writer {
	pthread_t thread;
	unsigned int cpu;
	int fd;
	bool *stop;
	unsigned long long successes;
};

static void *write_until_stopped(void *data)
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

/* Attaches and detaches tracers other than those that count. */
static void change_tracers(const char *event, unsigned int round)
{
	int perf;

	enable(event, true);
	perf = perf_open(event_id(event), -1, round % cpu_count(),
			 round % 2 ? PERF_COUNT : 0);
	EXPECT_OK(perf);
	enable(event, false);
	close(perf);
}

/* Sum of a statistic over the CPU buffers of an instance. */
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

static unsigned long long count_in_ftrace(const char *instance)
{
	return stats_sum(instance, "entries: ") +
	       stats_sum(instance, "\noverrun: ") +
	       stats_sum(instance, "commit overrun: ") +
	       stats_sum(instance, "dropped events: ");
}

/* perf reports lost records with the next record that fits. */
static unsigned long long count_in_perf(struct perf *perf, int fd)
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
 * Two tracers stay attached while others attach and detach continuously. Each
 * of the two must have received every successfully written record, or count it
 * as lost.
 */
TEST_TIMEOUT(every_record_is_received_or_counted, 900)
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
					 write_until_stopped, &writers[cpu]),
			  0);
	}
	end = seconds_now() + load_seconds();
	for (rounds = 0; !harness_failed() && seconds_now() < end; rounds++)
		change_tracers(event, rounds);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (cpu = 0; cpu < count; cpu++) {
		pthread_join(writers[cpu].thread, NULL);
		successes += writers[cpu].successes;
	}
	harness_note(
		"%llu records while tracers attached and detached %u times",
		successes, rounds);
	EXPECT_GT(rounds, 0);
	EXPECT_GT(successes, 0);
	EXPECT_EQ(count_in_ftrace(instance), successes);
	EXPECT_GT(stats_sum(instance, "entries: "), 0);

	for (cpu = 0; cpu < count; cpu++) {
		pin_to_cpu(cpu);
		sampled += count_in_perf(&perf[cpu], fd);
		lost += perf[cpu].lost;
		perf_close(&perf[cpu]);
	}
	EXPECT_EQ(sampled, successes);
	EXPECT_GT(sampled, lost);
	harness_note("perf lost %llu of them", lost);
	EXPECT_OK(tfs_write("0", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
}

/* --- killed processes --- */

#define PROCESSES 60
/* A killed process might have to wait for all others before it exits. */
#define KILL_BATCH 10
#define SHARED 10
/*
 * Number of children after which a process reaps those it has not waited for.
 */
#define UNREAPED_MAX 10

static unsigned int seed;

static unsigned int random_below(unsigned int limit)
{
	return rand_r(&seed) % limit;
}

static const char *shared_event(unsigned int number)
{
	static char name[SHARED][64];

	snprintf(name[number], sizeof(name[number]), PREFIX "load_%u", number);

	return name[number];
}

/*
 * Some of these operations fail because of others, and any can be interrupted
 * by a kill.
 */
static void do_random_operation(int fd, uint32_t *words)
{
	const char *event = shared_event(random_below(SHARED));
	char command[128];
	uint32_t record[2] = { random_below(4), 5 };
	static unsigned int unreaped;
	pid_t child;

	snprintf(command, sizeof(command), "%s u32 a", event);
	switch (random_below(7)) {
	case 0:
		reg(fd, command, NULL);
		break;
	case 1:
	case 2:
		reg_word(fd, command, &words[random_below(64)],
			 random_below(32));
		break;
	case 3:
		unreg(fd, &words[random_below(64)], random_below(32));
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
			reg_word(fd, command, &words[random_below(64)],
				 random_below(32));
			_exit(0);
		}
		if (child > 0 && random_below(2)) {
			waitpid(child, NULL, 0);
		} else if (++unreaped == UNREAPED_MAX) {
			unreaped = 0;
			while (wait(NULL) > 0)
				;
		}
		break;
	}
}

static void run_process(unsigned int number)
{
	uint32_t *words = calloc(64, sizeof(*words));
	int fd = data_open();

	seed += number;
	nice(10);
	/* With SIG_IGN, children need not be waited for. */
	signal(SIGCHLD, random_below(2) ? SIG_IGN : SIG_DFL);
	while (true)
		do_random_operation(fd, words);
}

static pid_t start_process(unsigned int number)
{
	pid_t child;

	ASSERT_OK(child = fork());
	if (!child)
		run_process(number);

	return child;
}

TEST_TIMEOUT(processes_can_be_killed_anywhere, 1800)
{
	pid_t children[PROCESSES], switcher;
	long long end;
	unsigned int killed, first, i;

	/* The killing process has a higher priority, to kill more processes. */
	nice(-10);
	seed = getpid();
	harness_note("seed %u", seed);
	for (i = 0; i < PROCESSES; i++)
		children[i] = start_process(i);
	switcher = fork();
	ASSERT_OK(switcher);
	if (!switcher) {
		nice(10);
		while (true) {
			const char *event = shared_event(random_below(SHARED));

			tfs_write("1", "events/user_events/%s/enable", event);
			tfs_write("0", "events/user_events/%s/enable", event);
		}
	}

	end = seconds_now() + load_seconds();
	for (killed = 0; seconds_now() < end; killed += KILL_BATCH) {
		first = random_below(PROCESSES - KILL_BATCH + 1);
		for (i = first; i < first + KILL_BATCH; i++)
			kill(children[i], SIGKILL);
		for (i = first; i < first + KILL_BATCH; i++) {
			ASSERT_EQ(waitpid(children[i], NULL, 0), children[i]);
			children[i] =
				start_process(PROCESSES + killed + i - first);
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
	/* The check after the test detects events with leaked references. */
	tfs_write("0", "events/user_events/enable");
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
