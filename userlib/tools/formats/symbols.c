// SPDX-License-Identifier: MIT
#include "formats/symbols.h"

#include <stddef.h>

#ifdef TOOL_HAS_ELF
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/demangle.h"
#include "tool.h"

/* Files whose symbols are kept. A malicious trace names more. */
#define FILES_MAX 256

/*
 * struct symbol - A function
 * @name: its symbol; demangled on first lookup: @is_demangled
 */
struct symbol {
	uint64_t start;
	uint64_t end;
	char *name;
	unsigned int rank;
	bool is_demangled;
};

/* A part of the file with code, and its address. */
struct segment {
	uint64_t offset;
	uint64_t size;
	uint64_t address;
};

/*
 * struct file - A file and its functions
 * @symbols: ordered by address; one symbol per start address
 */
struct file {
	char *path;
	struct symbol *symbols;
	size_t symbol_count;
	struct segment *segments;
	size_t segment_count;
};

/* The last files, the newest first */
static struct file files[FILES_MAX];
static size_t file_count;

/* ---- ELF ---- */

/* Opening a device or a pipe can have an effect. */
static int open_regular(const char *path)
{
	_cleanup_free_ char *same = NULL;
	int seen = open(path, O_PATH | O_CLOEXEC), fd;
	struct stat status;

	if (seen < 0)
		return -1;
	if (fstat(seen, &status) || !S_ISREG(status.st_mode)) {
		close(seen);
		return -1;
	}
	same = tool_print("/proc/self/fd/%d", seen);
	fd = open(same, O_RDONLY | O_CLOEXEC);
	close(seen);

	return fd;
}

static void read_segments(struct file *file, Elf *elf)
{
	GElf_Phdr header;
	size_t count, i;

	if (elf_getphdrnum(elf, &count))
		return;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) ||
		    header.p_type != PT_LOAD || !(header.p_flags & PF_X))
			continue;
		file->segments = tool_grow(file->segments,
					   (file->segment_count + 1) *
						   sizeof(*file->segments));
		file->segments[file->segment_count++] = (struct segment){
			.offset = header.p_offset,
			.size = header.p_filesz,
			.address = header.p_vaddr,
		};
	}
}

/* A function, or a label of assembler. */
static bool is_code(const GElf_Sym *symbol)
{
	unsigned char type = GELF_ST_TYPE(symbol->st_info);
	unsigned char visibility = GELF_ST_VISIBILITY(symbol->st_other);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;

	return type == STT_NOTYPE && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

/*
 * Ranks the names of the same function as perf does: with a size, not weak,
 * global, then with fewer underscores at the start.
 */
static unsigned int rank_of(const GElf_Sym *symbol, const char *name)
{
	unsigned char binding = GELF_ST_BIND(symbol->st_info);
	size_t underscores = strspn(name, "_");

	return (symbol->st_size ? 1U << 31 : 0U) |
	       (binding != STB_WEAK ? 1U << 30 : 0U) |
	       (binding == STB_GLOBAL ? 1U << 29 : 0U) |
	       (underscores < 255 ? 255U - (unsigned int)underscores : 0U);
}

static void take_symbols(struct file *file, Elf *elf, Elf_Data *data,
			 const GElf_Shdr *header)
{
	size_t count = data->d_size / header->sh_entsize, i;
	const char *name;
	GElf_Sym symbol;

	file->symbols =
		tool_grow(file->symbols, (count + 1) * sizeof(*file->symbols));
	for (i = 0; i < count; i++) {
		if (!gelf_getsym(data, (int)i, &symbol) || !is_code(&symbol))
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (!name || !*name)
			continue;
		file->symbols[file->symbol_count++] = (struct symbol){
			.start = symbol.st_value,
			.end = symbol.st_value + symbol.st_size,
			.name = tool_copy(name),
			.rank = rank_of(&symbol, name),
		};
	}
}

/* Return: whether there was such a table */
static bool read_table(struct file *file, Elf *elf, unsigned int type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != type ||
		    !header.sh_entsize)
			continue;
		data = elf_getdata(section, NULL);
		if (data && data->d_size)
			take_symbols(file, elf, data, &header);

		return true;
	}

	return false;
}

