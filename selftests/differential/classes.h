/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classes of known differences between the in-kernel user_events and the
 * module.
 */
#ifndef SELFTESTS_DIFFERENTIAL_CLASSES_H
#define SELFTESTS_DIFFERENTIAL_CLASSES_H

#include <stdbool.h>

/* The generation of the interface that a run uses. */
enum generation {
	STATUS = 1,
	ENABLER = 2,
	BOTH = STATUS | ENABLER,
};

/*
 * struct difference - two values of one result
 * @text: the operation
 * @what: which of its results
 * @theirs, @ours: the values; "" if there is none
 * @command: the command string of the operation, unescaped, or ""
 * @event_command: the command by which the module created the event, or ""
 * @joined: a line of dynamic_events asked for the event when it already existed
 * @left: registering a persistent event has failed because of the address
 */
struct difference {
	const char *text;
	const char *what;
	const char *theirs;
	const char *ours;
	const char *command;
	const char *event_command;
	bool joined;
	bool left;
};

/*
 * enum reach - other results that differ as a consequence, and are not
 *		evaluated
 * @THIS_LINE: none
 * @THIS_OPERATION: the other results of the operation
 * @THE_EVENT: all later results of the event, until it is deleted
 */
enum reach {
	THIS_LINE,
	THIS_OPERATION,
	THE_EVENT,
};

/*
 * struct diff_class - intended differences
 * @name: a row of a table in Documentation/user_events.rst, without its markup
 * @generation: generations in which the difference can occur
 * @reach: other results that are affected
 * @matches: whether a difference is of this class
 * @count, @consequences: number of differences, and of affected results
 */
struct diff_class {
	const char *name;
	enum generation generation;
	enum reach reach;
	bool (*matches)(const struct difference *difference);
	unsigned long count;
	unsigned long consequences;
};

/* The class of a difference, or NULL. */
struct diff_class *class_of(const struct difference *difference,
			    enum generation generation);

/* Iterates over the classes: starts after NULL, returns NULL after the last. */
struct diff_class *class_next(const struct diff_class *class,
			      enum generation generation);

struct diff_class *class_by_name(const char *name);

#define RESPELLED \
	"registering a name again with the same fields in another spelling"

/*
 * Not a row of a table: the limits in section "The command" of that document.
 */
extern struct diff_class limits;

/* --- text functions ------------------------------------------------------- */

bool streq(const char *a, const char *b);

bool starts_with(const char *text, const char *with);

/* Whether a result is a number and not an error. */
bool succeeded(const char *value);

bool is_control(char c);

/* Unescapes the text between the quotes. Return: allocated text. */
char *unquote(const char *text);

/* First command of a text written to dynamic_events, which is modified. */
char *command_of_line(char *line);

#endif /* SELFTESTS_DIFFERENTIAL_CLASSES_H */
