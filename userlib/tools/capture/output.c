// SPDX-License-Identifier: MIT
#include "capture/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/signals.h"
#include "tool.h"

/* Interval of tests for signals, in milliseconds. */
#define LOOK_EVERY 100

static uint64_t count_lines(const char *text, size_t size)
{
	const char *end = text + size;
	uint64_t count = 0;

	for (; text < end && (text = memchr(text, '\n', (size_t)(end - text)));
	     text++)
		count++;

	return count;
}

/*
 * Waits until it is writable; programs of the command do not. Return: false after
 * the timeout.
 */
static bool wait_for_room(struct capture_output *output)
{
	struct pollfd fd = { .fd = output->fd, .events = POLLOUT };
	uint64_t since = tool_now();

	while (poll(&fd, 1, LOOK_EVERY) <= 0) {
		capture_serve();
		if (!capture_signals.stop_requests)
			since = tool_now();
		else if (capture_signals.stop_requests > 1 ||
			 tool_now() - since >= output->stall_timeout_ms)
			return false;
	}

	return true;
}

int capture_output_write(struct capture_output *output)
{
	const char *at = output->text.text;
	size_t left = output->text.size;
	ssize_t size;

	while (left && !output->has_timed_out) {
		if (!wait_for_room(output)) {
			output->has_timed_out = true;
			break;
		}
		/* A writable pipe has room for PIPE_BUF bytes. */
		size = write(output->fd, at, left < PIPE_BUF ? left : PIPE_BUF);
		if (size < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (size > 0) {
			at += size;
			left -= (size_t)size;
		}
	}
	if (left)
		output->unwritten += count_lines(at, left);
	output->text.size = 0;

	return 0;
}

ssize_t capture_output_result(void *data, const char *bytes, size_t size)
{
	static struct capture_output output = {
		.fd = STDOUT_FILENO,
		.stall_timeout_ms = CAPTURE_STALL_TIMEOUT_MS,
	};
	int ret;

	(void)data;
	tool_append(&output.text, bytes, size);
	ret = capture_output_write(&output);
	if (!ret && !output.has_timed_out)
		return (ssize_t)size;
	/* The caller exits. */
	capture_abandon();
	errno = ret ? -ret : ETIMEDOUT;

	return 0;
}
