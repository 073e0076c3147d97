// SPDX-License-Identifier: MIT
/*
 * Tests of libuserevents that require root and a kernel with user_events.
 *
 *	guest TEST
 *	guest hold		registers the events of "guest write" and waits
 *	guest write		writes them once they are enabled
 *	guest read FILE		checks them in a perf.data of that time
 *	guest name		writes its own name
 *	guest old_version	an old version of a program, and the next one, of
 *	guest new_version	"guest versions"
 *	guest reload		writes "reloaded" until SIGTERM, also if the module is
 *				replaced meanwhile, and prints its counters
 *	guest otel		registers events of OpenTelemetry, and writes logs, spans
 *				and metrics after a line of standard input
 *	guest request STATUS PATH BYTES
 *				registers "request" and writes a record at once
 *	guest requests COUNT	the same, with each status below COUNT
 *	guest kinds COUNT	writes the records 0 to COUNT - 1 of the enabled events
 *				among kind_rel, kind_data, kind_char and
 *				kind_library, once there is one
 *	guest numbers FIRST LAST [segv]
 *				writes a record of the event "number" for each, and
 *				ends by SIGSEGV
 *	guest large COUNT BYTES	writes records of the event "large" without the library
 *	guest names PROGRAM	writes the names of itself, its threads and children,
 *				of which one executes PROGRAM, a link to it
 *
 * The exit status is 0, 1 if the test has failed, or 4 if it could not run,
 * with a reason.
 */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <userevents/userevents.h>

void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	exit(EXIT_FAILURE);
}

void skip(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	exit(SKIPPED);
}

long check(long result, const char *what)
{
	if (result < 0)
		fail("%s: %s", what, uev_strerror((int)result));
	return result;
}

/* Units of 10 ms. */
#define TRIES 3000

void wait_a_moment(unsigned int *tries, const char *what)
{
	if (++*tries == TRIES)
		fail("%s: timeout", what);
	usleep(10000);
}

void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail("%s: %s", path, strerror(errno));
	close(fd);
}

char *read_text(const char *path, size_t *size)
{
	const size_t room = 1 << 16;
	FILE *file = fopen(path, "re");
	char *text = malloc(room);

	if (!file || !text)
		fail("%s: %s", path, strerror(errno));
	*size = fread(text, 1, room - 1, file);
	text[*size] = '\0';
	fclose(file);
	return text;
}

void enable(const char *event, bool is_enabled)
{
	char path[256];

	snprintf(path, sizeof(path), EVENTS "/%s/enable", event);
	write_file(path, is_enabled ? "1" : "0");
}

void stay_on(unsigned int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		skip("processor %u not found", cpu);
}

static const struct test {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "closed", test_closed },
	{ "ftrace", test_ftrace },
	{ "session", test_session },
	{ "perf_data", test_perf_data },
	{ "plain", test_plain },
	{ "pids", test_pids },
	{ "inherited", test_inherited },
	{ "cgroup", test_cgroup },
	{ "cpus", test_cpus },
	{ "offline", test_offline },
	{ "filter", test_filter },
	{ "overwrite", test_overwrite },
	{ "losses", test_losses },
	{ "late", test_late },
	{ "wake_up", test_wake_up },
	{ "versions", test_versions },
	{ "semaphores", test_semaphores },
	{ "old_version", be_old_version },
	{ "new_version", be_new_version },
	{ "hold", hold_vectors },
	{ "write", write_vectors_when_heard },
	{ "name", write_name },
	{ "reload", write_through_reload },
	{ "otel", write_otel_records },
	{ "malformed", write_malformed },
};

#define TESTS (sizeof(tests) / sizeof(*tests))

int main(int argc, char **argv)
{
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 3 && !strcmp(argv[1], "read")) {
		read_vectors_of(argv[2]);
		return EXIT_SUCCESS;
	}
	if (argc == 3 && !strcmp(argv[1], "names")) {
		write_names(argv[2]);
		return EXIT_SUCCESS;
	}
	if (argc == 5 && !strcmp(argv[1], "request")) {
		write_one_request(argv + 2);
		return EXIT_SUCCESS;
	}
	if (argc == 3 && !strcmp(argv[1], "requests")) {
		write_requests(argv[2]);
		return EXIT_SUCCESS;
	}
	if (argc == 3 && !strcmp(argv[1], "kinds")) {
		write_kinds(argv[2]);
		return EXIT_SUCCESS;
	}
	if (argc >= 4 && !strcmp(argv[1], "numbers")) {
		write_numbers(argv[2], argv[3], argv[4]);
		return EXIT_SUCCESS;
	}
	if (argc == 4 && !strcmp(argv[1], "large")) {
		write_large(argv[2], argv[3]);
		return EXIT_SUCCESS;
	}
	for (i = 0; argc == 2 && i < TESTS; i++) {
		if (!strcmp(argv[1], tests[i].name)) {
			tests[i].run();
			return EXIT_SUCCESS;
		}
	}
	fputs("usage: guest TEST, guest read FILE\n", stderr);
	return 2;
}
