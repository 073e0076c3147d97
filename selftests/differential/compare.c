// SPDX-License-Identifier: GPL-2.0-only
/*
 * compare --names status|enabler
 * compare status|enabler IN-KERNEL MODULE AGAIN
 *
 * Reads what the program "differential" printed on two kernels: one with
 * user_events of its own, and one with the module. Every difference must be of
 * a class that has a name here, and the names are those of rows of the tables
 * in Documentation/user_events.rst.
 *
 * Once the two disagree on whether there is an event, everything that is done
 * with it gives different results. That is taken for a consequence of the first
 * difference, up to the next "reset" on which they agree.
 *
 * AGAIN is the command that does a batch again, without its number.
 */
#include "classes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 64
#define SUBJECTS 3
#define FILES 3
#define SHOWN_MAX 20
#define KNOWN_MAX 64

static enum generation generation;

/* --- what was printed ------------------------------------------------------ */

struct line {
	char *text;
	char *what;
	char *value;
};

/*
 * struct operation - an operation and what one of the kernels said of it
 * @id: "batch.number"
 * @subject: the event, or -1 for all
 */
struct operation {
	char *id;
	int subject;
	char *text;
	struct line lines[LINES_MAX];
	unsigned int count;
};

struct input {
	FILE *file;
	const char *name;
	char *next;
	bool complete;
};

static char *cut(char **at)
{
	return strsep(at, "\t") ?: "";
}

static void input_advance(struct input *input)
{
	size_t size = 0;
	ssize_t got;

	input->next = NULL;
	got = getline(&input->next, &size, input->file);
	if (got > 0 && input->next[got - 1] == '\n')
		input->next[got - 1] = '\0';
	if (got <= 0 || !strcmp(input->next, "end")) {
		input->complete = got > 0;
		free(input->next);
		input->next = NULL;
	}
}

static bool same_id(const char *line, const char *id)
{
	size_t length = strlen(id);

	return !strncmp(line, id, length) && line[length] == '\t';
}

static bool input_read(struct input *input, struct operation *operation)
{
	unsigned int i;

	for (i = 0; i < operation->count; i++)
		free(operation->lines[i].text);
	memset(operation, 0, sizeof(*operation));
	while (input->next && operation->count < LINES_MAX &&
	       (!operation->id || same_id(input->next, operation->id))) {
		struct line *line = &operation->lines[operation->count++];
		char *at = input->next;

		line->text = input->next;
		operation->id = cut(&at);
		operation->subject = strcmp(at, "*") && isdigit(*at) ? atoi(at)
								     : -1;
		cut(&at);
		operation->text = cut(&at);
		line->what = cut(&at);
		line->value = at ?: "";
		input_advance(input);
	}

	return operation->count;
}

/* --- what a batch has done so far ------------------------------------------ */

/*
 * struct state - what must be remembered to judge what follows
 * @command: that the subject's event was made by, as far as the module goes
 * @known: all commands that made something; some names are none of a subject
 * @joined: a line of dynamic_events has asked for it when it was there already
 * @left: registering it to stay has failed for the address
 * @subject, @file: the class of difference that they suffer from
 * @batch: that anything of this batch suffers from
 */
static struct {
	char *command[SUBJECTS];
	char *known[KNOWN_MAX];
	bool joined[SUBJECTS];
	bool left[SUBJECTS];
	struct class *subject[SUBJECTS];
	struct class *file[FILES];
	struct class *batch;
} state;

/* --- comparing ------------------------------------------------------------- */

static unsigned long operations, commands, results, unnamed;
static const char *again;

static int file_of(const struct operation *operation)
{
	const char *at = strstr(operation->text, "file=");
	unsigned int file = at ? atoi(at + 5) : FILES;

	return file < FILES ? (int)file : -1;
}

/* The earlier difference that accounts for this one, if there is any. */
static struct class *cause(const struct operation *operation,
			   const struct difference *difference)
{
	int file = file_of(operation);

	if (operation->subject < 0 || is(difference->what, "bit"))
		return state.batch;
	if (state.subject[operation->subject])
		return state.subject[operation->subject];

	return file >= 0 ? state.file[file] : NULL;
}

static void suffer(const struct operation *operation, struct class *class)
{
	int file = file_of(operation);

	if (operation->subject >= 0)
		state.subject[operation->subject] = class;
	if (file >= 0)
		state.file[file] = class;
	state.batch = class;
}

static void print_escaped(const char *text)
{
	for (; *text; text++)
		if (is_control(*text) || (unsigned char)*text >= 0x7f)
			printf("\\x%02x", (unsigned char)*text);
		else
			putchar(*text);
}

static void complain(const struct operation *operation,
		     const struct difference *difference)
{
	if (unnamed++ >= SHOWN_MAX)
		return;
	printf("difference without a name: operation %s: %s\n  the event:  ",
	       operation->id, operation->text);
	print_escaped(difference->current);
	printf("\n"
	       "  in-kernel:  %s: %s\n"
	       "  module:     %s: %s\n"
	       "  once again: %s --batch %lu\n",
	       difference->what, difference->theirs, difference->what,
	       difference->ours, again, strtoul(operation->id, NULL, 10));
}

