// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of other modules: records.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "common.h"
#include "api/api.h"
#include "compat/emit_section.h"
#include "compat/trace_event.h"
#include "emit/emit.h"
#include "event/source.h"
#include "event/user_event.h"
#include "format/assembly.h"
#include "format/validator.h"
#include "include/user_events/kernel.h"
#include "limits.h"

/*
 * Records that a CPU can assemble at a time: one each of a task, a softirq, an
 * interrupt and an NMI, or others inside each other.
 */
#define NESTED_MAX 4

/*
 * Zero bytes behind a record, see struct event_record. The first of them can become
 * part of a record of USER_EVENT_RECORD_KERNEL bytes, a multiple of 8, as its
 * missing NUL; 7 bytes up to the next multiple and 8 more follow then.
 */
#define RECORD_SLACK 16

/**
 * struct record_stack - records that a CPU assembles, with preemption disabled
 * @depth: number of those in use. An interrupt restores it before it ends, so it
 *	   needs no atomic operation.
 * @entries: their memory, of USER_EVENT_RECORD_KERNEL + RECORD_SLACK bytes each
 */
struct record_stack {
	unsigned int depth;
	u8 *entries[NESTED_MAX];
};

static DEFINE_PER_CPU(struct record_stack, record_stacks);

/* Bytes of an entry */
#define ENTRY_SIZE (USER_EVENT_RECORD_KERNEL + RECORD_SLACK)

/* Serializes the allocation of this memory, which then stays. */
static DEFINE_MUTEX(memory_lock);
static bool has_memory;

static int alloc_entries(struct record_stack *stack, int cpu)
{
	u8 *entry;
	int i;

	for (i = 0; i < NESTED_MAX; i++) {
		if (stack->entries[i])
			continue;

		entry = kmalloc_node(ENTRY_SIZE, GFP_KERNEL, cpu_to_node(cpu));
		if (!entry)
			return -ENOMEM;

		/* Pairs with entry_claim(), by an address dependency. */
		smp_store_release(&stack->entries[i], entry);
	}

	return 0;
}

/**
 * ue_api_provide_memory - Allocates memory for records of other modules
 *
 * Context: Sleeps.
 * Return: 0 or -ENOMEM; what was allocated stays for the next call.
 */
int ue_api_provide_memory(void)
{
	int ret = 0;
	int cpu;

	mutex_lock(&memory_lock);
	if (!has_memory) {
		for_each_possible_cpu(cpu) {
			ret = alloc_entries(per_cpu_ptr(&record_stacks, cpu),
					    cpu);
			if (ret)
				break;
		}
		has_memory = !ret;
	}
	mutex_unlock(&memory_lock);

	return ret;
}

/**
 * ue_api_free_memory - Undoes ue_api_provide_memory()
 *
 * Context: No other module can emit a record.
 */
void ue_api_free_memory(void)
{
	int cpu, i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < NESTED_MAX; i++)
			kfree(per_cpu_ptr(&record_stacks, cpu)->entries[i]);
}

#if defined(HAVE_KFUNC_SETS) && !defined(HAVE_KFUNC_FILTER)
/*
 * For the first records of BPF programs, before api/bpf.c has provided the memory of
 * this CPU.
 */
static u8 spare[ENTRY_SIZE] __aligned(sizeof(u64));
static unsigned long spare_is_used;

static u8 *spare_claim(void)
{
	return test_and_set_bit_lock(0, &spare_is_used) ? NULL : spare;
}

static void spare_release(const u8 *entry)
{
	if (unlikely(entry == spare))
		clear_bit_unlock(0, &spare_is_used);
}
#else
static u8 *spare_claim(void)
{
	return NULL;
}

static void spare_release(const u8 *entry)
{
}
#endif

/* Takes memory of this CPU; preemption is disabled. */
static u8 *entry_claim(void)
{
	struct record_stack *stack = this_cpu_ptr(&record_stacks);
	u8 *entry;

	if (unlikely(stack->depth == NESTED_MAX))
		return NULL;

	/* Pairs with alloc_entries(). */
	entry = READ_ONCE(stack->entries[stack->depth]) ?: spare_claim();
	if (unlikely(!entry))
		return NULL;

	stack->depth++;
	/* An interrupt from here on takes the next one. */
	barrier();
	return entry;
}

static void entry_release(const u8 *entry)
{
	barrier();
	this_cpu_ptr(&record_stacks)->depth--;
	spare_release(entry);
}

/* Passes a record to the tracers that are attached now. */
static int emit_to_tracers(struct user_event *event, u8 *entry, size_t len)
{
	const struct event_record record = { .entry = entry, .len = len };
	u8 tracers = user_event_tracers(event);

	if (unlikely(!tracers))
		return -EBADF;

	((struct trace_entry *)entry)->flags = trace_entry_context();
	return user_event_emit_reported(event, record, tracers);
}

