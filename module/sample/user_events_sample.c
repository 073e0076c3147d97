// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module that defines two user events and emits their records. A word that is
 * written to its parameter "emit" selects how:
 *
 *	array		with all values at once
 *	pieces		field by field
 *	bytes		as a process writes it
 *	timer		in a softirq
 *	interrupt	in an interrupt
 *	nmi		in an NMI that interrupts another record (x86)
 *	name, data, number, long, count, short, outside, large
 *			with an error, so that nothing is emitted
 *	nested		inside another record, four times
 *	undefine	not any more: the first event is undefined
 *	define		again: it is defined
 *	live		in a softirq, while the first event is defined again
 *	separator, untyped, room, no_room, no_memory, unnamed, fixed
 *			defines another event, with an error
 *
 * The first event has a static key, the second one has none. If "undefines" is N,
 * the module leaves its events to user_events when it is unloaded.
 *
 * Any process may have taken the name of an event, so the module works without
 * its events, too: a pointer to an event that is not defined is NULL.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/version.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <linux/delay.h>

#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#include <user_events/kernel.h>

static char *name = "sample";
module_param(name, charp, 0444);
MODULE_PARM_DESC(
	name,
	"name of the first event (default sample); the second one is NAME_pieces");

static ushort mode;
module_param(mode, ushort, 0444);
MODULE_PARM_DESC(mode, "rights of the first event (default 0600)");

static bool undefines = true;
module_param(undefines, bool, 0644);
MODULE_PARM_DESC(undefines, "undefine the events when unloaded (default Y)");

/* Linux 6.2 has renamed it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define sample_timer_stop del_timer_sync
#else
#define sample_timer_stop timer_delete_sync
#endif

/*
 * NULL while they are not defined. The functions take NULL for an event without a
 * tracer: the key can be true before the pointer is stored. Written under the lock
 * of the parameters, except by the init function, and without an emitter that
 * runs when an event is undefined.
 */
static DEFINE_STATIC_KEY_FALSE(sample_key);
static struct user_event_source *sample;
static struct user_event_source *pieces;

/* The words of "emit" are accepted. */
static bool is_ready;

/* Number of records, which are their first field. */
static u32 records;

static unsigned int enabled;
module_param(enabled, uint, 0444);
MODULE_PARM_DESC(enabled, "records for which the key was true");

static const char text[] = "text";

static int emit_array(void)
{
	const struct user_event_value values[] = {
		{ .number = ++records },
		{ .data = text, .size = sizeof(text) - 1 },
		{ .data = text, .size = sizeof(text) - 1 },
	};

	/* Without a tracer, this is an instruction that does nothing. */
	if (!static_branch_unlikely(&sample_key))
		return -EBADF;

	enabled++;
	return user_event_trace_array(READ_ONCE(sample), values,
				      ARRAY_SIZE(values));
}

static int emit_pieces(void)
{
	struct user_event_trace trace;
	int ret;

	/* An event without a key */
	if (!user_event_source_enabled(pieces))
		return -EBADF;

	ret = user_event_trace_start(pieces, &trace);
	if (ret)
		return ret;

	/* Preemption is disabled from here to the end. */
	user_event_trace_seek(&trace, "length");
	user_event_trace_add(&trace, &(struct user_event_value){ .number = 4 });
	user_event_trace_add(&trace, &(struct user_event_value){ .data = text,
								 .size = 4 });
	user_event_trace_seek(&trace, "number");
	user_event_trace_add(&trace,
			     &(struct user_event_value){ .number = ++records });

	return user_event_trace_end(&trace);
}

/* Emits a record of which one field is set. */
static int emit_value(const char *field, const struct user_event_value *value)
{
	struct user_event_trace trace;
	int ret = user_event_trace_start(pieces, &trace);

	if (ret)
		return ret;

	user_event_trace_seek(&trace, field);
	user_event_trace_add(&trace, value);
	return user_event_trace_end(&trace);
}

