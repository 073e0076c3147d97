/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What operations there are, and what their arguments mean: a row for each.
 * Who makes programs reads what the numbers are to be like; who runs them calls
 * the function.
 */
#ifndef SELFTESTS_FUZZ_KINDS_H
#define SELFTESTS_FUZZ_KINDS_H

#include "program.h"

/*
 * enum domain - what a number is
 * @NOTHING: the kind has no more arguments
 * @FILE_SLOT: a file that the program opened, see FILES
 * @PERF_SLOT: a perf event, see PERFS
 * @EVENT: an event; those that are registered as st_0, st_1 and so on, and
 *	   beyond those some of several formats
 * @INSTANCE: of tracefs; 0 is the top level
 * @ADDRESS: any address, mostly in the areas
 * @AREA: an address in the areas, where mappings may change
 * @PLACE: where an argument of a system call is put: see enum place; all others
 *	   are addresses
 * @LENGTH: bytes of a record, or to read
 * @PAGES: up to what an area has
 * @SIZE: of a structure
 * @BIT: of a value
 * @INDEX: that a record begins with
 * @NUMBER: any
 * @CHOICE: from 0 to one less than the argument's count
 */
enum domain {
	NOTHING,
	FILE_SLOT,
	PERF_SLOT,
	EVENT,
	INSTANCE,
	ADDRESS,
	AREA,
	PLACE,
	LENGTH,
	PAGES,
	SIZE,
	BIT,
	INDEX,
	NUMBER,
	CHOICE,
};

/* enum text - what a text is */
enum text {
	NO_TEXT,
	COMMAND,
	NAME,
	LINE,
	FILTER,
	TRIGGER,
	SET_EVENT,
	PARAMETERS,
};

struct argument {
	enum domain domain;
	unsigned int count;
};

/*
 * struct kind - a kind of operations
 * @name: in programs as text
 * @run: does it
 * @arguments: the numbers it takes
 * @text: the text it takes
 * @weight: how often it is chosen
 * @is_concurrent: when it has an effect is not for the program to say
 */
struct kind {
	const char *name;
	void (*run)(const struct operation *operation);
	struct argument arguments[ARGUMENTS];
	enum text text;
	unsigned int weight;
	bool is_concurrent;
};

extern const struct kind kinds[];
extern const unsigned int kinds_count;

/* More than there are. */
#define KINDS_MAX 64

/* Of a program, whoever opened them; a number tells the descriptor. */
#define FILES 6
#define PERFS 3
#define EVENTS 6
#define INSTANCES 3

enum place {
	PLACE_PLAIN,
	PLACE_EDGE, /* the last byte is the last of a page */
	PLACE_BEYOND, /* a few bytes are on a page that is not there */
	PLACE_ODD, /* not aligned */
	PLACE_END,
};

#endif /* SELFTESTS_FUZZ_KINDS_H */
