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

#include "files.h"
#include "events/admin.h"
#include "tool.h"

#define TOKEN_SIZE 8

/* What is written, so that it is known again: all of it is text. */
struct record {
	char token[TOKEN_SIZE];
};

struct trial {
	struct doctor *doctor;
	struct uev_event event;
	char *name;
	char *command;
	char token[TOKEN_SIZE + 1];
};

static void fail(const struct trial *trial, const char *check,
		 const char *command, const char *what, int err)
{
	doctor_add(trial->doctor, DOCTOR_ERROR, check, command, "%s: %s", what,
		   strerror(-err));
}

/* ---- Registering ---- */

static bool try_registering(struct trial *trial)
{
	int err;

	uev_event_init(&trial->event, trial->command);
	err = uev_event_register(&trial->event, 0);
	if (!err) {
		err = uev_event_status(&trial->event);
		if (err)
			uev_event_unregister(&trial->event);
	}
	if (err)
		doctor_add(trial->doctor, DOCTOR_ERROR, "registering", NULL,
			   "a test event cannot be registered: %s",
			   uev_strerror(err));
	else
		doctor_add(trial->doctor, DOCTOR_OK, "registering", NULL,
			   "a test event was registered");

	return !err;
}

/* Return: 0, -EPIPE if the event does not know that there is a listener. */
static int write_record(struct trial *trial)
{
	struct record record;
	struct iovec vector[] = {
		{ NULL, 0 },
		{ &record, sizeof(record) },
	};

	if (!uev_enabled(&trial->event))
		return -EPIPE;
	memcpy(record.token, trial->token, TOKEN_SIZE);

	return uev_event_writev(&trial->event, vector, ARRAY_SIZE(vector));
}

/* ---- ftrace ---- */

/* Return: 0, -ENODATA if the record is not there, or why it cannot be read. */
static int look_in_trace(const struct trial *trial, const char *instance)
{
	char *path = tool_print("%s/trace", instance), *text;
	size_t size;
	int err = files_read(path, &text, &size);

	if (!err && !memmem(text, size, trial->token, TOKEN_SIZE))
		err = -ENODATA;
	free(text);
	free(path);

	return err;
}

static int use_instance(struct trial *trial, const char *instance)
{
	char *enable = tool_print("%s/events/user_events/%s/enable", instance,
				  trial->name);
	int err = files_write(enable, "1");

	if (!err) {
		err = write_record(trial);
		if (!err)
			err = look_in_trace(trial, instance);
		files_write(enable, "0");
	}
	free(enable);

	return err;
}

static bool say_outcome(const struct trial *trial, const char *check, int err)
{
	if (!err)
		doctor_add(trial->doctor, DOCTOR_OK, check, NULL,
			   "a test event came through %s", check);
	else if (err == -EPIPE)
		doctor_add(trial->doctor, DOCTOR_ERROR, check, NULL,
			   "the test event was not told that %s listens",
			   check);
	else if (err == -ENODATA)
		doctor_add(trial->doctor, DOCTOR_ERROR, check, NULL,
			   "the test event was written, and %s has not got it",
			   check);
	else
		fail(trial, check, NULL, "a test event cannot be read", err);

	return !err;
}

static bool try_ftrace(struct trial *trial)
{
	char *instance = tool_print("%s/instances/%s", trial->doctor->tracefs,
				    trial->name);
	bool works = false;
	int err;

	if (mkdir(instance, 0700)) {
		err = -errno;
		fail(trial, "ftrace",
		     geteuid() ? "sudo user-events doctor" : NULL,
		     "no instance of ftrace can be made", err);
	} else {
		works = say_outcome(trial, "ftrace",
				    use_instance(trial, instance));
		if (rmdir(instance))
			fail(trial, "ftrace", NULL,
			     "the instance of ftrace cannot be removed",
			     -errno);
	}
	free(instance);

	return works;
}

/* ---- perf ---- */

static int look_in_session(const struct trial *trial,
			   struct uev_session *session)
{
	const struct uev_sample *sample;
	ssize_t count = uev_session_read(session, UEV_READ_DRAIN);

	if (count < 0)
		return (int)count;
	while (uev_session_next(session, &sample))
		if (memmem(sample->raw, sample->raw_size, trial->token,
			   TOKEN_SIZE))
			return 0;

	return -ENODATA;
}

static int use_session(struct trial *trial, struct uev_session *session)
{
	int ret = uev_session_add(session, trial->name, NULL);

	if (ret < 0)
		return ret;
	if (!ret)
		return -ENOENT;
	ret = uev_session_start(session);
	if (ret)
		return ret;
	ret = write_record(trial);
	if (ret)
		return ret;
	ret = uev_session_stop(session);

	return ret ? ret : look_in_session(trial, session);
}

static bool try_perf(struct trial *trial)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;
	int err;

	options.tracefs = trial->doctor->tracefs;
	err = uev_session_open(&session, &options);
	if (!err) {
		err = use_session(trial, session);
		uev_session_close(session);
	}

	return say_outcome(trial, "perf", err);
}

/* ---- All of it ---- */

static bool try_all(struct trial *trial)
{
	bool works;

	if (!try_registering(trial))
		return false;
	works = try_ftrace(trial);
	works = try_perf(trial) && works;
	uev_event_unregister(&trial->event);
	uev_shutdown();
	/* Events stay where there is nothing but the status page. */
	if (registry_has(trial->doctor->tracefs, trial->name))
		registry_delete(trial->doctor->tracefs, trial->name);

	return works;
}

bool doctor_trial(struct doctor *doctor)
{
	struct trial trial = { .doctor = doctor };
	sigset_t signals, before;
	bool works;

	if (!doctor->tracefs) {
		doctor_add(doctor, DOCTOR_ERROR, "registering", NULL,
			   "no test event was tried: there is no tracefs that "
			   "it could be registered in");
		return false;
	}
	snprintf(trial.token, sizeof(trial.token), "d%07u",
		 (unsigned int)getpid() % 10000000U);
	trial.name = tool_print("user_events_doctor_%d", (int)getpid());
	trial.command = tool_print("%s char[%d] token", trial.name, TOKEN_SIZE);

	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &before);
	works = try_all(&trial);
	sigprocmask(SIG_SETMASK, &before, NULL);

	free(trial.name);
	free(trial.command);

	return works;
}
