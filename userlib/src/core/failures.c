// SPDX-License-Identifier: MIT
#include "core/failures.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <userevents/userevents.h>

#include "core/command.h"
#include "core/process.h"

/*
 * Protected by the lock, except that reports read @first to avoid taking it.
 * @first: failures for which the handler must be called, the oldest first
 * @last: the pointer to which the next one is added
 * @handler, @data: of the program; NULL while failures are only remembered
 */
static struct {
	struct uev_failure *first;
	struct uev_failure **last;
	uev_failure_handler *handler;
	void *data;
} failures = { .last = &failures.first };

static void queue(struct uev_failure *failure)
{
	failure->next = NULL;
	failure->link = failures.last;
	failures.last = &failure->next;
	__atomic_store_n(failure->link, failure, __ATOMIC_RELAXED);
}

static void unqueue(struct uev_failure *failure)
{
	if (!failure->link)
		return;
	__atomic_store_n(failure->link, failure->next, __ATOMIC_RELAXED);
	if (failure->next)
		failure->next->link = failure->link;
	else
		failures.last = failure->link;
	failure->link = NULL;
}

void uev_failure_set(struct uev_failure *failure, const char *command,
		     int error)
{
	if (error == failure->error)
		return;
	unqueue(failure);
	failure->error = error;
	failure->command = command;
	if (error)
		queue(failure);
}

/* A call of the handler, whose event can be freed meanwhile. */
struct call {
	uev_failure_handler *handler;
	void *data;
	int error;
	char command[UEV_COMMAND_SIZE];
};

/* Return: whether there is a failure to report. */
static bool take_first(struct call *call)
{
	struct uev_failure *failure;

	uev_lock();
	failure = failures.handler ? failures.first : NULL;
	if (failure) {
		call->handler = failures.handler;
		call->data = failures.data;
		call->error = failure->error;
		strcpy(call->command, failure->command);
		unqueue(failure);
	}
	uev_unlock();

	return failure;
}

void uev_failures_report(void)
{
	char name[UEV_NAME_MAX + 1];
	struct call call;
	int before = errno;
	size_t length;

	while (__atomic_load_n(&failures.first, __ATOMIC_RELAXED) &&
	       take_first(&call)) {
		length = strcspn(call.command, " ");
		memcpy(name, call.command, length);
		name[length] = '\0';
		call.handler(name, call.command, call.error, call.data);
	}
	errno = before;
}

void uev_failures_release(void)
{
	failures.handler = NULL;
	failures.data = NULL;
}

void uev_set_failure_handler(uev_failure_handler *handler, void *data)
{
	uev_lock();
	failures.handler = handler;
	failures.data = data;
	uev_unlock();
	uev_failures_report();
}
