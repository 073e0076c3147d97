// SPDX-License-Identifier: GPL-2.0-only
#include "internals/btf.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <uapi/linux/btf.h>

/* The two sections of a BTF blob that are used. Nothing outside is read. */
struct btf_view {
	const char *types;
	size_t types_len;
	const char *strings;
	size_t strings_len;
};

static int view_init(struct btf_view *view, const void *btf, size_t size)
{
	const struct btf_header *header = btf;
	size_t room;

	if (size < sizeof(*header) || header->magic != BTF_MAGIC ||
	    header->hdr_len > size)
		return -EINVAL;

	/* Types are read in place. */
	if (header->hdr_len % sizeof(u32) || header->type_off % sizeof(u32))
		return -EINVAL;

	room = size - header->hdr_len;
	if (header->type_off > room ||
	    header->type_len > room - header->type_off ||
	    header->str_off > room || header->str_len > room - header->str_off)
		return -EINVAL;

	view->types = (const char *)btf + header->hdr_len + header->type_off;
	view->types_len = header->type_len;
	view->strings = (const char *)btf + header->hdr_len + header->str_off;
	view->strings_len = header->str_len;

	/* Then all names are terminated inside the section. */
	if (!view->strings_len || view->strings[view->strings_len - 1])
		return -EINVAL;

	return 0;
}

static bool name_is(const struct btf_view *view, u32 offset, const char *name)
{
	return offset < view->strings_len &&
	       !strcmp(view->strings + offset, name);
}

/*
 * 5 bits since Linux 5.13 (commit 8fd886911a6a, "bpf: Add BTF_KIND_FLOAT to
 * uapi"); the macro of older headers uses 4.
 */
static u32 kind_of(const struct btf_type *type)
{
	return (type->info >> 24) & 0x1f;
}

/* Bytes behind the common header of a type, or -EINVAL for unknown kinds. */
static long tail_size(const struct btf_type *type)
{
	u32 vlen = BTF_INFO_VLEN(type->info);

	switch (kind_of(type)) {
	case BTF_KIND_INT:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return vlen * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return vlen * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return vlen * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return vlen * sizeof(struct btf_var_secinfo);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case 16: /* BTF_KIND_FLOAT */
	case 18: /* BTF_KIND_TYPE_TAG */
		return 0;
	case 17: /* BTF_KIND_DECL_TAG: one word */
		return sizeof(u32);
	case 19: /* BTF_KIND_ENUM64: three words per value */
		return vlen * 3 * sizeof(u32);
	default:
		return -EINVAL;
	}
}

static bool member_is(const struct btf_view *view, const struct btf_type *type,
		      const struct btf_expectation *expected)
{
	const struct btf_member *member = (const void *)(type + 1);
	bool bitfields = type->info >> 31;
	u32 vlen = BTF_INFO_VLEN(type->info);
	u32 offset;

	for (; vlen--; member++) {
		if (!name_is(view, member->name_off, expected->member))
			continue;

		offset = bitfields ? BTF_MEMBER_BIT_OFFSET(member->offset)
				   : member->offset;
		return offset == expected->offset * 8;
	}

	return false;
}

static bool is_struct(const struct btf_type *type)
{
	return kind_of(type) == BTF_KIND_STRUCT;
}

/*
 * Compares one structure with the expected members. @found has a bit for each
 * expectation that was met. Only the first structure of a name counts.
 */
static const struct btf_expectation *
check_struct(const struct btf_view *view, const struct btf_type *type,
	     const struct btf_expectation *expected, size_t count, u64 *found)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if ((*found >> i) & 1 ||
		    !name_is(view, type->name_off, expected[i].structure))
			continue;

		if (!member_is(view, type, &expected[i]))
			return &expected[i];

		*found |= 1ULL << i;
	}

	return NULL;
}

/* Moves @pos behind a type. Return: the type, or NULL if it is not complete. */
static const struct btf_type *next_type(const struct btf_view *view,
					size_t *pos)
{
	const struct btf_type *type = (const void *)(view->types + *pos);
	long tail;

	if (view->types_len - *pos < sizeof(*type))
		return NULL;

	*pos += sizeof(*type);
	tail = tail_size(type);
	if (tail < 0 || (size_t)tail > view->types_len - *pos)
		return NULL;

	*pos += tail;
	return type;
}

