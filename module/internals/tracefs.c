// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of the module in the root of tracefs.
 */
#include "internals/tracefs.h"

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "common.h"
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

/* The owner of a file changes its mode, and the loading task can be another. */
static int set_access(const struct tracefs_file *file, umode_t mode)
{
	struct inode *inode = d_inode(file->dentry);
	struct iattr attr = {
		.ia_valid = ATTR_MODE | ATTR_UID | ATTR_GID | ATTR_FORCE,
		.ia_mode = S_IFREG | mode,
		.ia_uid = file->uid,
		.ia_gid = file->gid,
	};
	int ret;

	inode_lock(inode);
	ret = change_attributes(file->dentry, &attr);
	inode_unlock(inode);

	return ret;
}

/* The file has no permissions yet. Without @fops, it has no operations. */
static int create(struct tracefs_file *file, const struct file_operations *fops)
{
	struct dentry *dentry;

	dentry = static_call(unexported_tracefs_create_file)(
		file->name, 0, NULL, file->data, fops);
	if (IS_ERR_OR_NULL(dentry))
		return -EPERM;

	file->dentry = dentry;
	return 0;
}

/**
 * ue_tracefs_set_fops - Exchanges operations for others of the same owner
 * @dentry: the file
 * @fops: the operations
 */
void ue_tracefs_set_fops(struct dentry *dentry,
			 const struct file_operations *fops)
{
	smp_store_release(&d_inode(dentry)->i_fop, fops);
}

/*
 * Sets the operations of the module, unless a task might be in open(). Many
 * kernels read the operations of the inode twice there: to take a reference to
 * their owner, and to use them. If those of another owner were set in between,
 * the open file would have no reference to it. A task in open() has a reference
 * to the dentry, besides that of tracefs, and can take none under d_lock.
 */
static bool set_fops_if_unused(struct dentry *dentry,
			       const struct file_operations *fops)
{
	bool is_unused;

	spin_lock(&dentry->d_lock);
	is_unused = d_count(dentry) == 1;
	if (is_unused)
		ue_tracefs_set_fops(dentry, fops);
	spin_unlock(&dentry->d_lock);

	return is_unused;
}

/**
 * ue_tracefs_file_create - Creates a file in the root of tracefs
 * @file: the file
 *
 * The file has the operations of a tracefs file without operations, and no
 * permissions, until ue_tracefs_file_publish().
 *
 * Return: 0, and the file is to be removed with ue_tracefs_file_remove(); or
 *	   -EPERM: tracefs has not created the file, because of lockdown,
 *		   because the name exists, or because it is out of memory; it
 *		   does not tell which;
 *	   other errors: setting the owner failed.
 */
int ue_tracefs_file_create(struct tracefs_file *file)
{
	int ret = create(file, NULL);

	if (ret)
		return ret;

	inert_fops = d_inode(file->dentry)->i_fop;

	ret = set_access(file, 0);
	if (ret)
		ue_tracefs_file_remove(file);

	return ret;
}

/**
 * ue_tracefs_file_publish - Sets the operations and the permissions of a file
 * @file: the file, which need not exist yet
 *
 * A file that is in use, or does not exist, is replaced by one that has had its
 * operations from the start. Whoever uses the old one keeps a file that does
 * nothing. The reason of a failure is in the kernel log.
 */
void ue_tracefs_file_publish(struct tracefs_file *file)
{
	int ret = 0;

	if (!file->dentry || !set_fops_if_unused(file->dentry, file->fops)) {
		ue_tracefs_file_remove(file);
		ret = create(file, file->fops);
	}

	ret = ret ?: set_access(file, file->mode);
	if (ret)
		pr_err("failed to publish tracefs file %s: %d\n", file->name,
		       ret);
}

/**
 * ue_tracefs_file_unpublish - Removes the operations of a file
 * @file: the file, if it exists
 *
 * The module must be going or never have published the file: a task in open()
 * could have taken a reference to the module that it would not drop.
 */
void ue_tracefs_file_unpublish(struct tracefs_file *file)
{
	if (file->dentry)
		ue_tracefs_set_fops(file->dentry, inert_fops);
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
 * @file: the file, if it exists
 */
void ue_tracefs_file_remove(struct tracefs_file *file)
{
	static_call(unexported_tracefs_remove)(file->dentry);
	file->dentry = NULL;
}
