// SPDX-License-Identifier: GPL-2.0-only
#include "internals/kernel_btf.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>

#include "common.h"
#include "internals/btf.h"
#include "internals/resolve.h"

/*
 * Reads the BTF from sysfs. Returns the BTF, to be freed with kvfree(), or an
 * ERR_PTR(): of -ENOENT if there is no such file.
 */
static void *__init read_btf(size_t *size)
{
	struct file *file = filp_open("/sys/kernel/btf/vmlinux", O_RDONLY, 0);
	loff_t pos = 0;
	ssize_t done;
	void *btf;

	if (IS_ERR(file))
		return file;

	*size = i_size_read(file_inode(file));
	btf = kvmalloc(*size, GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
	while (!IS_ERR(btf) && pos < *size) {
		done = kernel_read(file, btf + pos, *size - pos, &pos);
		if (done > 0)
			continue;

		kvfree(btf);
		btf = ERR_PTR(done ?: -EIO);
	}

	filp_close(file, NULL);
	return btf;
}

/**
 * ue_kernel_btf_get - Finds the BTF of the running kernel
 * @btf: the BTF, for ue_kernel_btf_put()
 *
 * It is found in memory by its symbols, or else in sysfs.
 *
 * Return: 0; -ENOENT if the kernel has none; or an error, such as -ENOMEM.
 */
int __init ue_kernel_btf_get(struct kernel_btf *btf)
{
	unsigned long start = ue_lookup_symbol("__start_BTF");
	unsigned long stop = ue_lookup_symbol("__stop_BTF");

	if (start && stop > start) {
		*btf = (struct kernel_btf){ .data = (const void *)start,
					    .size = stop - start };
		return 0;
	}

	btf->copy = read_btf(&btf->size);
	btf->data = btf->copy;
	return PTR_ERR_OR_ZERO(btf->copy);
}

/**
 * ue_kernel_btf_put - Undoes a successful ue_kernel_btf_get()
 * @btf: the BTF
 */
void __init ue_kernel_btf_put(struct kernel_btf *btf)
{
	kvfree(btf->copy);
}

#if defined(HAVE_KFUNC_SETS) && !defined(HAVE_MODULE_BTF_BASE)
/* Makes the module's BTF relative to that of the kernel. */
static int __init rebase(void *data, size_t size, u32 *nr_base_types)
{
	struct kernel_btf kernel;
	struct btf_extent extent;
	int ret;

	ret = ue_kernel_btf_get(&kernel);
	if (ret)
		return ret;

	ret = ue_btf_extent(kernel.data, kernel.size, &extent);
	ue_kernel_btf_put(&kernel);
	if (ret)
		return ret;

	*nr_base_types = extent.nr_types;
	return ue_btf_rebase(data, size, &extent);
}

/**
 * ue_module_btf_add - Gives the kernel a BTF of this module
 * @data: the BTF, which is relative to none; it is changed, and copied by the kernel
 * @size: its size in bytes
 * @nr_base_types: set to the number of the kernel's types: type N of @data becomes
 *		   *nr_base_types + N
 *
 * The kernel reads the BTF of a module from its file before any function of the
 * module runs, and such a BTF depends on the build of the kernel. So the part of the
 * kernel that reads it is called once more, when the BTF depends on the kernel that
 * runs. The kernel removes it as any other one, for which it needs the size.
 *
 * Context: Init of the module.
 * Return: 0; -EEXIST: the file of the module has a BTF; -ENOENT: the kernel has no
 *	   BTF, or not this function; another error of the kernel.
 */
int __init ue_module_btf_add(void *data, size_t size, u32 *nr_base_types)
{
	struct module *module = THIS_MODULE;
	int ret;

	if (module->btf_data_size)
		return -EEXIST;

	if (!unexported_btf_module_notify_found)
		return -ENOENT;

	ret = rebase(data, size, nr_base_types);
	if (ret)
		return ret;

	module->btf_data = data;
	module->btf_data_size = size;
	ret = static_call(unexported_btf_module_notify)(
		NULL, MODULE_STATE_COMING, module);
	ret = notifier_to_errno(ret);
	module->btf_data = NULL;
	if (ret)
		module->btf_data_size = 0;

	return ret;
}
#endif
