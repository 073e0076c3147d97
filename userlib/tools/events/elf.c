// SPDX-License-Identifier: MIT
#include "events/elf.h"

#include <errno.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "elf_file.h"
#include "util/bytes.h"
#include "tool.h"

/* Of UEV_TRACE() and probes in C: pointers to events */
#define EVENTS_SECTION "uev_events"

/*
 * Of UEV_TRACE() and probes in C++: the name of an event, the names of its fields,
 * each after a period, and their types with 4 bits each in words of 32 bits
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

/*
 * Contents and relocations of a file, which is read before its program starts. Of
 * a browser with its symbols, the data and relocations are 150 MB.
 */
#define MEMORY_MAX (UINT64_C(256) << 20)
#define RELOCATIONS_MAX (4U << 20)

/*
 * Comparisons of events, and what reading one costs otherwise. Each is compared
 * with all of the file before it: a program can have 7000, or 30,000 references to
 * few.
 */
#define WORK_MAX (32U << 20)
#define WORK_PER_EVENT 1024

/* Messages about events that contradict others. */
#define CONTRADICTIONS_MAX 100

/* Bytes of a definition in a file, and of a name. That of the kernel is shorter. */
#define TEXT_MAX (8 * (UEV_COMMAND_MAX + 1))

/* A pointer that the dynamic linker fills in. */
struct relocation {
	uint64_t address;
	uint64_t value;
};

/*
 * struct content - A section with an address
 * @bytes: read when the first one is wanted, and then not NULL
 * @is_read: was tried
 */
struct content {
	const struct elf_section *section;
	char *bytes;
	bool is_read;
};

/*
 * struct image - An ELF file
 * @definitions: its events are added to these
 * @path: of the file
 * @contents: sorted by address
 * @relocations: @relocation_count, sorted by address, if @has_relocations; read
 *        when a section of events is found
 * @room: relocations for which memory is allocated
 * @pointer_size: 4 or 8
 * @earlier: definitions of other files
 * @work: what it took so far, see WORK_MAX
 */
struct image {
	struct definitions *definitions;
	const char *path;
	struct elf_file elf;
	struct content *contents;
	size_t content_count;
	struct relocation *relocations;
	size_t relocation_count;
	size_t room;
	bool has_relocations;
	size_t pointer_size;
	size_t earlier;
	size_t work;
	size_t contradictions;
};

static int compare_relocations(const void *one, const void *other)
{
	const struct relocation *a = one, *b = other;

	return (a->address > b->address) - (a->address < b->address);
}

static bool make_room(struct image *image)
{
	size_t room = image->room ? 2 * image->room : 256;
	struct relocation *relocations;

	if (image->relocation_count < image->room)
		return true;
	if (image->relocation_count == RELOCATIONS_MAX ||
	    !elf_file_spend(&image->elf,
			    (room - image->room) * sizeof(*relocations)))
		return false;
	relocations = realloc(image->relocations, room * sizeof(*relocations));
	if (!relocations)
		return false;
	image->relocations = relocations;
	image->room = room;

	return true;
}

/* Those without a symbol have the whole value; others are of other objects. */
static bool take_relocation(void *data, const struct elf_relocation *relocation)
{
	struct image *image = data;

	if (relocation->symbol || !relocation->type)
		return true;
	if (!make_room(image))
		return false;
	image->relocations[image->relocation_count++] = (struct relocation){
		.address = relocation->address,
		.value = relocation->addend,
	};

	return true;
}

/*
 * Those of the dynamic linker. Other ones, which the linker can keep
 * (--emit-relocs), are as large as the program.
 *
 * Return: 0, -EBADMSG
 */
static int read_relocations(struct image *image)
{
	const struct elf_section *section;
	size_t i;

	for (i = 0; i < image->elf.section_count; i++) {
		section = &image->elf.sections[i];
		if (section->type == SHT_RELA && section->flags & SHF_ALLOC &&
		    section->size &&
		    !elf_file_relocations(&image->elf, section, take_relocation,
					  image))
			return -EBADMSG;
	}
	tool_sort(image->relocations, image->relocation_count,
		  compare_relocations);

	return 0;
}

/* Of those at one address, as in objects, the first one is at the end. */
static int compare_contents(const void *one, const void *other)
{
	const struct content *a = one, *b = other;

	if (a->section->address != b->section->address)
		return a->section->address > b->section->address ? 1 : -1;

	return (a->section < b->section) - (a->section > b->section);
}

