// SPDX-License-Identifier: MIT
#include "elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/bytes.h"
#include "files.h"
#include "tool.h"

/*
 * Linked files have about 50 sections, some kernels 100; objects of
 * -ffunction-sections have tens of thousands.
 */
#define SECTIONS_MAX 65536

/* Linked files have about 15. */
#define SEGMENTS_MAX 256

/*
 * Memory for a file: what a small program needs, and more than file systems that
 * compress can have saved (st_blocks).
 */
#define BUDGET_SMALL (16U << 20)
#define BUDGET_PER_BYTE 16

#define HEADER_MAX sizeof(Elf64_Ehdr)

/* struct reader - Position in a header */
struct reader {
	const struct elf_file *file;
	const char *at;
};

static uint16_t get_half(struct reader *reader)
{
	uint16_t value = uev_get16(reader->at, reader->file->is_big);

	reader->at += sizeof(value);

	return value;
}

static uint32_t get_word(struct reader *reader)
{
	uint32_t value = uev_get32(reader->at, reader->file->is_big);

	reader->at += sizeof(value);

	return value;
}

/* An address, an offset or a size */
static uint64_t get_long(struct reader *reader)
{
	uint64_t value;

	if (!reader->file->is_64)
		return get_word(reader);
	value = uev_get64(reader->at, reader->file->is_big);
	reader->at += sizeof(value);

	return value;
}

static bool read_at(struct elf_file *file, void *to, size_t size,
		    uint64_t offset)
{
	int ret = files_read_at(file->fd, to, size, offset);

	if (ret < 0)
		file->error = ret;

	return ret > 0;
}

/* ---- Headers ---- */

/* struct header - What is used of that of the file */
struct header {
	uint64_t segments;
	uint64_t sections;
	uint16_t segment_size;
	uint16_t segment_count;
	uint16_t section_size;
	uint16_t section_count;
	uint16_t names;
};

