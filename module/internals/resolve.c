// SPDX-License-Identifier: GPL-2.0-only
#include "internals/resolve.h"

#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "common.h"
#include "compat/kallsyms.h"

/* Bytes around sprint_symbol() to search. */
#define SCAN_RANGE SZ_64K

/* Bytes between the entry of a function and a kprobe on it, at most. */
#define PROBE_OFFSET 16

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
UNEXPORTED_WALK_FUNCTIONS(DEFINE_UNEXPORTED_FUNCTION)
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

static const struct unexported_symbol walk_symbols[] __initconst = {
	UNEXPORTED_WALK_FUNCTIONS(FUNCTION_ROW)
};

static const struct unexported_symbol unexported_symbols[] __initconst = {
	UNEXPORTED_FUNCTIONS(FUNCTION_ROW)
	UNEXPORTED_DATA(DATA_ROW)
};
/* clang-format on */

/**
 * struct place - the symbol at an address
 * @name: its name
 * @start: its first byte
 * @end: the first byte of the next symbol
 */
struct place {
	char name[KSYM_SYMBOL_LEN];
	unsigned long start;
	unsigned long end;
};

static bool __init find_place(struct place *place, unsigned long address)
{
	unsigned long offset, size;
	char *numbers;

	sprint_symbol(place->name, address);
	numbers = strrchr(place->name, '+');
	if (!numbers || sscanf(numbers, "+0x%lx/0x%lx", &offset, &size) != 2 ||
	    offset >= size)
		return false;

	*numbers = '\0';
	place->start = address - offset;
	place->end = place->start + size;
	return true;
}

static bool __init is_lookup_name(const struct place *place)
{
	return !strcmp(place->name, "kallsyms_lookup_name");
}

/*
 * kallsyms_lookup_name() is in the same source file as sprint_symbol(), so it
 * is near. sprint_symbol() is exported and tells which symbol is at an address,
 * and where the next one is. This does not depend on the kernel's configuration.
 */
static unsigned long __init lookup_by_scan(void)
{
	unsigned long center = (unsigned long)sprint_symbol & ~THUMB_BIT;
	unsigned long above = center, below = center;
	struct place place;
	bool more;

	do {
		more = false;
		if (above - center < SCAN_RANGE && find_place(&place, above)) {
			if (is_lookup_name(&place))
				return place.start;
			above = place.end;
			more = true;
		}
		if (center - below < SCAN_RANGE && find_place(&place, below)) {
			if (is_lookup_name(&place))
				return place.start;
			below = place.start - 1;
			more = true;
		}
	} while (more);

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
	struct place place;

	if (register_kprobe(&probe))
		return 0;

	if (find_place(&place, (unsigned long)probe.addr) &&
	    is_lookup_name(&place) &&
	    (unsigned long)probe.addr - place.start <= PROBE_OFFSET)
		address = place.start;

	unregister_kprobe(&probe);
#endif
	return address;
}

/*
 * Before Linux 6.2 (commit 60443c88f3a8, "kallsyms: Improve the performance of
 * kallsyms_lookup_name()") and Linux 6.1.y, the kernel expands the compressed
 * names of its symbols one after the other until it finds the wanted one, and
 * all of them if there is none. There, each name is expanded once for all
 * symbols of the tables, with the same results: the first symbol of the kernel
 * with a name, else that of a module.
 */
#ifdef HAVE_KALLSYMS_WALK
/**
 * struct listed_symbol - a symbol that the module looks up
 * @name: its name
 * @address: its address, or 0 if the kernel without its modules has none
 */
struct listed_symbol {
	const char *name;
	unsigned long address;
};

/* clang-format off */
#define FUNCTION_NAME(name, why, without) { #name },
#define DATA_NAME(name, type, why, without) { #name },
#define OTHER_NAME(name) { #name },

static struct listed_symbol listed_symbols[] __initdata = {
	/* First, see list_symbols() */
	{ "kallsyms_lookup_name" },
	UNEXPORTED_FUNCTIONS(FUNCTION_NAME)
	UNEXPORTED_DATA(DATA_NAME)
	OTHER_SYMBOLS(OTHER_NAME)
};
/* clang-format on */

static bool symbols_are_listed __initdata;

static struct listed_symbol *__init find_listed(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(listed_symbols); i++)
		if (listed_symbols[i].name[0] == name[0] &&
		    !strcmp(listed_symbols[i].name, name))
			return &listed_symbols[i];

	return NULL;
}

/* The symbols of modules are last. */
static int __init list_symbol(void *unused, const char *name,
			      struct module *module, unsigned long address)
{
	struct listed_symbol *symbol;

	if (module)
		return 1;

	symbol = find_listed(name);
	if (symbol && !symbol->address)
		symbol->address = address;

	return 0;
}

static void __init list_symbols(unsigned long lookup_name)
{
	if (!unexported_kallsyms_on_each_symbol_found ||
	    !unexported_module_kallsyms_lookup_name_found)
		return;

	kallsyms_lock();
	static_call(unexported_kallsyms_on_each_symbol)(list_symbol, NULL);
	kallsyms_unlock();

	/* With another address, nothing that was listed can be trusted. */
	symbols_are_listed = listed_symbols[0].address == lookup_name;
}

/* Whether the result of kallsyms_lookup_name() is known. */
static bool __init lookup_listed(const char *name, unsigned long *address)
{
	const struct listed_symbol *symbol;

	symbol = symbols_are_listed ? find_listed(name) : NULL;
	if (!symbol)
		return false;

	*address = symbol->address;
	if (!*address)
		*address = static_call(unexported_module_kallsyms_lookup_name)(
			name);

	return true;
}
#else
static void __init list_symbols(unsigned long lookup_name)
{
}

static bool __init lookup_listed(const char *name, unsigned long *address)
{
	return false;
}
#endif

/**
 * ue_lookup_symbol - Looks up a symbol of the kernel
 * @name: its name; quick for those of OTHER_SYMBOLS
 *
 * Context: May be called once ue_resolve_symbols() has found
 *	    kallsyms_lookup_name().
 * Return: its address, or 0.
 */
unsigned long __init ue_lookup_symbol(const char *name)
{
	unsigned long address;

	if (lookup_listed(name, &address))
		return address;

	return static_call(unexported_kallsyms_lookup_name)(name);
}

static int __init resolve(const struct unexported_symbol *symbols, size_t count)
{
	const struct unexported_symbol *symbol;
	unsigned long address;

	for (symbol = symbols; symbol < symbols + count; symbol++) {
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

/**
 * ue_resolve_symbols - Looks up all symbols of the tables
 *
 * Return: 0, or -ENOENT with the reason in the kernel log if a required symbol
 *	   is missing.
 */
int __init ue_resolve_symbols(void)
{
	unsigned long address;
	int ret;

	address = lookup_by_scan() ?: lookup_by_kprobe();
	if (!address) {
		pr_err("cannot load: symbol kallsyms_lookup_name not found: needed to look up unexported symbols\n");
		return -ENOENT;
	}

	static_call_update(unexported_kallsyms_lookup_name,
			   (typeof(&kallsyms_lookup_name))(address |
							   THUMB_BIT));

	ret = resolve(walk_symbols, ARRAY_SIZE(walk_symbols));
	if (ret)
		return ret;

	list_symbols(address);
	return resolve(unexported_symbols, ARRAY_SIZE(unexported_symbols));
}