/* Returns the class if all that the operation did suffers from it, too. */
static struct class *judge(const struct operation *operation,
			   const struct difference *difference)
{
	struct class *class = cause(operation, difference);

	if (class) {
		class->consequences++;
		/* The indices of that file are others from here on. */
		if (begins(operation->text, "register "))
			suffer(operation, class);
		return NULL;
	}
	class = class_of(difference, generation);
	if (!class) {
		complain(operation, difference);
		/* One defect is told of once. */
		suffer(operation, &limits);
		return NULL;
	}
	class->count++;
	if (class->reach == THE_EVENT)
		suffer(operation, class);

	return class->reach == THIS_LINE ? NULL : class;
}

static const char *value_of(const struct operation *operation, const char *what,
			    unsigned int number)
{
	unsigned int i;

	for (i = 0; i < operation->count; i++)
		if (is(operation->lines[i].what, what) && !number--)
			return operation->lines[i].value;

	return "";
}

/* How many lines of the same kind are before this one. */
static unsigned int rank(const struct operation *operation, unsigned int line)
{
	unsigned int i, before = 0;

	for (i = 0; i < line; i++)
		before += is(operation->lines[i].what,
			     operation->lines[line].what);

	return before;
}

static bool has_line(const struct operation *operation, const char *what,
		     unsigned int number)
{
	unsigned int i, count = 0;

	for (i = 0; i < operation->count; i++)
		count += is(operation->lines[i].what, what);

	return number < count;
}

static bool creates(const struct operation *operation)
{
	return begins(operation->text, "register ") ||
	       begins(operation->text, "line \"u:");
}

static const char *without_system(const char *name)
{
	size_t length = strcspn(name, "/ ");

	return name[length] == '/' ? name + length + 1 : name;
}

/* What has made the event that a command is about, or NULL. */
static char **known(const char *command)
{
	size_t length = strcspn(command, " :");
	unsigned int i;

	for (i = 0; i < KNOWN_MAX; i++)
		if (state.known[i] &&
		    !strncmp(state.known[i], command, length) &&
		    strcspn(state.known[i], " :") == length)
			return &state.known[i];

	return NULL;
}

static const char *current_of(const struct operation *operation,
			      const char *command)
{
	char **by_name = creates(operation) ? known(command) : NULL;
	int subject = operation->subject;

	if (creates(operation))
		return by_name ? *by_name : "";

	return subject >= 0 ? state.command[subject] ?: "" : "";
}

static struct class *compare_line(const struct operation *operation,
				  const char *what, const char *theirs,
				  const char *ours)
{
	char *command = unquote(operation->text);
	int subject = operation->subject;
	struct difference difference = {
		.text = operation->text,
		.what = what,
		.theirs = theirs,
		.ours = ours,
		.command = begins(operation->text, "line ")
				   ? command_of_line(command)
				   : command,
		.joined = subject >= 0 && state.joined[subject],
		.left = subject >= 0 && state.left[subject],
	};
	struct class *class = NULL;

	difference.current = current_of(operation, difference.command);
	if (!is(theirs, ours))
		class = judge(operation, &difference);
	results++;
	free(command);

	return class;
}

static void compare_lines(const struct operation *theirs,
			  const struct operation *ours)
{
	struct class *all = NULL;
	unsigned int i;

	for (i = 0; i < theirs->count; i++) {
		const char *what = theirs->lines[i].what;
		const char *value = value_of(ours, what, rank(theirs, i));

		if (!all)
			all = compare_line(ours, what, theirs->lines[i].value,
					   value);
	}
	for (i = 0; i < ours->count; i++)
		if (!all &&
		    !has_line(theirs, ours->lines[i].what, rank(ours, i)))
			all = compare_line(ours, ours->lines[i].what, "",
					   ours->lines[i].value);
}

static bool is_deletion(const struct operation *operation)
{
	return begins(operation->text, "delete ") ||
	       begins(operation->text, "line \"-") ||
	       begins(operation->text, "line \"!");
}

static void forget(char **command)
{
	if (!command)
		return;
	free(*command);
	*command = NULL;
}

static void forget_all(void)
{
	unsigned int i;

	for (i = 0; i < KNOWN_MAX; i++)
		forget(&state.known[i]);
}

/* Both have none of the event any more. */
static void remember_reset(int subject, bool agreed)
{
	bool others = false, suffering = false;
	int i;

	if (state.command[subject])
		forget(known(state.command[subject]));
	forget(&state.command[subject]);
	state.joined[subject] = false;
	state.left[subject] = false;
	memset(state.file, 0, sizeof(state.file));
	if (agreed)
		state.subject[subject] = NULL;
	for (i = 0; i < SUBJECTS; i++) {
		others |= !!state.command[i];
		suffering |= !!state.subject[i];
	}
	if (!others)
		forget_all();
	if (!others && !suffering)
		state.batch = NULL;
}

