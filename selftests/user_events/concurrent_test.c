// SPDX-License-Identifier: GPL-2.0-only
/*
 * Concurrent operations: a bounded number of operations by many threads and
 * processes. Afterwards every record is accounted for and every event is
 * deletable.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define MAX_THREADS 16

/*
 * struct crew - threads that start together
 * @barrier: barrier at the start of each thread
 * @count: number of started threads
 */
struct crew {
	pthread_barrier_t barrier;
	unsigned int count;
	pthread_t threads[MAX_THREADS];
};

/*
 * struct worker - one of the threads
 * @crew: its crew
 * @number: its index in the crew
 * @fd: file to use
 * @event: event to use
 * @stop: set when the other threads have finished
 * @result: result, for the test
 * @successes: number of successful operations, for the test
 */
struct worker {
	struct crew *crew;
	unsigned int number;
	int fd;
	const char *event;
	bool *stop;
	int result;
	unsigned int status_bit;
	unsigned int successes;
};

static void crew_init(struct crew *crew, unsigned int count)
{
	crew->count = 0;
	ASSERT_EQ(pthread_barrier_init(&crew->barrier, NULL, count), 0);
}

static void crew_start(struct crew *crew, void *(*run)(void *),
		       struct worker *worker)
{
	worker->crew = crew;
	worker->number = crew->count;
	ASSERT_EQ(pthread_create(&crew->threads[crew->count++], NULL, run,
				 worker),
		  0);
}

static void crew_wait(struct crew *crew)
{
	while (crew->count)
		pthread_join(crew->threads[--crew->count], NULL);
	pthread_barrier_destroy(&crew->barrier);
}

/* --- registration and deletion --- */

static void *register_one(void *data)
{
	struct worker *worker = data;
	struct user_reg_status out = { 0 };

	pthread_barrier_wait(&worker->crew->barrier);
	worker->result = reg(worker->fd, worker->event, &out) ? errno : 0;
	worker->status_bit = out.status_bit;

	return NULL;
}

TEST(concurrent_registrations_share_event)
{
	unsigned int round, i;

	for (round = 0; round < 50; round++) {
		const char *event = uniq(text("%u", round));
		struct worker workers[8] = { 0 };
		struct crew crew;

		crew_init(&crew, ARRAY_SIZE(workers));
		for (i = 0; i < ARRAY_SIZE(workers); i++) {
			workers[i].fd = data_open();
			workers[i].event = text("%s u32 a", event);
			crew_start(&crew, register_one, &workers[i]);
		}
		crew_wait(&crew);
		for (i = 0; i < ARRAY_SIZE(workers); i++) {
			EXPECT_EQ(workers[i].result, 0);
			EXPECT_EQ(workers[i].status_bit, workers[0].status_bit);
			close(workers[i].fd);
		}
		EXPECT_EQ(count_lines(tfs_read("dynamic_events"),
				      text("u:%s ", event)),
			  1);
		EXPECT_OK(del_event(event));
	}
}

/* All threads use one file, and therefore get the same index. */
TEST(concurrent_registrations_in_one_file_share_index)
{
	unsigned int round, i;

	for (round = 0; round < 50; round++) {
		const char *event = uniq(text("%u", round));
		struct worker workers[8] = { 0 };
		struct crew crew;
		int fd = data_open();

		crew_init(&crew, ARRAY_SIZE(workers));
		for (i = 0; i < ARRAY_SIZE(workers); i++) {
			workers[i].fd = fd;
			workers[i].event = event;
			crew_start(&crew, register_one, &workers[i]);
		}
		crew_wait(&crew);
		for (i = 0; i < ARRAY_SIZE(workers); i++)
			EXPECT_EQ(workers[i].result, 0);
		EXPECT_EQ(must_reg(fd, uniq("next")), 1);
		close(fd);
		EXPECT_OK(del_event(event));
	}
}

/* One of the crew has succeeded, the others failed. */
static void expect_one_winner(const struct worker *workers, unsigned int count)
{
	unsigned int winners = 0, i;

	for (i = 0; i < count; i++) {
		if (!workers[i].result)
			winners++;
		else
			EXPECT_EQ(workers[i].result, EADDRINUSE);
	}
	EXPECT_EQ(winners, 1);
}

