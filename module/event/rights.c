// SPDX-License-Identifier: GPL-2.0-only
#include "event/rights.h"

#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "compat/capability.h"

/* Without a capability, only the owner can attach perf, as only it can delete. */
#define MODE_DEFAULT 0622

/**
 * ue_rights_init - Sets the rights of an event that the caller creates
 * @rights: the rights
 */
void ue_rights_init(struct event_rights *rights)
{
	rights->uid = current_euid();
	rights->gid = current_egid();
	rights->mode = MODE_DEFAULT;
	rights->is_set = false;
}

/**
 * ue_rights_parse - Parses rights, "uid=1000,gid=1000,mode=0660"
 * @rights: the rights; unchanged if the text has none
 * @flags: the flags of a command, or NULL; those without '=' are ignored
 *
 * Return: 0, -EINVAL, or -EPERM if the caller must not set rights.
 */
int ue_rights_parse(struct event_rights *rights, const char *flags)
{
	unsigned long long uid, gid, mode;
	int end = 0;

	if (!flags || !strchr(flags, '='))
		return 0;

	if (sscanf(flags, "uid=%llu,gid=%llu,mode=%llo%n", &uid, &gid, &mode,
		   &end) != 3 ||
	    flags[end] || uid >= U32_MAX || gid >= U32_MAX || mode & ~0666ULL)
		return -EINVAL;

	/* The capability is one of the initial user namespace. */
	if (!perfmon_capable())
		return -EPERM;

	*rights = (struct event_rights){ .uid = KUIDT_INIT(uid),
					 .gid = KGIDT_INIT(gid),
					 .mode = mode,
					 .is_set = true };
	return 0;
}

/**
 * ue_rights_permit - Tells whether the caller has a right
 * @rights: the rights, under event_mutex
 * @right: RIGHT_REGISTER or RIGHT_PERF
 *
 * As for a file, the bits of one class count. CAP_PERFMON overrides them.
 */
bool ue_rights_permit(const struct event_rights *rights, umode_t right)
{
	umode_t mode = rights->mode;

	if (uid_eq(current_euid(), rights->uid))
		mode >>= 6;
	else if (in_egroup_p(rights->gid))
		mode >>= 3;

	return mode & right || perfmon_capable();
}

/**
 * ue_rights_show - Prints rights in the form of ue_rights_parse()
 * @m: the file
 * @rights: the rights, under event_mutex
 *
 * Prints nothing for an event whose rights were not set.
 */
void ue_rights_show(struct seq_file *m, const struct event_rights *rights)
{
	if (rights->is_set)
		seq_printf(m, ":uid=%u,gid=%u,mode=%04o",
			   from_kuid_munged(current_user_ns(), rights->uid),
			   from_kgid_munged(current_user_ns(), rights->gid),
			   rights->mode);
}
