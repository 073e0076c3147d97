// SPDX-License-Identifier: GPL-2.0-only
/* Forks while the first enabler is added or the last one removed. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "unload.h"

#define GENERATIONS 2
#define PARENTS 2
#define CHILDREN 20

/* Number of 64-byte pieces that a kprobe reads, to take time. */
#define PROBE_READS 40

/*
 * struct flicker - an enabler that is registered and unregistered in a loop
 * @fd: an open user_events_data
 * @event: its event
 * @word: its address, in memory that a fork does not copy
 * @stop: ends the loop
 * @child_ready: each child writes a byte to this pipe
 * @children: all children
 */
struct flicker {
	int fd;
	const char *event;
	volatile uint32_t *word;
	volatile bool stop;
	int child_ready;
	pid_t children[PARENTS][CHILDREN];
};

/*
 * Functions that the module calls when a process is in its table without an
 * enabler yet, and when the last enabler of a process is removed.
 */
static const char *const functions[] = { "ue_mm_prepare_fork",
					 "ue_enabler_set_remove" };

/*
 * Whether @symbol is this function, possibly with a suffix from the compiler.
 */
static bool is_function(const char *symbol, const char *function)
{
	size_t length = strlen(function);

	return !strncmp(symbol, function, length) &&
	       (!symbol[length] || !strncmp(symbol + length, ".isra", 5) ||
		!strncmp(symbol + length, ".constprop", 10));
}

/*
 * Finds the symbols of all functions at once, since reading kallsyms is slow.
 */
static void find_functions(const char *symbols[ARRAY_SIZE(functions)])
{
	char *line, *next = read_file("/proc/kallsyms");
	char symbol[128], owner[64];
	size_t i;

	ASSERT_TRUE(next);
	while ((line = strsep(&next, "\n"))) {
		if (!strstr(line, "[" MODULE "]") ||
		    sscanf(line, "%*s %*c %127s %63s", symbol, owner) != 2)
			continue;
		for (i = 0; i < ARRAY_SIZE(functions); i++)
			if (is_function(symbol, functions[i]))
				symbols[i] = text("%s", symbol);
	}
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (!symbols[i])
			FAIL("function %s not found in the module",
			     functions[i]);
}

/*
 * add_delay - slow a function of the module down
 *
 * Uses a kprobe that reads much memory.
 */
static void add_delay(const char *symbol, const char *probe)
{
	/*
	 * If kprobes at the entry are not allowed, see kprobe_target(). Linux
	 * 4.18 has no arrays.
	 */
	static const struct {
		const char *offset;
		const char *type;
	} ways[] = {
		{ "", "u8[64]" },
		{ "+8", "u8[64]" },
		{ "", "u64" },
		{ "+8", "u64" },
	};
	size_t way, i;

	if (!tfs_exists("kprobe_events"))
		SKIP("this kernel has no kprobes");
	for (way = 0; way < ARRAY_SIZE(ways); way++) {
		const char *reads = "";

		for (i = 0; i < PROBE_READS; i++)
			reads = text("%s a%zu=+0($stack):%s", reads, i,
				     ways[way].type);
		if (!dynevent_write(text("p:%s " MODULE ":%s%s%s", probe,
					 symbol, ways[way].offset, reads)))
			break;
	}
	ASSERT_LT(way, ARRAY_SIZE(ways));
	ASSERT_OK(tfs_write("1", "events/kprobes/%s/enable", probe));
}

static void remove_delay(const char *probe)
{
	ASSERT_OK(tfs_write("0", "events/kprobes/%s/enable", probe));
	ASSERT_OK(dynevent_write(text("-:%s", probe)));
}

static void *register_in_loop(void *argument)
{
	struct flicker *flicker = argument;

	while (!flicker->stop) {
		EXPECT_OK(reg_word(flicker->fd, flicker->event, flicker->word,
				   0));
		EXPECT_OK(unreg(flicker->fd, flicker->word, 0));
	}

	return NULL;
}

/* Runs in a child, which unregisters its copy of the enabler and waits. */
static void run_child(struct flicker *flicker)
{
	int done = unreg(flicker->fd, flicker->word, 0);

	EXPECT_TRUE(!done || errno == ENOENT);
	close(flicker->fd);
	EXPECT_EQ(write(flicker->child_ready, "x", 1), 1);
	close(flicker->child_ready);
	while (true)
		pause();
}

/*
 * struct parent - a thread that forks
 * @flicker: the enabler of its process
 * @children: its part of the array of children
 */
struct parent {
	struct flicker *flicker;
	pid_t *children;
};

static void *fork_children(void *argument)
{
	struct parent *parent = argument;
	int i;

	for (i = 0; i < CHILDREN; i++) {
		/* Leaves time for other steps of the loop. */
		usleep(rand() % 4000);
		parent->children[i] = fork();
		if (!parent->children[i])
			run_child(parent->flicker);
		ASSERT_OK(parent->children[i]);
	}

	return NULL;
}

static void run_generation(struct flicker *flicker)
{
	pthread_t threads[PARENTS], flickers;
	struct parent parents[PARENTS];
	int ends[2], i;
	char byte;

	flicker->fd = data_open();
	flicker->stop = false;
	ASSERT_OK(pipe(ends));
	flicker->child_ready = ends[1];
	ASSERT_EQ(pthread_create(&flickers, NULL, register_in_loop, flicker),
		  0);
	for (i = 0; i < PARENTS; i++) {
		parents[i].flicker = flicker;
		parents[i].children = flicker->children[i];
		ASSERT_EQ(pthread_create(&threads[i], NULL, fork_children,
					 &parents[i]),
			  0);
	}
	for (i = 0; i < PARENTS; i++)
		pthread_join(threads[i], NULL);
	close(ends[1]);
	for (i = 0; i < PARENTS * CHILDREN; i++)
		ASSERT_EQ(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	flicker->stop = true;
	pthread_join(flickers, NULL);
	close(flicker->fd);
}

static void kill_generation(struct flicker *flicker)
{
	const pid_t *child = flicker->children[0];
	int i;

	for (i = 0; i < PARENTS * CHILDREN; i++) {
		kill(child[i], SIGKILL);
		EXPECT_EQ(waitpid(child[i], NULL, 0), child[i]);
	}
}

/*
 * A process forks while it adds its first enabler or removes its last one, so
 * that the child has no enablers. The module can be unloaded while the child
 * exists, without leaving an object behind, which it would warn about.
 *
 * The window is a few instructions long, so kprobes widen it. On a single CPU
 * without kernel preemption no fork can happen in the window.
 */
TEST_TIMEOUT(fork_during_first_or_last_enabler_leaks_nothing, 300)
{
	const char *symbols[ARRAY_SIZE(functions)] = { NULL };
	static struct flicker flicker;
	int generation;
	size_t i;

	flicker.event = uniq("e");
	flicker.word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(flicker.word != MAP_FAILED);
	find_functions(symbols);
	if (harness_failed())
		return;
	for (generation = 0; generation < GENERATIONS; generation++) {
		for (i = 0; i < ARRAY_SIZE(functions); i++)
			add_delay(symbols[i], uniq(functions[i]));
		run_generation(&flicker);
		for (i = 0; i < ARRAY_SIZE(functions); i++)
			remove_delay(uniq(functions[i]));
		module_must_unload();
		kill_generation(&flicker);
		ASSERT_OK(load(""));
	}
	module_must_unload();
	check_unloaded();
}