/* One format is registered; the other registrations fail. */
TEST(concurrent_registrations_with_different_fields_succeed_once)
{
	unsigned int round, i;

	for (round = 0; round < 50; round++) {
		const char *event = uniq(text("%u", round));
		struct worker workers[8] = { 0 };
		struct crew crew;

		crew_init(&crew, ARRAY_SIZE(workers));
		for (i = 0; i < ARRAY_SIZE(workers); i++) {
			workers[i].fd = data_open();
			workers[i].event = text("%s u32 a%u", event, i);
			crew_start(&crew, register_one, &workers[i]);
		}
		crew_wait(&crew);
		expect_one_winner(workers, ARRAY_SIZE(workers));
		for (i = 0; i < ARRAY_SIZE(workers); i++)
			close(workers[i].fd);
		EXPECT_OK(del_event(event));
	}
}

static volatile uint32_t shared_word;

static void *register_shared_word(void *data)
{
	struct worker *worker = data;

	pthread_barrier_wait(&worker->crew->barrier);
	worker->result =
		reg_word(worker->fd, worker->event, &shared_word, 3) < 0 ? errno
									 : 0;

	return NULL;
}

/* Threads of a process register a bit for an event each; one succeeds. */
TEST(concurrent_registrations_of_same_bit_succeed_once)
{
	unsigned int round, i;

	for (round = 0; round < 50; round++) {
		struct worker workers[8] = { 0 };
		struct crew crew;

		crew_init(&crew, ARRAY_SIZE(workers));
		for (i = 0; i < ARRAY_SIZE(workers); i++) {
			workers[i].fd = data_open();
			workers[i].event = uniq(text("%u_%u", round, i));
			crew_start(&crew, register_shared_word, &workers[i]);
		}
		crew_wait(&crew);
		expect_one_winner(workers, ARRAY_SIZE(workers));
		EXPECT_OK(unreg(workers[0].fd, &shared_word, 3));
		EXPECT_ERRNO(unreg(workers[0].fd, &shared_word, 3), ENOENT);
		for (i = 0; i < ARRAY_SIZE(workers); i++)
			close(workers[i].fd);
	}
}

static void *delete_one(void *data)
{
	struct worker *worker = data;

	pthread_barrier_wait(&worker->crew->barrier);
	if (worker->number % 2)
		worker->result = del_event(worker->event) ? errno : 0;
	else
		worker->result =
			dynevent_write(text("-:%s", worker->event)) ? errno : 0;

	return NULL;
}

TEST(concurrent_deletions_succeed_once)
{
	unsigned int rounds = harness_rounds(50), round, i;

	for (round = 0; round < rounds; round++) {
		const char *event = uniq(text("%u", round));
		struct worker workers[8] = { 0 };
		unsigned int winners = 0;
		struct crew crew;

		close(open_event(event, "u32 a"));
		crew_init(&crew, ARRAY_SIZE(workers));
		for (i = 0; i < ARRAY_SIZE(workers); i++) {
			workers[i].event = event;
			crew_start(&crew, delete_one, &workers[i]);
		}
		crew_wait(&crew);
		for (i = 0; i < ARRAY_SIZE(workers); i++)
			if (!workers[i].result)
				winners++;
			else
				EXPECT_EQ(workers[i].result, ENOENT);
		EXPECT_EQ(winners, 1);
		EXPECT_FALSE(status_line(event));
	}
}

/* --- all records accounted for --- */

#define WRITES 2000

static void *write_until_done(void *data)
{
	struct worker *worker = data;
	uint32_t i;

	pthread_barrier_wait(&worker->crew->barrier);
	for (i = 0; i < WRITES; i++) {
		uint32_t record[3] = { 0, worker->number, i };
		ssize_t done = write(worker->fd, record, sizeof(record));

		if (done == sizeof(record))
			worker->successes++;
		else if (done != -1 || errno != EBADF)
			FAIL("write returned %zd, %s", done,
			     harness_errno(errno));
	}

	return NULL;
}

static unsigned int count_records(unsigned int id)
{
	unsigned int records = 0;
	struct record record;

	raw_reset();
	while (raw_next(id, &record))
		records++;

	return records;
}

/* Grows the index table that the writers use. */
static void *register_many(void *data)
{
	struct worker *worker = data;
	unsigned int i;

	pthread_barrier_wait(&worker->crew->barrier);
	for (i = 1; i <= 200; i++)
		EXPECT_EQ(must_reg(worker->fd, uniq(text("grow%u", i))), i);

	return NULL;
}

