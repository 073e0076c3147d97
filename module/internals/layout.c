// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares private structures with the BTF of the running kernel.
 */
#include "internals/layout.h"

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/stddef.h>

#include "common.h"
#include "internals/btf.h"
#include "internals/dyn_event.h"
#include "internals/event_field.h"
#include "internals/kernel_btf.h"

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

static int __init compare(const void *btf, size_t size)
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

/**
 * ue_layout_check - Compares private structures with the running kernel
 *
 * Return: 0, or an error with the reason in the kernel log.
 */
int __init ue_layout_check(void)
{
	struct kernel_btf btf;
	int ret = ue_kernel_btf_get(&btf);

	/* Not an error: layout_assert.c was compared with the sources. */
	if (ret == -ENOENT) {
		pr_info("this kernel has no BTF: private structures not compared\n");
		return 0;
	}

	if (ret) {
		pr_err("cannot load: failed to read the kernel's BTF: error %d\n",
		       ret);
		return ret;
	}

	ret = compare(btf.data, btf.size);
	ue_kernel_btf_put(&btf);
	return ret;
}
