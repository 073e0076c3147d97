// SPDX-License-Identifier: MIT
/* Semaphores of probes, whose bits the kernel sets. */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/userevents.h>

/* The second one is of two probes. The others are of none. */
#define BEFORE 0
#define SHARED 1
#define OWN 2
#define AFTER 3

static volatile unsigned short semaphores[4] __attribute__((__aligned__(8)));

static struct uev_probe_event probes[] = {
	UEV_PROBE_EVENT_INIT("guest_probe_a u32 number", &semaphores[SHARED]),
	UEV_PROBE_EVENT_INIT("guest_probe_b u32 number", &semaphores[SHARED]),
	UEV_PROBE_EVENT_INIT("guest_probe_c u32 number", &semaphores[OWN]),
};

#define PROBES (sizeof(probes) / sizeof(*probes))

static void enable_probe(size_t probe, bool is_enabled)
{
	char name[] = "guest_probe_a";

	name[sizeof(name) - 2] = (char)('a' + probe);
	enable(name, is_enabled);
}

/* The kernel can write to memory that is not present later. */
static void expect(bool shared, bool own)
{
	unsigned int tries = 0;
	char seen[64];

	while (!!semaphores[SHARED] != shared || !!semaphores[OWN] != own) {
		snprintf(seen, sizeof(seen),
			 "semaphores %#x and %#x, expected %d and %d",
			 semaphores[SHARED], semaphores[OWN], shared, own);
		wait_a_moment(&tries, seen);
	}
	if (semaphores[BEFORE] || semaphores[AFTER])
		fail("%#x and %#x beside the semaphores", semaphores[BEFORE],
		     semaphores[AFTER]);
}

/* The kernel of Linux 6.0 to 6.3 itself sets bits of its own memory only. */
static bool has_enablers(void)
{
	int fd = open(TRACING "/user_events_status", O_RDONLY | O_CLOEXEC);
	void *page;

	if (fd < 0)
		fail("user_events_status: %s", strerror(errno));
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
		    fd, 0);
	close(fd);

	return page == MAP_FAILED ||
	       !access(TRACING "/user_events_enablers", F_OK);
}

static void follow_each(void)
{
	expect(false, false);
	enable_probe(0, true);
	expect(true, false);
	enable_probe(1, true);
	expect(true, false);
	enable_probe(0, false);
	expect(true, false);
	enable_probe(2, true);
	expect(true, true);
	enable_probe(1, false);
	expect(false, true);
	enable_probe(2, false);
	expect(false, false);
}

/* A child has the bits, too, and a copy of the memory. */
static void follow_in_child(void)
{
	pid_t child = fork();
	int status = 0;

	if (child < 0)
		fail("fork: %s", strerror(errno));
	if (!child) {
		expect(true, true);
		_exit(0);
	}
	enable_probe(0, true);
	enable_probe(2, true);
	if (waitpid(child, &status, 0) != child || status)
		fail("the child ended with status %#x", (unsigned int)status);
}

void test_semaphores(void)
{
	bool follows = has_enablers();
	size_t i;

	for (i = 0; i < PROBES; i++)
		check(uev_event_register(&probes[i].event, 0),
		      "uev_event_register");
	if (follows) {
		follow_each();
		follow_in_child();
	}
	expect(true, true);
	for (i = 0; i < PROBES; i++)
		check(uev_event_unregister(&probes[i].event),
		      "uev_event_unregister");
	expect(false, false);
	/* follow_in_child() enabled the first and the last event. */
	if (follows) {
		enable_probe(0, false);
		enable_probe(2, false);
	}
}
