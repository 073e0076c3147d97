// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files in the root of tracefs, made and removed by a module.
 */
#include "internals/tracefs.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "internals/call.h"

/* The operations of a file without any; the kernel's own. */
static const struct file_operations *inert_fops;

/*
 * Whose ids are meant was first not said, then with a user namespace since
 * Linux 5.12 (commit 2f221d6f7b88, "attr: handle idmapped mounts"), then with a
 * mapping since Linux 6.3 (commit abf08576afe3, "fs: port vfs_*() helpers to
 * struct mnt_idmap").
 */
static int change_attributes(struct dentry *file, struct iattr *attr)
{
#if defined(HAVE_NOTIFY_CHANGE_IDMAP)
	return notify_change(&nop_mnt_idmap, file, attr, NULL);
#elif defined(HAVE_NOTIFY_CHANGE_USERNS)
	return notify_change(&init_user_ns, file, attr, NULL);
#else
	return notify_change(file, attr, NULL);
#endif
}

static int set_owner(struct dentry *file, const struct tracefs_access *access)
{
	struct inode *inode = d_inode(file);
	struct iattr attr = {
		.ia_valid = ATTR_UID | ATTR_GID,
		.ia_uid = access->uid,
		.ia_gid = access->gid,
	};
	int ret;

	inode_lock(inode);
	ret = change_attributes(file, &attr);
	inode_unlock(inode);

	return ret;
}

/**
 * ue_tracefs_file_create - Creates a file in the root of tracefs that does nothing
 * @name: its name
 * @access: who may use it
 * @data: what its inode carries
 *
 * It has the operations that tracefs gives to files without any, until
 * ue_tracefs_file_publish() is called.
 *
 * Return: the file, to be removed with ue_tracefs_file_remove(); or as ERR_PTR
 *	   -EPERM: tracefs refused it: it is locked down, or there is a file of
 *		   that name, or no memory; it does not say which;
 *	   other errors from changing the owner.
 */
struct dentry *ue_tracefs_file_create(const char *name,
				      const struct tracefs_access *access,
				      void *data)
{
	struct dentry *file;
	int ret;

	file = static_call(unexported_tracefs_create_file)(name, access->mode,
							   NULL, data, NULL);
	if (IS_ERR_OR_NULL(file))
		return ERR_PTR(-EPERM);

	inert_fops = d_inode(file)->i_fop;

	ret = set_owner(file, access);
	if (ret) {
		ue_tracefs_file_remove(file);
		return ERR_PTR(ret);
	}

	return file;
}

/**
 * ue_tracefs_file_publish - Gives a file its operations
 * @file: what ue_tracefs_file_create() returned
 * @fops: its operations
 */
void ue_tracefs_file_publish(struct dentry *file,
			     const struct file_operations *fops)
{
	smp_store_release(&d_inode(file)->i_fop, fops);
}

/**
 * ue_tracefs_file_unpublish - Takes the operations from a file again
 * @file: what ue_tracefs_file_create() returned
 */
void ue_tracefs_file_unpublish(struct dentry *file)
{
	ue_tracefs_file_publish(file, inert_fops);
}

/**
 * ue_tracefs_wait_for_openers - Waits until retired operations are not used
 *
 * Who has just read the operations of a file is about to take a reference to
 * their module. Unloading a module waits for that only where code of the kernel
 * cannot be preempted. Where it can be on any choice at boot, RCU takes a tick
 * of the clock in the middle of it for the end of a reader.
 */
void ue_tracefs_wait_for_openers(void)
{
	if (IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();
}

/**
 * ue_tracefs_file_remove - Removes what ue_tracefs_file_create() made
 * @file: the file
 */
void ue_tracefs_file_remove(struct dentry *file)
{
	static_call(unexported_tracefs_remove)(file);
}
