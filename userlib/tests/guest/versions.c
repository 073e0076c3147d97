// SPDX-License-Identifier: MIT
/* Two versions of a program, whose events have the same name, at one time. */
#include "guest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/decode.h>
#include <userevents/session.h>
#include <userevents/tracepoint-dynamic.h>

#define MULTI TRACING "/events/user_events_multi"
#define FORMAT EVENTS "/versions/format"

static const struct uev_field old_fields[] = {
	{ "number", UEV_TYPE_U32, 0 },
};
static const struct uev_field new_fields[] = {
	{ "text", UEV_TYPE_STRING, 0 },
	{ "ratio", UEV_TYPE_F64, 0 },
};

static struct uev_tracepoint *old_version(void)
{
	struct uev_tracepoint *tracepoint;

	check(uev_tracepoint_new(&tracepoint, "versions", old_fields, 1, 0),
	      "the old version");

	return tracepoint;
}

static struct uev_tracepoint *new_version(void)
{
	struct uev_tracepoint *tracepoint;
	int err = uev_tracepoint_new(&tracepoint, "versions", new_fields, 2, 0);

	if (err == -EADDRINUSE)
		skip("the kernel has one format of a name");
	check(err, "the new version");

	return tracepoint;
}

static void wait_until_enabled(struct uev_tracepoint *tracepoint)
{
	unsigned int tries = 0;

	while (!uev_enabled(uev_tracepoint_event(tracepoint)))
		wait_a_moment(&tries, "an event is disabled");
}

static void write_old(struct uev_tracepoint *tracepoint)
{
	struct uev_record *record;

	wait_until_enabled(tracepoint);
	check(uev_record_new(&record, tracepoint), "uev_record_new");
	check(uev_record_set_unsigned(record, 0, 7), "number");
	check(uev_record_write(record), "uev_record_write");
	uev_record_free(record);
}

static void write_new(struct uev_tracepoint *tracepoint)
{
	struct uev_record *record;

	wait_until_enabled(tracepoint);
	check(uev_record_new(&record, tracepoint), "uev_record_new");
	check(uev_record_set_string(record, 0, "new"), "text");
	check(uev_record_set_double(record, 1, -0.1), "ratio");
	check(uev_record_write(record), "uev_record_write");
	uev_record_free(record);
}

/* An event is enabled before the session starts, so one record could be lost. */
void be_old_version(void)
{
	struct uev_tracepoint *tracepoint = old_version();

	while (true) {
		write_old(tracepoint);
		usleep(10000);
	}
}

void be_new_version(void)
{
	new_version();
	pause();
}

/* Starts a program of this file, which ends with this process. */
static pid_t start(const char *name)
{
	pid_t child = fork();

	if (child < 0)
		fail("fork: %s", strerror(errno));
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl("/proc/self/exe", "guest", name, NULL);
		_exit(1);
	}

	return child;
}

static void stop(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void wait_for_format(bool exists)
{
	unsigned int tries = 0;

	while (!access(FORMAT, F_OK) != exists)
		wait_a_moment(&tries, FORMAT);
}

/* Decodes a record. Return: whether it is of the new version. */
static bool compare(const struct uev_sample *sample)
{
	const struct uev_source *source = sample->source;
	const bool is_new = strcmp(source->system, "user_events") != 0;
	const char *expected = is_new ? "\"text\": \"new\", \"ratio\": \"-0.1\""
				      : "\"number\": 7 }";
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_output json = UEV_OUTPUT_INIT;
	struct uev_decoder *decoder;
	struct uev_schema *schema;

	options.meta = 0;
	check(uev_decoder_new(&decoder), "uev_decoder_new");
	check(uev_schema_parse(&schema, source->system, source->format,
			       source->format_size, 0, NULL),
	      "format");
	check(uev_decoder_start(decoder, schema, sample->raw, sample->raw_size),
	      "record");
	check(uev_decoder_append_json(decoder, &options, NULL, &json), "JSON");
	if (!strstr(json.text, expected))
		fail("%s, not %s", json.text, expected);
	puts(json.text);
	uev_output_release(&json);
	uev_schema_free(schema);
	uev_decoder_free(decoder);

	return is_new;
}

/* The pattern has only the name. */
static struct uev_session *start_session(void)
{
	struct uev_session *session;

	check(uev_session_open(&session, NULL), "uev_session_open");
	if (check(uev_session_add(session, "versions", NULL), "add") != 2)
		fail("not two events");
	check(uev_session_start(session), "uev_session_start");

	return session;
}

static void compare_both(struct uev_session *session)
{
	unsigned int seen[2] = { 0 };
	const struct uev_sample *sample;
	unsigned int tries = 0;

	while (!seen[0] || !seen[1]) {
		check(uev_session_read(session, UEV_READ_DRAIN),
		      "uev_session_read");
		while (uev_session_next(session, &sample))
			seen[compare(sample)]++;
		wait_a_moment(&tries, "records");
	}
	if (seen[1] != 1)
		fail("%u records of the new version", seen[1]);
}

/* The name is available when the old version has exited. */
static void take_name(void)
{
	pid_t child;
	size_t size;
	char *text;

	wait_for_format(false);
	child = start("new_version");
	wait_for_format(true);
	text = read_text(FORMAT, &size);
	if (!strstr(text, "text"))
		fail("other fields: %s", text);
	free(text);
	stop(child);
}

void test_versions(void)
{
	pid_t child = start("old_version");
	struct uev_tracepoint *tracepoint;
	struct uev_session *session;

	wait_for_format(true);
	tracepoint = new_version();
	if (access(MULTI, F_OK))
		skip("the kernel does not compare fields");
	session = start_session();
	write_new(tracepoint);
	compare_both(session);
	uev_session_close(session);
	stop(child);
	take_name();
	check(uev_tracepoint_free(tracepoint), "uev_tracepoint_free");
}