/* By address, and then the best name first. */
static int compare_symbols(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;
	size_t lengths[2] = { strlen(a->name), strlen(b->name) };

	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? 1 : -1;
	if (lengths[0] != lengths[1])
		return lengths[0] < lengths[1] ? 1 : -1;

	return strcmp(a->name, b->name);
}

/* Keeps the best name of each function. One without a size has the gap. */
static void order_symbols(struct file *file)
{
	struct symbol *symbols = file->symbols;
	size_t i, kept = 0;

	if (!file->symbol_count)
		return;
	qsort(symbols, file->symbol_count, sizeof(*symbols), compare_symbols);
	for (i = 0; i < file->symbol_count; i++) {
		if (kept && symbols[kept - 1].start == symbols[i].start)
			free(symbols[i].name);
		else
			symbols[kept++] = symbols[i];
	}
	file->symbol_count = kept;
	for (i = 0; i + 1 < kept; i++)
		if (symbols[i].end == symbols[i].start)
			symbols[i].end = symbols[i + 1].start;
}

static void read_file(struct file *file)
{
	int fd = open_regular(file->path);
	Elf *elf;

	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		read_segments(file, elf);
		if (!read_table(file, elf, SHT_SYMTAB))
			read_table(file, elf, SHT_DYNSYM);
		order_symbols(file);
	}
	elf_end(elf);
	close(fd);
}

/* ---- Files ---- */

static void release_file(struct file *file)
{
	size_t i;

	for (i = 0; i < file->symbol_count; i++)
		free(file->symbols[i].name);
	free(file->symbols);
	free(file->segments);
	free(file->path);
}

static const struct file *file_of(const char *path)
{
	struct file file = { 0 };
	size_t i;

	for (i = 0; i < file_count; i++)
		if (strcmp(files[i].path, path) == 0)
			break;
	if (i < file_count) {
		file = files[i];
	} else {
		file.path = tool_copy(path);
		read_file(&file);
		if (file_count == FILES_MAX)
			release_file(&files[--file_count]);
		i = file_count++;
	}
	memmove(files + 1, files, i * sizeof(*files));
	files[0] = file;

	return &files[0];
}

void symbols_release(void)
{
	while (file_count)
		release_file(&files[--file_count]);
}

static bool address_of(const struct file *file, uint64_t offset,
		       uint64_t *address)
{
	const struct segment *segment;
	size_t i;

	for (i = 0; i < file->segment_count; i++) {
		segment = &file->segments[i];
		if (offset < segment->offset ||
		    offset - segment->offset >= segment->size)
			continue;
		*address = segment->address + (offset - segment->offset);
		return true;
	}

	return false;
}

static struct symbol *find_symbol(const struct file *file, uint64_t address)
{
	size_t low = 0, high = file->symbol_count, middle;

	/* The last one that does not start after the address. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (file->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= file->symbols[low - 1].end)
		return NULL;

	return &file->symbols[low - 1];
}

/* Most functions of a file are in no stack. */
static const char *name_of(struct symbol *symbol)
{
	char *name;

	if (!symbol->is_demangled) {
		symbol->is_demangled = true;
		name = demangle(symbol->name);
		if (name) {
			free(symbol->name);
			symbol->name = name;
		}
	}

	return symbol->name;
}

const char *symbols_find(const char *path, uint64_t offset, uint64_t *distance)
{
	const struct file *file = file_of(path);
	struct symbol *symbol;
	uint64_t address;

	if (!address_of(file, offset, &address))
		return NULL;
	symbol = find_symbol(file, address);
	if (!symbol)
		return NULL;
	*distance = address - symbol->start;

	return name_of(symbol);
}

#else

const char *symbols_find(const char *path, uint64_t offset, uint64_t *distance)
{
	(void)path;
	(void)offset;
	(void)distance;

	return NULL;
}

void symbols_release(void)
{
}
#endif
