// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files in the root of tracefs, made and removed by a module.
 */
#include "tracefs.h"

#include <linux/err.h>
#include <linux/fs.h>

#include "call.h"

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
	ret = notify_change(&init_user_ns, file, &attr, NULL);
	inode_unlock(inode);

	return ret;
}

/**
 * tracefs_file_create - Creates a file in the root of tracefs
 * @name: its name
 * @access: who may use it
 * @data: what its inode carries
 * @fops: its operations
 *
 * Return: the file, to be removed with tracefs_file_remove(); or as ERR_PTR
 *	   -EPERM: tracefs refused it: it is locked down, or there is a file of
 *		   that name, or no memory; it does not say which;
 *	   other errors from changing the owner.
 */
struct dentry *tracefs_file_create(const char *name,
				   const struct tracefs_access *access,
				   void *data,
				   const struct file_operations *fops)
{
	struct dentry *file;
	int ret;

	file = static_call(borrowed_tracefs_create_file)(name, access->mode,
							 NULL, data, fops);
	if (IS_ERR_OR_NULL(file))
		return ERR_PTR(-EPERM);

	ret = set_owner(file, access);
	if (ret) {
		tracefs_file_remove(file);
		return ERR_PTR(ret);
	}

	return file;
}

/**
 * tracefs_file_remove - Removes what tracefs_file_create() made
 * @file: the file, or an ERR_PTR or NULL
 *
 * Whoever is just about to open it finds operations that belong to the kernel
 * and do nothing, not those of a module that is going.
 */
void tracefs_file_remove(struct dentry *file)
{
	if (IS_ERR_OR_NULL(file))
		return;

	WRITE_ONCE(d_inode(file)->i_fop, &simple_dir_operations);
	static_call(borrowed_tracefs_remove)(file);
}
