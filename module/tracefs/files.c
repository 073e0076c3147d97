// SPDX-License-Identifier: GPL-2.0-only
#include "tracefs/files.h"

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/kernel.h>

#include "common.h"
#include "internals/tracefs.h"
#include "tracefs/data.h"
#include "tracefs/enablers.h"
#include "tracefs/status.h"

/**
 * struct tracefs_file - a file of the module
 * @name: its name
 * @fops: its operations
 * @dentry: the file, or NULL
 */
struct tracefs_file {
	const char *name;
	const struct file_operations *fops;
	struct dentry *dentry;
};

enum {
	DATA,
	STATUS,
	PROFILE,
	ENABLERS
};

static struct tracefs_file files[] = {
	[DATA] = { "user_events_data", &data_file_fops },
	[STATUS] = { "user_events_status", &status_file_fops },
	[PROFILE] = { "user_events_profile", &profile_file_fops },
	[ENABLERS] = { "user_events_enablers", &enablers_file_fops },
};

static int create_file(struct tracefs_file *file,
		       struct user_event_group *group,
		       const struct files_access *access, umode_t mode)
{
	const struct tracefs_access tracefs_access = {
		.mode = mode,
		.uid = access->uid,
		.gid = access->gid,
	};
	struct dentry *dentry;

	dentry = ue_tracefs_file_create(file->name, &tracefs_access, group);
	if (IS_ERR(dentry)) {
		pr_err("cannot load: failed to create tracefs file %s: %ld\n",
		       file->name, PTR_ERR(dentry));
		return PTR_ERR(dentry);
	}

	file->dentry = dentry;
	return 0;
}

/**
 * ue_files_create - Creates the files, without operations
 * @group: the registry
 * @access: permissions and owner
 *
 * Return: 0, or an errno with the reason in the kernel log. ue_files_remove()
 *	   must be called in both cases.
 */
int ue_files_create(struct user_event_group *group,
		    const struct files_access *access)
{
	/* Processes of all users: readable by root, whatever the parameters. */
	static const struct files_access root;

	return create_file(&files[DATA], group, access, access->data_mode) ?:
	       create_file(&files[STATUS], group, access, access->status_mode) ?:
	       create_file(&files[PROFILE], group, access,
		      access->status_mode & 0444) ?:
	       create_file(&files[ENABLERS], group, &root, 0400);
}

/**
 * ue_files_root - Returns the directory of the files
 *
 * Return: the root of tracefs, valid until ue_files_remove().
 */
struct dentry *ue_files_root(void)
{
	return files[DATA].dentry->d_parent;
}

/**
 * ue_files_publish - Sets the operations of the files
 */
void ue_files_publish(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		ue_tracefs_file_publish(files[i].dentry, files[i].fops);
}

/**
 * ue_files_remove - Removes the files
 *
 * On return no process can open one of the files. Open files keep working.
 */
void ue_files_remove(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i].dentry)
			ue_tracefs_file_unpublish(files[i].dentry);

	ue_tracefs_wait_for_openers();

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (files[i].dentry)
			ue_tracefs_file_remove(files[i].dentry);
		files[i].dentry = NULL;
	}
}
