// SPDX-License-Identifier: GPL-2.0-only
/*
 *   compare --names status|enabler
 *   compare status|enabler IN-KERNEL MODULE RERUN
 *
 * Compares the output of the program "differential" on two kernels: one with
 * in-kernel user_events, and one with the module. Every difference must be of a
 * class, whose name is a row of the tables in Documentation/user_events.rst.
 *
 * Once the kernels disagree on whether an event exists, all further results of
 * the event differ. These are counted as consequences of the first difference,
 * up to the next "reset" on which the kernels agree.
 *
 * RERUN is the command that repeats a batch, without the batch's number.
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

/* --- input ---------------------------------------------------------------- */

struct line {
	char *text;
	char *what;
	char *value;
};

/*
 * struct operation - an operation and its results on one kernel
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

/* --- state of a batch ----------------------------------------------------- */

/*
 * struct state - what the classification of later differences needs
 * @command: command by which the module created the subject's event
 * @known: all commands that created events; some names are not those of a
 *	   subject
 * @joined: a line of dynamic_events asked for the event when it already existed
 * @left: registering it as persistent has failed because of the address
 * @subject, @file: class of the difference that affects them
 * @batch: class of the last difference of the batch
 */
static struct {
	char *command[SUBJECTS];
	char *known[KNOWN_MAX];
	bool joined[SUBJECTS];
	bool left[SUBJECTS];
	struct diff_class *subject[SUBJECTS];
	struct diff_class *file[FILES];
	struct diff_class *batch;
} state;

/* --- comparison ----------------------------------------------------------- */

static unsigned long operations, commands, results, unknown;
static const char *rerun;

static int file_of(const struct operation *operation)
{
	const char *at = strstr(operation->text, "file=");
	unsigned int file = at ? atoi(at + 5) : FILES;

	return file < FILES ? (int)file : -1;
}

/* The earlier difference that causes this one, or NULL. */
static struct diff_class *find_cause(const struct operation *operation,
				     const struct difference *difference)
{
	int file = file_of(operation);

	if (operation->subject < 0 || streq(difference->what, "bit"))
		return state.batch;
	if (state.subject[operation->subject])
		return state.subject[operation->subject];

	return file >= 0 ? state.file[file] : NULL;
}

static void mark_affected(const struct operation *operation,
			  struct diff_class *class)
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

static void report_unknown(const struct operation *operation,
			   const struct difference *difference)
{
	if (unknown++ >= SHOWN_MAX)
		return;
	printf("unknown difference: operation %s: %s\n  event:      ",
	       operation->id, operation->text);
	print_escaped(difference->event_command);
	printf("\n"
	       "  in-kernel:  %s: %s\n"
	       "  module:     %s: %s\n"
	       "  to repeat:  %s --batch %lu\n",
	       difference->what, difference->theirs, difference->what,
	       difference->ours, rerun, strtoul(operation->id, NULL, 10));
}

/* Return: the class if it accounts for all results of the operation. */
static struct diff_class *classify(const struct operation *operation,
				   const struct difference *difference)
{
	struct diff_class *class = find_cause(operation, difference);

	if (class) {
		class->consequences++;
		/* The file's indexes differ from here on. */
		if (starts_with(operation->text, "register "))
			mark_affected(operation, class);
		return NULL;
	}
	class = class_of(difference, generation);
	if (!class) {
		report_unknown(operation, difference);
		/* Report a defect once. */
		mark_affected(operation, &limits);
		return NULL;
	}
	class->count++;
	if (class->reach == THE_EVENT)
		mark_affected(operation, class);

	return class->reach == THIS_LINE ? NULL : class;
}

static const char *value_of(const struct operation *operation, const char *what,
			    unsigned int number)
{
	unsigned int i;

	for (i = 0; i < operation->count; i++)
		if (streq(operation->lines[i].what, what) && !number--)
			return operation->lines[i].value;

	return "";
}

/* Number of preceding lines of the same kind. */
static unsigned int rank(const struct operation *operation, unsigned int line)
{
	unsigned int i, before = 0;

	for (i = 0; i < line; i++)
		before += streq(operation->lines[i].what,
				operation->lines[line].what);

	return before;
}

static bool has_line(const struct operation *operation, const char *what,
		     unsigned int number)
{
	unsigned int i, count = 0;

	for (i = 0; i < operation->count; i++)
		count += streq(operation->lines[i].what, what);

	return number < count;
}

static bool creates(const struct operation *operation)
{
	return starts_with(operation->text, "register ") ||
	       starts_with(operation->text, "line \"u:");
}

static const char *without_system(const char *name)
{
	size_t length = strcspn(name, "/ ");

	return name[length] == '/' ? name + length + 1 : name;
}

/* The command that created the event of a command, or NULL. */
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

static const char *find_event_command(const struct operation *operation,
				      const char *command)
{
	char **by_name = creates(operation) ? known(command) : NULL;
	int subject = operation->subject;

	if (creates(operation))
		return by_name ? *by_name : "";

	return subject >= 0 ? state.command[subject] ?: "" : "";
}

