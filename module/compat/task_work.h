/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TWA_RESUME is new in Linux 5.7 (commit e91b48162332, "task_work: teach
 * task_work_add() to do signal_wake_up()"). Before, the argument was a bool.
 *
 * task_work_cancel_match() is new in Linux 5.13 and stable kernels (commit
 * c7aab1a7c52b, "task_work: add helper for more targeted task_work canceling").
 * Before, task_work_cancel() had a function as argument; since Linux 6.11 and in
 * stable kernels it has a task work.
 *
 * A worker of io_uring is a thread of a process since Linux 5.12 (commit
 * 3bfe6106693b, "io-wq: fork worker threads from original task"), other workers
 * since Linux 6.4 (commit 54e6842d0775, "fork/vm: Move common PF_IO_WORKER
 * behavior to new flag").
 */
#ifndef USER_EVENTS_COMPAT_TASK_WORK_H
#define USER_EVENTS_COMPAT_TASK_WORK_H

#include <linux/sched.h>
#include <linux/task_work.h>

#ifndef HAVE_TWA_RESUME
#define TWA_RESUME true
#endif

/* A task with one of these flags does not return to user space. */
#ifdef PF_USER_WORKER
#define PF_KERNEL_WORKER (PF_KTHREAD | PF_USER_WORKER)
#elif defined(PF_IO_WORKER)
#define PF_KERNEL_WORKER (PF_KTHREAD | PF_IO_WORKER)
#else
#define PF_KERNEL_WORKER PF_KTHREAD
#endif

#endif /* USER_EVENTS_COMPAT_TASK_WORK_H */
