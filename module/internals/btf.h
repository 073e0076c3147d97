/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the description of a kernel's structures (BTF). Pure.
 */
#ifndef USER_EVENTS_INTERNALS_BTF_H
#define USER_EVENTS_INTERNALS_BTF_H

#include <linux/types.h>

/**
 * struct btf_expectation - expected offset of a member of a structure
 * @structure: name of the structure
 * @member: name of the member
 * @offset: its offset in bytes
 */
struct btf_expectation {
	const char *structure;
	const char *member;
	u32 offset;
};

/**
 * struct btf_extent - what precedes the types of a BTF that is relative to another
 * @nr_types: number of types, without void
 * @strings_len: bytes of names
 */
struct btf_extent {
	u32 nr_types;
	u32 strings_len;
};

int ue_btf_check(const void *btf, size_t size,
		 const struct btf_expectation *expected, size_t count,
		 const struct btf_expectation **failed);
int ue_btf_extent(const void *btf, size_t size, struct btf_extent *extent);
int ue_btf_rebase(void *btf, size_t size, const struct btf_extent *base);

#endif /* USER_EVENTS_INTERNALS_BTF_H */