static int check_types(const struct btf_view *view,
		       const struct btf_expectation *expected, size_t count,
		       const struct btf_expectation **failed)
{
	const struct btf_type *type;
	size_t pos = 0;
	u64 found = 0;

	while (pos < view->types_len) {
		type = next_type(view, &pos);
		if (!type)
			return -EINVAL;

		if (!is_struct(type))
			continue;

		*failed = check_struct(view, type, expected, count, &found);
		if (*failed)
			return -ESRCH;
	}

	for (; count--; found >>= 1, expected++) {
		if (found & 1)
			continue;

		*failed = expected;
		return -ESRCH;
	}

	return 0;
}

/**
 * ue_btf_check - Compares structures with the BTF of a kernel
 * @btf: the BTF, aligned to 4 bytes
 * @size: its size in bytes
 * @expected: expected members
 * @count: number of @expected, at most 64
 * @failed: set to the first expectation that is not met, else NULL
 *
 * Return: 0 if all expectations are met;
 *	   -ESRCH: a structure or member is missing or has another offset;
 *	   -EINVAL: @btf cannot be parsed.
 */
int ue_btf_check(const void *btf, size_t size,
		 const struct btf_expectation *expected, size_t count,
		 const struct btf_expectation **failed)
{
	struct btf_view view;
	int ret;

	*failed = NULL;

	if (count > 64)
		return -EINVAL;

	ret = view_init(&view, btf, size);
	if (ret)
		return ret;

	return check_types(&view, expected, count, failed);
}

/**
 * ue_btf_extent - Measures a BTF to which others can be relative
 * @btf: the BTF, aligned to 4 bytes
 * @size: its size in bytes
 * @extent: set to its extent
 *
 * Return: 0, or -EINVAL if @btf cannot be parsed.
 */
int ue_btf_extent(const void *btf, size_t size, struct btf_extent *extent)
{
	struct btf_view view;
	size_t pos = 0;
	int ret;

	ret = view_init(&view, btf, size);
	if (ret)
		return ret;

	*extent = (struct btf_extent){ .strings_len = view.strings_len };
	for (; pos < view.types_len; extent->nr_types++)
		if (!next_type(&view, &pos))
			return -EINVAL;

	return 0;
}

/* 0 is void, or no name. */
static void shift(u32 *number, u32 by)
{
	if (*number)
		*number += by;
}

static void rebase_params(struct btf_type *proto, const struct btf_extent *base)
{
	struct btf_param *param = (void *)(proto + 1);
	u32 vlen = BTF_INFO_VLEN(proto->info);

	for (; vlen--; param++) {
		shift(&param->name_off, base->strings_len);
		shift(&param->type, base->nr_types);
	}
}

static int rebase_type(struct btf_type *type, const struct btf_extent *base)
{
	shift(&type->name_off, base->strings_len);
	switch (kind_of(type)) {
	case BTF_KIND_INT:
		return 0;
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
		shift(&type->type, base->nr_types);
		break;
	default:
		return -EINVAL;
	}

	if (kind_of(type) == BTF_KIND_FUNC_PROTO)
		rebase_params(type, base);
	return 0;
}

/**
 * ue_btf_rebase - Makes a BTF relative to another one, whose types precede its own
 * @btf: the BTF, which is relative to none, aligned to 4 bytes
 * @size: its size in bytes
 * @base: extent of the other one
 *
 * The kernel expects this of a module's BTF. Type N becomes base->nr_types + N.
 *
 * Return: 0, or -EINVAL if @btf cannot be parsed or has types other than numbers,
 *	   pointers, constants and functions; it is not usable then.
 */
int ue_btf_rebase(void *btf, size_t size, const struct btf_extent *base)
{
	struct btf_view view;
	size_t pos = 0;
	int ret;

	ret = view_init(&view, btf, size);
	while (!ret && pos < view.types_len) {
		struct btf_type *type = (void *)next_type(&view, &pos);

		ret = type ? rebase_type(type, base) : -EINVAL;
	}

	return ret;
}