static int emit_name(void)
{
	return emit_value("none", &(struct user_event_value){ .number = 1 });
}

static int emit_data(void)
{
	return emit_value("number", &(struct user_event_value){ .data = text,
								.size = 4 });
}

static int emit_number(void)
{
	return emit_value("bytes", &(struct user_event_value){ .number = 1 });
}

static int emit_long(void)
{
	return emit_value("bytes", &(struct user_event_value){
					   .data = "1234567", .size = 7 });
}

static int emit_count(void)
{
	const struct user_event_value values[2] = {};

	return user_event_trace_array(pieces, values, ARRAY_SIZE(values));
}

static int emit_short(void)
{
	return user_event_trace_bytes(sample, text, 3);
}

/* The text is behind the record. */
static int emit_outside(void)
{
	const u32 record[] = { 0, 0, 0, 1 << 16 | 1 };

	return user_event_trace_bytes(sample, record, sizeof(record));
}

static int emit_large(void)
{
	static const char large[4096];

	return user_event_trace_bytes(sample, large, sizeof(large));
}

/* The record of a process without its index, with the text at an offset. */
static int emit_bytes(void)
{
	const struct {
		u32 number;
		char fixed[8];
		u32 word;
		char text[5];
	} __packed record = { .number = ++records,
			      .fixed = "bytes",
			      .word = 5 << 16,
			      .text = "text" };

	return user_event_trace_bytes(sample, &record, sizeof(record));
}

/* Fails, since the tracers of a record can emit three others at most. */
static int emit_nested(void)
{
	struct user_event_trace traces[5];
	int i, ret, first = 0;

	for (i = 0; i < ARRAY_SIZE(traces); i++) {
		ret = user_event_trace_start(pieces, &traces[i]);
		if (ret)
			break;
	}
	while (i--)
		first = user_event_trace_end(&traces[i]) ?: first;

	return ret ?: first;
}

static DECLARE_COMPLETION(is_emitted);
static int emitted;

/* The timer starts itself again. */
static bool is_periodic;

static void timer_function(struct timer_list *timer);
static DEFINE_TIMER(sample_timer, timer_function);

static void timer_function(struct timer_list *timer)
{
	emitted = emit_array();
	if (READ_ONCE(is_periodic))
		mod_timer(&sample_timer, jiffies);
	else
		complete(&is_emitted);
}

static int emit_in_timer(void)
{
	reinit_completion(&is_emitted);
	mod_timer(&sample_timer, jiffies + 1);
	wait_for_completion(&is_emitted);
	return emitted;
}

static void interrupt_function(struct irq_work *work)
{
	emitted = emit_array();
	complete(&is_emitted);
}

static struct irq_work sample_work;

static int emit_in_interrupt(void)
{
	reinit_completion(&is_emitted);
	irq_work_queue(&sample_work);
	wait_for_completion(&is_emitted);
	return emitted;
}

#ifdef CONFIG_X86_LOCAL_APIC
static bool nmi_is_due;

static int nmi_function(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(nmi_is_due))
		return NMI_DONE;

	emitted = emit_array();
	WRITE_ONCE(nmi_is_due, false);
	return NMI_HANDLED;
}

/* This CPU interrupts itself before the other record is complete. */
static int emit_in_nmi(void)
{
	struct user_event_trace trace;
	int ret, left = USEC_PER_SEC;

	ret = register_nmi_handler(NMI_LOCAL, nmi_function, 0, KBUILD_MODNAME);
	if (ret)
		return ret;

	ret = user_event_trace_start(pieces, &trace);
	if (!ret) {
		user_event_trace_seek(&trace, "number");
		user_event_trace_add(&trace, &(struct user_event_value){
						     .number = ++records });
		emitted = -ETIMEDOUT;
		WRITE_ONCE(nmi_is_due, true);
		apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
		while (READ_ONCE(nmi_is_due) && left--)
			udelay(1);
		ret = user_event_trace_end(&trace);
	}
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
	nmi_is_due = false;

	return ret ?: emitted;
}
#else
static int emit_in_nmi(void)
{
	return -EOPNOTSUPP;
}
#endif

