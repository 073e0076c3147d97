// SPDX-License-Identifier: GPL-2.0-only
/* Races with unloading. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "unload.h"

#define RACES 150
#define RACERS_MAX 4

/*
 * A file that is opened just before unloading, or before loading is complete,
 * exists but does nothing.
 */
static void race_open(void)
{
	int fd = tfs_open(O_RDWR, "user_events_data");
	uint32_t index = 0;

	if (fd < 0) {
		EXPECT_TRUE(errno == ENOENT || errno == ENODEV);
		return;
	}
	if (reg(fd, uniq("race"), NULL)) {
		EXPECT_EQ(errno, ENOTTY);
		close(fd);
		return;
	}
	EXPECT_ERRNO(write(fd, &index, 4), EBADF);
	close(fd);
	EXPECT_OK(del_event(uniq("race")));
}

static void race_status(void)
{
	int fd = tfs_open(O_RDONLY, "user_events_status");
	void *page;

	if (fd < 0) {
		EXPECT_TRUE(errno == ENOENT || errno == ENODEV);
		return;
	}
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		EXPECT_EQ(errno, ENODEV);
		EXPECT_STREQ(read_fd(fd), "");
	} else {
		EXPECT_CONTAINS(read_fd(fd), "\nActive: ");
		munmap(page, PAGE);
	}
	close(fd);
}

static void race_dynamic(void)
{
	if (dynevent_write(text("u:%s u32 a", uniq("dyn"))))
		EXPECT_TRUE(errno == EINVAL || errno == ENODEV ||
			    errno == EBUSY ||
			    (errno == ENOENT && !kernel_has_dynamic_events()));
	else if (dynevent_write(text("-:%s", uniq("dyn"))))
		/* A file of the module that was not ready accepted the line. */
		EXPECT_TRUE(errno == ENOENT && !kernel_has_dynamic_events());
	free(tfs_read("dynamic_events"));
}

/*
 * Runs the racers at least RACES times, and until the module was unloaded
 * meanwhile: the number of unloads depends on scheduling. Then a copy of the
 * module at @path is loaded.
 */
static void race(const char *path, void (*const racers[])(void),
		 unsigned int count)
{
	time_t deadline = time(NULL) + 180;
	pid_t children[RACERS_MAX];
	unsigned int unloads = 0, i, n;
	volatile bool *enough;
	bool alive = true;

	enough = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(enough != MAP_FAILED);
	for (i = 0; i < count; i++) {
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i]) {
			srand(i);
			for (n = 0; n < RACES || !*enough; n++) {
				racers[i]();
				/*
				 * Leaves time to unload between any two steps.
				 */
				usleep(rand() % 4000);
			}
			_exit(harness_failed());
		}
	}
	while (alive) {
		if (!module_unload()) {
			unloads++;
			EXPECT_OK(module_load_file(path, ""));
		}
		*enough = unloads > 1 || time(NULL) > deadline ||
			  harness_failed();
		alive = false;
		for (i = 0; i < count; i++) {
			siginfo_t info = { 0 };

			waitid(P_PID, children[i], &info,
			       WEXITED | WNOHANG | WNOWAIT);
			alive |= !info.si_pid;
		}
	}
	for (i = 0; i < count; i++)
		wait_child(children[i]);
	munmap((void *)enough, PAGE);
	harness_note("module unloaded %u times", unloads);
	EXPECT_GT(unloads, 0);
	module_must_unload();
	check_unloaded();
}

/* If the file is the module's, unload_races_with_open tests this. */
TEST_TIMEOUT(unload_races_with_dynamic_events, 300)
{
	static void (*const racers[])(void) = { race_dynamic, race_dynamic };

	need_dynamic_events();
	race(module_path(), racers, ARRAY_SIZE(racers));
}

/* The same if create() of the type, which lines call, leaves the list. */
TEST_TIMEOUT(unload_in_create_races_with_dynamic_events, 300)
{
	static void (*const racers[])(void) = { race_dynamic, race_dynamic };
	const char *path;

	need_dynamic_events();
	path = module_alter_ways("create_dyn_event");
	module_must_unload();
	EXPECT_OK(module_load_file(path, ""));
	race(path, racers, ARRAY_SIZE(racers));
	unlink(path);
}

