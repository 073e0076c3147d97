/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences in trace events.
 *
 * Since Linux 5.15 (commit 1d18538e6a09, "tracing: Have dynamic events have a
 * ref counter") the tracing core counts references to a dynamic event. Before,
 * there are no event probes, which use an event without attaching a tracer to
 * it.
 *
 * After Linux 5.4 (commit 04ae87a52074, "ftrace: Rework event_create_dir()") a
 * class has an array of fields. Before, it has a function that defines them.
 *
 * Since Linux 6.2 and 6.1.12 (commit b6c7abd1c28a, "tracing: Fix TASK_COMM_LEN
 * in trace event format file") fields have a number of elements. Before,
 * tracers only get the text of their type.
 *
 * Since Linux 5.17 (commit 05770dd0ad11, "tracing: Support __rel_loc relative
 * dynamic data location attribute") filters support strings behind __rel_loc.
 * Before, they would compare the word instead of the string.
 *
 * Since Linux 5.17 (commit 289e7b0f7eb4, "tracing: Account bottom half disabled
 * sections.") a flag of an entry tells that softirqs are disabled.
 *
 * Since Linux 5.15 (commit 54357f0c9149, "tracing: Add migrate-disabled counter to
 * tracing output.") the count of preemption has 4 bits, below one of migration.
 * RHEL 9 has got both changes together.
 */
#ifndef USER_EVENTS_COMPAT_TRACE_EVENT_H
#define USER_EVENTS_COMPAT_TRACE_EVENT_H

#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/trace_events.h>
#include <linux/version.h>

/* Without CONFIG_DYNAMIC_EVENTS, the kernel counts no references either. */
#if defined(HAVE_EVENT_REFS) && defined(CONFIG_DYNAMIC_EVENTS)
#define TRACER_GFP 0

static inline int trace_event_refs(const struct trace_event_call *call)
{
	return atomic_read(&call->refcnt);
}
#else
#define TRACE_EVENT_FL_DYNAMIC 0

/* Only its tracer keeps the event of a trigger, so there must be one. */
#define TRACER_GFP __GFP_NOFAIL

static inline int trace_event_refs(const struct trace_event_call *call)
{
	return 0;
}
#endif

/* Flags of an entry, which only some kernels have in a header. */
#define ENTRY_IRQS_OFF 0x01
#define ENTRY_NEED_RESCHED_LAZY 0x02
#define ENTRY_NEED_RESCHED 0x04
#define ENTRY_HARDIRQ 0x08
#define ENTRY_SOFTIRQ 0x10
#define ENTRY_PREEMPT_RESCHED 0x20
#define ENTRY_NMI 0x40
#ifdef HAVE_BH_OFF_FLAG
#define ENTRY_BH_OFF 0x80
#else
#define ENTRY_BH_OFF 0
#endif

/* The counts of preemption, without that of the emit section, and of migration. */
#if defined(HAVE_BH_OFF_FLAG) || LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
static inline u8 trace_entry_counts(u8 preemption)
{
#ifdef CONFIG_SMP
	unsigned int migration = current->migration_disabled;
#else
	unsigned int migration = 0;
#endif

	return min_t(unsigned int, preemption, 0xf) |
	       min_t(unsigned int, migration, 0xf) << 4;
}
#else
static inline u8 trace_entry_counts(u8 preemption)
{
	return preemption;
}
#endif

/**
 * trace_entry_fill - Fills in the header of an entry, for a filter
 * @entry: the entry; its flags are 0, or those of trace_entry_context()
 * @type: number of the event
 *
 * The kernel does the same when it reserves an entry, by a function that it does
 * not export.
 *
 * Context: Preemption is disabled once. In a system call, no other flag applies.
 */
static inline void trace_entry_fill(struct trace_entry *entry, u16 type)
{
	entry->type = type;
	entry->flags |=
		(tif_need_resched() ? ENTRY_NEED_RESCHED : 0) |
		(test_preempt_need_resched() ? ENTRY_PREEMPT_RESCHED : 0);
#ifdef CONFIG_ARCH_HAS_PREEMPT_LAZY
	if (test_thread_flag(TIF_NEED_RESCHED_LAZY))
		entry->flags |= ENTRY_NEED_RESCHED_LAZY;
#endif
	entry->preempt_count = trace_entry_counts(
		preempt_count() - IS_ENABLED(CONFIG_PREEMPTION));
	entry->pid = current->pid;
}

/**
 * trace_entry_context - Returns the flags of an entry that tell the context
 */
static inline u8 trace_entry_context(void)
{
	return (irqs_disabled() ? ENTRY_IRQS_OFF : 0) |
	       (in_nmi() ? ENTRY_NMI : 0) |
	       (preempt_count() & HARDIRQ_MASK ? ENTRY_HARDIRQ : 0) |
	       (in_serving_softirq() ? ENTRY_SOFTIRQ : 0) |
	       (softirq_count() >> (SOFTIRQ_SHIFT + 1) ? ENTRY_BH_OFF : 0);
}

/*
 * trace_event_class_set_fields() sets the fields of a class of events, whose member
 * @probe is not used otherwise, and trace_event_class_fields() returns them. The type
 * TRACE_FUNCTION_TYPE is a function that is called behind the fields, and an empty
 * element follows.
 */
#ifdef HAVE_FIELDS_ARRAY
static inline void
trace_event_class_set_fields(struct trace_event_class *class,
			     struct trace_event_fields *fields)
{
	class->fields_array = fields;
}

static inline const struct trace_event_fields *
trace_event_class_fields(const struct trace_event_class *class)
{
	return class->fields_array;
}
#else
#define TRACE_FUNCTION_TYPE ((const char *)~0UL)

struct trace_event_fields {
	const char *type;
	union {
		struct {
			const char *name;
			const int size;
			const int align;
			const int is_signed;
			const int filter_type;
		};
		int (*define_fields)(struct trace_event_call *call);
	};
};

static inline const struct trace_event_fields *
trace_event_class_fields(const struct trace_event_class *class)
{
	return class->probe;
}

static inline int trace_event_define_fields(struct trace_event_call *call)
{
	const struct trace_event_fields *field =
		trace_event_class_fields(call->class);
	unsigned int offset = sizeof(struct trace_entry);
	int ret;

	for (; field->type != TRACE_FUNCTION_TYPE; field++) {
		offset = ALIGN(offset, field->align);
		ret = trace_define_field(call, field->type, field->name, offset,
					 field->size, field->is_signed,
					 field->filter_type);
		if (ret)
			return ret;

		offset += field->size;
	}

	return field->define_fields(call);
}

static inline void
trace_event_class_set_fields(struct trace_event_class *class,
			     struct trace_event_fields *fields)
{
	class->probe = fields;
	class->define_fields = trace_event_define_fields;
}
#endif

/*
 * FIELD_LEN() initializes the number of elements of a field. FIELD_TYPE_ROOM is
 * the size of the buffer in which field_type_text() normalizes a type, for
 * example to "unsigned char[1024]".
 */
#ifdef HAVE_FIELD_LEN
#define FIELD_LEN(value) .len = (value),
#define FIELD_TYPE_ROOM 0

static inline const char *field_type_text(const char *type, int len, char *room)
{
	return type;
}
#else
#define FIELD_LEN(value)
#define FIELD_TYPE_ROOM 24

static inline const char *field_type_text(const char *type, int len, char *room)
{
	const char *bracket = strchr(type, '[');

	if (!bracket || len <= 0)
		return type;

	snprintf(room, FIELD_TYPE_ROOM, "%.*s[%d]", (int)(bracket - type), type,
		 len);
	return room;
}
#endif

/*
 * Filter type of a __rel_loc field: by its type, or one that is not a string.
 */
#ifdef HAVE_FILTER_RDYN_STRING
#define FILTER_REL_LOC FILTER_OTHER
#else
#define FILTER_REL_LOC FILTER_TRACE_FN
#endif

#endif /* USER_EVENTS_COMPAT_TRACE_EVENT_H */
