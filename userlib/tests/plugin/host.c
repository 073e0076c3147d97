// SPDX-License-Identifier: MIT
/*
 * A program that loads a shared object with tracepoints, and unloads it, many
 * times, without growing. Then it forks: nothing that was unloaded is called.
 *
 *	host PLUGIN [UNUSED FORKED]
 *
 * UNUSED is a shared object that does not use its library. FORKED is used while
 * another thread forks: its library stays loaded.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/userevents.h>

#include "plugin.h"

#define TIMES 200

#define FORKS 100
#define FORK_TIMEOUT_S 60

/* Growth of the second half of the times. */
#define GROWTH_MAX 4096

static void *must_find(void *plugin, const char *name)
{
	void *found = dlsym(plugin, name);

	if (!found) {
		printf("%s\n", dlerror());
		exit(EXIT_FAILURE);
	}

	return found;
}

static uint64_t own_events(void)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));

	return stats.registered + stats.pending;
}

static void *must_open(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!plugin) {
		printf("%s\n", dlerror());
		exit(EXIT_FAILURE);
	}

	return plugin;
}

static void must_close(void *plugin)
{
	if (dlclose(plugin)) {
		printf("%s\n", dlerror());
		exit(EXIT_FAILURE);
	}
}

static int use(const char *path)
{
	void *plugin = must_open(path);
	void (*work)(int number);
	uint64_t (*events)(void);
	int (*end)(void);

	*(void **)&work = must_find(plugin, "plugin_work");
	*(void **)&events = must_find(plugin, "plugin_events");
	*(void **)&end = must_find(plugin, "plugin_end");

	work(1);
	if (events() != 2 || end() != -EBUSY) {
		printf("%s: its events are not there\n", path);
		return EXIT_FAILURE;
	}
	must_close(plugin);
	/* The library is a shared one; a static one was unloaded. */
	if (own_events()) {
		printf("%s: its events are still there\n", path);
		return EXIT_FAILURE;
	}

	return EXIT_SUCCESS;
}

/* Calls the fork handlers of all that is loaded. */
static int fork_once(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(EXIT_SUCCESS);
	if (child < 0 || waitpid(child, &status, 0) != child || status) {
		printf("the child has failed\n");
		return EXIT_FAILURE;
	}

	return EXIT_SUCCESS;
}

static atomic_bool is_forking = true;

static void *fork_often(void *unused)
{
	bool failed = false;
	int i;

	(void)unused;
	for (i = 0; i < FORKS && !failed; i++)
		failed = fork_once();
	is_forking = false;

	return failed ? &is_forking : NULL;
}

static int use_beside_forks(const char *path)
{
	int ret = EXIT_SUCCESS;
	pthread_t thread;
	void *failed;

	alarm(FORK_TIMEOUT_S);
	if (pthread_create(&thread, NULL, fork_often, NULL))
		return EXIT_FAILURE;
	while (is_forking && ret == EXIT_SUCCESS)
		ret = use(path);
	pthread_join(thread, &failed);

	return failed ? EXIT_FAILURE : ret;
}

int main(int argc, char **argv)
{
	size_t before = 0, after;
	int i;

	if (argc != 2 && argc != 4)
		return EXIT_FAILURE;
	for (i = 0; i < TIMES; i++) {
		if (i == TIMES / 2)
			before = mallinfo2().uordblks;
		if (use(argv[1]))
			return EXIT_FAILURE;
	}
	after = mallinfo2().uordblks;
	if (after > before + GROWTH_MAX) {
		printf("%s: %zu bytes more\n", argv[1], after - before);
		return EXIT_FAILURE;
	}

	if (argc == 4)
		must_close(must_open(argv[2]));
	if (fork_once())
		return EXIT_FAILURE;

	return argc == 4 ? use_beside_forks(argv[3]) : EXIT_SUCCESS;
}
