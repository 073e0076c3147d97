/* SPDX-License-Identifier: MIT */
/*
 * user-events: ELF files of any machine, which can be hostile.
 *
 * Their owner can be a user without privileges, while root reads them, and can
 * change them meanwhile. So each number is read once, then checked and used; a
 * mapping of the file would end the reader with SIGBUS once it is truncated. A
 * file of few blocks can be large, and its tables can claim to be: memory is
 * limited by what the file has on the disk, and its absence is an error as others.
 */
#ifndef USER_EVENTS_ELF_FILE_H
#define USER_EVENTS_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct elf_section - A section; @name is an offset in the section of names. */
struct elf_section {
	uint32_t name;
	uint32_t type;
	uint32_t link;
	uint64_t flags;
	uint64_t address;
	uint64_t offset;
	uint64_t size;
	uint64_t entry_size;
};

/* struct elf_segment - A part of the file with code, and its address */
struct elf_segment {
	uint64_t offset;
	uint64_t size;
	uint64_t address;
};

/* struct elf_symbol - A symbol; @name is an offset in the section of names. */
struct elf_symbol {
	uint32_t name;
	unsigned char info;
	unsigned char other;
	uint16_t section;
	uint64_t value;
	uint64_t size;
};

/* struct elf_relocation - A pointer that is filled in, with @addend and @symbol */
struct elf_relocation {
	uint64_t address;
	uint32_t symbol;
	uint32_t type;
	uint64_t addend;
};

/*
 * struct elf_file - An open file
 * @budget: bytes that can still be read or allocated
 * @segments: offset of their headers
 * @names: index of the section of names
 * @error: of the last part that could not be read, or 0; a file that ends before a
 *        part has none
 */
struct elf_file {
	int fd;
	int error;
	bool is_64;
	bool is_big;
	uint64_t budget;
	uint64_t segments;
	size_t segment_count;
	struct elf_section *sections;
	size_t section_count;
	size_t names;
};

/*
 * elf_file_open() - Reads the headers of a file
 * @file: for elf_file_close(), also after an error
 * @fd: the file; it stays open
 * @limit: bytes to read and allocate, at most: the budget, which is less for a file
 *        of few blocks
 *
 * Return: 0; -ENOEXEC if it is not a regular file with ELF; -EFBIG if it has more
 * sections than programs have; -ENOMEM
 */
int elf_file_open(struct elf_file *file, int fd, uint64_t limit);
void elf_file_close(struct elf_file *file);

/*
 * elf_file_segments() - Reads the segments with code
 * @segments: set to @count segments, for free()
 */
void elf_file_segments(struct elf_file *file, struct elf_segment **segments,
		       size_t *count);

/* elf_file_spend() - Takes bytes from the budget. Return: whether it has them */
bool elf_file_spend(struct elf_file *file, uint64_t size);

/*
 * elf_file_bytes() - Reads a section
 *
 * Return: its bytes and a NUL, for free(); NULL if it is not whole in the file, or
 * too large
 */
char *elf_file_bytes(struct elf_file *file, const struct elf_section *section);

/*
 * elf_file_symbols(), elf_file_relocations() - Call a function for each entry of a
 * section of the type SHT_SYMTAB or SHT_DYNSYM, or SHT_RELA
 * @take: returns whether to continue
 *
 * Return: whether all were read
 */
bool elf_file_symbols(struct elf_file *file, const struct elf_section *section,
		      bool (*take)(void *data, const struct elf_symbol *symbol),
		      void *data);
bool elf_file_relocations(struct elf_file *file,
			  const struct elf_section *section,
			  bool (*take)(void *data,
				       const struct elf_relocation *relocation),
			  void *data);

#endif
