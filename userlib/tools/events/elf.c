// SPDX-License-Identifier: MIT
#include "events/elf.h"

#include <errno.h>

#ifdef TOOL_HAS_ELF
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/command.h"
#include "perf/bytes.h"
#include "tool.h"

#define SECTION "uev_events"

/* Offset of the pointer to the command in struct uev_event, on all machines. */
#define COMMAND_OFFSET 8

/* A pointer that the dynamic linker fills in. */
struct relocation {
	uint64_t address;
	uint64_t value;
};

/*
 * struct image - An ELF file
 * @relocations: @relocation_count, sorted by address
 * @pointer_size: 4 or 8
 * @is_big: big-endian
 */
struct image {
	Elf *elf;
	struct relocation *relocations;
	size_t relocation_count;
	size_t pointer_size;
	bool is_big;
};

static int compare_relocations(const void *one, const void *other)
{
	const struct relocation *a = one, *b = other;

	return (a->address > b->address) - (a->address < b->address);
}

/* Those without a symbol have the whole value; others are of other objects. */
static void take_relocations(struct image *image, Elf_Data *data, size_t count)
{
	struct relocation *relocations;
	GElf_Rela rela;
	size_t i;

	relocations = tool_grow(image->relocations,
				(image->relocation_count + count) *
					sizeof(*relocations));
	image->relocations = relocations;
	for (i = 0; i < count; i++) {
		if (!gelf_getrela(data, (int)i, &rela) ||
		    GELF_R_SYM(rela.r_info))
			continue;
		relocations[image->relocation_count++] = (struct relocation){
			.address = rela.r_offset,
			.value = (uint64_t)rela.r_addend,
		};
	}
}

static void read_relocations(struct image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;

	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_RELA || !header.sh_entsize)
			continue;
		data = elf_getdata(section, NULL);
		if (data && data->d_size)
			take_relocations(image, data,
					 data->d_size / header.sh_entsize);
	}
	if (image->relocation_count)
		qsort(image->relocations, image->relocation_count,
		      sizeof(*image->relocations), compare_relocations);
}

/* Returns the bytes from an address to the end of its section, or NULL. */
static const char *bytes_at(const struct image *image, uint64_t address,
			    size_t *size)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;
	uint64_t offset;

	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_ALLOC) ||
		    header.sh_type == SHT_NOBITS || address < header.sh_addr ||
		    address - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		offset = address - header.sh_addr;
		if (!data || !data->d_buf || offset >= data->d_size)
			return NULL;
		*size = data->d_size - offset;
		return (const char *)data->d_buf + offset;
	}

	return NULL;
}

static bool pointer_at(const struct image *image, uint64_t address,
		       uint64_t *value)
{
	const struct relocation wanted = { .address = address };
	const struct relocation *found = NULL;
	const char *bytes;
	size_t size;

	if (image->relocation_count)
		found = bsearch(&wanted, image->relocations,
				image->relocation_count, sizeof(wanted),
				compare_relocations);
	if (found) {
		*value = found->value;
		return true;
	}
	bytes = bytes_at(image, address, &size);
	if (!bytes || size < image->pointer_size)
		return false;
	*value = image->pointer_size == 8 ? uev_get64(bytes, image->is_big)
					  : uev_get32(bytes, image->is_big);

	return true;
}

/* Tests whether a command ends within @size bytes. */
static bool is_whole(const char *command, size_t size)
{
	const char *end = command + size, *at = command;

	if (*at != UEV_DESCRIBED)
		return memchr(command, 0, size);
	/* The name, and then a type and a name for each field. */
	do {
		at = memchr(at + 1, 0, (size_t)(end - at - 1));
		if (!at || ++at == end)
			return false;
	} while (*at && at + 1 < end);

	return !*at;
}

static bool add_event(const struct image *image, uint64_t event,
		      struct definitions *definitions, const char *path)
{
	struct uev_command checked;
	const char *command;
	uint64_t address;
	size_t size;

	if (!pointer_at(image, event + COMMAND_OFFSET, &address))
		return false;
	command = bytes_at(image, address, &size);
	if (!command || !is_whole(command, size))
		return false;
	/* The program cannot register others. */
	if (!uev_command_check(&checked, command))
		definitions_add(definitions, checked.text, path, 0);

	return true;
}

static Elf_Scn *find_section(const struct image *image, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names))
		return NULL;
	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, header))
			continue;
		name = elf_strptr(image->elf, names, header->sh_name);
		if (name && strcmp(name, SECTION) == 0)
			return section;
	}

	return NULL;
}

static int read_events(struct image *image, struct definitions *definitions,
		       const char *path)
{
	GElf_Shdr header;
	uint64_t at, event, end;

	if (!find_section(image, &header))
		return 0;
	read_relocations(image);
	end = header.sh_addr +
	      header.sh_size / image->pointer_size * image->pointer_size;
	for (at = header.sh_addr; at < end; at += image->pointer_size)
		if (!pointer_at(image, at, &event) ||
		    !add_event(image, event, definitions, path))
			return -EBADMSG;

	return 0;
}

int elf_definitions(struct definitions *definitions, const char *path)
{
	struct image image = { 0 };
	const char *identity;
	int fd, ret = -ENOEXEC;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	image.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (image.elf && elf_kind(image.elf) == ELF_K_ELF) {
		identity = elf_getident(image.elf, NULL);
		image.pointer_size = identity[EI_CLASS] == ELFCLASS64 ? 8 : 4;
		image.is_big = identity[EI_DATA] == ELFDATA2MSB;
		ret = read_events(&image, definitions, path);
	}
	elf_end(image.elf);
	free(image.relocations);
	close(fd);

	return ret;
}

#else

int elf_definitions(struct definitions *definitions, const char *path)
{
	(void)definitions;
	(void)path;

	return -EOPNOTSUPP;
}
#endif
