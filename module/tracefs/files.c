// SPDX-License-Identifier: GPL-2.0-only
#include "tracefs/files.h"

#include <linux/dcache.h>
#include <linux/kernel.h>

#include "common.h"
#include "internals/tracefs.h"

enum {
	DATA,
	STATUS,
	PROFILE,
	ENABLERS
};

static struct tracefs_file files[] = {
	[DATA] = { .name = "user_events_data", .fops = &data_file_fops },
	[STATUS] = { .name = "user_events_status", .fops = &status_file_fops },
	[PROFILE] = { .name = "user_events_profile",
		      .fops = &profile_file_fops },
	[ENABLERS] = { .name = "user_events_enablers",
		       .fops = &enablers_file_fops },
};

static int create_file(struct tracefs_file *file,
		       struct user_event_group *group,
		       const struct files_access *access, umode_t mode)
{
	int ret;

	file->data = group;
	file->mode = mode;
	file->uid = access->uid;
	file->gid = access->gid;

	ret = ue_tracefs_file_create(file);
	if (ret)
		pr_err("cannot load: failed to create tracefs file %s: %d\n",
		       file->name, ret);

	return ret;
}

/**
 * ue_files_create - Creates the files, without operations and permissions
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
 * ue_files_publish - Sets the operations and permissions of the files
 */
void ue_files_publish(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		ue_tracefs_file_publish(&files[i]);
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
		ue_tracefs_file_unpublish(&files[i]);

	ue_tracefs_wait_for_openers();

	for (i = 0; i < ARRAY_SIZE(files); i++)
		ue_tracefs_file_remove(&files[i]);
}
