/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A difference between the in-kernel user_events and the module, and the class
 * that it is of.
 */
#ifndef SELFTESTS_DIFFERENTIAL_CLASSES_H
#define SELFTESTS_DIFFERENTIAL_CLASSES_H

#include <stdbool.h>

/* The interface that a run was about. */
enum generation {
	STATUS = 1,
	ENABLER = 2,
	BOTH = STATUS | ENABLER,
};

/*
 * struct difference - two values for one result
 * @text: the operation
 * @what: which of its results
 * @theirs, @ours: "" where there is none
 * @command: the string that it was about, without escapes, or ""
 * @current: what the event was made by, as far as the module goes, or ""
 * @joined: a line of dynamic_events has asked for it when it was there already
 * @left: registering an event that stays has failed for the address
 */
struct difference {
	const char *text;
	const char *what;
	const char *theirs;
	const char *ours;
	const char *command;
	const char *current;
	bool joined;
	bool left;
};

/*
 * enum reach - what else differs then, and is not to be judged
 * @THIS_LINE: nothing
 * @THIS_OPERATION: whatever the operation brought
 * @THE_EVENT: all that is done with the event, until it is gone
 */
enum reach {
	THIS_LINE,
	THIS_OPERATION,
	THE_EVENT,
};

/*
 * struct class - differences that are meant
 * @name: of a row in Documentation/user_events.rst, without its markup
 * @generation: which run may meet it
 * @reach: what follows from it
 * @is: whether a difference is of this class
 * @count, @consequences: how often it was met
 */
struct class
{
	const char *name;
	enum generation generation;
	enum reach reach;
	bool (*is)(const struct difference *difference);
	unsigned long count;
	unsigned long consequences;
};

/* The class of a difference, or NULL. */
struct class *class_of(const struct difference *difference,
		       enum generation generation);

/* One after the other, NULL behind the last. Begin with NULL. */
struct class *class_next(const struct class *class, enum generation generation);

struct class *class_named(const char *name);

#define RESPELLED \
	"registering a name again with the same fields in another spelling"

/* What is no row: the limits that the document's "The command" has. */
extern struct class limits;

/* --- texts ----------------------------------------------------------------- */

bool is(const char *a, const char *b);

bool begins(const char *text, const char *with);

/* A result that is a number and no error. */
bool succeeded(const char *value);

bool is_control(char c);

/* Takes the escapes out of what is between the quotes; to be freed. */
char *unquote(const char *text);

/* The first command in what was written to dynamic_events, which gets cut. */
char *command_of_line(char *line);

#endif /* SELFTESTS_DIFFERENTIAL_CLASSES_H */