TEST(no_record_is_lost_while_table_grows)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 who;u32 number");
	struct worker writers[3] = { 0 }, registrar = { .fd = fd };
	struct crew crew;
	unsigned int i;

	enable(event, true);
	crew_init(&crew, ARRAY_SIZE(writers) + 1);
	for (i = 0; i < ARRAY_SIZE(writers); i++) {
		writers[i].fd = fd;
		crew_start(&crew, write_until_done, &writers[i]);
	}
	crew_start(&crew, register_many, &registrar);
	crew_wait(&crew);
	for (i = 0; i < ARRAY_SIZE(writers); i++)
		EXPECT_EQ(writers[i].successes, WRITES);
	EXPECT_EQ(count_records(event_id(event)), ARRAY_SIZE(writers) * WRITES);
}

static void *toggle_others(void *data)
{
	struct worker *worker = data;
	unsigned int rounds = harness_rounds(60), i;

	pthread_barrier_wait(&worker->crew->barrier);
	for (i = 0; i < rounds; i++) {
		int perf;

		tfs_write("1", "instances/%s/events/user_events/%s/enable",
			  uniq("inst"), worker->event);
		perf = perf_open(event_id(worker->event), -1, 0, PERF_COUNT);
		tfs_write("0", "instances/%s/events/user_events/%s/enable",
			  uniq("inst"), worker->event);
		close(perf);
	}

	return NULL;
}

/*
 * A tracer that stays attached receives all records while others come and go.
 */
TEST(no_record_is_lost_while_tracers_change)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 who;u32 number");
	struct worker writers[3] = { 0 }, other = { .event = event };
	unsigned long long hits, lost;
	struct crew crew;
	unsigned int i;

	ASSERT_OK(
		mkdir(text("%s/instances/%s", tracefs(), uniq("inst")), 0700));
	enable(event, true);
	crew_init(&crew, ARRAY_SIZE(writers) + 1);
	for (i = 0; i < ARRAY_SIZE(writers); i++) {
		writers[i].fd = fd;
		crew_start(&crew, write_until_done, &writers[i]);
	}
	crew_start(&crew, toggle_others, &other);
	crew_wait(&crew);
	for (i = 0; i < ARRAY_SIZE(writers); i++)
		EXPECT_EQ(writers[i].successes, WRITES);
	EXPECT_EQ(count_records(event_id(event)), ARRAY_SIZE(writers) * WRITES);
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	EXPECT_EQ(hits, ARRAY_SIZE(writers) * WRITES);
	EXPECT_EQ(lost, 0);
}

#define TOGGLES 100

/*
 * Set once the concurrent operations have overlapped. Each test has its own
 * process.
 */
static bool overlapped;

/*
 * Stops the other threads when it has finished. The event stays enabled until
 * it was written once, independent of scheduling.
 */
static void *toggle_until_overlapped(void *data)
{
	struct worker *worker = data;
	unsigned int i;

	pthread_barrier_wait(&worker->crew->barrier);
	for (i = 0; i < TOGGLES; i++) {
		enable(worker->event, true);
		while (!__atomic_load_n(&overlapped, __ATOMIC_RELAXED))
			sched_yield();
		enable(worker->event, false);
	}
	__atomic_store_n(worker->stop, true, __ATOMIC_RELEASE);

	return NULL;
}

static void *write_until_stopped(void *data)
{
	struct worker *worker = data;
	uint32_t record[3] = { 0, worker->number, 0 };

	pthread_barrier_wait(&worker->crew->barrier);
	while (!__atomic_load_n(worker->stop, __ATOMIC_ACQUIRE)) {
		ssize_t done = write(worker->fd, record, sizeof(record));

		record[2]++;
		if (done == sizeof(record)) {
			worker->successes++;
			__atomic_store_n(&overlapped, true, __ATOMIC_RELAXED);
		} else if (done != -1 || errno != EBADF)
			FAIL("write returned %zd, %s", done,
			     harness_errno(errno));
	}

	return NULL;
}

/* Number of records that were overwritten in the buffers. */
static unsigned long long overwritten(void)
{
	unsigned long long sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < cpu_count(); cpu++)
		sum += number_after(tfs_read("per_cpu/cpu%u/stats", cpu),
				    "\noverrun: ");

	return sum;
}

/*
 * While the only tracer attaches and detaches, a write succeeds or fails with
 * EBADF. A tracer that detaches during a write can miss its record. A record is
 * recorded only if it was counted, and counted only if its write succeeded.
 */