static size_t section_size(const struct elf_file *file)
{
	return file->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static size_t segment_size(const struct elf_file *file)
{
	return file->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
}

/* Return: 0, -ENOEXEC */
static int read_header(struct elf_file *file, struct header *header)
{
	char bytes[HEADER_MAX];
	struct reader reader = { .file = file };

	if (!read_at(file, bytes, EI_NIDENT, 0) ||
	    memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
	    (bytes[EI_CLASS] != ELFCLASS32 && bytes[EI_CLASS] != ELFCLASS64) ||
	    (bytes[EI_DATA] != ELFDATA2LSB && bytes[EI_DATA] != ELFDATA2MSB))
		return -ENOEXEC;
	file->is_64 = bytes[EI_CLASS] == ELFCLASS64;
	file->is_big = bytes[EI_DATA] == ELFDATA2MSB;
	if (!read_at(file, bytes,
		     file->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 0))
		return -ENOEXEC;

	/* The type, the machine, the version and the entry */
	reader.at = bytes + EI_NIDENT + 2 + 2 + 4 + (file->is_64 ? 8 : 4);
	header->segments = get_long(&reader);
	header->sections = get_long(&reader);
	/* The flags and the size of this header */
	reader.at += 4 + 2;
	header->segment_size = get_half(&reader);
	header->segment_count = get_half(&reader);
	header->section_size = get_half(&reader);
	header->section_count = get_half(&reader);
	header->names = get_half(&reader);

	return 0;
}

static struct elf_section get_section(const struct elf_file *file,
				      const char *bytes)
{
	struct reader reader = { .file = file, .at = bytes };
	struct elf_section section;

	section.name = get_word(&reader);
	section.type = get_word(&reader);
	section.flags = get_long(&reader);
	section.address = get_long(&reader);
	section.offset = get_long(&reader);
	section.size = get_long(&reader);
	section.link = get_word(&reader);
	get_word(&reader);
	get_long(&reader);
	section.entry_size = get_long(&reader);

	return section;
}

/* A large number of sections, and the index of names, are in the first section. */
static int count_sections(struct elf_file *file, const struct header *header)
{
	char bytes[sizeof(Elf64_Shdr)];
	struct elf_section first = { 0 };
	uint64_t count = header->section_count;

	file->names = header->names;
	if (!header->sections || header->section_size != section_size(file) ||
	    !read_at(file, bytes, section_size(file), header->sections))
		return 0;
	first = get_section(file, bytes);
	if (!count)
		count = first.size;
	if (header->names == SHN_XINDEX)
		file->names = first.link;
	if (count > SECTIONS_MAX)
		return -EFBIG;
	file->section_count = (size_t)count;

	return 0;
}

/* Return: the bytes and a NUL, for free(); or NULL */
static char *read_bytes(struct elf_file *file, uint64_t offset, size_t size)
{
	char *bytes = malloc(size + 1);

	if (!bytes)
		file->error = -ENOMEM;
	if (!bytes || !read_at(file, bytes, size, offset)) {
		free(bytes);
		return NULL;
	}
	bytes[size] = '\0';

	return bytes;
}

/* A file that was truncated has no sections. */
static int read_sections(struct elf_file *file, const struct header *header)
{
	_cleanup_free_ char *bytes = NULL;
	size_t size = section_size(file), count, i;
	int ret = count_sections(file, header);

	count = file->section_count;
	file->section_count = 0;
	if (ret || !count)
		return ret;
	file->sections = malloc(count * sizeof(*file->sections));
	if (!file->sections)
		return -ENOMEM;
	bytes = read_bytes(file, header->sections, count * size);
	if (!bytes)
		return 0;
	for (i = 0; i < count; i++)
		file->sections[i] = get_section(file, bytes + i * size);
	file->section_count = count;

	return 0;
}

int elf_file_open(struct elf_file *file, int fd, uint64_t limit)
{
	struct header header;
	struct stat status;
	uint64_t present;
	int ret;

	*file = (struct elf_file){ .fd = fd };
	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return -ENOEXEC;
	present = (uint64_t)status.st_blocks * 512;
	file->budget = present > (limit - BUDGET_SMALL) / BUDGET_PER_BYTE
			       ? limit
			       : BUDGET_SMALL + present * BUDGET_PER_BYTE;
	ret = read_header(file, &header);
	if (ret)
		return ret;
	if (header.segment_size == segment_size(file) &&
	    header.segment_count <= SEGMENTS_MAX) {
		file->segments = header.segments;
		file->segment_count = header.segment_count;
	}

	return read_sections(file, &header);
}

void elf_file_close(struct elf_file *file)
{
	free(file->sections);
	file->sections = NULL;
	file->section_count = 0;
}

/* Return: whether it is loaded and has code */
static bool get_segment(const struct elf_file *file, const char *bytes,
			struct elf_segment *segment)
{
	struct reader reader = { .file = file, .at = bytes };
	uint32_t type = get_word(&reader), flags = 0;

	if (file->is_64)
		flags = get_word(&reader);
	segment->offset = get_long(&reader);
	segment->address = get_long(&reader);
	/* The physical address */
	get_long(&reader);
	segment->size = get_long(&reader);
	/* The size in memory */
	get_long(&reader);
	if (!file->is_64)
		flags = get_word(&reader);

	return type == PT_LOAD && flags & PF_X;
}

void elf_file_segments(struct elf_file *file, struct elf_segment **segments,
		       size_t *count)
{
	size_t size = segment_size(file), i;
	_cleanup_free_ char *bytes = NULL;
	struct elf_segment segment;

	*segments = NULL;
	*count = 0;
	if (!file->segment_count)
		return;
	*segments = malloc(file->segment_count * sizeof(segment));
	if (!*segments)
		return;
	bytes = read_bytes(file, file->segments, file->segment_count * size);
	if (!bytes)
		return;
	for (i = 0; i < file->segment_count; i++)
		if (get_segment(file, bytes + i * size, &segment))
			(*segments)[(*count)++] = segment;
}

/* ---- Sections ---- */

bool elf_file_spend(struct elf_file *file, uint64_t size)
{
	if (size > file->budget)
		return false;
	file->budget -= size;

	return true;
}

char *elf_file_bytes(struct elf_file *file, const struct elf_section *section)
{
	if (section->type == SHT_NOBITS || section->size >= SIZE_MAX ||
	    !elf_file_spend(file, section->size))
		return NULL;

	return read_bytes(file, section->offset, (size_t)section->size);
}

/* Return: the entries of a table of @size bytes each, for free(); or NULL */
static char *read_table(struct elf_file *file,
			const struct elf_section *section, size_t size)
{
	return section->entry_size == size ? elf_file_bytes(file, section)
					   : NULL;
}

static struct elf_symbol get_symbol(const struct elf_file *file,
				    const char *bytes)
{
	struct reader reader = { .file = file, .at = bytes };
	struct elf_symbol symbol;

	symbol.name = get_word(&reader);
	if (!file->is_64) {
		symbol.value = get_word(&reader);
		symbol.size = get_word(&reader);
	}
	symbol.info = (unsigned char)*reader.at++;
	symbol.other = (unsigned char)*reader.at++;
	symbol.section = get_half(&reader);
	if (file->is_64) {
		symbol.value = get_long(&reader);
		symbol.size = get_long(&reader);
	}

	return symbol;
}

bool elf_file_symbols(struct elf_file *file, const struct elf_section *section,
		      bool (*take)(void *data, const struct elf_symbol *symbol),
		      void *data)
{
	size_t size = file->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym), i;
	_cleanup_free_ char *bytes = read_table(file, section, size);

	if (!bytes)
		return false;
	for (i = 0; i < section->size / size; i++) {
		const struct elf_symbol symbol =
			get_symbol(file, bytes + i * size);

		if (!take(data, &symbol))
			return false;
	}

	return true;
}

static struct elf_relocation get_relocation(const struct elf_file *file,
					    const char *bytes)
{
	struct reader reader = { .file = file, .at = bytes };
	struct elf_relocation relocation;
	uint64_t info;

	relocation.address = get_long(&reader);
	info = get_long(&reader);
	relocation.symbol = (uint32_t)(file->is_64 ? info >> 32 : info >> 8);
	relocation.type = (uint32_t)(file->is_64 ? info : (unsigned char)info);
	relocation.addend = get_long(&reader);

	return relocation;
}

bool elf_file_relocations(struct elf_file *file,
			  const struct elf_section *section,
			  bool (*take)(void *data,
				       const struct elf_relocation *relocation),
			  void *data)
{
	size_t size = file->is_64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela), i;
	_cleanup_free_ char *bytes = read_table(file, section, size);

	if (!bytes)
		return false;
	for (i = 0; i < section->size / size; i++) {
		const struct elf_relocation relocation =
			get_relocation(file, bytes + i * size);

		if (!take(data, &relocation))
			return false;
	}

	return true;
}
