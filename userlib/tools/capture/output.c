// SPDX-License-Identifier: MIT
#include "capture/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/signals.h"

/* How often it looks whether there was a signal, in milliseconds. */
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

/* Whether it can be written to before it is time to give up. */
static bool wait_for_room(struct live_output *output)
{
	struct pollfd fd = { .fd = output->fd, .events = POLLOUT };
	uint64_t since = live_now();

	while (poll(&fd, 1, LOOK_EVERY) <= 0) {
		if (!live_signals.ends)
			since = live_now();
		else if (live_signals.ends > 1 ||
			 live_now() - since >= output->patience)
			return false;
	}

	return true;
}

int live_output_write(struct live_output *output, uint64_t *unwritten)
{
	const char *at = output->text.text;
	size_t left = output->text.size;
	ssize_t size;

	while (left && !output->is_given_up) {
		if (!wait_for_room(output)) {
			output->is_given_up = true;
			break;
		}
		/* A pipe that has room has room for so much. */
		size = write(output->fd, at, left < PIPE_BUF ? left : PIPE_BUF);
		if (size < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (size > 0) {
			at += size;
			left -= (size_t)size;
		}
	}
	*unwritten = left ? count_lines(at, left) : 0;
	output->text.size = 0;

	return 0;
}
