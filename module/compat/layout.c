// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what is assumed of private structures against the running kernel.
 */
#include "layout.h"

#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/stddef.h>

#include "../common.h"
#include "btf.h"
#include "call.h"
#include "event_field.h"

/* More kinds of dynamic events than any kernel has. */
#define MAX_KINDS 64

/* clang-format off */
#define EXPECT(structure, member) \
	{ #structure, #member, offsetof(struct structure, member) }

static const struct btf_expectation expected[] = {
	EXPECT(dyn_event_operations, list),
	EXPECT(dyn_event_operations, create),
	EXPECT(dyn_event_operations, show),
	EXPECT(dyn_event_operations, is_busy),
	EXPECT(dyn_event_operations, free),
	EXPECT(dyn_event_operations, match),
	EXPECT(dyn_event, list),
	EXPECT(dyn_event, ops),
	{ "ftrace_event_field", "offset", EVENT_FIELD_OFFSET },
	{ "ftrace_event_field", "size", EVENT_FIELD_SIZE },
};
/* clang-format on */

/* A kernel without BTF has nothing to compare with; that is no objection. */
static int check_btf(void)
{
	const struct btf_expectation *failed;
	unsigned long start = borrowed_lookup("__start_BTF");
	unsigned long stop = borrowed_lookup("__stop_BTF");
	int ret;

	if (!start || stop <= start)
		return 0;

	ret = btf_check((const void *)start, stop - start, expected,
			ARRAY_SIZE(expected), &failed);
	if (ret == -ESRCH)
		pr_err("cannot load: %s.%s is not at byte %u in this kernel, where this module was made to find it\n",
		       failed->structure, failed->member, failed->offset);
	else if (ret)
		pr_err("cannot load: this kernel's description of its types (BTF) is not understood\n");

	return ret ? -ENOEXEC : 0;
}

static bool is_kernel_symbol(const void *address)
{
	char text[KSYM_SYMBOL_LEN];

	/* An address without a name is printed as a number. */
	sprint_symbol(text, (unsigned long)address);
	return text[0] != '0';
}

static bool kind_is_plausible(const struct dyn_event_operations *ops)
{
	return is_kernel_symbol(ops->create) && is_kernel_symbol(ops->show) &&
	       is_kernel_symbol(ops->is_busy) && is_kernel_symbol(ops->free) &&
	       is_kernel_symbol(ops->match);
}

/*
 * Whatever the kernel says about itself: the list that is about to be extended
 * must look like one, with entries that are what they are taken for.
 */
static int check_kinds(void)
{
	struct dyn_event_operations *ops;
	struct list_head *pos;
	int kinds = 0;
	int ret = 0;

	mutex_lock(borrowed_dyn_event_ops_mutex);
	list_for_each(pos, borrowed_dyn_event_ops_list) {
		ops = list_entry(pos, struct dyn_event_operations, list);
		if (pos->next->prev != pos || ++kinds > MAX_KINDS ||
		    !kind_is_plausible(ops)) {
			ret = -ENOEXEC;
			break;
		}
	}
	mutex_unlock(borrowed_dyn_event_ops_mutex);

	if (ret)
		pr_err("cannot load: dyn_event_ops_list is not the list of dynamic event kinds that this module was made for\n");

	return ret;
}

static int check_events(void)
{
	const struct list_head *head = borrowed_dyn_event_list;
	bool sound;

	tracing_lock();
	sound = head->next->prev == head && head->prev->next == head;
	tracing_unlock();

	if (sound)
		return 0;

	pr_err("cannot load: dyn_event_list is not the list of dynamic events that this module was made for\n");
	return -ENOEXEC;
}

/**
 * layout_check - Refuses a kernel whose structures are not as expected
 *
 * Return: 0, or -ENOEXEC with the reason in the kernel log.
 */
int layout_check(void)
{
	return check_btf() ?: check_kinds() ?: check_events();
}