static void remember_command(int subject, const char *command)
{
	unsigned int i = 0;

	if (!state.command[subject])
		state.command[subject] = strdup(command);
	if (known(command))
		return;
	while (i < KNOWN_MAX - 1 && state.known[i])
		i++;
	forget(&state.known[i]);
	state.known[i] = strdup(command);
}

/* The address is the last thing that is looked at. */
static bool fails_to_stay(const struct operation *operation)
{
	const char *flags = strstr(operation->text, " flags=");

	return begins(operation->text, "register ") && flags &&
	       atoi(flags + 7) & 1 &&
	       is(value_of(operation, "result", 0), "ENOMEM");
}

/* Of several formats theirs may have made one more, which is seen in lists. */
static bool may_be_another(const struct operation *operation,
			   const char *command)
{
	const char *flags = strstr(operation->text, " flags=");
	char **before = known(command);

	return begins(operation->text, "register ") && flags &&
	       atoi(flags + 7) & 2 && before && !is(*before, command);
}

/* What later differences are judged by. */
static void remember(const struct operation *ours, bool agreed)
{
	int file = file_of(ours), subject = ours->subject;
	char *text = unquote(ours->text), *command = text;

	if (begins(ours->text, "line "))
		command = command_of_line(text);
	if (begins(ours->text, "close ") && file >= 0)
		state.file[file] = NULL;
	if (begins(ours->text, "reset"))
		remember_reset(subject, agreed);
	if (begins(ours->text, "line \"u:") && state.command[subject])
		state.joined[subject] = true;
	if (may_be_another(ours, command))
		suffer(ours, class_named(RESPELLED));
	if (fails_to_stay(ours)) {
		state.left[subject] = true;
		remember_command(subject, command);
	}
	if (succeeded(value_of(ours, "result", 0))) {
		if (creates(ours))
			remember_command(subject, command);
		else if (is_deletion(ours))
			forget(known(without_system(command)));
	}
	free(text);
}

static void next_batch(const char *id)
{
	static unsigned long last = -1UL;
	unsigned long batch = strtoul(id, NULL, 10);
	unsigned int i;

	if (batch == last)
		return;
	last = batch;
	for (i = 0; i < SUBJECTS; i++)
		free(state.command[i]);
	forget_all();
	memset(&state, 0, sizeof(state));
}

static bool compare(struct input *theirs, struct input *ours)
{
	static struct operation their, our;

	while (true) {
		/* Both, so that neither is ahead of the other at the end. */
		bool more = input_read(theirs, &their);

		more = input_read(ours, &our) && more;
		if (!more)
			break;

		if (!is(their.id, our.id) || !is(their.text, our.text)) {
			printf("not the same operations: %s %s and %s %s\n",
			       their.id, their.text, our.id, our.text);
			return false;
		}
		next_batch(our.id);
		operations++;
		commands += creates(&our);
		compare_lines(&their, &our);
		remember(&our, is(value_of(&their, "result", 0),
				  value_of(&our, "result", 0)));
	}
	if (!theirs->complete)
		printf("%s is not complete\n", theirs->name);
	if (!ours->complete)
		printf("%s is not complete\n", ours->name);

	return theirs->complete && ours->complete;
}

/* --- the program ----------------------------------------------------------- */

static bool open_input(struct input *input, const char *name)
{
	input->name = name;
	input->file = fopen(name, "r");
	if (!input->file) {
		perror(name);
		return false;
	}
	input_advance(input);

	return true;
}

static void report_class(const struct class *class)
{
	printf("# %8lu %8lu  %s\n", class->count, class->consequences,
	       class->name);
}

static void report(void)
{
	struct class *class = NULL;

	printf("# %lu command strings, %lu operations, %lu results\n", commands,
	       operations, results);
	printf("# differences and their consequences:\n");
	while ((class = class_next(class, generation)))
		report_class(class);
	report_class(&limits);
	printf("# %8lu           without a name\n", unnamed);
}

int main(int argc, char **argv)
{
	struct input theirs = { 0 }, ours = { 0 };
	const char *which = argc > 2 && is(argv[1], "--names") ? argv[2]
			    : argc == 5			       ? argv[1]
							       : "";
	struct class *class = NULL;
	bool whole;

	generation = is(which, "status")    ? STATUS
		     : is(which, "enabler") ? ENABLER
					    : 0;
	if (!generation) {
		fprintf(stderr,
			"usage: %s --names status|enabler\n"
			"       %s status|enabler IN-KERNEL MODULE AGAIN\n",
			argv[0], argv[0]);
		return 2;
	}
	if (is(argv[1], "--names")) {
		while ((class = class_next(class, generation)))
			puts(class->name);
		return 0;
	}

	if (!open_input(&theirs, argv[2]) || !open_input(&ours, argv[3]))
		return 2;
	again = argv[4];
	whole = compare(&theirs, &ours);
	report();

	return !whole || unnamed;
}
