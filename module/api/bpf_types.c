// SPDX-License-Identifier: GPL-2.0-only
/*
 * Description of the functions that BPF programs call.
 *
 * The kernel requires a description of their types (BTF). Tools derive it from debug
 * data, relative to that of one build of the kernel, and the kernel can reject a
 * module whose description is for another build. This one is written by hand. It
 * refers to no type of the kernel but int, and is thus the same for all kernels.
 */
#include "api/bpf_types.h"

#include <linux/btf.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/stddef.h>

#include "compat/kfunc.h"
#include "internals/kernel_btf.h"

/* The parameters of the description below */
static_assert(__same_type(bpf_user_event_enabled_sized,
			  int(const char *, u32)));
static_assert(__same_type(bpf_user_event_write_sized,
			  int(const char *, u32, const void *, u32)));
static_assert(__same_type(u32, unsigned int));

/* The numbers of types: their places in the description */
enum {
	T_VOID,
	T_INT,
	T_U32,
	T_CHAR,
	T_CONST_CHAR,
	T_NAME,
	T_CONST_VOID,
	T_RECORD,
	T_ENABLED_SIZED_PROTO,
	T_ENABLED_SIZED,
	T_WRITE_SIZED_PROTO,
	T_WRITE_SIZED,
	/* The last ones, as older kernels have none of them */
	T_ENABLED_PROTO,
	T_ENABLED,
	T_WRITE_PROTO,
	T_WRITE,
};

struct type_int {
	struct btf_type type;
	u32 bits;
};

/* The type on which the others depend, and its name */
struct base_types {
	struct type_int number;
};

struct base_strings {
	char bytes[8];
};

struct types {
	struct type_int numbers[2];
	struct btf_type references[4];
	struct btf_type enabled_sized_proto;
	struct btf_param enabled_sized_params[2];
	struct btf_type enabled_sized;
	struct btf_type write_sized_proto;
	struct btf_param write_sized_params[4];
	struct btf_type write_sized;
#ifdef HAVE_MODULE_BTF_BASE
	struct btf_type enabled_proto;
	struct btf_param enabled_params[1];
	struct btf_type enabled;
	struct btf_type write_proto;
	struct btf_param write_params[3];
	struct btf_type write;
#endif
};

struct strings {
	char u32_name[sizeof("unsigned int")];
	char char_name[sizeof("char")];
	char name[sizeof("name")];
	char name_size[sizeof("name__sz")];
	char record[sizeof("record")];
	char size[sizeof("record__sz")];
	char enabled_sized[sizeof("bpf_user_event_enabled_sized")];
	char write_sized[sizeof("bpf_user_event_write_sized")];
#ifdef HAVE_MODULE_BTF_BASE
	char constant_name[sizeof("name__str")];
	char enabled[sizeof("bpf_user_event_enabled")];
	char write[sizeof("bpf_user_event_write")];
#endif
};

/* Types precede names, which end with the description. */
#define HEADER(description, names)                                 \
	{                                                          \
		.magic = BTF_MAGIC, .version = BTF_VERSION,        \
		.hdr_len = sizeof(struct btf_header),              \
		.type_len = offsetof(typeof(description), names) - \
			    sizeof(struct btf_header),             \
		.str_off = offsetof(typeof(description), names) -  \
			   sizeof(struct btf_header),              \
		.str_len = sizeof(description) -                   \
			   offsetof(typeof(description), names),   \
	}

#define INFO(kind, count) (((kind) << 24) | (count))
#define INT(name, bytes, encoding)                               \
	{                                                        \
		.type = { .name_off = (name),                    \
			  .info = INFO(BTF_KIND_INT, 0),         \
			  .size = (bytes) },                     \
		.bits = (encoding) << 24 | (bytes)*BITS_PER_BYTE \
	}
#define STRING(member) \
	(sizeof(struct base_strings) + offsetof(struct strings, member))
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

#define BASE_TYPES                                            \
	{                                                     \
		.number = INT(1, sizeof(int), BTF_INT_SIGNED) \
	}
#define BASE_STRINGS    \
	{               \
		"\0int" \
	}

