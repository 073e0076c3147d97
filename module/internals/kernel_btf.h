/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of types (BTF): that of the running kernel, and that of the module.
 */
#ifndef USER_EVENTS_INTERNALS_KERNEL_BTF_H
#define USER_EVENTS_INTERNALS_KERNEL_BTF_H

#include <linux/types.h>

/**
 * struct kernel_btf - BTF of the running kernel
 * @data: the BTF
 * @size: its size in bytes
 * @copy: what ue_kernel_btf_put() frees, or NULL
 */
struct kernel_btf {
	const void *data;
	size_t size;
	void *copy;
};

int ue_kernel_btf_get(struct kernel_btf *btf);
void ue_kernel_btf_put(struct kernel_btf *btf);

#if defined(HAVE_KFUNC_SETS) && !defined(HAVE_MODULE_BTF_BASE)
int ue_module_btf_add(void *data, size_t size, u32 *nr_base_types);
#endif

#endif /* USER_EVENTS_INTERNALS_KERNEL_BTF_H */
