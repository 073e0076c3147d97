// SPDX-License-Identifier: MIT
/* EventHeader events of the macros. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/eventheader.h>

#include "core/event.h"
#include "eventheader/name.h"
#include "util/alloc.h"

static uint64_t keyword_of(const struct uev_eh_event_set *set)
{
	return (uint64_t)set->keyword[2] << 48 |
	       (uint64_t)set->keyword[1] << 24 | set->keyword[0];
}

static size_t command_of(const struct uev_eh_provider *provider,
			 const struct uev_eh_event_set *set,
			 char command[EVENTHEADER_COMMAND_SIZE])
{
	return uev_eventheader_command(command, provider->name, provider->group,
				       set->level, keyword_of(set));
}

static size_t set_count(const struct uev_eh_provider *provider)
{
	return (size_t)(provider->end - provider->begin);
}

static int register_sets(struct uev_eh_provider *provider)
{
	const size_t count = set_count(provider);
	struct uev_event **events;
	char *text;
	int err;

	err = uev_eventheader_check_provider(provider->name, provider->group);
	if (err || !count)
		return err;
	events = uev_malloc(count * (sizeof(struct uev_event *) +
				     EVENTHEADER_COMMAND_SIZE));
	if (!events)
		return -ENOMEM;
	provider->events = events;
	text = (char *)(events + count);
	for (size_t i = 0; i < count; i++) {
		const struct uev_eh_event_set *set = provider->begin + i;

		events[i] = set->event;
		events[i]->size = provider->size;
		events[i]->command = text;
		text += command_of(provider, set, text) + 1;
	}
	/* Readers know an EventHeader event by its whole name. */
	return uev_events_register_as(events, events + count, 0);
}

int uev_eh_provider_load(struct uev_eh_provider *provider)
{
	if (!provider->events)
		provider->result = register_sets(provider);
	return provider->result;
}

void uev_eh_provider_unload(struct uev_eh_provider *provider)
{
	struct uev_event **events = provider->events;

	if (!events)
		return;
	uev_events_unregister(events, events + set_count(provider));
	free(events);
	provider->events = NULL;
}

int uev_eh_provider_status(const struct uev_eh_provider *provider)
{
	const struct uev_eh_event_set *set;
	int err = provider->result;

	for (set = provider->begin; !err && set < provider->end; set++)
		err = uev_event_status(set->event);
	return err;
}

int uev_eh_activity(struct iovec *vector, uint8_t *front, const void *fixed,
		    size_t size, const void *activity, const void *related)
{
	struct uev_extension extension = {
		.size = UEV_ACTIVITY_SIZE,
		.kind = UEV_EXTENSION_ACTIVITY | UEV_EXTENSION_CHAIN,
	};
	const size_t header_size = sizeof(struct uev_eventheader);
	uint8_t *at = front;

	if (!activity)
		return related ? -EINVAL : 0;
	if (related)
		extension.size += UEV_ACTIVITY_SIZE;
	at = mempcpy(at, fixed, header_size);
	at = mempcpy(at, &extension, sizeof(extension));
	at = mempcpy(at, activity, UEV_ACTIVITY_SIZE);
	if (related)
		at = mempcpy(at, related, UEV_ACTIVITY_SIZE);
	at = mempcpy(at, (const uint8_t *)fixed + header_size,
		     size - header_size);
	vector->iov_base = front;
	vector->iov_len = (size_t)(at - front);
	return 0;
}
