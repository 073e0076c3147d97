// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares private structures with the BTF of the running kernel.
 */
#include "internals/layout.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stddef.h>

#include "common.h"
#include "internals/btf.h"
#include "internals/dyn_event.h"
#include "internals/event_field.h"
#include "internals/resolve.h"

/* clang-format off */
#define EXPECT(structure, member) \
	{ #structure, #member, offsetof(struct structure, member) }

static const struct btf_expectation expected[] = {
#ifdef CONFIG_DYNAMIC_EVENTS
	EXPECT(dyn_event_operations, list),
	EXPECT(dyn_event_operations, create),
	EXPECT(dyn_event_operations, show),
	EXPECT(dyn_event_operations, is_busy),
	EXPECT(dyn_event_operations, free),
	EXPECT(dyn_event_operations, match),
	EXPECT(dyn_event, list),
	EXPECT(dyn_event, ops),
#endif
	{ "ftrace_event_field", "offset", EVENT_FIELD_OFFSET },
	{ "ftrace_event_field", "size", EVENT_FIELD_SIZE },
};
/* clang-format on */

static int compare(const void *btf, size_t size)
{
	const struct btf_expectation *failed;
	int ret;

	ret = ue_btf_check(btf, size, expected, ARRAY_SIZE(expected), &failed);
	if (ret == -ESRCH)
		pr_err("cannot load: %s.%s is not at byte %u: unsupported kernel structure\n",
		       failed->structure, failed->member, failed->offset);
	else if (ret)
		pr_err("cannot load: failed to parse the kernel's BTF: unknown format\n");

	return ret ? -ENOEXEC : 0;
}

/*
 * Reads the BTF from sysfs. Returns NULL if there is no such file,
 * ERR_PTR(-ENOMEM), or the BTF, to be freed with kvfree().
 */
static void *read_btf(size_t *size)
{
	struct file *file = filp_open("/sys/kernel/btf/vmlinux", O_RDONLY, 0);
	loff_t pos = 0;
	void *btf;

	if (IS_ERR(file))
		return PTR_ERR(file) == -ENOMEM ? file : NULL;

	*size = i_size_read(file_inode(file));
	btf = kvmalloc(*size, GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
	while (!IS_ERR_OR_NULL(btf) && pos < *size) {
		if (kernel_read(file, btf + pos, *size - pos, &pos) > 0)
			continue;

		kvfree(btf);
		btf = NULL;
	}

	filp_close(file, NULL);
	return btf;
}

static int check_file(void)
{
	size_t size;
	void *btf = read_btf(&size);
	int ret;

	if (IS_ERR(btf))
		return PTR_ERR(btf);

	/* Not an error: layout_assert.c was compared with the sources. */
	if (!btf) {
		pr_info("this kernel has no BTF: private structures not compared\n");
		return 0;
	}

	ret = compare(btf, size);
	kvfree(btf);
	return ret;
}

/**
 * ue_layout_check - Compares private structures with the running kernel
 *
 * The BTF is found in memory by its symbols, or else in sysfs.
 *
 * Return: 0; -ENOEXEC with the reason in the kernel log; -ENOMEM.
 */
int ue_layout_check(void)
{
	unsigned long start = ue_lookup_symbol("__start_BTF");
	unsigned long stop = ue_lookup_symbol("__stop_BTF");

	if (!start || stop <= start)
		return check_file();

	return compare((const void *)start, stop - start);
}
