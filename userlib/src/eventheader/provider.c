// SPDX-License-Identifier: MIT
/* Providers and their sets of events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/eventheader-dynamic.h>

#include "eventheader/name.h"
#include "util/alloc.h"

/*
 * struct member - A set in the list of its provider, immutable there except its
 * state
 */
struct member {
	struct uev_event_set set;
	struct member *next;
	char command[];
};

/*
 * struct uev_dynamic_provider - A provider and its sets
 * @sets: the newest first; only added to, by compare and exchange without a lock,
 *	so that a child of fork() finds them valid; freed with the provider
 * @group: immutable, in @name after its NUL
 * @name: immutable
 */
struct uev_dynamic_provider {
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
	new->sets = NULL;
	new->group = new->name + name_size;
	memcpy(new->name, name, name_size);
	memcpy(new->name + name_size, group, group_size);
	*provider = new;
	return 0;
}

/* The kernel might still write to a set that it did not unregister. */
static void remove_member(struct member *member)
{
	if (!uev_event_unregister(&member->set.event))
		free(member);
}

void uev_dynamic_provider_free(struct uev_dynamic_provider *provider)
{
	struct member *member, *next;

	if (!provider)
		return;
	for (member = provider->sets; member; member = next) {
		next = member->next;
		remove_member(member);
	}
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

static struct uev_event_set *find(struct member *member, unsigned int level,
				  uint64_t keyword)
{
	for (; member; member = member->next)
		if (member->set.level == level &&
		    member->set.keyword == keyword)
			return &member->set;
	return NULL;
}

/* Return: the set, or that which another thread has added meanwhile */
static struct uev_event_set *add(struct uev_dynamic_provider *provider,
				 struct member *member)
{
	struct member *first =
		__atomic_load_n(&provider->sets, __ATOMIC_ACQUIRE);
	struct uev_event_set *other;

	do {
		other = find(first, member->set.level, member->set.keyword);
		if (other) {
			remove_member(member);
			return other;
		}
		member->next = first;
	} while (!__atomic_compare_exchange_n(&provider->sets, &first, member,
					      false, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE));
	return &member->set;
}

/* No lock is held: it can take long, call a failure handler, or fork(). */
static int register_set(struct uev_dynamic_provider *provider,
			unsigned int level, uint64_t keyword,
			struct uev_event_set **set)
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
	*set = add(provider, member);
	return 0;
}

int uev_dynamic_provider_event_set(struct uev_dynamic_provider *provider,
				   unsigned int level, uint64_t keyword,
				   struct uev_event_set **set)
{
	*set = NULL;
	if (!level || level > UINT8_MAX)
		return -EINVAL;
	*set = uev_dynamic_provider_find_set(provider, level, keyword);
	return *set ? 0 : register_set(provider, level, keyword, set);
}

struct uev_event_set *
uev_dynamic_provider_find_set(struct uev_dynamic_provider *provider,
			      unsigned int level, uint64_t keyword)
{
	return find(__atomic_load_n(&provider->sets, __ATOMIC_ACQUIRE), level,
		    keyword);
}
