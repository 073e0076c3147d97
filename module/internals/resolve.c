// SPDX-License-Identifier: GPL-2.0-only
#include "internals/resolve.h"

#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "common.h"

/* Bytes around sprint_symbol() to search. */
#define SCAN_RANGE SZ_64K
#define SCAN_STEP 2

DEFINE_STATIC_CALL_NULL(unexported_kallsyms_lookup_name, kallsyms_lookup_name);

/* clang-format off */
#define DEFINE_UNEXPORTED_FUNCTION(name, why, without)			\
	DEFINE_STATIC_CALL_NULL(unexported_##name, name);			\
	bool unexported_##name##_found __ro_after_init;			\
									\
	static void __init set_##name(unsigned long address)		\
	{								\
		static_call_update(unexported_##name,			\
				   (typeof(&name))(address | THUMB_BIT));	\
		unexported_##name##_found = true;				\
	}
UNEXPORTED_FUNCTIONS(DEFINE_UNEXPORTED_FUNCTION)

#define DEFINE_UNEXPORTED_DATA(name, type, why, without)			\
	type *unexported_##name __ro_after_init;				\
									\
	static void __init set_##name(unsigned long address)		\
	{								\
		unexported_##name = (type *)address;			\
	}
UNEXPORTED_DATA(DEFINE_UNEXPORTED_DATA)

/**
 * struct unexported_symbol - a row of the table
 * @name: the symbol
 * @why: its purpose
 * @without: the consequence if it is missing, or REQUIRED
 * @set: stores its address
 */
struct unexported_symbol {
	const char *name;
	const char *why;
	const char *without;
	void (*set)(unsigned long address);
};

#define FUNCTION_ROW(name, why, without) { #name, why, without, set_##name },
#define DATA_ROW(name, type, why, without) { #name, why, without, set_##name },

static const struct unexported_symbol unexported_symbols[] __initconst = {
	UNEXPORTED_FUNCTIONS(FUNCTION_ROW)
	UNEXPORTED_DATA(DATA_ROW)
};
/* clang-format on */

static bool __init is_symbol_start(unsigned long address, const char *name)
{
	char text[KSYM_SYMBOL_LEN];
	size_t len = strlen(name);

	sprint_symbol(text, address);
	return !strncmp(text, name, len) &&
	       !strncmp(text + len, "+0x0/", strlen("+0x0/"));
}

/*
 * kallsyms_lookup_name() is in the same source file as sprint_symbol(), so it
 * is near. sprint_symbol() is exported and tells which symbol is at an address.
 * This does not depend on the kernel's configuration.
 */
static unsigned long __init lookup_by_scan(void)
{
	unsigned long center =
		ALIGN_DOWN((unsigned long)sprint_symbol, SCAN_STEP);
	unsigned long distance;

	for (distance = 0; distance < SCAN_RANGE; distance += SCAN_STEP) {
		if (is_symbol_start(center + distance, "kallsyms_lookup_name"))
			return center + distance;

		if (is_symbol_start(center - distance, "kallsyms_lookup_name"))
			return center - distance;
	}

	return 0;
}

/*
 * The kernel resolves the name of a kprobe. The kprobe may be a few bytes
 * behind the entry.
 */
static unsigned long __init lookup_by_kprobe(void)
{
	unsigned long address = 0;
#ifdef CONFIG_KPROBES
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	unsigned long back;

	if (register_kprobe(&probe))
		return 0;

	for (back = 0; back <= 16 && !address; back += SCAN_STEP)
		if (is_symbol_start((unsigned long)probe.addr - back,
				    "kallsyms_lookup_name"))
			address = (unsigned long)probe.addr - back;

	unregister_kprobe(&probe);
#endif
	return address;
}

/**
 * ue_lookup_symbol - Looks up a symbol of the kernel
 * @name: its name
 *
 * Context: May be called once ue_resolve_symbols() has found
 *	    kallsyms_lookup_name().
 * Return: its address, or 0.
 */
unsigned long ue_lookup_symbol(const char *name)
{
	return static_call(unexported_kallsyms_lookup_name)(name);
}

/**
 * ue_resolve_symbols - Looks up all symbols of the tables
 *
 * Return: 0, or -ENOENT with the reason in the kernel log if a required symbol
 *	   is missing.
 */
int __init ue_resolve_symbols(void)
{
	const struct unexported_symbol *symbol;
	unsigned long address;

	address = lookup_by_scan() ?: lookup_by_kprobe();
	if (!address) {
		pr_err("cannot load: symbol kallsyms_lookup_name not found: needed to look up unexported symbols\n");
		return -ENOENT;
	}

	static_call_update(unexported_kallsyms_lookup_name,
			   (typeof(&kallsyms_lookup_name))(address |
							   THUMB_BIT));

	for (symbol = unexported_symbols;
	     symbol < unexported_symbols + ARRAY_SIZE(unexported_symbols);
	     symbol++) {
		address = ue_lookup_symbol(symbol->name);
		if (address) {
			symbol->set(address);
		} else if (symbol->without) {
			pr_debug("symbol %s not found: needed %s: %s\n",
				 symbol->name, symbol->why, symbol->without);
		} else {
			pr_err("cannot load: symbol %s not found: needed %s\n",
			       symbol->name, symbol->why);
			return -ENOENT;
		}
	}

	return 0;
}
