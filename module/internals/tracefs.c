// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of the module in the root of tracefs.
 */
#include "internals/tracefs.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "internals/call.h"

/* The kernel's operations of a file without operations. */
static const struct file_operations *inert_fops;

/*
 * The mapping of ids is a user namespace since Linux 5.12 (commit 2f221d6f7b88,
 * "attr: handle idmapped mounts") and a struct mnt_idmap since Linux 6.3
 * (commit abf08576afe3, "fs: port vfs_*() helpers to struct mnt_idmap").
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
 * ue_tracefs_file_create - Creates a file in the root of tracefs
 * @name: its name
 * @access: permissions and owner
 * @data: private data of the inode
 *
 * The file has the operations of a tracefs file without operations until
 * ue_tracefs_file_publish().
 *
 * Return: the file, to be removed with ue_tracefs_file_remove(); or as ERR_PTR
 *	   -EPERM: tracefs has not created the file, because of lockdown,
 *		   because the name exists, or because it is out of memory; it
 *		   does not tell which;
 *	   other errors: setting the owner failed.
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
 * ue_tracefs_file_publish - Sets the operations of a file
 * @file: the result of ue_tracefs_file_create()
 * @fops: the operations
 */
void ue_tracefs_file_publish(struct dentry *file,
			     const struct file_operations *fops)
{
	smp_store_release(&d_inode(file)->i_fop, fops);
}

/**
 * ue_tracefs_file_unpublish - Removes the operations of a file
 * @file: the result of ue_tracefs_file_create()
 */
void ue_tracefs_file_unpublish(struct dentry *file)
{
	ue_tracefs_file_publish(file, inert_fops);
}

/**
 * ue_tracefs_wait_for_openers - Waits until removed operations are unused
 *
 * A task in open() that has just read the operations of a file is about to take
 * a reference to the module. Module unloading waits for that task only if the
 * kernel does not preempt kernel code. With CONFIG_PREEMPTION, whatever is
 * chosen at boot, RCU can take a clock tick in that code for a quiescent state.
 */
void ue_tracefs_wait_for_openers(void)
{
	if (IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();
}

/**
 * ue_tracefs_file_remove - Removes a file
 * @file: the result of ue_tracefs_file_create()
 */
void ue_tracefs_file_remove(struct dentry *file)
{
	static_call(unexported_tracefs_remove)(file);
}
