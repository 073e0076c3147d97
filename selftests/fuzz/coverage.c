// SPDX-License-Identifier: GPL-2.0-only
/* Coverage with KCOV. */
#include <errno.h>
#include <fcntl.h>
#include <linux/kcov.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../lib/user_events.h"
#include "coverage.h"
#include "execute.h"

/* Tasks of a program that record coverage, and addresses per task. */
#define TRACES (THREADS + PROCESSES_MAX)
#define TRACE_LENGTH (128UL << 10)

/* Larger than the module. Collisions of two edges are acceptable. */
#define TEXT_SIZE (2UL << 20)
#define EDGES (1UL << 18)

static unsigned long *traces[TRACES];
static unsigned long module_start;
static bool blocks[TEXT_SIZE];
static bool edges[EDGES];
static unsigned int blocks_count, edges_count;

static bool open_trace(unsigned int number)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	unsigned long *trace = MAP_FAILED;

	if (fd < 0)
		return false;
	if (!ioctl(fd, KCOV_INIT_TRACE, TRACE_LENGTH))
		trace = mmap(NULL, TRACE_LENGTH * sizeof(*trace),
			     PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (trace == MAP_FAILED ||
	    dup3(fd, FD_TRACES + (int)number, O_CLOEXEC) < 0) {
		close(fd);
		return false;
	}
	close(fd);
	traces[number] = trace;

	return true;
}

bool coverage_prepare(void)
{
	unsigned int i;

	for (i = 0; i < TRACES; i++)
		if (!open_trace(i))
			return false;

	return true;
}

void coverage_start_task(void)
{
	unsigned int number =
		__atomic_fetch_add(&shared->traces, 1, __ATOMIC_RELAXED);

	if (number >= TRACES || !traces[number])
		return;
	__atomic_store_n(&traces[number][0], 0, __ATOMIC_RELAXED);
	ioctl(FD_TRACES + (int)number, KCOV_ENABLE, KCOV_TRACE_PC);
}

void coverage_find_module(void)
{
	char *text = read_file("/sys/module/user_events/sections/.text");

	module_start = text ? strtoul(text, NULL, 16) : 0;
	free(text);
}

static unsigned int new_edge(unsigned long from, unsigned long to)
{
	unsigned long edge = (from * 0x9e3779b1UL ^ to * 0x85ebca6bUL) % EDGES;

	if (edges[edge])
		return 0;
	edges[edge] = true;
	edges_count++;

	return 1;
}

static unsigned int collect(const unsigned long *trace)
{
	unsigned long count = trace[0], last = 0, i;
	unsigned int found = 0;

	for (i = 1; i <= count && i < TRACE_LENGTH; i++) {
		unsigned long block = trace[i] - module_start;

		if (block >= TEXT_SIZE)
			continue;
		if (!blocks[block]) {
			blocks[block] = true;
			blocks_count++;
		}
		found += new_edge(last, block);
		last = block;
	}

	return found;
}

unsigned int coverage_collect(void)
{
	unsigned int found = 0, i;

	/* The addresses are unknown if the program reloaded the module. */
	if (!module_start || shared->module_changed)
		return 0;
	for (i = 0; i < TRACES && i < shared->traces; i++)
		if (traces[i])
			found += collect(traces[i]);

	return found;
}

unsigned int coverage_blocks(void)
{
	return blocks_count;
}

unsigned int coverage_edges(void)
{
	return edges_count;
}

bool coverage_write(const char *path)
{
	FILE *to = fopen(path, "we");
	unsigned long i;

	if (!to)
		return false;
	for (i = 0; i < TEXT_SIZE; i++)
		if (blocks[i])
			fprintf(to, "%#lx\n", i);

	return !fclose(to);
}