/* No other emitter is left. */
static void stop_emitters(void)
{
	WRITE_ONCE(is_periodic, false);
	sample_timer_stop(&sample_timer);
	irq_work_sync(&sample_work);
}

/* First whatever emits, then the pointer, then the event. */
static int undefine(void)
{
	struct user_event_source *source = sample;

	stop_emitters();
	WRITE_ONCE(sample, NULL);
	user_event_undefine(source);
	return 0;
}

static const struct user_event_field sample_fields[] = {
	{ "u32", "number" },
	{ "char[8]", "fixed" },
	{ "__rel_loc char[]", "text" },
};

static struct user_event_source *define_sample(void)
{
	const struct user_event_definition definition = {
		.name = name,
		.fields = sample_fields,
		.nr_fields = ARRAY_SIZE(sample_fields),
		.mode = mode,
		.key = &sample_key,
	};

	return user_event_define(&definition);
}

static int define(void)
{
	struct user_event_source *source;

	if (sample)
		return -EEXIST;

	source = define_sample();
	if (IS_ERR(source))
		return PTR_ERR(source);

	/* An emitter that sees the pointer sees the source. */
	smp_store_release(&sample, source);
	return 0;
}

/* The emitter can find a key that is true before there is a pointer. */
static int define_live(void)
{
	int ret;

	undefine();
	WRITE_ONCE(is_periodic, true);
	mod_timer(&sample_timer, jiffies);
	ret = define();
	stop_emitters();
	return ret;
}

/* Return: 0 if a wrong definition succeeds. */
static int try_define(const struct user_event_definition *definition)
{
	struct user_event_source *source = user_event_define(definition);

	if (IS_ERR(source))
		return PTR_ERR(source);

	user_event_undefine(source);
	return 0;
}

/* Defines an event with a field, in memory of @room bytes. */
static int define_text(const struct user_event_field *field, size_t room)
{
	struct user_event_definition definition = { .name = "sample_wrong" };
	struct user_event_cmd cmd;
	char fields[64];

	user_event_cmd_init(&cmd, fields, room);
	user_event_cmd_add_field(&cmd, field);
	definition.text = user_event_cmd_text(&cmd);

	return try_define(&definition);
}

static int define_separator(void)
{
	const struct user_event_field field = { "u32", "a;" };

	return define_text(&field, 64);
}

static int define_untyped(void)
{
	const struct user_event_field field = { NULL, "a" };
	const struct user_event_definition definition = {
		.name = "sample_wrong",
		.fields = &field,
		.nr_fields = 1,
	};

	return try_define(&definition);
}

/* The text has 5 bytes and a NUL. */
static int define_room(void)
{
	const struct user_event_field field = { "u32", "a" };

	return define_text(&field, 5);
}

static int define_no_room(void)
{
	const struct user_event_field field = { "u32", "a" };

	return define_text(&field, 0);
}

/* Memory that could not be allocated */
static int define_no_memory(void)
{
	const struct user_event_field field = { "u32", "a" };
	struct user_event_cmd cmd;

	user_event_cmd_init(&cmd, NULL, 64);
	user_event_cmd_add_field(&cmd, &field);
	return PTR_ERR_OR_ZERO(user_event_cmd_text(&cmd));
}

/* No record of a module has room for the fixed fields. */
static int define_fixed(void)
{
	const struct user_event_definition definition = {
		.name = "sample_wrong",
		.text = "char[1024] a; char[1024] b",
	};

	return try_define(&definition);
}

static int define_unnamed(void)
{
	const struct user_event_definition definition = {};

	return try_define(&definition);
}

