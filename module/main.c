// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events for kernels that were built without it: loading and unloading.
 */
#include <linux/err.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/stringify.h>

#include "common.h"
#include "compat/call.h"
#include "compat/event_files.h"
#include "compat/layout.h"
#include "compat/tracefs.h"
#include "dynevent.h"
#include "files.h"
#include "group.h"
#include "limits.h"
#include "status_page.h"
#include "trace_call.h"

/* clang-format off */
static unsigned int status_pages = USER_EVENT_STATUS_PAGES;
module_param(status_pages, uint, 0444);
MODULE_PARM_DESC(status_pages,
		 "pages of status bits, 32768 bits each with pages of 4 KiB: 1 to "
		 __stringify(USER_EVENT_STATUS_PAGES_MAX) " (default "
		 __stringify(USER_EVENT_STATUS_PAGES) ")");

static unsigned int max_events;
module_param(max_events, uint, 0444);
MODULE_PARM_DESC(max_events,
		 "events that may exist at once (default 0: as many as there are status bits)");

static unsigned short data_mode = 0640;
module_param(data_mode, ushort, 0444);
MODULE_PARM_DESC(data_mode,
		 "permission bits of user_events_data, octal with a leading 0 (default 0640)");

static unsigned short status_mode = 0640;
module_param(status_mode, ushort, 0444);
MODULE_PARM_DESC(status_mode,
		 "permission bits of user_events_status, octal with a leading 0 (default 0640)");

static unsigned int uid;
module_param(uid, uint, 0444);
MODULE_PARM_DESC(uid, "numeric user that owns the files (default 0)");

static unsigned int gid;
module_param(gid, uint, 0444);
MODULE_PARM_DESC(gid, "numeric group that owns the files (default 0)");
/* clang-format on */

static struct user_event_group group;

/**
 * struct tracefs_file - a file of the module
 * @name: its name in the root of tracefs
 * @mode: its permission bits, a module parameter
 * @mask: bits of @mode that it can have
 * @fops: its operations
 * @file: the file, once it is there
 */
struct tracefs_file {
	const char *name;
	const unsigned short *mode;
	unsigned short mask;
	const struct file_operations *fops;
	struct dentry *file;
};

static struct tracefs_file files[] = {
	{"user_events_data", &data_mode, 0777, &data_file_fops},
	{"user_events_status", &status_mode, 0777, &status_file_fops},
	{"user_events_profile", &status_mode, 0444, &profile_file_fops},
};

/* Refuses in one sentence what cannot be meant. */
static int __init check_parameters(void)
{
	if (!status_pages || status_pages > USER_EVENT_STATUS_PAGES_MAX) {
		pr_err("cannot load: status_pages is %u, but must be from 1 to %u\n",
		       status_pages, USER_EVENT_STATUS_PAGES_MAX);
		return -EINVAL;
	}

	if ((data_mode | status_mode) & ~0777) {
		pr_err("cannot load: data_mode is 0%ho and status_mode 0%ho, but neither may have more than the bits 0777\n",
		       data_mode, status_mode);
		return -EINVAL;
	}

	if (!uid_valid(make_kuid(&init_user_ns, uid)) ||
	    !gid_valid(make_kgid(&init_user_ns, gid))) {
		pr_err("cannot load: uid %u or gid %u is not valid\n", uid,
		       gid);
		return -EINVAL;
	}

	return 0;
}

/* A function that the in-kernel user_events has in every release. */
static int __init check_absence(void)
{
	if (!borrowed_lookup("user_events_release"))
		return 0;

	pr_err("cannot load: this kernel has user_events built in, so the module is not needed\n");
	return -EEXIST;
}

static void remove_files(void)
{
	int i;

	for (i = ARRAY_SIZE(files) - 1; i >= 0; i--)
		tracefs_file_remove(files[i].file);
}

static int __init create_files(void)
{
	struct tracefs_access access = {
		.uid = make_kuid(&init_user_ns, uid),
		.gid = make_kgid(&init_user_ns, gid),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		access.mode = *files[i].mode & files[i].mask;
		files[i].file = tracefs_file_create(files[i].name, &access,
						    &group, files[i].fops);
		if (IS_ERR(files[i].file)) {
			pr_err("cannot load: tracefs refuses to create %s\n",
			       files[i].name);
			remove_files();
			return PTR_ERR(files[i].file);
		}
	}

	event_files_init(files[0].file->d_parent);
	return 0;
}

static int __init init_group(void)
{
	int ret;

	group_init(&group, tracing_mutex());

	ret = status_page_init(&group, status_pages);
	if (ret)
		return ret;

	if (!max_events || max_events > group.bits.count)
		max_events = group.bits.count;
	group.max_events = max_events;

	return 0;
}

static int __init user_events_init(void)
{
	int ret;

	ret = check_parameters();
	if (ret)
		return ret;

	ret = borrowed_resolve();
	if (ret)
		return ret;

	ret = check_absence();
	if (ret)
		return ret;

	ret = layout_check();
	if (ret)
		return ret;

	ret = init_group();
	if (ret)
		return ret;

	ret = trace_call_init();
	if (ret)
		goto exit_group;

	/* From the first file on, processes are served. */
	ret = create_files();
	if (ret)
		goto exit_trace_call;

	dynevent_init(&group);
	return 0;

exit_trace_call:
	trace_call_exit();
exit_group:
	status_page_exit(&group);
	return ret;
}

/*
 * Nothing is left when this runs: open files, mappings (through their file)
 * and events each hold a reference to the module.
 *
 * a) No new file can be opened, and no event be made through dynamic_events.
 * b) dynevent_exit() passes the tracing mutex once, so whoever deleted the
 *    last event under it has left this module's code.
 * c) rcu_barrier() is not needed: only kfree_rcu() is used, whose work is done
 *    by code of the kernel.
 */
static void __exit user_events_exit(void)
{
	remove_files();
	dynevent_exit();
	trace_call_exit();
	status_page_exit(&group);
}

module_init(user_events_init);
module_exit(user_events_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The user_events authors");
MODULE_DESCRIPTION("user_events for kernels built without CONFIG_USER_EVENTS");
MODULE_VERSION("0.1.0");
