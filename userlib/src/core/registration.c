// SPDX-License-Identifier: MIT
#include "core/registration.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/common.h"

/*
 * Maximum number of retired registrations that keep their counters, for events
 * that are registered again.
 */
#define RETIRED_MAX 32

/*
 * Protected by the lock.
 * @first: all registrations, the oldest first, so that the kernel gets them in
 *        the same order each time: the first event of a name has the name
 * @last: the pointer to which the next one is added
 * @retired: registrations without events, the longest retired first
 * @last_retired: the pointer to which the next one is added
 * @retired_count: number of @retired
 * @past: counters of registrations that were reused
 * @by_command: all registrations
 * @by_event: all attachments
 */
static struct {
	struct uev_registration *first;
	struct uev_registration **last;
	struct uev_registration *retired;
	struct uev_registration **last_retired;
	size_t retired_count;
	struct uev_stats past;
	struct uev_hash by_command;
	struct uev_hash by_event;
} registrations = {
	.last = &registrations.first,
	.last_retired = &registrations.retired,
};

struct uev_registration *uev_registrations_first(void)
{
	return registrations.first;
}

static struct uev_registration *
find_registration(uint64_t key, const char *command, unsigned int flags)
{
	struct uev_hash_entry *entry =
		uev_hash_first(&registrations.by_command, key);
	struct uev_registration *registration;

	for (; entry; entry = uev_hash_next(entry)) {
		registration = container_of(entry, struct uev_registration,
					    by_command);
		if (registration->flags == flags &&
		    !strcmp(registration->command, command))
			return registration;
	}

	return NULL;
}

void uev_registration_add_counts(struct uev_stats *to,
				 struct uev_registration *registration)
{
	struct uev_record_counts *counts = &registration->counts;

	to->written += __atomic_load_n(&counts->written, __ATOMIC_RELAXED);
	to->skipped += __atomic_load_n(&counts->skipped, __ATOMIC_RELAXED);
	to->oversize += __atomic_load_n(&counts->oversize, __ATOMIC_RELAXED);
	to->large += __atomic_load_n(&counts->large, __ATOMIC_RELAXED);
	to->failed += __atomic_load_n(&counts->failed, __ATOMIC_RELAXED);
	to->missed += __atomic_load_n(&counts->missed, __ATOMIC_RELAXED);
	to->shortened += __atomic_load_n(&counts->shortened, __ATOMIC_RELAXED);
	to->lost += __atomic_load_n(&counts->lost, __ATOMIC_RELAXED);
}

void uev_registration_retire(struct uev_registration *registration)
{
	if (registration->attachments || registration->link_retired)
		return;
	uev_grace_start(&registration->grace);
	registration->next_retired = NULL;
	registration->link_retired = registrations.last_retired;
	*registrations.last_retired = registration;
	registrations.last_retired = &registration->next_retired;
	registrations.retired_count++;
}

static void use_again(struct uev_registration *registration)
{
	if (!registration->link_retired)
		return;
	*registration->link_retired = registration->next_retired;
	if (registration->next_retired)
		registration->next_retired->link_retired =
			registration->link_retired;
	else
		registrations.last_retired = registration->link_retired;
	registration->link_retired = NULL;
	registrations.retired_count--;
}

/*
 * Returns a registration that has no command; NULL if out of memory. It takes
 * the one that was retired first, if no writer uses that any more.
 */
static struct uev_registration *new_registration(void)
{
	struct uev_registration *registration = registrations.retired;

	if (registrations.retired_count > RETIRED_MAX &&
	    uev_grace_is_over(&registration->grace)) {
		use_again(registration);
		uev_hash_remove(&registrations.by_command,
				&registration->by_command);
		uev_registration_add_counts(&registrations.past, registration);
		memset(&registration->counts, 0, sizeof(registration->counts));
		__atomic_store_n(&registration->status, NULL, __ATOMIC_RELAXED);
		__atomic_store_n(&registration->is_missing, false,
				 __ATOMIC_RELAXED);
		free(registration->command);
		registration->command = NULL;
		return registration;
	}
	registration = uev_calloc(1, sizeof(*registration));
	if (!registration)
		return NULL;
	*registrations.last = registration;
	registrations.last = &registration->next;

	return registration;
}

struct uev_registration *uev_registration_get(const char *command,
					      unsigned int flags)
{
	size_t size = strlen(command) + 1;
	uint64_t key = uev_hash_bytes(command, size);
	struct uev_registration *registration =
		find_registration(key, command, flags);
	char *copy;

	if (registration) {
		use_again(registration);
		return registration;
	}
	copy = uev_strdup(command);
	registration = copy ? new_registration() : NULL;
	if (!registration) {
		free(copy);
		return NULL;
	}
	registration->flags = flags;
	__atomic_store_n(&registration->text_base, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&registration->route, UEV_NO_ROUTE, __ATOMIC_RELAXED);
	registration->command = copy;
	uev_hash_add(&registrations.by_command, &registration->by_command, key);

	return registration;
}

void uev_attachment_link(struct uev_registration *registration,
			 struct uev_attachment *attachment)
{
	attachment->link = &registration->attachments;
	attachment->next = registration->attachments;
	if (attachment->next)
		attachment->next->link = &attachment->next;
	registration->attachments = attachment;
	uev_hash_add(&registrations.by_event, &attachment->by_event,
		     uev_hash_address(attachment->event));
}

void uev_attachment_unlink(struct uev_attachment *attachment)
{
	*attachment->link = attachment->next;
	if (attachment->next)
		attachment->next->link = attachment->link;
	uev_hash_remove(&registrations.by_event, &attachment->by_event);
}

struct uev_attachment *uev_attachment_find(const struct uev_event *event)
{
	struct uev_hash_entry *entry = uev_hash_first(&registrations.by_event,
						      uev_hash_address(event));

	/* Different addresses have different keys. */
	return entry ? container_of(entry, struct uev_attachment, by_event)
		     : NULL;
}

void uev_attachments_each(uev_attachment_function *function)
{
	struct uev_registration *registration;
	struct uev_attachment *attachment;

	for (registration = registrations.first; registration;
	     registration = registration->next)
		for (attachment = registration->attachments; attachment;
		     attachment = attachment->next)
			function(registration, attachment);
}

void uev_registrations_sum_counts(struct uev_stats *sum)
{
	struct uev_registration *registration;

	*sum = registrations.past;
	for (registration = registrations.first; registration;
	     registration = registration->next)
		uev_registration_add_counts(sum, registration);
}

void uev_registrations_release(void)
{
	struct uev_registration *registration;

	while ((registration = registrations.first)) {
		registrations.first = registration->next;
		uev_hash_remove(&registrations.by_command,
				&registration->by_command);
		free(registration->command);
		free(registration);
	}
	registrations.last = &registrations.first;
	registrations.retired = NULL;
	registrations.last_retired = &registrations.retired;
	registrations.retired_count = 0;
	registrations.past = (struct uev_stats){ 0 };
	uev_hash_release(&registrations.by_command);
	uev_hash_release(&registrations.by_event);
}