/* Passes a record to the tracers, if its words are valid. */
static int emit(struct user_event *event, u8 *entry, size_t len)
{
	int missing = ue_record_validate(event->desc, entry, len);

	if (missing < 0)
		return missing;

	/* A missing NUL is one of the zeros behind the record. */
	memset(entry + len, 0, RECORD_SLACK);
	return emit_to_tracers(event, entry, len + missing);
}

/*
 * Emits a record, if there is no error, and releases its memory. Preemption is
 * disabled once, as during the emit section, so that tracers see the depth of the
 * caller.
 */
static int finish(struct user_event *event, u8 *entry, size_t len, int error)
{
	emit_section_t section = emit_section_enter();

	preempt_enable_notrace();
	error = error ?: emit(event, entry, len);
	entry_release(entry);
	emit_section_exit(section);

	return error;
}

/**
 * user_event_source_enabled - Tells whether a tracer is attached to the event
 * @source: the event, or NULL if it is not defined
 *
 * A module that gives its event a static key tests that key instead.
 *
 * Context: Any.
 * Return: whether it is enabled; false for NULL.
 */
bool user_event_source_enabled(const struct user_event_source *source)
{
	return source && user_event_is_enabled(source->event);
}
EXPORT_SYMBOL_GPL(user_event_source_enabled);

static struct record_assembly assembly_of(const struct user_event_trace *trace)
{
	return (struct record_assembly){
		.desc = trace->source->event->desc,
		.entry = trace->entry,
		.room = USER_EVENT_RECORD_KERNEL,
		.len = trace->length,
	};
}

/* Takes memory for a record. On success, preemption is disabled. */
static int start(const struct user_event *event, u8 **entry)
{
	if (!user_event_is_enabled(event))
		return -EBADF;

	/* Tracers wait for those whom RCU watches. */
	if (unlikely(!rcu_is_watching()))
		return -EPERM;

	preempt_disable_notrace();
	*entry = entry_claim();
	if (likely(*entry))
		return 0;

	preempt_enable_notrace();
	return -EBUSY;
}

/**
 * user_event_trace_start - Starts a record, all fields of which are 0 or empty
 * @source: the event, or NULL if it is not defined
 * @trace: the record
 *
 * Context: Any in which RCU watches the CPU, also NMI. On success, preemption is
 *	    disabled until user_event_trace_end(), which the caller must call, for
 *	    records inside each other in the reverse order.
 * Return: 0;
 *	   -EBADF: no tracer is attached, or @source is NULL;
 *	   -EPERM: RCU does not watch this CPU, as in the idle loop;
 *	   -EBUSY: this CPU assembles four records already: the caller was called
 *		   by a tracer of such a record, or by code that interrupted it.
 */
int user_event_trace_start(struct user_event_source *source,
			   struct user_event_trace *trace)
{
	struct record_assembly to;
	u8 *entry;
	int ret;

	if (!source)
		return -EBADF;

	ret = start(source->event, &entry);
	if (ret)
		return ret;

	ret = ue_assembly_start(&to, source->event->desc, entry,
				USER_EVENT_RECORD_KERNEL);
	if (ret)
		return finish(source->event, entry, 0, ret);

	*trace = (struct user_event_trace){ .source = source,
					    .entry = entry,
					    .length = to.len };
	return 0;
}
EXPORT_SYMBOL_GPL(user_event_trace_start);

/**
 * user_event_trace_seek - Selects the field that is set next
 * @trace: the record
 * @name: name of the field
 *
 * Context: Between user_event_trace_start() and user_event_trace_end(), which
 *	    returns -ENOENT if there is no such field.
 */
void user_event_trace_seek(struct user_event_trace *trace, const char *name)
{
	const struct record_assembly to = assembly_of(trace);
	const struct event_field *field = ue_assembly_find(&to, name);

	if (field)
		trace->next = field - to.desc->fields;
	else
		trace->error = trace->error ?: -ENOENT;
}
EXPORT_SYMBOL_GPL(user_event_trace_seek);

static int set_next(struct user_event_trace *trace, struct record_assembly *to,
		    const struct user_event_value *value)
{
	const struct event_field *field = &to->desc->fields[trace->next];

	if (trace->next >= to->desc->nr_fields)
		return -EINVAL;

	trace->next++;
	if (field->kind->class == FIELD_SCALAR)
		return value->data
			       ? -EINVAL
			       : ue_assembly_number(to, field, value->number);
	if (!value->data && (value->size || value->number))
		return -EINVAL;

	return ue_assembly_bytes(to, field, value->data, value->size);
}

