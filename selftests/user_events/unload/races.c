// SPDX-License-Identifier: GPL-2.0-only
/* Races with unloading. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
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