/* --- open() during loading ------------------------------------------------ */

#define LOADS 10
#define USER 1000

static volatile bool *is_over;

/* Opens a file until the round is over. */
static void open_often(const char *name, int flags)
{
	const char *path = text("%s/%s", tracefs(), name);

	while (!*is_over) {
		int fd = open(path, flags | O_CLOEXEC);

		if (fd < 0)
			EXPECT_EQ(errno, ENOENT);
		close(fd);
	}
}

static void open_data_often(void)
{
	open_often("user_events_data", O_RDWR);
}

static void open_status_often(void)
{
	open_often("user_events_status", O_RDONLY);
}

/* Uses the file, or the first one of its name, until the round is over. */
static void keep_data_in_use(void)
{
	while (!*is_over)
		if (tfs_open(O_PATH, "user_events_data") >= 0)
			break;
	while (!*is_over)
		sched_yield();
}

/* A user without capabilities never gets a file that does nothing. */
static void use_data_as_user(void)
{
	const char *path = text("%s/user_events_data", tracefs());

	become_user(USER);
	while (!*is_over && !harness_failed()) {
		int fd = open(path, O_RDWR | O_CLOEXEC);

		if (fd < 0) {
			EXPECT_TRUE(errno == ENOENT || errno == EACCES);
			continue;
		}
		EXPECT_ERRNO(del(fd, uniq("nothing")), ENOENT);
		close(fd);
	}
}

static void load_while_opened(void)
{
	static void (*const openers[])(void) = {
		open_data_often,
		open_status_often,
		keep_data_in_use,
		use_data_as_user,
	};
	pid_t children[ARRAY_SIZE(openers)];
	unsigned int i;
	int fd;

	*is_over = false;
	for (i = 0; i < ARRAY_SIZE(openers); i++) {
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i]) {
			pin_to_cpu(1 % cpu_count());
			openers[i]();
			_exit(harness_failed());
		}
	}
	pin_to_cpu(0);
	EXPECT_OK(load(text("data_mode=0622 uid=%u gid=77", USER)));
	fd = tfs_open(O_RDWR, "user_events_data");
	EXPECT_ERRNO(del(fd, uniq("nothing")), ENOENT);
	close(fd);
	check_file("user_events_data", 0622, USER, 77);
	usleep(1000);
	*is_over = true;
	for (i = 0; i < ARRAY_SIZE(openers); i++)
		wait_child(children[i]);
}

/*
 * Each open file of the module has a reference to it, and a file that was in use
 * when the module was loaded works like any other.
 */
TEST_TIMEOUT(loading_races_with_open, 300)
{
	unsigned int rounds = harness_rounds(LOADS), round;
	struct stat root;

	is_over = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(is_over != MAP_FAILED);
	ASSERT_OK(stat(tracefs(), &root));
	ASSERT_OK(chmod(tracefs(), (root.st_mode & 0777) | 0111));
	module_must_unload();
	for (round = 0; round < rounds && !harness_failed(); round++) {
		harness_context("round %u", round);
		load_while_opened();
		ASSERT_STREQ(read_file("/sys/module/" MODULE "/refcnt"), "0\n");
		module_must_unload();
	}
	harness_context(NULL);
	EXPECT_OK(chmod(tracefs(), root.st_mode & 0777));
	check_unloaded();
}

/* --- open() during unloading ---------------------------------------------- */

/*
 * The kernel takes a module reference for an open file, and warns if it cannot
 * get one, which happens between the start of unloading and the removal of the
 * file operations. Only a proxy in the kernel, which tracefs does not have,
 * could avoid this.
 */
TEST_TIMEOUT(unload_races_with_open, 300)
{
	static void (*const racers[])(void) = { race_open, race_status,
						race_dynamic };

	if (!getenv("USER_EVENTS_RACES"))
		SKIP("open() during rmmod triggers a kernel warning; "
		     "set USER_EVENTS_RACES=1 to run this test");
	/* scripts/vm/run ignores this warning between these two messages. */
	harness_kmsg("selftest: files are opened during rmmod");
	race(module_path(), racers, ARRAY_SIZE(racers));
	harness_kmsg("selftest: files are no longer opened");
}

/* Functions in the trace of this warning, which no other test triggers. */
