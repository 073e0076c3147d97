// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that BPF programs call.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "common.h"
#include "api/api.h"
#include "api/bpf_types.h"
#include "compat/capability.h"
#include "compat/kfunc.h"
#include "event/lookup.h"
#include "event/user_event.h"
#include "internals/call.h"

#ifdef HAVE_KFUNC_FILTER
/* check_program() has prepared all. */
static void prepare(void)
{
}

static void prepare_exit(void)
{
}
#else
/*
 * The kernel does not tell that a program is being loaded. So the first call starts
 * to prepare the module, which sleeps.
 */
static bool is_prepared;
static unsigned long is_preparing;

static void prepare_function(struct work_struct *work)
{
	/* The next call tries again. */
	if (ue_api_provide_memory()) {
		clear_bit(0, &is_preparing);
		return;
	}

	/*
	 * A removal before saw no reader, perhaps, and calls see this removal. One
	 * after this sees that there are readers.
	 */
	event_mutex_lock();
	/* Pairs with prepare(). */
	smp_store_release(&is_prepared, true);
	event_mutex_unlock();
}

static DECLARE_WORK(prepare_work, prepare_function);

static void queue_work_of_interrupt(struct irq_work *work)
{
	schedule_work(&prepare_work);
}

/* Also runs in programs that the interrupt of the other one has called. */
static DEFINE_IRQ_WORK(prepare_interrupt, queue_work_of_interrupt);

/* Under rcu_read_lock(), before the event is looked up. */
static void prepare(void)
{
	/* Pairs with prepare_function(). */
	if (likely(smp_load_acquire(&is_prepared)))
		return;

	ue_lookup_use();
	/*
	 * Once: a program that is attached to the interrupt would cause the next one
	 * each time.
	 */
	if (!test_and_set_bit(0, &is_preparing))
		irq_work_queue(&prepare_interrupt);
}

static void prepare_exit(void)
{
	irq_work_sync(&prepare_interrupt);
	cancel_work_sync(&prepare_work);
}
#endif

/* @name is a string in @size bytes, or in all memory with SIZE_MAX. */
static int event_enabled(const char *name, size_t size)
{
	const struct user_event *event;
	int ret;

	if (unlikely(!rcu_is_watching()))
		return 0;

	rcu_read_lock();
	prepare();
	event = ue_lookup_find(name, size);
	ret = event && user_event_is_enabled(event);
	rcu_read_unlock();

	return ret;
}

static int event_write(const char *name, size_t name_size, const void *record,
		       u32 size)
{
	struct user_event *event;
	int ret;

	if (unlikely(!rcu_is_watching()))
		return -EPERM;

	/* The verifier accepts a value of a map that was not compared with NULL. */
	if (unlikely(!record && size))
		return -EFAULT;

	rcu_read_lock();
	prepare();
	event = ue_lookup_find(name, name_size);
	ret = event ? ue_api_emit_bytes(event, record, size) : -ENOENT;
	rcu_read_unlock();

	return ret;
}

/* The verifier does not require a NUL, nor that there is memory. */
static bool is_string(const char *name, u32 size)
{
	return name && strnlen(name, size) < size;
}

/**
 * bpf_user_event_enabled_sized - Tells whether a tracer is attached to an event
 * @name: name of the event, in memory that the program can write
 * @name__sz: bytes of @name, with its NUL
 *
 * Context: Any in which BPF programs run.
 * Return: 1 if it is enabled; 0 also if there is no such event.
 */
__bpf_kfunc int bpf_user_event_enabled_sized(const char *name, u32 name__sz)
{
	return is_string(name, name__sz) && event_enabled(name, name__sz);
}

/**
 * bpf_user_event_write_sized - Emits a record
 * @name: name of the event, in memory that the program can write; not of one that
 *	  has several formats
 * @name__sz: bytes of @name, with its NUL
 * @record: the fields in their binary form, without a write index, in memory that
 *	    the program can write
 * @record__sz: bytes of @record
 *
 * The program needs no reference to the event, and does not keep it from being
 * removed.
 *
 * Context: Any in which BPF programs run, also NMI.
 * Return: as user_event_trace_bytes(); -ENOENT if there is no such event; -EINVAL
 *	   also if @name has no NUL, or is NULL; -EBUSY also if the first calls of all
 *	   programs, before Linux 6.5, overlap.
 */
__bpf_kfunc int bpf_user_event_write_sized(const char *name, u32 name__sz,
					   const void *record, u32 record__sz)
{
	return is_string(name, name__sz)
		       ? event_write(name, name__sz, record, record__sz)
		       : -EINVAL;
}

#ifdef HAVE_MODULE_BTF_BASE
/**
 * bpf_user_event_enabled - Tells whether a tracer is attached to an event
 * @name__str: name of the event, a constant string
 *
 * Context: Any in which BPF programs run.
 * Return: 1 if it is enabled; 0 also if there is no such event.
 */
__bpf_kfunc int bpf_user_event_enabled(const char *name__str)
{
	return event_enabled(name__str, SIZE_MAX);
}

/**
 * bpf_user_event_write - Emits a record
 * @name__str: name of the event, a constant string; not of one that has several
 *	       formats
 * @record: the fields in their binary form, without a write index, in memory that
 *	    the program can write
 * @record__sz: bytes of @record
 *
 * Context: As bpf_user_event_write_sized().
 * Return: as user_event_trace_bytes(), or -ENOENT if there is no such event.
 */
__bpf_kfunc int bpf_user_event_write(const char *name__str, const void *record,
				     u32 record__sz)
{
	return event_write(name__str, SIZE_MAX, record, record__sz);
}
#endif

#ifdef HAVE_KFUNC_FILTER
/*
 * The verifier calls this for each call in a program that is being loaded. As for
 * all files and perf events, CAP_PERFMON overrides the rights of events.
 */
static int check_program(const struct bpf_prog *program, u32 function)
{
	if (!perfmon_capable())
		return -EACCES;

	ue_lookup_use();
	return ue_api_provide_memory();
}
#endif

/**
 * ue_bpf_init - Lets BPF programs emit records
 *
 * Without it, the module works otherwise. The kernel removes the functions with the
 * module: a program with a call holds a reference to it.
 */
void __init ue_bpf_init(void)
{
	/*
	 * Without a filter, programs of a type that requires CAP_PERFMON to be
	 * loaded. The kernel forgets all functions if one type cannot have them.
	 */
	static const enum bpf_prog_type types[] = {
		BPF_PROG_TYPE_TRACING,
#ifdef HAVE_MODULE_BTF_BASE
		BPF_PROG_TYPE_KPROBE,
#endif
#ifdef HAVE_KFUNC_FILTER
		BPF_PROG_TYPE_SYSCALL,
#endif
	};
	static struct btf_kfunc_id_set set = {
		.owner = THIS_MODULE,
#ifdef HAVE_KFUNC_FILTER
		.filter = check_program,
#endif
	};
	int i, ret;

	set.set = ue_bpf_types_init();
	ret = PTR_ERR_OR_ZERO(set.set);
	for (i = 0; !ret && i < ARRAY_SIZE(types); i++)
		ret = register_btf_kfunc_id_set(types[i], &set);
	if (ret)
		pr_info("BPF programs cannot emit records: error %d\n", ret);
}

/**
 * ue_bpf_exit - Undoes ue_bpf_init()
 *
 * Context: No program has a call.
 */
void ue_bpf_exit(void)
{
	prepare_exit();
}
