// SPDX-License-Identifier: GPL-2.0-only
#include "event/quota.h"

#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>

#include "compat/capability.h"

struct user_limits ue_user_limits;

/* Innermost: taken with or without event_mutex. */
static DEFINE_SPINLOCK(quotas_lock);
static DEFINE_HASHTABLE(quotas, 6);

/*
 * Returns the user as the initial user namespace knows it, since one user can
 * create many users in namespaces. In a namespace created by root it is the
 * user that is root in that namespace.
 */
static kuid_t current_user_outside(void)
{
	struct user_namespace *ns = current_user_ns();
	kuid_t uid = current_euid(), root;

	for (; ns->parent; ns = ns->parent) {
		root = make_kuid(ns, 0);
		uid = ns->owner;
		if (uid_eq(uid, GLOBAL_ROOT_UID) && uid_valid(root))
			uid = root;
	}

	return uid;
}

static struct user_quota *quota_find(kuid_t uid)
{
	struct user_quota *quota;

	lockdep_assert_held(&quotas_lock);

	hash_for_each_possible(quotas, quota, node, __kuid_val(uid))
		if (uid_eq(quota->uid, uid))
			return quota;

	return NULL;
}

/* Takes the quota of a user, or @fresh if there is none. Returns NULL for neither. */
static struct user_quota *take(kuid_t uid, struct user_quota *fresh)
{
	struct user_quota *quota;

	spin_lock(&quotas_lock);
	quota = quota_find(uid);
	if (!quota && fresh) {
		quota = fresh;
		hash_add(quotas, &quota->node, __kuid_val(uid));
	}
	if (quota)
		quota->refs++;
	spin_unlock(&quotas_lock);

	return quota;
}

/**
 * ue_quota_get - Finds or creates the quota of the calling process' user
 *
 * Context: May sleep. Charged to the caller's memory cgroup.
 * Return: the quota, to be passed to ue_quota_put(), or NULL if out of memory.
 */
struct user_quota *ue_quota_get(void)
{
	kuid_t uid = current_user_outside();
	struct user_quota *quota = take(uid, NULL), *fresh;

	if (quota)
		return quota;

	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return NULL;

	fresh->uid = uid;
	quota = take(uid, fresh);
	if (quota != fresh)
		kfree(fresh);
	return quota;
}

/**
 * ue_quota_put - Undoes ue_quota_get()
 * @quota: the quota, or NULL
 */
void ue_quota_put(struct user_quota *quota)
{
	bool is_last;

	if (!quota)
		return;

	spin_lock(&quotas_lock);
	is_last = !--quota->refs;
	if (is_last)
		hash_del(&quota->node);
	spin_unlock(&quotas_lock);

	if (is_last)
		kfree(quota);
}

/**
 * ue_quota_permits - Tells whether a user may have one more of something
 * @used: what the user has
 * @limit: the limit, or 0 for none; CAP_PERFMON of the caller overrides it
 */
bool ue_quota_permits(unsigned int used, unsigned int limit)
{
	return !limit || used < limit || perfmon_capable();
}
