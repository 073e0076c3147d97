// SPDX-License-Identifier: MIT
#include "doctor/selftest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <userevents/session.h>
#include <userevents/userevents.h>

#include "capabilities.h"
#include "files.h"
#include "events/admin.h"
#include "tool.h"

#define TOKEN_SIZE 8

/* struct selftest - The test; a record is @token, without the NUL */
struct selftest {
	struct doctor *doctor;
	struct uev_event event;
	char *name;
	char *command;
	char token[TOKEN_SIZE + 1];
	struct selftest_verdict verdict;
};

static void add_failure(const struct selftest *selftest, const char *check,
			const char *command, const char *what, int err)
{
	doctor_add(selftest->doctor, DOCTOR_ERROR, check, command, "%s: %s",
		   what, strerror(-err));
}

/* ---- Registration ---- */

static bool test_registering(struct selftest *selftest)
{
	int err;

	/* As the programs of this user do. */
	capabilities_lower();
	err = event_admin_register(&selftest->event, selftest->command, 0);
	capabilities_raise();
	if (err)
		doctor_add(selftest->doctor, DOCTOR_ERROR, "registering", NULL,
			   "cannot register a test event: %s",
			   uev_strerror(err));
	else
		doctor_add(selftest->doctor, DOCTOR_OK, "registering", NULL,
			   "registered a test event");

	return !err;
}

/* A description by a macro has the form that the library has found out. */
static void check_texts(const struct selftest *selftest)
{
	static const char description[] = {
		UEV_DESCRIBED, 'n', 0, UEV_TYPE_STRING, 't', 0, 0
	};
	char command[UEV_COMMAND_MAX + 1];

	if (!uev_command_parse(command, description, NULL, NULL) &&
	    strstr(command, "__rel_loc"))
		doctor_add(selftest->doctor, DOCTOR_WARNING, "texts", NULL,
			   "programs declare texts as __rel_loc, which "
			   "bpftrace, event probes and old tools cannot read: "
			   "UEV_TRACE(3) has the reasons");
}

/* Return: 0; -EPIPE if the event is disabled. */
static int write_record(struct selftest *selftest)
{
	const struct iovec payload = { selftest->token, TOKEN_SIZE };
	int err;

	if (!uev_enabled(&selftest->event))
		return -EPIPE;
	capabilities_lower();
	err = uev_event_writev(&selftest->event, &payload, 1);
	capabilities_raise();
	if (err)
		selftest->verdict.writing = false;

	return err;
}

/* ---- ftrace ---- */

/* Return: 0, -ENODATA without the record, or an error of reading. */
static int find_in_trace(const struct selftest *selftest, const char *instance)
{
	_cleanup_free_ char *path = tool_print("%s/trace", instance);
	_cleanup_free_ char *text = NULL;
	size_t size;
	int err = files_read(path, &text, &size);

	if (!err && !memmem(text, size, selftest->token, TOKEN_SIZE))
		err = -ENODATA;

	return err;
}

static int use_instance(struct selftest *selftest, const char *instance)
{
	_cleanup_free_ char *enable = tool_print(
		"%s/events/user_events/%s/enable", instance, selftest->name);
	int err = files_write(enable, "1");

	if (!err) {
		err = write_record(selftest);
		if (!err)
			err = find_in_trace(selftest, instance);
		files_write(enable, "0");
	}

	return err;
}

static bool add_outcome(const struct selftest *selftest, const char *check,
			int err)
{
	if (!err)
		doctor_add(selftest->doctor, DOCTOR_OK, check, NULL,
			   "%s recorded a test event", check);
	else if (err == -EPIPE)
		doctor_add(selftest->doctor, DOCTOR_ERROR, check, NULL,
			   "the test event was not enabled by %s", check);
	else if (err == -ENODATA)
		doctor_add(selftest->doctor, DOCTOR_ERROR, check, NULL,
			   "%s did not record the test event", check);
	else
		add_failure(selftest, check, NULL, "cannot read the test event",
			    err);

	return !err;
}

static bool test_ftrace(struct selftest *selftest)
{
	_cleanup_free_ char *instance = tool_print(
		"%s/instances/%s", selftest->doctor->tracefs, selftest->name);
	bool works = false;
	int err;

	if (mkdir(instance, 0700)) {
		err = -errno;
		add_failure(selftest, "ftrace",
			    geteuid() ? "sudo user-events doctor" : NULL,
			    "cannot create an ftrace instance", err);
	} else {
		works = add_outcome(selftest, "ftrace",
				    use_instance(selftest, instance));
		if (rmdir(instance))
			add_failure(selftest, "ftrace", NULL,
				    "cannot remove the ftrace instance",
				    -errno);
	}

	return works;
}

/* ---- perf ---- */

static int find_in_session(const struct selftest *selftest,
			   struct uev_session *session)
{
	const struct uev_sample *sample;
	ssize_t count = uev_session_read(session, UEV_READ_DRAIN);

	if (count < 0)
		return (int)count;
	while (uev_session_next(session, &sample))
		if (memmem(sample->raw, sample->raw_size, selftest->token,
			   TOKEN_SIZE))
			return 0;

	return -ENODATA;
}

static int use_session(struct selftest *selftest, struct uev_session *session)
{
	int ret = uev_session_add(session, selftest->name, NULL);

	if (ret < 0)
		return ret;
	if (!ret)
		return -ENOENT;
	ret = uev_session_start(session);
	if (ret)
		return ret;
	ret = write_record(selftest);
	if (ret)
		return ret;
	ret = uev_session_stop(session);

	return ret ? ret : find_in_session(selftest, session);
}

static bool test_perf(struct selftest *selftest)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;
	int err;

	options.tracefs = selftest->doctor->tracefs;
	err = uev_session_open(&session, &options);
	if (!err) {
		err = use_session(selftest, session);
		uev_session_close(session);
	}

	return add_outcome(selftest, "perf", err);
}

/* ---- All tests ---- */

static void test_all(struct selftest *selftest)
{
	struct selftest_verdict *verdict = &selftest->verdict;

	verdict->writing = test_registering(selftest);
	if (!verdict->writing)
		return;
	check_texts(selftest);
	verdict->ftrace = test_ftrace(selftest);
	verdict->perf = test_perf(selftest);
	uev_event_unregister(&selftest->event);
	uev_shutdown();
	/* Events persist on kernels that have only the status page. */
	if (event_admin_has(selftest->doctor->tracefs, selftest->name))
		event_admin_delete(selftest->doctor->tracefs, selftest->name);
}

struct selftest_verdict doctor_selftest(struct doctor *doctor)
{
	struct selftest selftest = { .doctor = doctor };
	sigset_t signals, before;

	/* The reason is a finding already. */
	if (!doctor->tracefs)
		return selftest.verdict;
	snprintf(selftest.token, sizeof(selftest.token), "d%07u",
		 (unsigned int)getpid() % 10000000U);
	selftest.name = tool_print("user_events_doctor_%d", (int)getpid());
	selftest.command =
		tool_print("%s char[%d] token", selftest.name, TOKEN_SIZE);

	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &before);
	test_all(&selftest);
	sigprocmask(SIG_SETMASK, &before, NULL);

	free(selftest.name);
	free(selftest.command);

	return selftest.verdict;
}
