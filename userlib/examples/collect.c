// SPDX-License-Identifier: MIT
/*
 * Prints events as they occur, one per line, until it is interrupted.
 *
 *	collect [-p PID] [-f FILTER] [-o FILE] PATTERN...
 *
 * A PATTERN is "[SYSTEM:]NAME" with the wildcards * and ?; the default of
 * SYSTEM is user_events. Events that appear later are found within a second.
 * With -o the records are also written to a perf.data file. The last line has
 * the number of records. The exit status is 1 if a record was lost.
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/session.h>

#define NANOSECONDS UINT64_C(1000000000)

/* Maximum delay of a record before it is printed, in milliseconds. */
#define LOOK_EVERY 200

/* Number of buffer reads between two searches for new events. */
#define RESCAN_EVERY 5

static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal)
{
	(void)signal;
	is_interrupted = 1;
}

/* Prints an error and exits. */
static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "collect: %s: %s\n", what, strerror(-ret));
	exit(1);
}

static void print_record(const struct uev_clock *clock,
			 const struct uev_sample *record)
{
	uint64_t wall = uev_clock_wall(clock, record->time);

	printf("%" PRIu64 ".%09" PRIu64 " [%03" PRIu32 "] %" PRIu32 "/%" PRIu32
	       " %s:%s %" PRIu32 " bytes\n",
	       wall / NANOSECONDS, wall % NANOSECONDS, record->cpu, record->pid,
	       record->tid, record->source->system, record->source->name,
	       record->raw_size);
}

/* Names the thread for perf script. */
static void write_record(const struct uev_session *session,
			 struct uev_perf_writer *writer,
			 const struct uev_sample *record)
{
	const char *name = uev_session_comm(session, record->tid);

	if (name)
		check(uev_perf_writer_comm(writer, record->pid, record->tid,
					   record->time, name),
		      "write");
	check(uev_perf_writer_record(writer, record), "write");
}

/* Prints and writes the ready records. */
static void take_records(struct uev_session *session,
			 struct uev_perf_writer *writer, unsigned int flags)
{
	const struct uev_sample *record;
	struct uev_clock clock;

	check(uev_session_clock(session, &clock), "clock");
	check((int)uev_session_read(session, flags), "read");
	while (uev_session_next(session, &record)) {
		print_record(&clock, record);
		if (writer)
			write_record(session, writer, record);
	}
	fflush(stdout);
	if (writer)
		check(uev_perf_writer_finished_round(writer), "write");
}

/* Looks for new events from time to time. */
static void rescan(struct uev_session *session)
{
	static unsigned int reads;

	if (++reads % RESCAN_EVERY == 0)
		check(uev_session_rescan(session), "rescan");
}

static void collect(struct uev_session *session, struct uev_perf_writer *writer)
{
	struct pollfd wait = {
		.fd = uev_session_fd(session),
		.events = POLLIN,
	};

	check(uev_session_start(session), "start");
	while (!is_interrupted) {
		poll(&wait, 1, LOOK_EVERY);
		take_records(session, writer, 0);
		rescan(session);
	}
	check(uev_session_stop(session), "stop");
	take_records(session, writer, UEV_READ_DRAIN);
}

/*
 * Buffers report lost records with the next record that fits, if there is one.
 * Since Linux 6.0 the kernel also counts them exactly for each event.
 */
static uint64_t count_losses(const struct uev_session *session)
{
	struct uev_trace_stats counts;
	uint64_t exact = 0;
	uint64_t hits;
	uint64_t lost;
	uint32_t i;

	uev_session_stats(session, &counts, sizeof(counts));
	for (i = 0; !uev_session_source_stats(session, i, &hits, &lost); i++)
		if (lost != UINT64_MAX)
			exact += lost;

	return exact > counts.lost ? exact : counts.lost;
}

/* Writes the lost records to the file, by processor if possible. */
static void write_losses(struct uev_session *session,
			 struct uev_perf_writer *writer, uint64_t all)
{
	struct uev_trace_stats counts;
	unsigned int cpu = 0;
	uint32_t i;

	for (i = 0; !uev_session_buffer_stats(session, i, &cpu, &counts,
					      sizeof(counts));
	     i++) {
		if (counts.lost)
			check(uev_perf_writer_lost(writer, counts.lost, cpu),
			      "write");
		all -= counts.lost;
	}
	if (all)
		check(uev_perf_writer_lost(writer, all, cpu), "write");
}

static struct uev_perf_writer *open_writer(struct uev_session *session,
					   const char *file)
{
	struct uev_perf_writer_options options = { .size = sizeof(options) };
	struct uev_perf_writer *writer;
	struct uev_clock clock;

	check(uev_session_clock(session, &clock), "clock");
	options.clock = &clock;
	check(uev_perf_writer_open(&writer, file, &options), file);

	return writer;
}

int main(int argc, char **argv)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct sigaction action = { .sa_handler = interrupt };
	struct uev_trace_stats counts;
	struct uev_perf_writer *writer = NULL;
	struct uev_session *session;
	const char *filter = NULL;
	const char *file = NULL;
	uint64_t lost;
	pid_t pid;
	int option;

	while ((option = getopt(argc, argv, "p:f:o:")) != -1) {
		switch (option) {
		case 'p':
			pid = (pid_t)strtol(optarg, NULL, 10);
			options.pids = &pid;
			options.pid_count = 1;
			options.flags |= UEV_SESSION_INHERIT;
			break;
		case 'f':
			filter = optarg;
			break;
		case 'o':
			file = optarg;
			options.flags |= UEV_SESSION_COMMS;
			break;
		default:
			argc = 0;
		}
	}
	if (optind >= argc) {
		fprintf(stderr,
			"usage: collect [-p PID] [-f FILTER] [-o FILE] PATTERN...\n");
		return 2;
	}

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	check(uev_session_open(&session, &options), "open");
	for (; optind < argc; optind++)
		check(uev_session_add(session, argv[optind], filter),
		      argv[optind]);
	if (file)
		writer = open_writer(session, file);

	collect(session, writer);

	uev_session_stats(session, &counts, sizeof(counts));
	lost = count_losses(session);
	if (writer) {
		write_losses(session, writer, lost);
		check(uev_perf_writer_finish(writer), file);
	}
	uev_session_close(session);
	printf("%" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " corrupt\n",
	       counts.records, lost, counts.corrupt);

	return lost || counts.corrupt ? 1 : 0;
}