static const struct {
	const char *word;
	int (*emit)(void);
	bool needs_sample;
} ways[] = {
	{ "array", emit_array, true },
	{ "pieces", emit_pieces, false },
	{ "bytes", emit_bytes, true },
	{ "timer", emit_in_timer, true },
	{ "interrupt", emit_in_interrupt, true },
	{ "nmi", emit_in_nmi, true },
	{ "name", emit_name, false },
	{ "data", emit_data, false },
	{ "number", emit_number, false },
	{ "long", emit_long, false },
	{ "count", emit_count, false },
	{ "short", emit_short, true },
	{ "outside", emit_outside, true },
	{ "large", emit_large, true },
	{ "nested", emit_nested, false },
	{ "undefine", undefine, true },
	{ "define", define, false },
	{ "live", define_live, true },
	{ "separator", define_separator, false },
	{ "untyped", define_untyped, false },
	{ "room", define_room, false },
	{ "no_room", define_no_room, false },
	{ "no_memory", define_no_memory, false },
	{ "fixed", define_fixed, false },
	{ "unnamed", define_unnamed, false },
};

/*
 * Also called with a parameter of insmod, before there are events, and until the
 * file of the parameter is removed, which is after the exit function.
 */
static int emit_set(const char *word, const struct kernel_param *param)
{
	int i;

	/* Pairs with the store at the end of the init function. */
	if (!smp_load_acquire(&is_ready))
		return -EINVAL;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		if (sysfs_streq(word, ways[i].word))
			return ways[i].needs_sample && !sample ? -ENOENT
							       : ways[i].emit();

	return -EINVAL;
}

static const struct kernel_param_ops emit_ops = { .set = emit_set };
module_param_cb(emit, &emit_ops, NULL, 0200);
MODULE_PARM_DESC(emit, "word that selects how a record is emitted");

/* The text of the fields is built one by one. */
static struct user_event_source *define_pieces(void)
{
	char pieces_name[64];
	struct user_event_definition definition = { .name = pieces_name };
	struct user_event_field number = { "u64", "number" };
	struct user_event_field length = { "u8", "length" };
	struct user_event_field bytes = { "struct bytes", "bytes", 6 };
	struct user_event_cmd cmd;
	char fields[64];

	snprintf(pieces_name, sizeof(pieces_name), "%s_pieces", name);
	user_event_cmd_init(&cmd, fields, sizeof(fields));
	user_event_cmd_add_field(&cmd, &number);
	user_event_cmd_add_field(&cmd, &length);
	user_event_cmd_add_field(&cmd, &bytes);
	definition.text = user_event_cmd_text(&cmd);

	return user_event_define(&definition);
}

/* Return: the event, or NULL if the module has to go on without it. */
static struct user_event_source *or_null(struct user_event_source *source)
{
	if (!IS_ERR(source))
		return source;

	pr_warn("an event is not defined: error %ld\n", PTR_ERR(source));
	return NULL;
}

/* An event for debugging is no reason not to load the module. */
static int __init sample_init(void)
{
	init_irq_work(&sample_work, interrupt_function);
	sample = or_null(define_sample());
	pieces = or_null(define_pieces());
	/* From here on, writes of the parameter emit. */
	smp_store_release(&is_ready, true);
	return 0;
}

/*
 * First whatever emits, then the events. Parameters can be written meanwhile, so
 * this takes their lock. A write that comes later finds no event, and cannot
 * define one.
 */
static void __exit sample_exit(void)
{
	kernel_param_lock(THIS_MODULE);
	stop_emitters();
	if (undefines) {
		user_event_undefine(sample);
		user_event_undefine(pieces);
	}
	sample = NULL;
	pieces = NULL;
	kernel_param_unlock(THIS_MODULE);
}

module_init(sample_init);
module_exit(sample_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The user_events authors");
MODULE_DESCRIPTION("Sample of a module that emits user events");
