// SPDX-License-Identifier: MIT
#include "ui/options.h"

#include <stdlib.h>
#include <string.h>

#include <userevents/decode.h>

#include "ui/option_value.h"
#include "ui/out.h"

/* Columns of the help: of texts, and the maximum */
#define TEXT_COLUMN 27
#define COLUMNS 80

static const struct tool_option help_option = { "help", 'h', NULL,
						"print this help" };

/* What getopt_long() returns for the first row of a command with a long name */
#define FIRST_ROW (1 << 16)

/* ---- Help ---- */

static void indent(struct uev_output *to, size_t column)
{
	while (column--)
		tool_append(to, " ", 1);
}

/* Appends a line from TEXT_COLUMN on, broken at spaces. */
static void put_line(struct uev_output *to, const char *text, size_t size)
{
	size_t column = TEXT_COLUMN, start, word;

	while (size) {
		/* Spaces at the start are kept. */
		start = strspn(text, " ");
		word = start + strcspn(text + start, " \n");
		if (column > TEXT_COLUMN && column + word > COLUMNS) {
			tool_put(to, "\n");
			indent(to, TEXT_COLUMN);
			column = TEXT_COLUMN;
			text += start;
			size -= start;
			word -= start;
		}
		tool_append(to, text, word);
		column += word;
		text += word;
		size -= word;
	}
}

static void put_text(struct uev_output *to, const char *text)
{
	size_t size = strcspn(text, "\n");

	put_line(to, text, size);
	for (text += size; *text; text += size) {
		tool_put(to, "\n");
		indent(to, TEXT_COLUMN);
		size = strcspn(++text, "\n");
		put_line(to, text, size);
	}
	tool_put(to, "\n");
}

static bool is_optional(const struct tool_option *option)
{
	return option->argument && option->argument[0] == '[';
}

static void print_option(const struct tool_command *command,
			 const struct tool_option *option)
{
	_cleanup_(uev_output_release) struct uev_output line = UEV_OUTPUT_INIT;
	_cleanup_(uev_output_release) struct uev_output help = UEV_OUTPUT_INIT;
	_cleanup_free_ char *start = NULL;
	const char *argument = option->argument ? option->argument : "";
	char letter[] = { '-', (char)option->letter, ',', ' ', '\0' };

	start = tool_print("  %s--%s%s%s%s", option->letter ? letter : "    ",
			   option->name, is_optional(option) ? "[=" : "",
			   *argument && !is_optional(option) ? " " : "",
			   argument + is_optional(option));
	tool_put(&line, start);
	if (line.size >= TEXT_COLUMN) {
		tool_put(&line, "\n");
		indent(&line, TEXT_COLUMN);
	} else {
		indent(&line, TEXT_COLUMN - line.size);
	}
	tool_put(&help, option->help);
	if (command->formats && option->letter == 't')
		command->formats(&help);
	put_text(&line, help.text);
	out_bytes(line.text, line.size);
}

static void print_options(const struct tool_command *command)
{
	const struct tool_option_table *table = command->options;
	const struct tool_option *option;
	bool has_title = false;

	out_print("Options:\n");
	for (; table && table->rows; table++) {
		for (option = table->rows; option->help; option++) {
			if (option->name) {
				print_option(command, option);
				continue;
			}
			if (!has_title)
				print_option(command, &help_option);
			has_title = true;
			out_print("\n%s\n", option->help);
		}
	}
	if (!has_title)
		print_option(command, &help_option);
}

int tool_help(const struct tool_command *command)
{
	out_print("Usage: user-events %s%s%s\n\n%s.\n\n%s%s", command->name,
		  command->arguments[0] ? " " : "", command->arguments,
		  command->summary, command->help,
		  command->help[0] ? "\n" : "");
	print_options(command);
	if (command->notes)
		out_print("\n%s", command->notes);

	return TOOL_OK;
}

/* ---- Parser ---- */

/* struct parsed - An option, and the struct whose member it sets */
struct parsed {
	const struct tool_option *option;
	char *members;
};

/*
 * struct parser - The options for getopt_long()
 * @names: their long names, and @rows their rows
 */
struct parser {
	struct option *names;
	struct parsed *rows;
	size_t count;
	struct uev_output letters;
};