/**
 * user_event_trace_add - Sets a field, and selects the one behind it
 * @trace: the record
 * @value: the value; a text needs no NUL. A shorter value of an array or a
 *	   structure is followed by zeros.
 *
 * Context: Between user_event_trace_start() and user_event_trace_end(), which
 *	    returns -EINVAL for a number in place of data, for data in place of a
 *	    number, or if the event has no more fields, and -E2BIG if the field or
 *	    the record has no room for the value.
 */
void user_event_trace_add(struct user_event_trace *trace,
			  const struct user_event_value *value)
{
	struct record_assembly to = assembly_of(trace);

	if (trace->error)
		return;

	trace->error = set_next(trace, &to, value);
	trace->length = to.len;
}
EXPORT_SYMBOL_GPL(user_event_trace_add);

/**
 * user_event_trace_end - Emits a record
 * @trace: the record
 *
 * A string that is not set points at an empty one.
 *
 * Context: After a successful user_event_trace_start(), on the same CPU.
 * Return: 0 if a tracer has taken the record, or does not want it because of a
 *	   filter; the first error of user_event_trace_seek() and
 *	   user_event_trace_add(), so that nothing is emitted; or
 *	   -EBADF: the last tracer was detached meanwhile;
 *	   -E2BIG: the record is too large for all tracers, or has no room for the
 *		   NUL of strings that are not set;
 *	   -ENOSPC: the buffers of the tracers have no room, or are off.
 */
int user_event_trace_end(struct user_event_trace *trace)
{
	struct record_assembly to = assembly_of(trace);
	int ret = trace->error ?: ue_assembly_end(&to);

	return finish(trace->source->event, trace->entry, to.len, ret);
}
EXPORT_SYMBOL_GPL(user_event_trace_end);

/**
 * user_event_trace_array - Emits a record with all values
 * @source: the event, or NULL if it is not defined
 * @values: the values of its fields, in order
 * @nr_values: number of @values, which must be that of the fields
 *
 * Context: As user_event_trace_start(); preemption is disabled only inside.
 * Return: an error of user_event_trace_start() or user_event_trace_end();
 *	   -EINVAL also for another number of values.
 */
int user_event_trace_array(struct user_event_source *source,
			   const struct user_event_value *values,
			   unsigned int nr_values)
{
	struct user_event_trace trace;
	unsigned int i;
	int ret;

	ret = user_event_trace_start(source, &trace);
	if (ret)
		return ret;

	if (nr_values != source->event->desc->nr_fields)
		trace.error = -EINVAL;
	for (i = 0; i < nr_values; i++)
		user_event_trace_add(&trace, &values[i]);

	return user_event_trace_end(&trace);
}
EXPORT_SYMBOL_GPL(user_event_trace_array);

/* Return: bytes of the record in @entry, or an error. */
static int copy_record(const struct event_desc *desc, u8 *entry,
		       const void *bytes, size_t size)
{
	size_t len = size + USER_EVENT_HEADER_SIZE;

	if (size > USER_EVENT_RECORD_KERNEL - USER_EVENT_HEADER_SIZE)
		return -E2BIG;

	if (len < desc->fixed_size)
		return -EINVAL;

	memset(entry, 0, USER_EVENT_HEADER_SIZE);
	memcpy(entry + USER_EVENT_HEADER_SIZE, bytes, size);
	return len;
}

/**
 * ue_api_emit_bytes - Emits a record as a process writes it
 * @event: the event, with a reference or under RCU
 * @bytes: the fields in their binary form, without a write index
 * @size: number of @bytes
 *
 * Context: As user_event_trace_bytes(), after ue_api_provide_memory().
 * Return: as user_event_trace_bytes().
 */
int ue_api_emit_bytes(struct user_event *event, const void *bytes, size_t size)
{
	u8 *entry;
	int ret;

	ret = start(event, &entry);
	if (ret)
		return ret;

	ret = copy_record(event->desc, entry, bytes, size);
	return finish(event, entry, max(ret, 0), min(ret, 0));
}

/**
 * user_event_trace_bytes - Emits a record as a process writes it
 * @source: the event, or NULL if it is not defined
 * @bytes: the fields in their binary form, without a write index
 * @size: number of @bytes
 *
 * Context: As user_event_trace_array().
 * Return: an error of user_event_trace_array();
 *	   -EINVAL also if the fixed fields do not fit into @size;
 *	   -EFAULT: a word of a dynamic field points outside the record, or at a
 *		    string without a NUL;
 *	   -E2BIG also if the record is larger than one of a module can be.
 */
int user_event_trace_bytes(struct user_event_source *source, const void *bytes,
			   size_t size)
{
	return source ? ue_api_emit_bytes(source->event, bytes, size) : -EBADF;
}
EXPORT_SYMBOL_GPL(user_event_trace_bytes);
