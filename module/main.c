// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events for kernels built without it: loading and unloading.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringify.h>

#include "common.h"
#include "api/api.h"
#include "compat/sysctl.h"
#include "emit/emit.h"
#include "emit/print_record.h"
#include "enabler/reap.h"
#include "enabler/task.h"
#include "event/group.h"
#include "event/quota.h"
#include "event/register.h"
#include "event/trace_call.h"
#include "internals/call.h"
#include "internals/dynamic_events.h"
#include "internals/event_files.h"
#include "internals/layout.h"
#include "limits.h"
#include "tracefs/dyn_event.h"
#include "tracefs/files.h"
#include "tracefs/status.h"
#include "tracefs/write.h"

/* clang-format off */
static unsigned int status_pages = USER_EVENT_STATUS_PAGES;
module_param(status_pages, uint, 0444);
MODULE_PARM_DESC(status_pages,
		 "pages of status bits, 32768 bits per page of 4 KiB, 1 to "
		 __stringify(USER_EVENT_STATUS_PAGES_MAX) " (default "
		 __stringify(USER_EVENT_STATUS_PAGES) ")");

static unsigned int max_events;
module_param(max_events, uint, 0444);
MODULE_PARM_DESC(max_events,
		 "maximum number of events (default 0: "
		 __stringify(USER_EVENT_PAGE_EVENTS) " per page of status bits)");

module_param_named(max_events_per_user, ue_user_limits.events, uint, 0644);
MODULE_PARM_DESC(max_events_per_user,
		 "maximum number of events that a user without CAP_PERFMON creates (default 0: half of all, at most half of 65535)");

module_param_named(max_enablers_per_user, ue_user_limits.enablers, uint, 0644);
MODULE_PARM_DESC(max_enablers_per_user,
		 "maximum number of enablers of a user without CAP_PERFMON (default 0: no limit)");

static unsigned short data_mode = 0640;
module_param(data_mode, ushort, 0444);
MODULE_PARM_DESC(data_mode,
		 "permission bits of user_events_data, octal with a leading 0 (default 0640)");

static unsigned short status_mode = 0640;
module_param(status_mode, ushort, 0444);
MODULE_PARM_DESC(status_mode,
		 "permission bits of user_events_status, octal with a leading 0 (default 0640)");

module_param_named(status_own, ue_status_own, bool, 0644);
MODULE_PARM_DESC(status_own,
		 "user_events_status and user_events_profile show a user only its own events (default N)");

static unsigned int uid;
module_param(uid, uint, 0444);
MODULE_PARM_DESC(uid, "numeric user id of the owner of the files (default 0)");

static unsigned int gid;
module_param(gid, uint, 0444);
MODULE_PARM_DESC(gid, "numeric group id of the files (default 0)");

static char *events = "";
module_param(events, charp, 0444);
MODULE_PARM_DESC(events,
		 "events to define, 'NAME FIELD; ...', separated by '|' (default none)");
/* clang-format on */

static struct user_event_group group;

/* The same limit at run time; the in-kernel user_events has this file, too. */
static struct ctl_table settings[] = { {
					       .procname = "user_events_max",
					       .data = &group.max_events,
					       .maxlen =
						       sizeof(group.max_events),
					       .mode = 0644,
					       .proc_handler = proc_douintvec,
				       },
				       {} };

static struct ctl_table_header *settings_header;

/* Logs the reason if a parameter is out of range. */
static int __init check_parameters(void)
{
	if (!status_pages || status_pages > USER_EVENT_STATUS_PAGES_MAX) {
		pr_err("cannot load: status_pages=%u: must be 1 to %u\n",
		       status_pages, USER_EVENT_STATUS_PAGES_MAX);
		return -EINVAL;
	}

	if ((data_mode | status_mode) & ~0777) {
		pr_err("cannot load: data_mode=0%ho status_mode=0%ho: only bits 0777 are allowed\n",
		       data_mode, status_mode);
		return -EINVAL;
	}

	if (!uid_valid(make_kuid(&init_user_ns, uid)) ||
	    !gid_valid(make_kgid(&init_user_ns, gid))) {
		pr_err("cannot load: uid=%u gid=%u: not valid\n", uid, gid);
		return -EINVAL;
	}

	return 0;
}

