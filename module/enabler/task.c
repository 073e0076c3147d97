// SPDX-License-Identifier: GPL-2.0-only
#include "enabler/task.h"

#include <linux/binfmts.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "common.h"
#include "compat/exit.h"
#include "enabler/fork.h"
#include "enabler/reap.h"

/* Time between attempts to detach a hook if out of memory. */
#define DETACH_RETRY_MS 20

/* The child has its memory, unless it is a kernel thread, and has not run. */
static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *child)
{
	if (!child->mm)
		return;

	if (child->mm == parent->mm)
		ue_mm_clone(parent);
	else
		ue_mm_fork(parent, child);
}

static void on_exec(void *data, struct task_struct *task, pid_t old_pid,
		    struct linux_binprm *bprm)
{
	ue_mms_schedule_reap();
}

static void on_exit(void *data, struct task_struct *task EXIT_GROUP_DEAD)
{
	/* The memory stays in use until the last thread exits. */
	if (!atomic_read(&task->signal->live))
		ue_mms_schedule_reap();
}

/**
 * struct task_hook - a probe of a tracepoint
 * @name: name of the tracepoint
 * @probe: the probe
 * @tracepoint: the tracepoint
 */
struct task_hook {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint;
};

static struct task_hook hooks[] = {
	{ "sched_process_fork", on_fork },
	{ "sched_process_exec", on_exec },
	{ "sched_process_exit", on_exit },
};

/*
 * Whether the hooks are attached, until the module is unloaded. Set under
 * hooks_lock, the outermost lock.
 */
static DEFINE_MUTEX(hooks_lock);
static bool hooks_attached;

static void __init find_hook(struct tracepoint *tracepoint, void *unused)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (!strcmp(tracepoint->name, hooks[i].name))
			hooks[i].tracepoint = tracepoint;
}

/**
 * ue_tasks_init - Finds the tracepoints of fork, exec and exit
 *
 * Return: 0, or -ENOENT with the reason in the kernel log.
 */
int __init ue_tasks_init(void)
{
	size_t i;

	for_each_kernel_tracepoint(find_hook, NULL);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (hooks[i].tracepoint)
			continue;

		pr_err("cannot load: tracepoint %s not found: needed to track processes\n",
		       hooks[i].name);
		return -ENOENT;
	}

	return 0;
}

/*
 * Older kernels allocate memory to detach a probe and can fail. The probe must
 * be detached before the module is unloaded, so retry.
 */
static void detach_hooks(size_t count)
{
	while (count--)
		while (tracepoint_probe_unregister(hooks[count].tracepoint,
						   hooks[count].probe,
						   NULL) == -ENOMEM)
			msleep(DETACH_RETRY_MS);
}

static int attach_hooks(void)
{
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		ret = tracepoint_probe_register(hooks[i].tracepoint,
						hooks[i].probe, NULL);
		if (!ret)
			continue;

		detach_hooks(i);
		tracepoint_synchronize_unregister();
		return ret;
	}

	return 0;
}

static int attach_hooks_once(void)
{
	int ret = 0;

	mutex_lock(&hooks_lock);
	if (!hooks_attached)
		ret = attach_hooks();
	/* Pairs with ue_tasks_attach_hooks(). */
	smp_store_release(&hooks_attached, !ret);
	mutex_unlock(&hooks_lock);

	return ret;
}

/**
 * ue_tasks_attach_hooks - Attaches the hooks into fork, exec and exit
 *
 * Called for the first enabler, so that systems without enablers have no cost.
 *
 * Return: 0 or -ENOMEM.
 */
int ue_tasks_attach_hooks(void)
{
	/* Pairs with attach_hooks_once(): the hooks are attached. */
	return likely(smp_load_acquire(&hooks_attached)) ? 0
							 : attach_hooks_once();
}

/**
 * ue_tasks_exit - Detaches the hooks and waits for running ones
 */
void ue_tasks_exit(void)
{
	if (!hooks_attached)
		return;

	detach_hooks(ARRAY_SIZE(hooks));
	tracepoint_synchronize_unregister();
	hooks_attached = false;
}
