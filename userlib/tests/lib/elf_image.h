/* SPDX-License-Identifier: MIT */
/* ELF files, also of other machines and with wrong numbers. */
#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * struct elf_image_section - A section
 * @claimed: size in the header if not that of @bytes. The file is as long, and
 *        sparse, if it is the last section.
 */
struct elf_image_section {
	const char *name;
	uint32_t type;
	uint64_t flags;
	uint64_t address;
	uint32_t link;
	uint64_t entry_size;
	const void *bytes;
	size_t size;
	uint64_t claimed;
};

/*
 * struct elf_image - A file. It has a segment with code, offset 0x1000 of the file
 * at address 0x1000.
 * @sections: their indices in the file start with 1, and a section of names follows
 * @section_count: at most 65000
 * @claimed_sections: number of sections in the header if another; the file is as
 *        long, and sparse
 * @is_32: of 32 bits
 * @is_big: big-endian
 */
struct elf_image {
	const struct elf_image_section *sections;
	size_t section_count;
	uint64_t claimed_sections;
	bool is_32;
	bool is_big;
};

/* Below the root of file_tree.h. Returns the path for free(). */
char *elf_image_write(const struct elf_image *image, const char *path);

/*
 * elf_image_number() - Writes a number in the byte order of the image
 *
 * Return: the byte behind it
 */
char *elf_image_number(const struct elf_image *image, char *to, uint64_t value,
		       size_t size);

/* Writes a symbol, or a relocation. Return: the byte behind it */
char *elf_image_symbol(const struct elf_image *image, char *to,
		       const Elf64_Sym *symbol);
char *elf_image_relocation(const struct elf_image *image, char *to,
			   uint64_t address, uint64_t value);

#endif
