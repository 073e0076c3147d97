// SPDX-License-Identifier: MIT
#include "formats/symbols.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <userevents/userevents.h>

#include "elf_file.h"
#include "formats/demangle.h"
#include "tool.h"

/*
 * Files whose symbols are kept, the memory of all of them, and of one. A malicious
 * trace names more. The names of a browser that is not stripped are 250 MB, those
 * of the kernel 10 MB.
 */
#define FILES_MAX 256
#define MEMORY_MAX (UINT64_C(1) << 30)
#define FILE_MEMORY_MAX (MEMORY_MAX / 2)

/* Functions of a file, which are sorted. A browser has a million. */
#define SYMBOLS_MAX (4U << 20)

/*
 * Bytes of a name in the output, as of one that was demangled: each of 127 calls of
 * a record can have it.
 */
#define NAME_SHOWN_MAX 2048

/* Demangled names that are kept. Most functions of a file are in no stack. */
#define DEMANGLED_COUNT 4096

/*
 * struct symbol - A function
 * @name: its symbol, an offset in the names of the file. Many can have the same.
 */
struct symbol {
	uint64_t start;
	uint64_t end;
	uint32_t name;
	uint32_t rank;
};

/*
 * struct file - A file and its functions
 * @symbols: ordered by address; one symbol per start address
 * @names: @names_size bytes and a NUL
 */
struct file {
	char *path;
	struct symbol *symbols;
	size_t symbol_count;
	char *names;
	size_t names_size;
	struct elf_segment *segments;
	size_t segment_count;
};

/* The last files, the newest first */
static struct file files[FILES_MAX];
static size_t file_count;

/* By the memory of @symbol. @name is NULL if it is not of C++. */
static struct demangled {
	const struct symbol *symbol;
	char *name;
} demangled[DEMANGLED_COUNT];

/* A name that is too long */
static char shortened[NAME_SHOWN_MAX + 1];

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

