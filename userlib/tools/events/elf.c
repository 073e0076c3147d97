// SPDX-License-Identifier: MIT
#include "events/elf.h"

#include <errno.h>

#ifdef TOOL_HAS_ELF
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "util/bytes.h"
#include "tool.h"

/* Of UEV_TRACE() in C: pointers to events */
#define EVENTS_SECTION "uev_events"

/*
 * Of UEV_TRACE() in C++: the name of an event, the names of its fields, each after
 * a period, and their types with 4 bits each in words of 32 bits
 */
#define FIELDS_SECTION ".uev_fields"
#define FIELD_TYPE_BITS 4
#define FIELDS_IN_WORD (32 / FIELD_TYPE_BITS)
#define FIELD_WORDS 4
#define FIELD_WORDS_SIZE (FIELD_WORDS * sizeof(uint32_t))

/* Of each provider of UEV_EVENTHEADER(): struct uev_eh_event_set */
#define SETS_SECTION "uev_sets_"

/* Offset of the pointer to the command in struct uev_event, on all machines. */
#define COMMAND_OFFSET 8

/* Offset of the name in struct uev_eh_provider; the group is behind it. */
#define PROVIDER_NAME_OFFSET 8

/* struct uev_eh_event_set has two pointers and these numbers: a level and a keyword */
#define SET_NUMBERS 4
#define SET_NUMBER_BITS 24

/* A pointer that the dynamic linker fills in. */
struct relocation {
	uint64_t address;
	uint64_t value;
};

/*
 * struct image - An ELF file
 * @relocations: @relocation_count, sorted by address, if @has_relocations; read
 *        when a section of events is found
 * @pointer_size: 4 or 8
 * @is_big: big-endian
 */
struct image {
	Elf *elf;
	struct relocation *relocations;
	size_t relocation_count;
	bool has_relocations;
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
	char checked[UEV_COMMAND_MAX + 1];
	const char *command;
	uint64_t address;
	size_t size;

	if (!pointer_at(image, event + COMMAND_OFFSET, &address))
		return false;
	command = bytes_at(image, address, &size);
	if (!command || !is_whole(command, size))
		return false;
	/* The program cannot register others. */
	if (!uev_command_parse(checked, command, NULL, NULL))
		definitions_add(definitions, checked, path, 0);

	return true;
}

/* Return: the text at the address in a pointer, or NULL */
static const char *text_at(const struct image *image, uint64_t pointer)
{
	const char *text;
	uint64_t address;
	size_t size;

	if (!pointer_at(image, pointer, &address))
		return NULL;
	text = bytes_at(image, address, &size);

	return text && memchr(text, 0, size) ? text : NULL;
}

/* Reads level and keyword of a set. Return: whether they are valid */
static bool read_numbers(const struct image *image, uint64_t address,
			 unsigned int *level, uint64_t *keyword)
{
	const char *bytes;
	unsigned int i;
	size_t size;

	bytes = bytes_at(image, address, &size);
	if (!bytes || size < SET_NUMBERS * sizeof(uint32_t))
		return false;
	*level = uev_get32(bytes, image->is_big);
	*keyword = 0;
	for (i = 1; i < SET_NUMBERS; i++)
		*keyword |= (uint64_t)uev_get32(bytes + i * sizeof(uint32_t),
						image->is_big)
			    << SET_NUMBER_BITS * (i - 1);

	return *level && *level <= UINT8_MAX;
}

