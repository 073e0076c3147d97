// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "elf_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file_tree.h"
#include "lib/runner.h"

#define CODE_START 0x1000
#define CODE_SIZE 0x10000000

/* The start of each section is a multiple. */
#define ALIGNMENT 8

/* Sizes of what is in files of 64 bits, and of 32 bits. */
#define SIZE_OF(image, type) \
	((image)->is_32 ? sizeof(Elf32_##type) : sizeof(Elf64_##type))

char *elf_image_number(const struct elf_image *image, char *to, uint64_t value,
		       size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[image->is_big ? size - 1 - i : i] = (char)(value >> 8 * i);

	return to + size;
}

/* An address, an offset or a size */
static char *put_word(const struct elf_image *image, char *to, uint64_t value)
{
	return elf_image_number(image, to, value, image->is_32 ? 4 : 8);
}

char *elf_image_symbol(const struct elf_image *image, char *to,
		       const Elf64_Sym *symbol)
{
	to = elf_image_number(image, to, symbol->st_name, 4);
	if (image->is_32) {
		to = put_word(image, to, symbol->st_value);
		to = put_word(image, to, symbol->st_size);
	}
	to = elf_image_number(image, to, symbol->st_info, 1);
	to = elf_image_number(image, to, symbol->st_other, 1);
	to = elf_image_number(image, to, symbol->st_shndx, 2);
	if (!image->is_32) {
		to = put_word(image, to, symbol->st_value);
		to = put_word(image, to, symbol->st_size);
	}

	return to;
}

/* Of a type that is not 0, and without a symbol */
char *elf_image_relocation(const struct elf_image *image, char *to,
			   uint64_t address, uint64_t value)
{
	to = put_word(image, to, address);
	to = put_word(image, to, 8);

	return put_word(image, to, value);
}

static char *put_section(const struct elf_image *image, char *to, size_t name,
			 const struct elf_image_section *section,
			 uint64_t offset)
{
	uint64_t size = section->claimed ? section->claimed : section->size;

	to = elf_image_number(image, to, name, 4);
	to = elf_image_number(image, to, section->type, 4);
	to = put_word(image, to, section->flags);
	to = put_word(image, to, section->address);
	to = put_word(image, to, offset);
	to = put_word(image, to, size);
	to = elf_image_number(image, to, section->link, 4);
	to = elf_image_number(image, to, 0, 4);
	to = put_word(image, to, 8);

	return put_word(image, to, section->entry_size);
}

static char *put_header(const struct elf_image *image, char *to,
			size_t section_count)
{
	const char identity[EI_NIDENT] = {
		ELFMAG0,
		ELFMAG1,
		ELFMAG2,
		ELFMAG3,
		image->is_32 ? ELFCLASS32 : ELFCLASS64,
		image->is_big ? ELFDATA2MSB : ELFDATA2LSB,
		EV_CURRENT,
	};
	size_t header = SIZE_OF(image, Ehdr), segment = SIZE_OF(image, Phdr);
	bool is_extended = image->claimed_sections != 0;

	memcpy(to, identity, sizeof(identity));
	to = elf_image_number(image, to + sizeof(identity), ET_DYN, 2);
	to = elf_image_number(image, to, EM_X86_64, 2);
	to = elf_image_number(image, to, EV_CURRENT, 4);
	to = put_word(image, to, 0);
	to = put_word(image, to, header);
	to = put_word(image, to, header + segment);
	to = elf_image_number(image, to, 0, 4);
	to = elf_image_number(image, to, header, 2);
	to = elf_image_number(image, to, segment, 2);
	to = elf_image_number(image, to, 1, 2);
	to = elf_image_number(image, to, SIZE_OF(image, Shdr), 2);
	to = elf_image_number(image, to, is_extended ? 0 : section_count, 2);

	return elf_image_number(image, to, section_count - 1, 2);
}

static char *put_segment(const struct elf_image *image, char *to)
{
	to = elf_image_number(image, to, PT_LOAD, 4);
	if (!image->is_32)
		to = elf_image_number(image, to, PF_R | PF_X, 4);
	to = put_word(image, to, CODE_START);
	to = put_word(image, to, CODE_START);
	to = put_word(image, to, CODE_START);
	to = put_word(image, to, CODE_SIZE);
	to = put_word(image, to, CODE_SIZE);
	if (image->is_32)
		to = elf_image_number(image, to, PF_R | PF_X, 4);

	return put_word(image, to, 4096);
}

static size_t file_size(const struct elf_image *image)
{
	size_t i, size = SIZE_OF(image, Ehdr) + SIZE_OF(image, Phdr) +
			 (image->section_count + 2) * SIZE_OF(image, Shdr) + 2;

	for (i = 0; i < image->section_count; i++)
		size += ALIGNMENT + image->sections[i].size +
			strlen(image->sections[i].name) + 1;

	return size;
}

char *elf_image_write(const struct elf_image *image, const char *path)
{
	size_t size = file_size(image), count = image->section_count + 2, i;
	char *bytes = calloc(1, size), *to, *names, *at, *whole;
	const struct elf_image_section none = {
		.name = "",
		.claimed = image->claimed_sections,
	};
	struct elf_image_section table = {
		.name = "",
		.type = SHT_STRTAB,
	};
	uint64_t end = size;

	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_ge(asprintf(&whole, "%s%s", file_tree_root(), path), 0);
	to = put_segment(image, put_header(image, bytes, count));
	names = to + count * SIZE_OF(image, Shdr);
	*names = '\0';
	at = names + 1;
	to = put_section(image, to, 0, &none, 0);
	for (i = 0; i < image->section_count; i++)
		at = stpcpy(at, image->sections[i].name) + 1;
	table.size = (size_t)(at - names);
	at = names + 1;
	for (i = 0, size = (size_t)(names - bytes) + table.size;
	     i < image->section_count; i++) {
		const struct elf_image_section *section = &image->sections[i];

		size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		to = put_section(image, to, (size_t)(at - names), section,
				 size);
		at += strlen(section->name) + 1;
		if (section->size)
			memcpy(bytes + size, section->bytes, section->size);
		if (section->claimed && i + 1 == image->section_count)
			end = size + section->claimed;
		size += section->size;
	}
	put_section(image, to, 0, &table, (size_t)(names - bytes));
	if (image->claimed_sections)
		end = size + image->claimed_sections * SIZE_OF(image, Shdr);

	file_tree_bytes(path, bytes, size);
	ck_assert_int_eq(truncate(whole, (off_t)end), 0);
	free(bytes);

	return whole;
}