static struct diff_class *compare_line(const struct operation *operation,
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
		.command = starts_with(operation->text, "line ")
				   ? command_of_line(command)
				   : command,
		.joined = subject >= 0 && state.joined[subject],
		.left = subject >= 0 && state.left[subject],
	};
	struct diff_class *class = NULL;

	difference.event_command =
		find_event_command(operation, difference.command);
	if (!streq(theirs, ours))
		class = classify(operation, &difference);
	results++;
	free(command);

	return class;
}

static void compare_lines(const struct operation *theirs,
			  const struct operation *ours)
{
	struct diff_class *all = NULL;
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
	return starts_with(operation->text, "delete ") ||
	       starts_with(operation->text, "line \"-") ||
	       starts_with(operation->text, "line \"!");
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

/* The event does not exist on either kernel any more. */
static void remember_reset(int subject, bool agreed)
{
	bool others = false, affected = false;
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
		affected |= !!state.subject[i];
	}
	if (!others)
		forget_all();
	if (!others && !affected)
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

/* The address is checked last. */
static bool fails_to_persist(const struct operation *operation)
{
	const char *flags = strstr(operation->text, " flags=");

	return starts_with(operation->text, "register ") && flags &&
	       atoi(flags + 7) & 1 &&
	       streq(value_of(operation, "result", 0), "ENOMEM");
}

/*
 * With several formats, the in-kernel user_events might have created another
 * event, which appears in lists.
 */
static bool might_create_another(const struct operation *operation,
				 const char *command)
{
	const char *flags = strstr(operation->text, " flags=");
	char **before = known(command);

	return starts_with(operation->text, "register ") && flags &&
	       atoi(flags + 7) & 2 && before && !streq(*before, command);
}

/* Updates the state by which later differences are classified. */
static void remember(const struct operation *ours, bool agreed)
{
	int file = file_of(ours), subject = ours->subject;
	char *text = unquote(ours->text), *command = text;

	if (starts_with(ours->text, "line "))
		command = command_of_line(text);
	if (starts_with(ours->text, "close ") && file >= 0)
		state.file[file] = NULL;
	if (starts_with(ours->text, "reset"))
		remember_reset(subject, agreed);
	if (starts_with(ours->text, "line \"u:") && state.command[subject])
		state.joined[subject] = true;
	if (might_create_another(ours, command))
		mark_affected(ours, class_by_name(RESPELLED));
	if (fails_to_persist(ours)) {
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
		/* Read both, so that neither is ahead at the end. */
		bool more = input_read(theirs, &their);

		more = input_read(ours, &our) && more;
		if (!more)
			break;

		if (!streq(their.id, our.id) || !streq(their.text, our.text)) {
			printf("different operations: %s %s and %s %s\n",
			       their.id, their.text, our.id, our.text);
			return false;
		}
		next_batch(our.id);
		operations++;
		commands += creates(&our);
		compare_lines(&their, &our);
		remember(&our, streq(value_of(&their, "result", 0),
				     value_of(&our, "result", 0)));
	}
	if (!theirs->complete)
		printf("%s: incomplete\n", theirs->name);
	if (!ours->complete)
		printf("%s: incomplete\n", ours->name);

	return theirs->complete && ours->complete;
}

/* --- main ----------------------------------------------------------------- */

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

static void report_class(const struct diff_class *class)
{
	printf("# %8lu %8lu  %s\n", class->count, class->consequences,
	       class->name);
}

static void report(void)
{
	struct diff_class *class = NULL;

	printf("# %lu command strings, %lu operations, %lu results\n", commands,
	       operations, results);
	printf("# differences, consequences, class:\n");
	while ((class = class_next(class, generation)))
		report_class(class);
	report_class(&limits);
	printf("# %8lu           unknown\n", unknown);
}

int main(int argc, char **argv)
{
	struct input theirs = { 0 }, ours = { 0 };
	const char *which = argc > 2 && streq(argv[1], "--names") ? argv[2]
			    : argc == 5				  ? argv[1]
								  : "";
	struct diff_class *class = NULL;
	bool complete_input;

	generation = streq(which, "status")    ? STATUS
		     : streq(which, "enabler") ? ENABLER
					       : 0;
	if (!generation) {
		fprintf(stderr,
			"usage: %s --names status|enabler\n"
			"       %s status|enabler IN-KERNEL MODULE RERUN\n",
			argv[0], argv[0]);
		return 2;
	}
	if (streq(argv[1], "--names")) {
		while ((class = class_next(class, generation)))
			puts(class->name);
		return 0;
	}

	if (!open_input(&theirs, argv[2]) || !open_input(&ours, argv[3]))
		return 2;
	rerun = argv[4];
	complete_input = compare(&theirs, &ours);
	report();

	return !complete_input || unknown;
}
