// SPDX-License-Identifier: MIT
#include "formats/kernel_symbols.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

/* Of the kernel in perf.data, followed by a symbol at its start */
#define KERNEL "[kernel.kallsyms]"

#define NAME_MAX_LENGTH 511

/*
 * struct symbol - A function
 * @name: in the text of kallsyms
 * @object: index of its mapping
 */
struct symbol {
	uint64_t address;
	const char *name;
	size_t object;
	char type;
};

/*
 * @text: the content of kallsyms
 * @symbols: ordered by address
 * @objects: mappings of the kernel, which is the first one, and of its modules
 * @is_hidden: all addresses are 0
 */
static struct {
	bool is_loaded;
	bool is_hidden;
	bool is_reported;
	char *text;
	struct symbol *symbols;
	size_t symbol_count;
	struct uev_mapping *objects;
	size_t object_count;
} kernel;

/* ---- Modules ---- */

static void add_object(char *path, uint64_t start, uint64_t size)
{
	*tool_add(kernel.objects, kernel.object_count) = (struct uev_mapping){
		.start = start,
		.end = start + size,
		.path = path,
	};
}

static int compare_objects(const void *one, const void *other)
{
	const struct uev_mapping *a = one, *b = other;

	return (a->start > b->start) - (a->start < b->start);
}

/*
 * Since Linux 6.4, the size of a module includes its data, which is elsewhere,
 * so that it can reach into the next module.
 */
static void separate_modules(void)
{
	struct uev_mapping *modules = kernel.objects + 1;
	size_t count = kernel.object_count - 1, i;

	tool_sort(modules, count, compare_objects);
	for (i = 0; i + 1 < count; i++)
		if (modules[i].end > modules[i + 1].start)
			modules[i].end = modules[i + 1].start;
}

/* A line is "name size references users state address". */
static void read_modules(const char *path)
{
	_cleanup_free_ char *text = NULL;
	char name[NAME_MAX_LENGTH + 1], *line, *rest;
	uint64_t address, size;

	if (files_read(path, &text, NULL))
		return;
	rest = text;
	while ((line = strsep(&rest, "\n")))
		if (sscanf(line, "%511s %" SCNu64 " %*s %*s %*s %" SCNx64, name,
			   &size, &address) == 3 &&
		    address)
			add_object(tool_print("[%s]", name), address, size);
	separate_modules();
}

/* Return: index of "[name]", or 0 */
static size_t find_module(const char *name)
{
	static size_t last;
	size_t i;

	/* The symbols of a module follow each other. */
	if (last && last < kernel.object_count &&
	    strcmp(kernel.objects[last].path, name) == 0)
		return last;
	for (i = 1; i < kernel.object_count; i++) {
		if (strcmp(kernel.objects[i].path, name) == 0) {
			last = i;
			return i;
		}
	}

	return 0;
}

/* ---- Symbols ---- */

/*
 * struct bounds - Symbols around the code of the kernel
 * @text: 0 on machines with _text before _stext, without CONFIG_KALLSYMS_ALL
 */
struct bounds {
	uint64_t text;
	uint64_t stext;
	uint64_t etext;
};

static void take_bound(struct bounds *bounds, const struct symbol *symbol)
{
	if (strcmp(symbol->name, "_text") == 0)
		bounds->text = symbol->address;
	else if (strcmp(symbol->name, "_stext") == 0)
		bounds->stext = symbol->address;
	else if (strcmp(symbol->name, "_etext") == 0)
		bounds->etext = symbol->address;
}

/* A line is "address type name", and for a module "\t[module]". */
static void read_symbol(char *line, struct bounds *bounds)
{
	struct symbol symbol;
	char *module;

	symbol.address = strtoull(line, &line, 16);
	if (line[0] != ' ' || !line[1] || line[2] != ' ')
		return;
	symbol.type = line[1];
	symbol.name = line + 3;
	symbol.object = 0;
	module = strchr(line + 3, '\t');
	if (module) {
		*module++ = '\0';
		symbol.object = find_module(module);
		/* Code that is not of a module, such as [bpf] */
		if (!symbol.object)
			return;
	} else {
		take_bound(bounds, &symbol);
	}
	if (strchr("tTwW", symbol.type))
		*tool_add(kernel.symbols, kernel.symbol_count) = symbol;
}

/* Ranks names of the same address as perf does. */
static unsigned int rank_of(const struct symbol *symbol)
{
	size_t underscores = strspn(symbol->name, "_");

	return (tolower((unsigned char)symbol->type) != 'w' ? 1U << 30 : 0U) |
	       (symbol->type == 'T' ? 1U << 29 : 0U) |
	       (underscores < 255 ? 255U - (unsigned int)underscores : 0U);
}

