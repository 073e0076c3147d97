// SPDX-License-Identifier: MIT
/* Providers and their sets of events. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/eventheader-dynamic.h>

#include "eventheader/name.h"
#include "util/alloc.h"

/* struct member - A set in the list of its provider */
struct member {
	struct uev_event_set set;
	struct member *next;
	char command[];
};

/*
 * struct uev_dynamic_provider - A provider and its sets
 * @lock: protects @sets
 * @sets: the newest first; freed with the provider
 * @group: immutable, in @name after its NUL
 * @name: immutable
 */
struct uev_dynamic_provider {
	pthread_mutex_t lock;
	struct member *sets;
	const char *group;
	char name[];
};

int uev_dynamic_provider_new(struct uev_dynamic_provider **provider,
			     const char *name, const char *group)
{
	struct uev_dynamic_provider *new;
	size_t name_size, group_size;
	int err = uev_eventheader_check_provider(name, group);

	*provider = NULL;
	if (err)
		return err;
	if (!group)
		group = "";
	name_size = strlen(name) + 1;
	group_size = strlen(group) + 1;
	new = uev_malloc(sizeof(*new) + name_size + group_size);
	if (!new)
		return -ENOMEM;
	new->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	new->sets = NULL;
	new->group = new->name + name_size;
	memcpy(new->name, name, name_size);
	memcpy(new->name + name_size, group, group_size);
	*provider = new;
	return 0;
}

void uev_dynamic_provider_free(struct uev_dynamic_provider *provider)
{
	struct member *member, *next;

	if (!provider)
		return;
	for (member = provider->sets; member; member = next) {
		next = member->next;
		/*
		 * The kernel might still write to a set that it did not
		 * unregister.
		 */
		if (!uev_event_unregister(&member->set.event))
			free(member);
	}
	(void)pthread_mutex_destroy(&provider->lock);
	free(provider);
}

const char *
uev_dynamic_provider_name(const struct uev_dynamic_provider *provider)
{
	return provider->name;
}

const char *
uev_dynamic_provider_group(const struct uev_dynamic_provider *provider)
{
	return provider->group;
}

/* Context: the provider's lock is held. */
static struct uev_event_set *find(const struct uev_dynamic_provider *provider,
				  unsigned int level, uint64_t keyword)
{
	struct member *member;

	for (member = provider->sets; member; member = member->next)
		if (member->set.level == level &&
		    member->set.keyword == keyword)
			return &member->set;
	return NULL;
}

/* Context: the provider's lock is held. */
static int add(struct uev_dynamic_provider *provider, unsigned int level,
	       uint64_t keyword, struct uev_event_set **set)
{
	char command[EVENTHEADER_COMMAND_SIZE];
	size_t length = uev_eventheader_command(
		command, provider->name, provider->group, level, keyword);
	struct member *member = uev_malloc(sizeof(*member) + length + 1);
	int err;

	if (!member)
		return -ENOMEM;
	memcpy(member->command, command, length + 1);
	uev_event_init(&member->set.event, member->command);
	member->set.level = (uint8_t)level;
	member->set.keyword = keyword;
	err = uev_event_register(&member->set.event, 0);
	if (err) {
		free(member);
		return err;
	}
	member->next = provider->sets;
	provider->sets = member;
	*set = &member->set;
	return 0;
}

int uev_dynamic_provider_event_set(struct uev_dynamic_provider *provider,
				   unsigned int level, uint64_t keyword,
				   struct uev_event_set **set)
{
	int err = 0;

	*set = NULL;
	if (!level || level > UINT8_MAX)
		return -EINVAL;
	pthread_mutex_lock(&provider->lock);
	*set = find(provider, level, keyword);
	if (!*set)
		err = add(provider, level, keyword, set);
	pthread_mutex_unlock(&provider->lock);
	return err;
}

struct uev_event_set *
uev_dynamic_provider_find_set(struct uev_dynamic_provider *provider,
			      unsigned int level, uint64_t keyword)
{
	struct uev_event_set *set;

	pthread_mutex_lock(&provider->lock);
	set = find(provider, level, keyword);
	pthread_mutex_unlock(&provider->lock);
	return set;
}