TEST(writes_race_with_last_tracer)
{
	const char *event = uniq("e");
	int fd = open_event(event, "u32 who;u32 number");
	bool stop = false;
	struct worker writers[2] = { 0 };
	struct worker toggler = { .event = event, .stop = &stop };
	unsigned int successes = 0, i;
	unsigned long long hits, lost, overrun, recorded;
	struct crew crew;

	crew_init(&crew, ARRAY_SIZE(writers) + 1);
	for (i = 0; i < ARRAY_SIZE(writers); i++) {
		writers[i].fd = fd;
		writers[i].stop = &stop;
		crew_start(&crew, write_until_stopped, &writers[i]);
	}
	crew_start(&crew, toggle_until_overlapped, &toggler);
	crew_wait(&crew);

	for (i = 0; i < ARRAY_SIZE(writers); i++)
		successes += writers[i].successes;
	ASSERT_TRUE(read_profile(event, &hits, &lost));
	overrun = overwritten();
	recorded = count_records(event_id(event)) + overrun;
	EXPECT_LE(hits, successes);
	EXPECT_EQ(lost, 0);
	EXPECT_LE(recorded, hits);
	/*
	 * The event stays enabled until a record was written. Each time the
	 * tracer detaches, each writer can be between two steps of one write.
	 */
	EXPECT_GT(successes, 0);
	EXPECT_GT(hits, 0);
	EXPECT_GT(recorded, 0);
	EXPECT_GE(hits + TOGGLES * ARRAY_SIZE(writers), successes);
	EXPECT_GE(recorded + TOGGLES * ARRAY_SIZE(writers), hits);
}

/* --- opening files while their event is deleted --- */

/* Opens a file that an O_PATH descriptor or a duplicate keeps meanwhile. */
static int open_through(int path_fd)
{
	char path[32];
	int fd, copy, error;

	if (path_fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", path_fd);
	sched_yield();
	fd = open(path, O_RDWR | O_CLOEXEC);
	error = errno;
	close(path_fd);
	errno = error;
	if (fd < 0)
		return -1;
	copy = dup(fd);
	close(fd);

	return copy;
}

static int open_and_pass(int fd)
{
	int sockets[2], received;

	if (fd < 0)
		return -1;
	ASSERT_OK(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, sockets));
	send_fd(sockets[0], fd);
	close(fd);
	sched_yield();
	received = receive_fd(sockets[1]);
	close(sockets[0]);
	close(sockets[1]);

	return received;
}

static int open_in_some_way(unsigned int way, const char *event,
			    const char *file)
{
	switch (way % 3) {
	case 0:
		return tfs_open(O_RDONLY, "events/user_events/%s/%s", event,
				file);
	case 1:
		return open_through(tfs_open(O_PATH, "events/user_events/%s/%s",
					     event, file));
	default:
		return open_and_pass(tfs_open(
			O_RDONLY, "events/user_events/%s/%s", event, file));
	}
}

/* Opens files of the event in a loop; some of the calls must succeed. */
static void *open_until_stopped(void *data)
{
	static const char *const files[] = { "enable", "filter", "trigger",
					     "hist",   "id",	 "format" };
	struct worker *worker = data;
	unsigned int i;
	int fd;

	pthread_barrier_wait(&worker->crew->barrier);
	for (i = 0; !__atomic_load_n(worker->stop, __ATOMIC_ACQUIRE); i++) {
		fd = open_in_some_way(i / ARRAY_SIZE(files), worker->event,
				      files[i % ARRAY_SIZE(files)]);
		if (fd >= 0) {
			__atomic_store_n(&overlapped, true, __ATOMIC_RELAXED);
			close(fd);
		} else if (errno != ENOENT && errno != ENODEV) {
			FAIL("open: %s", harness_errno(errno));
		}
	}

	return NULL;
}

static void *make_and_delete(void *data)
{
	struct worker *worker = data;
	unsigned int rounds = harness_rounds(TOGGLES), i;

	pthread_barrier_wait(&worker->crew->barrier);
	for (i = 0;
	     i < rounds || !__atomic_load_n(&overlapped, __ATOMIC_RELAXED);
	     i++) {
		EXPECT_OK(dynevent_write(text("u:%s u32 a", worker->event)));
		sched_yield();
		while (dynevent_write(text("-:%s", worker->event))) {
			if (errno != EBUSY || !openers_keep_event()) {
				FAIL("delete: %s", harness_errno(errno));
				break;
			}
			sched_yield();
		}
	}
	__atomic_store_n(worker->stop, true, __ATOMIC_RELEASE);

	return NULL;
}