/* Tests for names of a provider and its group that a program can register. */
static bool is_provider(const char *name, const char *group)
{
	static const char lower[] = "0123456789abcdefghijklmnopqrstuvwxyz",
			  word[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	size_t size = strlen(name);

	return size && !name[strspn(name, word)] &&
	       !group[strspn(group, lower)] &&
	       size + strlen(group) <= UEV_EVENTHEADER_PROVIDER_MAX;
}

static bool add_set(const struct image *image, uint64_t set,
		    struct definitions *definitions, const char *path)
{
	_cleanup_free_ char *command = NULL;
	const char *name, *group;
	uint64_t provider, keyword;
	unsigned int level;

	if (!pointer_at(image, set + image->pointer_size, &provider) ||
	    !read_numbers(image, set + 2 * image->pointer_size, &level,
			  &keyword))
		return false;
	provider += PROVIDER_NAME_OFFSET;
	name = text_at(image, provider);
	group = text_at(image, provider + image->pointer_size);
	if (!name || !group)
		return false;
	/* The program cannot register others. */
	if (!is_provider(name, group))
		return true;
	command = tool_print("%s_L%xK%" PRIx64 "%s%s " UEV_EVENTHEADER_TYPES,
			     name, level, keyword, *group ? "G" : "", group);
	definitions_add(definitions, command, path, 0);

	return true;
}

static bool add_pointer(const struct image *image, uint64_t pointer,
			struct definitions *definitions, const char *path)
{
	uint64_t event;

	return pointer_at(image, pointer, &event) &&
	       add_event(image, event, definitions, path);
}

/* Calls @add for each element of @size bytes of a section. */
static int
read_section(struct image *image, const GElf_Shdr *header, size_t size,
	     bool (*add)(const struct image *image, uint64_t address,
			 struct definitions *definitions, const char *path),
	     struct definitions *definitions, const char *path)
{
	uint64_t at, end = header->sh_addr + header->sh_size / size * size;

	if (!image->has_relocations)
		read_relocations(image);
	image->has_relocations = true;
	for (at = header->sh_addr; at < end; at += size)
		if (!add(image, at, definitions, path))
			return -EBADMSG;

	return 0;
}

static unsigned int field_type(const struct image *image, const char *words,
			       size_t field)
{
	uint32_t word =
		uev_get32(words + field / FIELDS_IN_WORD * sizeof(uint32_t),
			  image->is_big);

	return word >> field % FIELDS_IN_WORD * FIELD_TYPE_BITS & 0xf;
}

/*
 * Writes the fields of a description: the type and the NUL-terminated name of
 * each; then a NUL
 */
static bool put_fields(struct uev_output *description,
		       const struct image *image, const char *names,
		       const char *words)
{
	unsigned int number;
	size_t i, size;
	char type;

	for (i = 0; *names == '.' && i < FIELD_WORDS * FIELDS_IN_WORD; i++) {
		number = field_type(image, words, i);
		if (!number || number > UEV_TYPE_UUID)
			return false;
		type = (char)number;
		size = strcspn(++names, ".");
		tool_append(description, &type, 1);
		tool_append(description, names, size);
		tool_append(description, "", 1);
		names += size;
	}

	return !*names;
}

/* Return: size of the definition at the start of a section; 0 if malformed */
static size_t add_fields(const struct image *image, const char *at, size_t size,
			 struct definitions *definitions, const char *path)
{
	_cleanup_(uev_output_release) struct uev_output description =
		UEV_OUTPUT_INIT;
	const char *names, *words, *end = at + size;
	static const char described = UEV_DESCRIBED;
	char checked[UEV_COMMAND_MAX + 1];
	bool is_whole;

	names = memchr(at, 0, size);
	if (!names)
		return 0;
	names++;
	words = memchr(names, 0, (size_t)(end - names));
	if (!words)
		return 0;
	words++;
	if ((size_t)(end - words) < FIELD_WORDS_SIZE)
		return 0;

	tool_append(&description, &described, 1);
	tool_append(&description, at, strlen(at) + 1);
	is_whole = put_fields(&description, image, names, words);
	/* The program cannot register others. */
	if (is_whole &&
	    !uev_command_parse(checked, description.text, NULL, NULL))
		definitions_add(definitions, checked, path, 0);

	return is_whole ? (size_t)(words - at) + FIELD_WORDS_SIZE : 0;
}

static int read_fields(struct image *image, Elf_Scn *section,
		       struct definitions *definitions, const char *path)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	size_t at, size;

	for (at = 0; data && data->d_buf && at < data->d_size; at += size) {
		size = add_fields(image, (const char *)data->d_buf + at,
				  data->d_size - at, definitions, path);
		if (!size)
			return -EBADMSG;
	}

	return 0;
}

static int read_named(struct image *image, Elf_Scn *section,
		      const GElf_Shdr *header, const char *name,
		      struct definitions *definitions, const char *path)
{
	size_t set = 2 * image->pointer_size + SET_NUMBERS * sizeof(uint32_t);

	if (strcmp(name, FIELDS_SECTION) == 0)
		return read_fields(image, section, definitions, path);
	if (strcmp(name, EVENTS_SECTION) == 0)
		return read_section(image, header, image->pointer_size,
				    add_pointer, definitions, path);
	if (strncmp(name, SETS_SECTION, strlen(SETS_SECTION)) == 0)
		return read_section(image, header, set, add_set, definitions,
				    path);

	return 0;
}

static int read_events(struct image *image, struct definitions *definitions,
		       const char *path)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names;
	int ret = 0;

	if (elf_getshdrstrndx(image->elf, &names))
		return 0;
	while (!ret && (section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(image->elf, names, header.sh_name);
		if (name)
			ret = read_named(image, section, &header, name,
					 definitions, path);
	}

	return ret;
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