static void add_option(struct parser *parser, const struct tool_option *option,
		       char *members)
{
	int has_argument = is_optional(option) ? optional_argument
			   : option->argument  ? required_argument
					       : no_argument;
	char letter = (char)option->letter;

	parser->names =
		tool_room(parser->names, parser->count, sizeof(*parser->names));
	parser->rows =
		tool_room(parser->rows, parser->count, sizeof(*parser->rows));
	parser->rows[parser->count] = (struct parsed){ option, members };
	parser->names[parser->count] = (struct option){
		.name = option->name,
		.has_arg = has_argument,
		.val = FIRST_ROW + (int)parser->count,
	};
	parser->count++;
	if (!option->letter)
		return;
	tool_append(&parser->letters, &letter, 1);
	tool_append(&parser->letters, "::", (size_t)has_argument);
}

static void set_up(struct parser *parser, const struct tool_command *command,
		   void *members)
{
	const struct tool_option_table *table = command->options;
	const struct tool_option *option;

	if (command->has_first_argument)
		tool_put(&parser->letters, "+");
	for (; table && table->rows; table++)
		for (option = table->rows; option->help; option++)
			if (option->name)
				add_option(parser, option,
					   (char *)members + table->offset);
	add_option(parser, &help_option, NULL);
	parser->names =
		tool_room(parser->names, parser->count, sizeof(*parser->names));
	parser->names[parser->count] = (struct option){ 0 };
}

/* @got: from getopt_long(). Return: NULL for an unknown option */
static const struct parsed *find_row(const struct parser *parser, int got)
{
	size_t i;

	if (got >= FIRST_ROW)
		return &parser->rows[got - FIRST_ROW];
	for (i = 0; i < parser->count; i++)
		if (parser->rows[i].option->letter == got)
			return &parser->rows[i];

	return NULL;
}

static int set_option(const struct tool_command *command,
		      const struct parsed *row)
{
	struct tool_argument argument = { .command = command, .text = optarg };

	if (!row)
		return tool_usage(command, NULL);
	if (row->option == &help_option) {
		tool_help(command);
		return TOOL_HELPED;
	}
	argument.option = row->option;

	return option_value_set(&argument, row->members);
}

int tool_take_color(void *member, const struct tool_argument *argument)
{
	unsigned int mode;
	int status = option_value_word(argument, &mode);

	(void)member;
	if (!status)
		out_set_color((enum out_color_mode)mode);

	return status;
}

int tool_parse_checked(const struct tool_command *command, void *members,
		       int argc, char **argv,
		       void (*check)(void *data,
				     const struct tool_option *option),
		       void *data)
{
	struct parser parser = { 0 };
	const struct parsed *row;
	int got, status = TOOL_OK;

	set_up(&parser, command, members);
	while (!status && (got = getopt_long(argc, argv, parser.letters.text,
					     parser.names, NULL)) != -1) {
		row = find_row(&parser, got);
		if (check && row && row->option != &help_option)
			check(data, row->option);
		status = set_option(command, row);
	}
	uev_output_release(&parser.letters);
	free(parser.names);
	free(parser.rows);

	return status;
}

int tool_parse_common(const struct tool_command *command, void *members,
		      int argc, char **argv)
{
	return tool_parse_checked(command, members, argc, argv, NULL, NULL);
}

/* ---- Completion ---- */

static bool is_called(const struct tool_option *row, const char *option)
{
	if (option[0] != '-' || !row->name)
		return false;
	if (option[1] == '-')
		return strcmp(option + 2, row->name) == 0;

	return row->letter && option[1] == row->letter && !option[2];
}

/* The first word of each line that the help has */
static void print_formats(const struct tool_command *command)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	const char *line;

	command->formats(&text);
	for (line = text.text; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n ");
		out_print("%.*s ", (int)strcspn(line, " "), line);
	}
	out_print("\n");
}

int tool_complete(const struct tool_command *command, const char *option)
{
	const struct tool_option_table *table = command->options;
	const struct tool_option *row;

	for (; table && table->rows; table++) {
		for (row = table->rows; row->help; row++) {
			if (!is_called(row, option) || !row->argument ||
			    is_optional(row))
				continue;
			if (row->letter == 't' && command->formats)
				print_formats(command);
			else if (row->value.words)
				out_print("%s\n", row->value.words);
			return TOOL_OK;
		}
	}

	return TOOL_FAILED;
}
