// SPDX-License-Identifier: GPL-2.0-only
/* Programs as data and as text. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "program.h"

void program_clear(struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->count; i++)
		free(program->operations[i].text);
	program->count = 0;
}

void program_copy(struct program *to, const struct program *from)
{
	unsigned int i;

	program_clear(to);
	for (i = 0; i < from->count; i++) {
		struct operation copy = from->operations[i];

		if (copy.text)
			copy.text = strdup(copy.text);
		program_insert(to, i, copy);
	}
}

bool program_insert(struct program *program, unsigned int at,
		    struct operation operation)
{
	struct operation *operations = program->operations;

	if (program->count == OPERATIONS_MAX) {
		free(operation.text);
		return false;
	}
	memmove(&operations[at + 1], &operations[at],
		(program->count - at) * sizeof(*operations));
	operations[at] = operation;
	program->count++;

	return true;
}

void program_remove(struct program *program, unsigned int at)
{
	struct operation *operations = program->operations;

	free(operations[at].text);
	program->count--;
	memmove(&operations[at], &operations[at + 1],
		(program->count - at) * sizeof(*operations));
}

unsigned int program_threads(const struct program *program)
{
	unsigned int threads = 1, i;

	for (i = 0; i < program->count; i++)
		if (program->operations[i].thread >= threads)
			threads = program->operations[i].thread + 1;

	return threads;
}

/* --- text form --- */

static void print_text(const char *text, FILE *to)
{
	fputs(" \"", to);
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\' || c < ' ' || c >= 0x7f)
			fprintf(to, "\\x%02x", c);
		else
			fputc(c, to);
	}
	fputc('"', to);
}

void operation_print(const struct operation *operation, FILE *to)
{
	const struct kind *kind = &kinds[operation->kind];
	unsigned int i;

	fprintf(to, "%u %u %s", operation->thread, operation->times,
		kind->name);
	for (i = 0; i < ARGUMENTS && kind->arguments[i].domain; i++)
		fprintf(to,
			operation->arguments[i] < 10 ? " %" PRIu64
						     : " 0x%" PRIx64,
			operation->arguments[i]);
	if (operation->text)
		print_text(operation->text, to);
	fputc('\n', to);
}

void program_print(const struct program *program, FILE *to)
{
	unsigned int i;

	for (i = 0; i < program->count; i++)
		operation_print(&program->operations[i], to);
}

static int hex_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';

	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
					  : -1;
}

/* Parses up to the closing quotation mark. Return: NULL if there is none. */
static char *read_text(const char *line)
{
	char *text = malloc(TEXT_MAX + 1);
	size_t used = 0;

	for (; text && *line && *line != '"' && used < TEXT_MAX; line++) {
		text[used] = *line;
		if (*line == '\\') {
			int high = line[1] == 'x' ? hex_digit(line[2]) : -1;
			int low = high >= 0 ? hex_digit(line[3]) : -1;

			if (low < 0 || !(high + low))
				break;
			text[used] = (char)(high * 16 + low);
			line += 3;
		}
		used++;
	}
	if (!text || *line != '"' || line[1]) {
		free(text);
		return NULL;
	}
	text[used] = '\0';

	return text;
}

static bool read_number(const char **line, uint64_t *number)
{
	char *end;

	*line += strspn(*line, " ");
	if (!isdigit((unsigned char)**line))
		return false;
	*number = strtoull(*line, &end, 0);
	*line = end;

	return true;
}

static bool read_kind(const char **line, unsigned int *kind)
{
	size_t length;

	*line += strspn(*line, " ");
	length = strcspn(*line, " ");
	for (*kind = 0; *kind < kinds_count; ++*kind)
		if (strlen(kinds[*kind].name) == length &&
		    !strncmp(kinds[*kind].name, *line, length)) {
			*line += length;
			return true;
		}

	return false;
}

static bool read_operation(const char *line, struct operation *operation)
{
	uint64_t thread, times;
	unsigned int i;

	*operation = (struct operation){ 0 };
	if (!read_number(&line, &thread) || thread >= THREADS ||
	    !read_number(&line, &times) || !times || times > TIMES_MAX ||
	    !read_kind(&line, &operation->kind))
		return false;
	operation->thread = thread;
	operation->times = times;

	for (i = 0; i < ARGUMENTS && kinds[operation->kind].arguments[i].domain;
	     i++)
		if (!read_number(&line, &operation->arguments[i]))
			return false;

	line += strspn(line, " ");
	if (!kinds[operation->kind].text)
		return !*line;
	if (*line != '"')
		return false;
	operation->text = read_text(line + 1);

	return operation->text;
}

int program_read(struct program *program, const char **text)
{
	int number = 0;

	program_clear(program);
	while (**text) {
		size_t length = strcspn(*text, "\n");
		struct operation operation;
		char *line;
		bool good;

		number++;
		if (!strncmp(*text, "program", 7) && program->count)
			return 0;
		line = strndup(*text, length);
		*text += length + ((*text)[length] == '\n');
		if (!*line || *line == '#' || !strncmp(line, "program", 7)) {
			free(line);
			continue;
		}
		good = read_operation(line, &operation) &&
		       program_insert(program, program->count, operation);
		free(line);
		if (!good)
			return number;
	}

	return program->count ? 0 : -1;
}
