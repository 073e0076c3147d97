// SPDX-License-Identifier: MIT
#include "doctor/module.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "tool.h"

/* Marker of scripts/sign-file at the end of a signed module. */
#define SIGNATURE "~Module signature appended~\n"

/* String of the .modinfo section with the kernel release. */
#define VERMAGIC "\0vermagic="

static const char elf[] = { 0x7f, 'E', 'L', 'F' };

void module_file_read(struct module_file *file, const char *path)
{
	size_t size, mark = strlen(SIGNATURE);
	const char *magic;
	char *bytes;

	memset(file, 0, sizeof(*file));
	if (files_read(path, &bytes, &size))
		return;
	file->is_readable = size > sizeof(elf) &&
			    memcmp(bytes, elf, sizeof(elf)) == 0;
	if (file->is_readable) {
		file->is_signed = size > mark && memcmp(bytes + size - mark,
							SIGNATURE, mark) == 0;
		magic = memmem(bytes, size, VERMAGIC, sizeof(VERMAGIC) - 1);
		if (magic) {
			magic += sizeof(VERMAGIC) - 1;
			file->release = tool_print(
				"%.*s", (int)strcspn(magic, " "), magic);
		}
	}
	free(bytes);
}

/*
 * Tests whether the path, up to a ':', is that of a module, possibly
 * compressed.
 */
static bool is_of(const char *path, size_t length, const char *name)
{
	const char *end = path + length, *last = path, *at;
	size_t size = strlen(name);

	for (at = path; at < end; at++)
		if (*at == '/')
			last = at + 1;
	if ((size_t)(end - last) < size + 3 || strncmp(last, name, size) != 0 ||
	    strncmp(last + size, ".ko", 3) != 0)
		return false;
	last += size + 3;

	return last == end || *last == '.';
}

char *module_file_find(const char *directory, const char *name)
{
	char *path = tool_print("%s/modules.dep", directory), *text;
	char *found = NULL;
	const char *line;
	size_t length;

	files_read(path, &text, NULL);
	free(path);
	for (line = text; line && *line && !found;
	     line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
		length = strcspn(line, ":\n");
		if (line[length] == ':' && is_of(line, length, name))
			found = tool_print("%.*s", (int)length, line);
	}
	free(text);

	return found;
}