static int compare_names(const struct symbol *a, const struct symbol *b)
{
	const unsigned int ranks[2] = { rank_of(a), rank_of(b) };
	const size_t lengths[2] = { strlen(a->name), strlen(b->name) };

	if (ranks[0] != ranks[1])
		return ranks[0] > ranks[1] ? 1 : -1;
	if (lengths[0] != lengths[1])
		return lengths[0] > lengths[1] ? 1 : -1;

	return strcmp(b->name, a->name);
}

/* By address, and then the best name last. */
static int compare_symbols(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	if (a->address != b->address)
		return a->address > b->address ? 1 : -1;

	return compare_names(a, b);
}

static void read_symbols(const char *path)
{
	struct bounds bounds = { 0 };
	uint64_t start;
	char *line, *rest;

	if (files_read(path, &kernel.text, NULL))
		return;
	rest = kernel.text;
	while ((line = strsep(&rest, "\n")))
		read_symbol(line, &bounds);
	tool_sort(kernel.symbols, kernel.symbol_count, compare_symbols);
	/* By address, so all are 0 if the last one is. */
	kernel.is_hidden = kernel.symbol_count &&
			   !kernel.symbols[kernel.symbol_count - 1].address;
	start = bounds.text ? bounds.text : bounds.stext;
	if (!start || bounds.etext <= start)
		return;
	if (!bounds.text) {
		free((char *)(uintptr_t)kernel.objects[0].path);
		kernel.objects[0].path = tool_copy(KERNEL "_stext");
	}
	kernel.objects[0].start = start;
	kernel.objects[0].end = bounds.etext;
	kernel.objects[0].offset = start;
}

void kernel_symbols_load(const char *kallsyms, const char *modules)
{
	kernel_symbols_release();
	kernel.is_loaded = true;
	add_object(tool_copy(KERNEL "_text"), 0, 0);
	read_modules(modules);
	read_symbols(kallsyms);
}

static void load_symbols(void)
{
	if (!kernel.is_loaded)
		kernel_symbols_load("/proc/kallsyms", "/proc/modules");
}

/* ---- Addresses ---- */

/* Return: index of the mapping, or the number of mappings */
static size_t object_at(uint64_t address)
{
	size_t i;

	for (i = 0; i < kernel.object_count; i++)
		if (address >= kernel.objects[i].start &&
		    address < kernel.objects[i].end)
			break;

	return i;
}

const struct uev_mapping *kernel_symbols_mapping(uint64_t address)
{
	size_t object;

	load_symbols();
	object = object_at(address);

	return object < kernel.object_count ? &kernel.objects[object] : NULL;
}

/* Compares "[name]" with that, or with a path as of perf: ".../na-me.ko.xz" */
static bool is_module(const char *object, const char *path)
{
	const char *name = strrchr(path, '/'), *end;
	size_t length, i;

	if (!name)
		return strcmp(object, path) == 0;
	name++;
	end = strstr(name, ".ko");
	length = end ? (size_t)(end - name) : strlen(name);
	if (strlen(object) != length + 2)
		return false;
	for (i = 0; i < length; i++)
		if (object[i + 1] != name[i] &&
		    !(object[i + 1] == '_' && name[i] == '-'))
			return false;

	return true;
}

/* Tests whether the running kernel has a mapping. */
static bool is_running(size_t object, const struct uev_mapping *mapping)
{
	if (object == kernel.object_count ||
	    kernel.objects[object].start != mapping->start)
		return false;
	if (!object)
		return strncmp(mapping->path, KERNEL, strlen(KERNEL)) == 0;

	return is_module(kernel.objects[object].path, mapping->path);
}

const char *kernel_symbols_find(const struct uev_mapping *mapping,
				uint64_t address, uint64_t *distance)
{
	size_t low = 0, high, middle, object;

	load_symbols();
	object = object_at(address);
	if (!is_running(object, mapping))
		return NULL;
	/* The last one that does not start after the address */
	high = kernel.symbol_count;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (kernel.symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || kernel.symbols[low - 1].object != object)
		return NULL;
	*distance = address - kernel.symbols[low - 1].address;

	return kernel.symbols[low - 1].name;
}

void kernel_symbols_check(void)
{
	load_symbols();
	if (!kernel.is_hidden || kernel.is_reported)
		return;
	kernel.is_reported = true;
	tool_error("the kernel hides its addresses, so its functions have no "
		   "names");
	if (geteuid())
		tool_hint("run it as root");
	else
		tool_hint("sysctl kernel.kptr_restrict=1");
}

void kernel_symbols_release(void)
{
	size_t i;

	for (i = 0; i < kernel.object_count; i++)
		free((char *)(uintptr_t)kernel.objects[i].path);
	free(kernel.objects);
	free(kernel.symbols);
	free(kernel.text);
	memset(&kernel, 0, sizeof(kernel));
}