/* A function, or a label of assembler. */
static bool is_code(const struct elf_symbol *symbol)
{
	unsigned char type = ELF64_ST_TYPE(symbol->info);
	unsigned char visibility = ELF64_ST_VISIBILITY(symbol->other);

	if (symbol->section == SHN_UNDEF || symbol->section == SHN_ABS)
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
static uint32_t rank_of(const struct elf_symbol *symbol, const char *name)
{
	unsigned char binding = ELF64_ST_BIND(symbol->info);
	unsigned int underscores = 0;

	/* Of many symbols, the same long name would be searched each time. */
	while (underscores < 255 && name[underscores] == '_')
		underscores++;

	return (symbol->size ? 1U << 31 : 0U) |
	       (binding != STB_WEAK ? 1U << 30 : 0U) |
	       (binding == STB_GLOBAL ? 1U << 29 : 0U) | (255U - underscores);
}

/*
 * struct reading - A table that is read
 * @elf: whose budget pays for the symbols
 * @room: symbols for which memory is allocated
 */
struct reading {
	struct elf_file *elf;
	struct file *file;
	size_t room;
};

static bool make_room(struct reading *reading)
{
	size_t room = reading->room ? 2 * reading->room : 256;
	struct symbol *symbols;

	if (reading->file->symbol_count < reading->room)
		return true;
	if (reading->file->symbol_count == SYMBOLS_MAX ||
	    !elf_file_spend(reading->elf,
			    (room - reading->room) * sizeof(*symbols)))
		return false;
	symbols = realloc(reading->file->symbols, room * sizeof(*symbols));
	if (!symbols)
		return false;
	reading->file->symbols = symbols;
	reading->room = room;

	return true;
}

static bool take_symbol(void *data, const struct elf_symbol *symbol)
{
	struct reading *reading = data;
	struct file *file = reading->file;
	const char *name = file->names + symbol->name;

	if (!is_code(symbol) || symbol->name >= file->names_size || !*name)
		return true;
	if (!make_room(reading))
		return false;
	file->symbols[file->symbol_count++] = (struct symbol){
		.start = symbol->value,
		.end = symbol->value + symbol->size,
		.name = symbol->name,
		.rank = rank_of(symbol, name),
	};

	return true;
}

/* Some of the symbols would name the functions between them, too. */
static void forget_symbols(struct file *file)
{
	free(file->symbols);
	free(file->names);
	file->symbols = NULL;
	file->names = NULL;
	file->symbol_count = 0;
	file->names_size = 0;
}

static void read_symbols(struct file *file, struct elf_file *elf,
			 const struct elf_section *section)
{
	struct reading reading = { .elf = elf, .file = file };
	const struct elf_section *names;

	if (section->link >= elf->section_count)
		return;
	names = &elf->sections[section->link];
	file->names = elf_file_bytes(elf, names);
	if (!file->names)
		return;
	file->names_size = (size_t)names->size;
	if (!elf_file_symbols(elf, section, take_symbol, &reading))
		forget_symbols(file);
}

/* Return: whether there was such a table */
static bool read_table(struct file *file, struct elf_file *elf,
		       unsigned int type)
{
	size_t i;

	for (i = 0; i < elf->section_count; i++) {
		if (elf->sections[i].type != type)
			continue;
		read_symbols(file, elf, &elf->sections[i]);
		return true;
	}

	return false;
}

static int compare_symbols(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	return (a->start > b->start) - (a->start < b->start);
}

/*
 * Many symbols of one address are compared once each, and not at the order of
 * all: their names can be long.
 */
static bool is_better(const struct file *file, const struct symbol *symbol,
		      const struct symbol *best)
{
	const char *name = file->names + symbol->name,
		   *other = file->names + best->name;
	size_t length, other_length;

	if (symbol->rank != best->rank)
		return symbol->rank > best->rank;
	if (name == other)
		return false;
	length = strnlen(name, NAME_SHOWN_MAX);
	other_length = strnlen(other, NAME_SHOWN_MAX);
	if (length != other_length)
		return length > other_length;

	return memcmp(name, other, length) < 0;
}

/* Keeps the best name of each function. One without a size has the gap. */
static void order_symbols(struct file *file)
{
	struct symbol *symbols = file->symbols;
	size_t i, kept = 0;

	if (!file->symbol_count)
		return;
	tool_sort(symbols, file->symbol_count, compare_symbols);
	for (i = 0; i < file->symbol_count; i++) {
		if (!kept || symbols[kept - 1].start != symbols[i].start)
			symbols[kept++] = symbols[i];
		else if (is_better(file, &symbols[i], &symbols[kept - 1]))
			symbols[kept - 1] = symbols[i];
	}
	file->symbol_count = kept;
	for (i = 0; i + 1 < kept; i++)
		if (symbols[i].end == symbols[i].start)
			symbols[i].end = symbols[i + 1].start;
	symbols = realloc(symbols, kept * sizeof(*symbols));
	if (symbols)
		file->symbols = symbols;
}

static void read_file(struct file *file)
{
	int fd = open_regular(file->path);
	struct elf_file elf;

	if (fd < 0)
		return;
	if (!elf_file_open(&elf, fd, FILE_MEMORY_MAX)) {
		elf_file_segments(&elf, &file->segments, &file->segment_count);
		if (!read_table(file, &elf, SHT_SYMTAB))
			read_table(file, &elf, SHT_DYNSYM);
		order_symbols(file);
	}
	elf_file_close(&elf);
	close(fd);
}

/* ---- Files ---- */

/* Forgets all names: others get the memory of the symbols. */
static void release_demangled(void)
{
	size_t i;

	for (i = 0; i < DEMANGLED_COUNT; i++) {
		free(demangled[i].name);
		demangled[i] = (struct demangled){ 0 };
	}
}

static void release_last_file(void)
{
	struct file *file = &files[--file_count];

	release_demangled();
	forget_symbols(file);
	free(file->segments);
	free(file->path);
}

static uint64_t memory_of(const struct file *file)
{
	return file->names_size +
	       (uint64_t)file->symbol_count * sizeof(*file->symbols);
}

/* Makes room for another file. */
static void release_old_files(const struct file *added)
{
	uint64_t memory = memory_of(added);
	size_t i;

	for (i = 0; i < file_count && i < FILES_MAX - 1; i++) {
		memory += memory_of(&files[i]);
		if (memory > MEMORY_MAX)
			break;
	}
	while (file_count > i)
		release_last_file();
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
		release_old_files(&file);
		i = file_count++;
	}
	memmove(files + 1, files, i * sizeof(*files));
	files[0] = file;

	return &files[0];
}

void symbols_release(void)
{
	while (file_count)
		release_last_file();
}

static bool address_of(const struct file *file, uint64_t offset,
		       uint64_t *address)
{
	const struct elf_segment *segment;
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

static const struct symbol *find_symbol(const struct file *file,
					uint64_t address)
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

static const char *shorten(const char *name)
{
	size_t length = strnlen(name, NAME_SHOWN_MAX + 1);

	if (length <= NAME_SHOWN_MAX)
		return name;
	length = uev_shorten(name, length, NAME_SHOWN_MAX);
	memcpy(shortened, name, length);
	strcpy(shortened + length, UEV_SHORTENED);

	return shortened;
}

static const char *name_of(const struct file *file, const struct symbol *symbol)
{
	size_t index = (uintptr_t)symbol / sizeof(*symbol) % DEMANGLED_COUNT;
	struct demangled *known = &demangled[index];
	const char *name = file->names + symbol->name;

	if (known->symbol != symbol) {
		free(known->name);
		known->symbol = symbol;
		known->name = demangle(name);
	}

	return shorten(known->name ? known->name : name);
}

const char *symbols_find(const char *path, uint64_t offset, uint64_t *distance)
{
	const struct file *file = file_of(path);
	const struct symbol *symbol;
	uint64_t address;

	if (!address_of(file, offset, &address))
		return NULL;
	symbol = find_symbol(file, address);
	if (!symbol)
		return NULL;
	*distance = address - symbol->start;

	return name_of(file, symbol);
}
