// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that BPF programs call.
 *
 * The kernel requires a description of their types (BTF). Tools derive it from debug
 * data, relative to that of one build of the kernel, and the kernel can reject a
 * module whose description is for another build. This one is written by hand. It
 * refers to no type of the kernel but int, and is thus the same for all kernels.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "common.h"
#include "api/api.h"
#include "compat/capability.h"
#include "event/lookup.h"
#include "event/user_event.h"

__bpf_kfunc_start_defs();

/**
 * bpf_user_event_enabled - Tells whether a tracer is attached to an event
 * @name__str: name of the event, a constant string
 *
 * Context: Any in which BPF programs run.
 * Return: 1 if it is enabled; 0 also if there is no such event.
 */
__bpf_kfunc int bpf_user_event_enabled(const char *name__str)
{
	const struct user_event *event;
	int ret;

	if (unlikely(!rcu_is_watching()))
		return 0;

	rcu_read_lock();
	event = ue_lookup_find(name__str, SIZE_MAX);
	ret = event && user_event_is_enabled(event);
	rcu_read_unlock();

	return ret;
}

/**
 * bpf_user_event_write - Emits a record
 * @name__str: name of the event, a constant string; not of one that has several
 *	       formats
 * @record: the fields in their binary form, without a write index, in memory that
 *	    the program can write
 * @record__sz: bytes of @record
 *
 * The program needs no reference to the event, and does not keep it from being
 * removed.
 *
 * Context: Any in which BPF programs run, also NMI.
 * Return: as user_event_trace_bytes(), or -ENOENT if there is no such event.
 */
__bpf_kfunc int bpf_user_event_write(const char *name__str, const void *record,
				     u32 record__sz)
{
	struct user_event *event;
	int ret;

	if (unlikely(!rcu_is_watching()))
		return -EPERM;

	/* The verifier accepts a value of a map that was not compared with NULL. */
	if (unlikely(!record && record__sz))
		return -EFAULT;

	rcu_read_lock();
	event = ue_lookup_find(name__str, SIZE_MAX);
	ret = event ? ue_api_emit_bytes(event, record, record__sz) : -ENOENT;
	rcu_read_unlock();

	return ret;
}

__bpf_kfunc_end_defs();

/* The parameters of the description below */
static_assert(__same_type(bpf_user_event_enabled, int(const char *)));
static_assert(__same_type(bpf_user_event_write,
			  int(const char *, const void *, u32)));
static_assert(__same_type(u32, unsigned int));

/* The numbers of types: their places in the base and the description */
enum {
	T_VOID,
	T_INT,
	T_U32,
	T_CHAR,
	T_CONST_CHAR,
	T_NAME,
	T_CONST_VOID,
	T_RECORD,
	T_ENABLED_PROTO,
	T_ENABLED,
	T_WRITE_PROTO,
	T_WRITE,
};

struct type_int {
	struct btf_type type;
	u32 bits;
};

struct strings {
	char u32_name[sizeof("unsigned int")];
	char char_name[sizeof("char")];
	char name[sizeof("name__str")];
	char record[sizeof("record")];
	char size[sizeof("record__sz")];
	char enabled[sizeof("bpf_user_event_enabled")];
	char write[sizeof("bpf_user_event_write")];
};

#define INFO(kind, count) (((kind) << 24) | (count))
#define INT(name, bytes, encoding)                               \
	{                                                        \
		.type = { .name_off = (name),                    \
			  .info = INFO(BTF_KIND_INT, 0),         \
			  .size = (bytes) },                     \
		.bits = (encoding) << 24 | (bytes)*BITS_PER_BYTE \
	}

/*
 * What the description is relative to. The kernel looks the types up by name in its
 * own description, and rejects the module if one is missing, or if there is none.
 */