/*
 * Errors are detected by KASAN only, and must have no other effect.
 *
 * With eventfs, open() of the files of any removed event uses freed memory,
 * unless the kernel has event_release() (commit b63db58e2fa5, "eventfs/tracing:
 * Add callback for release of an eventfs_inode").
 */
TEST(open_races_with_deletion)
{
	struct worker openers[3] = { 0 };
	struct worker maker = { .event = uniq("e") };
	bool stop = false;
	struct crew crew;
	size_t i;

	if (kernel_has("eventfs_create_events_dir") &&
	    !kernel_has("event_release"))
		SKIP("files of any removed event use freed memory in open()");
	maker.stop = &stop;
	crew_init(&crew, ARRAY_SIZE(openers) + 1);
	for (i = 0; i < ARRAY_SIZE(openers); i++) {
		openers[i].event = maker.event;
		openers[i].stop = &stop;
		crew_start(&crew, open_until_stopped, &openers[i]);
	}
	crew_start(&crew, make_and_delete, &maker);
	crew_wait(&crew);
}

/* --- all operations --- */

#define ROUNDS 60
#define SHARED 4
#define CONTENDED 3

static const char *shared[SHARED];
static const char *contended[CONTENDED];
static const char *instance;

static void act_write(unsigned int round)
{
	uint32_t record[2] = { round % SHARED, round };
	unsigned int i;
	int fd = data_open();

	for (i = 0; i < SHARED; i++)
		EXPECT_EQ(must_reg(fd, text("%s u32 a", shared[i])), i);
	for (i = 0; i < 50; i++)
		if (write(fd, record, 8) != 8)
			EXPECT_EQ(errno, EBADF);
	close(fd);
}

static void act_register(unsigned int round)
{
	const char *own = text(PREFIX "own_%d_%u", getpid(), round);
	int fd = data_open();

	EXPECT_EQ(must_reg(fd, own), 0);
	EXPECT_ERRNO(del_event(own), EBUSY);
	close(fd);
	EXPECT_OK(del_event(own));
}