/* clang-format off */
#define SIZED_TYPES							\
	.numbers = { INT(STRING(u32_name), sizeof(u32), 0),		\
		     INT(STRING(char_name), 1, 0) },			\
	.references = { REFERENCE(BTF_KIND_CONST, T_CHAR),		\
			REFERENCE(BTF_KIND_PTR, T_CONST_CHAR),		\
			REFERENCE(BTF_KIND_CONST, T_VOID),		\
			REFERENCE(BTF_KIND_PTR, T_CONST_VOID) },	\
	.enabled_sized_proto = PROTO(2),				\
	.enabled_sized_params = { PARAM(name, T_NAME),			\
				  PARAM(name_size, T_U32) },		\
	.enabled_sized = FUNC(enabled_sized, T_ENABLED_SIZED_PROTO),	\
	.write_sized_proto = PROTO(4),					\
	.write_sized_params = { PARAM(name, T_NAME),			\
				PARAM(name_size, T_U32),		\
				PARAM(record, T_RECORD),		\
				PARAM(size, T_U32) },			\
	.write_sized = FUNC(write_sized, T_WRITE_SIZED_PROTO),
#define SIZED_STRINGS							\
	"unsigned int", "char", "name", "name__sz", "record", "record__sz", \
	"bpf_user_event_enabled_sized", "bpf_user_event_write_sized",
/* clang-format on */

/* In the form of a struct btf_id_set8, in ascending order */
static struct {
	u32 count;
	u32 flags;
	struct {
		u32 id;
		u32 flags;
#ifdef HAVE_MODULE_BTF_BASE
	} functions[4];
#else
	} functions[2];
#endif
} functions __ro_after_init = {
	.count = ARRAY_SIZE(functions.functions),
	.flags = BTF_SET8_KFUNCS,
	.functions = {
		{ T_ENABLED_SIZED },
		{ T_WRITE_SIZED },
#ifdef HAVE_MODULE_BTF_BASE
		{ T_ENABLED },
		{ T_WRITE },
#endif
	},
};

static_assert(sizeof(functions) ==
	      offsetof(struct btf_id_set8,
		       pairs[ARRAY_SIZE(functions.functions)]));

#ifdef HAVE_MODULE_BTF_BASE
static_assert(__same_type(bpf_user_event_enabled, int(const char *)));
static_assert(__same_type(bpf_user_event_write,
			  int(const char *, const void *, u32)));

/*
 * What the description is relative to. The kernel looks the types up by name in its
 * own description, and rejects the module if one is missing, or if there is none.
 */
static const struct {
	struct btf_header header;
	struct base_types types;
	struct base_strings strings;
} base __used __section(".BTF.base") = {
	.header = HEADER(base, strings),
	.types = BASE_TYPES,
	.strings = BASE_STRINGS,
};

static const struct {
	struct btf_header header;
	struct types types;
	struct strings strings;
} description __used __section(".BTF") = {
	.header = HEADER(description, strings),
	.types = { SIZED_TYPES.enabled_proto = PROTO(1),
		   .enabled_params = { PARAM(constant_name, T_NAME) },
		   .enabled = FUNC(enabled, T_ENABLED_PROTO),
		   .write_proto = PROTO(3),
		   .write_params = { PARAM(constant_name, T_NAME),
				     PARAM(record, T_RECORD),
				     PARAM(size, T_U32) },
		   .write = FUNC(write, T_WRITE_PROTO) },
	.strings = { SIZED_STRINGS "name__str", "bpf_user_event_enabled",
		     "bpf_user_event_write" },
};

/**
 * ue_bpf_types_init - Describes the functions to the kernel
 *
 * The file of the module has the description, and the kernel adapts all numbers.
 *
 * Return: the numbers of the functions, or an ERR_PTR().
 */
struct btf_id_set8 *__init ue_bpf_types_init(void)
{
	return (struct btf_id_set8 *)&functions;
}
#else
static struct {
	struct btf_header header;
	struct base_types base_types;
	struct types types;
	struct base_strings base_strings;
	struct strings strings;
} description __initdata = {
	.header = HEADER(description, base_strings),
	.base_types = BASE_TYPES,
	.types = { SIZED_TYPES },
	.base_strings = BASE_STRINGS,
	.strings = { SIZED_STRINGS },
};

struct btf_id_set8 *__init ue_bpf_types_init(void)
{
	u32 nr_base_types;
	int i, ret;

	ret = ue_module_btf_add(&description, sizeof(description),
				&nr_base_types);
	if (ret)
		return ERR_PTR(ret);

	for (i = 0; i < ARRAY_SIZE(functions.functions); i++)
		functions.functions[i].id += nr_base_types;

	return (struct btf_id_set8 *)&functions;
}
#endif