static const struct {
	struct btf_header header;
	struct type_int number;
	char strings[8];
} base __used __section(".BTF.base") = {
	.header = { .magic = BTF_MAGIC,
		    .version = BTF_VERSION,
		    .hdr_len = sizeof(struct btf_header),
		    .type_len = sizeof(base.number),
		    .str_off = sizeof(base.number),
		    .str_len = sizeof(base.strings) },
	.number = INT(1, sizeof(int), BTF_INT_SIGNED),
	.strings = "\0int",
};

#define STRING(member) (sizeof(base.strings) + offsetof(struct strings, member))
#define REFERENCE(kind, to)                         \
	{                                           \
		.info = INFO(kind, 0), .type = (to) \
	}
#define PROTO(count)                                                    \
	{                                                               \
		.info = INFO(BTF_KIND_FUNC_PROTO, count), .type = T_INT \
	}
#define PARAM(member, of)                                \
	{                                                \
		.name_off = STRING(member), .type = (of) \
	}
#define FUNC(member, proto)                                                   \
	{                                                                     \
		.name_off = STRING(member),                                   \
		.info = INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC), .type = (proto) \
	}

static const struct description {
	struct btf_header header;
	struct type_int numbers[2];
	struct btf_type references[4];
	struct btf_type enabled_proto;
	struct btf_param enabled_params[1];
	struct btf_type enabled;
	struct btf_type write_proto;
	struct btf_param write_params[3];
	struct btf_type write;
	struct strings strings;
} description __used __section(".BTF") = {
	.header = { .magic = BTF_MAGIC,
		    .version = BTF_VERSION,
		    .hdr_len = sizeof(struct btf_header),
		    .type_len = offsetof(struct description, strings) -
				sizeof(struct btf_header),
		    .str_off = offsetof(struct description, strings) -
			       sizeof(struct btf_header),
		    .str_len = sizeof(struct description) -
			       offsetof(struct description, strings) },
	.numbers = { INT(STRING(u32_name), sizeof(u32), 0),
		     INT(STRING(char_name), 1, 0) },
	.references = { REFERENCE(BTF_KIND_CONST, T_CHAR),
			REFERENCE(BTF_KIND_PTR, T_CONST_CHAR),
			REFERENCE(BTF_KIND_CONST, T_VOID),
			REFERENCE(BTF_KIND_PTR, T_CONST_VOID) },
	.enabled_proto = PROTO(1),
	.enabled_params = { PARAM(name, T_NAME) },
	.enabled = FUNC(enabled, T_ENABLED_PROTO),
	.write_proto = PROTO(3),
	.write_params = { PARAM(name, T_NAME), PARAM(record, T_RECORD),
			  PARAM(size, T_U32) },
	.write = FUNC(write, T_WRITE_PROTO),
	.strings = { "unsigned int", "char", "name__str", "record",
		     "record__sz", "bpf_user_event_enabled",
		     "bpf_user_event_write" },
};

/* In the form of a struct btf_id_set8 */
static struct {
	u32 count;
	u32 flags;
	struct {
		u32 id;
		u32 flags;
	} functions[2];
} functions = {
	.count = ARRAY_SIZE(functions.functions),
	.flags = BTF_SET8_KFUNCS,
	.functions = { { T_ENABLED }, { T_WRITE } },
};

static_assert(sizeof(functions) ==
	      offsetof(struct btf_id_set8,
		       pairs[ARRAY_SIZE(functions.functions)]));

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

/**
 * ue_bpf_init - Lets BPF programs emit records
 *
 * Without it, the module works otherwise. Nothing undoes this: a program with a
 * call holds a reference to the module.
 */
void ue_bpf_init(void)
{
	static const enum bpf_prog_type types[] = { BPF_PROG_TYPE_TRACING,
						    BPF_PROG_TYPE_KPROBE,
						    BPF_PROG_TYPE_SYSCALL };
	static const struct btf_kfunc_id_set set = {
		.owner = THIS_MODULE,
		.set = (struct btf_id_set8 *)&functions,
		.filter = check_program,
	};
	int i, ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(types); i++)
		ret = register_btf_kfunc_id_set(types[i], &set);
	if (ret)
		pr_info("BPF programs cannot emit records: error %d\n", ret);
}