static void act_enable(unsigned int round)
{
	const char *event = shared[round % SHARED];

	EXPECT_OK(tfs_write("1", "events/user_events/%s/enable", event));
	EXPECT_OK(tfs_write("1", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	EXPECT_OK(tfs_write("0", "events/user_events/%s/enable", event));
	EXPECT_OK(tfs_write("0", "instances/%s/events/user_events/%s/enable",
			    instance, event));
}

static void act_filter(unsigned int round)
{
	const char *event = shared[round % SHARED];

	EXPECT_OK(tfs_write("a > 5", "events/user_events/%s/filter", event));
	EXPECT_OK(tfs_write("0", "events/user_events/%s/filter", event));
	if (!tfs_write("hist:keys=a",
		       "instances/%s/events/user_events/%s/trigger", instance,
		       event)) {
		free(tfs_read("instances/%s/events/user_events/%s/hist",
			      instance, event));
		EXPECT_OK(
			tfs_write("!hist:keys=a",
				  "instances/%s/events/user_events/%s/trigger",
				  instance, event));
	}
}

/* Several processes create, use and delete these events concurrently. */
static void act_contended(unsigned int round)
{
	const char *event = contended[round % CONTENDED];
	uint32_t record[2] = { 0, round };
	int fd = data_open();

	EXPECT_EQ(must_reg(fd, text("%s u32 a", event)), 0);
	if (write(fd, record, 8) != 8)
		EXPECT_EQ(errno, EBADF);
	tfs_write("1", "events/user_events/%s/enable", event);
	tfs_write("0", "events/user_events/%s/enable", event);
	close(fd);
	if (round % 2 ? del_event(event) : dynevent_write(text("-:%s", event)))
		EXPECT_TRUE(errno == EBUSY || errno == ENOENT);
}

static void act_perf(unsigned int round)
{
	int fd = perf_open(event_id(shared[round % SHARED]), round % 3 ? -1 : 0,
			   round % 3 ? (int)(round % cpu_count()) : -1,
			   round % 2 ? PERF_COUNT : 0);

	EXPECT_OK(fd);
	close(fd);
}

static void act_status(unsigned int round)
{
	char *content = tfs_read("user_events_status");
	const unsigned char *page = status_map();

	(void)round;
	EXPECT_CONTAINS(content, "\nActive: ");
	EXPECT_CONTAINS(content, "\nMax: ");
	EXPECT_FALSE(status_page_bit(page, 0));
	free(content);
	free(tfs_read("user_events_profile"));
}

static void act_list(unsigned int round)
{
	char *content = tfs_read("dynamic_events");

	EXPECT_CONTAINS(content, text("u:%s u32 a", shared[round % SHARED]));
	free(content);
	content = tfs_read("events/user_events/%s/format",
			   shared[round % SHARED]);
	EXPECT_CONTAINS(content, text("field:u32 a;\toffset:%zu;\tsize:4;",
				      common_fields_size()));
	free(content);
}

static void act_dynamic(unsigned int round)
{
	const char *own = text(PREFIX "dyn_%d_%u", getpid(), round);

	EXPECT_OK(dynevent_write(text("u:%s u32 a", own)));
	EXPECT_OK(dynevent_write(text("-:%s u32 a", own)));
}

static void act_fork(unsigned int round)
{
	uint32_t record[2] = { 0, round };
	int fd = open_event(shared[round % SHARED], "u32 a");
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		write(fd, record, 8);
		must_reg(fd, text("%s u32 a", shared[(round + 1) % SHARED]));
		_exit(harness_failed());
	}
	close(fd);
	waitpid(child, NULL, 0);
}

TEST_TIMEOUT(all_operations_run_concurrently, 300)
{
	static void (*const acts[])(unsigned int) = {
		act_write,     act_write,     act_write,  act_register,
		act_register,  act_enable,    act_filter, act_contended,
		act_contended, act_contended, act_perf,	  act_status,
		act_list,      act_dynamic,   act_fork,
	};
	pid_t children[ARRAY_SIZE(acts)];
	int hold[SHARED];
	unsigned int i, round;

	instance = uniq("inst");
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	for (i = 0; i < SHARED; i++) {
		shared[i] = uniq(text("shared%u", i));
		hold[i] = open_event(shared[i], "u32 a");
	}
	for (i = 0; i < CONTENDED; i++)
		contended[i] = uniq(text("victim%u", i));

	for (i = 0; i < ARRAY_SIZE(acts); i++) {
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i]) {
			for (round = 0; round < ROUNDS; round++)
				acts[i](round + i);
			_exit(harness_failed());
		}
	}
	for (i = 0; i < ARRAY_SIZE(acts); i++)
		wait_child(children[i]);

	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
	for (i = 0; i < CONTENDED; i++)
		if (del_event(contended[i]))
			EXPECT_EQ(errno, ENOENT);
	for (i = 0; i < SHARED; i++) {
		EXPECT_LACKS(status_line(shared[i]), "Used by");
		EXPECT_ERRNO(del_event(shared[i]), EBUSY);
		close(hold[i]);
		EXPECT_OK(del_event(shared[i]));
	}
	EXPECT_LACKS(tfs_read("user_events_status"), PREFIX);
}

static int set_trigger(const char *trigger)
{
	return tfs_write(trigger, "events/sched/sched_process_exec/trigger");
}

/* Others wait for event_mutex all the time. */
static pid_t start_contention(void)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (child)
		return child;

	while (true)
		set_trigger("enable_event:user_events:nosuch");
}

static pid_t start_registering(const char *event)
{
	volatile uint32_t word = 0;
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		must_reg_word(data_open(), event, &word, 0);
		pause();
	}

	return child;
}

/*
 * A trigger is set as soon as its event can be found. Before Linux 5.0 others get
 * event_mutex while the kernel adds the event.
 */
TEST(trigger_of_new_event_enables_it)
{
	const bool is_locked = kernel_has_dynamic_events();
	unsigned int rounds = harness_rounds(is_locked ? 10 : 100), round;
	const char *event = uniq("e");
	const char *trigger = text("enable_event:user_events:%s", event);
	const char *remove = text("!%s", trigger);
	pid_t contention[3], child;
	size_t count = is_locked ? 0 : 3, i;

	for (i = 0; i < count; i++)
		contention[i] = start_contention();
	for (round = 0; round < rounds; round++) {
		harness_context("round %u", round);
		child = start_registering(event);
		/* The timeout of the test ends it. */
		while (set_trigger(trigger))
			;
		ASSERT_TRUE(strstr(status_line(event), "Used by ftrace"));
		ASSERT_OK(set_trigger(remove));
		kill_child(child);
		wait_deleted(event);
	}
	harness_context(NULL);
	for (i = 0; i < count; i++)
		kill_child(contention[i]);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
