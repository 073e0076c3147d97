// SPDX-License-Identifier: MIT
/*
 * A program that loads a shared object with tracepoints, and unloads it, a few
 * times.
 *
 *	host PLUGIN
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <userevents/userevents.h>

#include "plugin.h"

#define TIMES 5

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

static int use(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void (*work)(int number);
	uint64_t (*events)(void);
	int (*end)(void);

	if (!plugin) {
		printf("%s\n", dlerror());
		return EXIT_FAILURE;
	}
	*(void **)&work = must_find(plugin, "plugin_work");
	*(void **)&events = must_find(plugin, "plugin_events");
	*(void **)&end = must_find(plugin, "plugin_end");

	work(1);
	if (events() != 2 || end() != -EBUSY) {
		printf("%s: its events are not there\n", path);
		return EXIT_FAILURE;
	}
	if (dlclose(plugin)) {
		printf("%s\n", dlerror());
		return EXIT_FAILURE;
	}
	/* The library is a shared one; a static one was unloaded. */
	if (own_events()) {
		printf("%s: its events are still there\n", path);
		return EXIT_FAILURE;
	}

	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	int i;

	if (argc != 2)
		return EXIT_FAILURE;
	for (i = 0; i < TIMES; i++)
		if (use(argv[1]))
			return EXIT_FAILURE;

	return EXIT_SUCCESS;
}