/* Return: 0, -ENOMEM */
static int find_contents(struct image *image)
{
	const struct elf_section *section;
	size_t i;

	image->contents =
		calloc(image->elf.section_count, sizeof(*image->contents));
	if (!image->contents)
		return -ENOMEM;
	for (i = 0; i < image->elf.section_count; i++) {
		section = &image->elf.sections[i];
		if (section->flags & SHF_ALLOC && section->type != SHT_NOBITS &&
		    section->size)
			image->contents[image->content_count++] =
				(struct content){ .section = section };
	}
	tool_sort(image->contents, image->content_count, compare_contents);

	return 0;
}

/* Returns the bytes from an address to the end of its section, or NULL. */
static const char *bytes_at(struct image *image, uint64_t address, size_t *size)
{
	size_t low = 0, high = image->content_count, middle;
	struct content *content;
	uint64_t offset;

	/* The last one that does not start after the address. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (image->contents[middle].section->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	content = &image->contents[low - 1];
	offset = address - content->section->address;
	if (offset >= content->section->size)
		return NULL;
	if (!content->is_read)
		content->bytes = elf_file_bytes(&image->elf, content->section);
	content->is_read = true;
	if (!content->bytes)
		return NULL;
	*size = (size_t)(content->section->size - offset);

	return content->bytes + offset;
}

static bool pointer_at(struct image *image, uint64_t address, uint64_t *value)
{
	const struct relocation wanted = { .address = address };
	const struct relocation *found = tool_find(&wanted, image->relocations,
						   image->relocation_count,
						   compare_relocations);
	const char *bytes;
	size_t size;

	if (found) {
		*value = found->value;
		return true;
	}
	bytes = bytes_at(image, address, &size);
	if (!bytes || size < image->pointer_size)
		return false;
	*value = image->pointer_size == 8 ? uev_get64(bytes, image->elf.is_big)
					  : uev_get32(bytes, image->elf.is_big);

	return true;
}

/* Returns the bytes at the address in a pointer, at most TEXT_MAX, or NULL. */
static const char *text_at(struct image *image, uint64_t pointer, size_t *size)
{
	const char *bytes = NULL;
	uint64_t address;

	if (pointer_at(image, pointer, &address))
		bytes = bytes_at(image, address, size);
	if (bytes && *size > TEXT_MAX)
		*size = TEXT_MAX;

	return bytes;
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

/* Return: whether another event can be read */
static bool spend_work(struct image *image)
{
	image->work +=
		WORK_PER_EVENT + image->definitions->count - image->earlier;

	return image->work <= WORK_MAX &&
	       image->contradictions <= CONTRADICTIONS_MAX;
}

static void add_definition(struct image *image, const char *command)
{
	image->contradictions +=
		!definitions_add(image->definitions, command, image->path, 0);
}

/* @pointer: address of a pointer to the event */
static bool add_event(struct image *image, uint64_t pointer)
{
	char checked[UEV_COMMAND_MAX + 1];
	const char *command = NULL;
	size_t size = 0;
	uint64_t event;

	if (pointer_at(image, pointer, &event))
		command = text_at(image, event + COMMAND_OFFSET, &size);
	if (!command || !is_whole(command, size))
		return false;
	/* The program cannot register others. */
	if (!uev_command_parse(checked, command, NULL, NULL))
		add_definition(image, checked);

	return true;
}

/* Reads level and keyword of a set. Return: whether they are valid */
static bool read_numbers(struct image *image, uint64_t address,
			 unsigned int *level, uint64_t *keyword)
{
	const char *bytes;
	unsigned int i;
	size_t size;

	bytes = bytes_at(image, address, &size);
	if (!bytes || size < SET_NUMBERS * sizeof(uint32_t))
		return false;
	*level = uev_get32(bytes, image->elf.is_big);
	*keyword = 0;
	for (i = 1; i < SET_NUMBERS; i++)
		*keyword |= (uint64_t)uev_get32(bytes + i * sizeof(uint32_t),
						image->elf.is_big)
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

static bool add_set(struct image *image, uint64_t set)
{
	_cleanup_free_ char *command = NULL;
	const char *name, *group;
	uint64_t provider, keyword;
	size_t name_size, group_size;
	unsigned int level;

	if (!pointer_at(image, set + image->pointer_size, &provider) ||
	    !read_numbers(image, set + 2 * image->pointer_size, &level,
			  &keyword))
		return false;
	provider += PROVIDER_NAME_OFFSET;
	name = text_at(image, provider, &name_size);
	group = text_at(image, provider + image->pointer_size, &group_size);
	if (!name || !memchr(name, 0, name_size) || !group ||
	    !memchr(group, 0, group_size))
		return false;
	/* The program cannot register others. */
	if (!is_provider(name, group))
		return true;
	command = tool_print("%s_L%xK%" PRIx64 "%s%s " UEV_EVENTHEADER_TYPES,
			     name, level, keyword, *group ? "G" : "", group);
	add_definition(image, command);

	return true;
}

/* Calls @add for each element of @size bytes of a section. */
static int read_section(struct image *image, const struct elf_section *section,
			size_t size,
			bool (*add)(struct image *image, uint64_t address))
{
	uint64_t at, end = section->address + section->size / size * size;
	int ret = 0;

	if (!image->has_relocations)
		ret = read_relocations(image);
	image->has_relocations = true;
	for (at = section->address; !ret && at < end; at += size)
		if (!spend_work(image) || !add(image, at))
			ret = -EBADMSG;

	return ret;
}

static unsigned int field_type(struct image *image, const char *words,
			       size_t field)
{
	uint32_t word =
		uev_get32(words + field / FIELDS_IN_WORD * sizeof(uint32_t),
			  image->elf.is_big);

	return word >> field % FIELDS_IN_WORD * FIELD_TYPE_BITS & 0xf;
}

/*
 * Writes the fields of a description: the type and the NUL-terminated name of
 * each; then a NUL
 */
static bool put_fields(struct uev_output *description, struct image *image,
		       const char *names, const char *words)
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
static size_t add_fields(struct image *image, const char *at, size_t size)
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
		add_definition(image, checked);

	return is_whole ? (size_t)(words - at) + FIELD_WORDS_SIZE : 0;
}

static int read_fields(struct image *image, const struct elf_section *section)
{
	_cleanup_free_ char *bytes = elf_file_bytes(&image->elf, section);
	uint64_t at, size;

	if (!bytes)
		return -EBADMSG;
	for (at = 0; at < section->size; at += size) {
		size = section->size - at;
		if (size > TEXT_MAX)
			size = TEXT_MAX;
		size = spend_work(image)
			       ? add_fields(image, bytes + at, (size_t)size)
			       : 0;
		if (!size)
			return -EBADMSG;
	}

	return 0;
}

static int read_named(struct image *image, const struct elf_section *section,
		      const char *name)
{
	size_t set = 2 * image->pointer_size + SET_NUMBERS * sizeof(uint32_t);

	if (strcmp(name, FIELDS_SECTION) == 0)
		return read_fields(image, section);
	if (strcmp(name, EVENTS_SECTION) == 0)
		return read_section(image, section, image->pointer_size,
				    add_event);
	if (tool_starts(name, SETS_SECTION))
		return read_section(image, section, set, add_set);

	return 0;
}

static int read_events(struct image *image)
{
	const struct elf_section *sections = image->elf.sections;
	const size_t names = image->elf.names;
	_cleanup_free_ char *text = NULL;
	size_t i;
	int ret = 0;

	if (names >= image->elf.section_count)
		return 0;
	text = elf_file_bytes(&image->elf, &sections[names]);
	if (text)
		ret = find_contents(image);
	for (i = 0; text && !ret && i < image->elf.section_count; i++)
		if (sections[i].type == SHT_PROGBITS &&
		    sections[i].name < sections[names].size)
			ret = read_named(image, &sections[i],
					 text + sections[i].name);

	return ret;
}

static void release_image(struct image *image)
{
	size_t i;

	for (i = 0; i < image->content_count; i++)
		free(image->contents[i].bytes);
	free(image->contents);
	free(image->relocations);
	elf_file_close(&image->elf);
}

int elf_definitions(struct definitions *definitions, const char *path)
{
	struct image image = {
		.definitions = definitions,
		.path = path,
		.earlier = definitions->count,
	};
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	ret = elf_file_open(&image.elf, fd, MEMORY_MAX);
	if (!ret) {
		image.pointer_size = image.elf.is_64 ? 8 : 4;
		ret = read_events(&image);
	}
	/* What was not read can be anything. */
	if (image.elf.error)
		ret = image.elf.error;
	release_image(&image);
	close(fd);

	return ret;
}