/* Every release of the in-kernel user_events has this function. */
static int __init check_not_built_in(void)
{
	if (!ue_lookup_symbol("user_events_release"))
		return 0;

	pr_err("cannot load: module not needed: this kernel has user_events built in\n");
	return -EEXIST;
}

static int __init init_group(void)
{
	int ret;

	ue_group_init(&group, event_mutex_lockdep());

	ret = ue_status_page_init(&group, status_pages);
	if (ret)
		return ret;

	if (!max_events)
		max_events = status_pages * USER_EVENT_PAGE_EVENTS;
	max_events = min(max_events, group.nr_bits);
	group.max_events = max_events;

	return 0;
}

/*
 * Events that tracers need before a process can define them. An invalid one is
 * not a reason to have no user_events.
 */
static void __init define_events(void)
{
	char *copy = kstrdup(events, GFP_KERNEL);
	char *rest = copy;
	const char *command;
	int ret;

	if (!copy) {
		pr_err("events: not defined: out of memory\n");
		return;
	}

	while ((command = strsep(&rest, "|"))) {
		command = skip_spaces(command);
		ret = *command ? ue_dyn_event_create(command) : 0;
		if (ret)
			pr_err("events: cannot define \"%s\": error %d\n",
			       command, ret);
	}
	kfree(copy);
}

static int __init user_events_init(void)
{
	const struct files_access access = {
		.data_mode = data_mode,
		.status_mode = status_mode,
		.uid = make_kuid(&init_user_ns, uid),
		.gid = make_kgid(&init_user_ns, gid),
	};
	int ret;

	ret = check_parameters();
	if (ret)
		return ret;

	ret = ue_resolve_symbols();
	if (ret)
		return ret;

	ret = check_not_built_in();
	if (ret)
		return ret;

	ret = ue_layout_check();
	if (ret)
		return ret;

	ret = ue_dynamic_events_init() ?: ue_tasks_init();
	if (ret)
		return ret;

	ret = init_group();
	if (ret)
		return ret;

	ret = ue_trace_call_init(ue_tracer_reg, ue_print_record);
	if (ret)
		goto exit_group;

	ue_register_init(ue_mms_reap_event);
	ret = ue_mms_init();
	if (ret)
		goto exit_trace_call;

	ret = ue_api_init(&group);
	if (ret)
		goto exit_mms;

	ret = ue_write_init() ?: ue_files_create(&group, &access);
	if (ret)
		goto exit_files;

	/* Last: on a duplicate name the kernel logs a stack trace. */
	settings_header = register_sysctl_sz("kernel", settings, 1);
	if (!settings_header) {
		ret = -ENOMEM;
		goto exit_files;
	}

	/* Nothing can fail from here on: the files start to work. */
	ue_bpf_init();
	ue_event_files_init(ue_files_root());
	ue_dyn_event_init(&group);
	ue_files_publish();
	define_events();
	return 0;

exit_files:
	ue_files_remove();
	ue_write_exit();
	ue_api_exit();
exit_mms:
	ue_mms_exit();
exit_trace_call:
	ue_trace_call_exit();
exit_group:
	ue_status_page_exit(&group);
	return ret;
}

/*
 * Open files, mappings (through their file) and events each hold a reference to
 * the module. So none of them exists when this runs.
 *
 * a) No process can open a file of the module, and the kernel no longer calls
 *    the module for dynamic_events: both take a reference to the module first,
 *    which fails now.
 * b) ue_dynamic_events_leave() takes event_mutex once. A task that deleted the last
 *    event under that mutex has left the module's code by then.
 * c) A program of BPF holds a reference until all of its calls have returned.
 *    ue_bpf_exit() waits for the work that these have started.
 * d) rcu_barrier() is not needed: the module only uses kfree_rcu(), whose
 *    callback is code of the kernel.
 */
static void __exit user_events_exit(void)
{
	ue_event_files_exit();
	ue_files_remove();
	ue_write_exit();
	ue_dynamic_events_leave();
	ue_bpf_exit();
	ue_api_exit();
	unregister_sysctl_table(settings_header);
	ue_tasks_exit();
	ue_mms_exit();
	ue_register_exit();
	ue_trace_call_exit();
	ue_status_page_exit(&group);
	ue_group_exit(&group);
}

module_init(user_events_init);
module_exit(user_events_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The user_events authors");
MODULE_DESCRIPTION("user_events for kernels built without CONFIG_USER_EVENTS");
MODULE_VERSION(USER_EVENTS_VERSION);
