/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of operations: one row each, with the domains of their arguments.
 * The generator reads the domains; the executor calls the function.
 */
#ifndef SELFTESTS_FUZZ_KINDS_H
#define SELFTESTS_FUZZ_KINDS_H

#include "program.h"

/*
 * enum domain - meaning of a number
 * @NOTHING: the kind has no more arguments
 * @FILE_SLOT: a file that the program opened, see FILES
 * @PERF_SLOT: a perf event, see PERFS
 * @EVENT: an event: registered as st_0, st_1 and so on, or, for higher numbers,
 *	   one of several formats or an event of another kind
 * @INSTANCE: a tracefs instance; 0 is the top level
 * @ADDRESS: any address, mostly in the areas
 * @AREA: an address in the areas, where mappings can change
 * @PLACE: where a system-call argument is put: an enum place, otherwise an
 *	   address
 * @LENGTH: of a record or a read, in bytes
 * @PAGES: up to the size of an area
 * @SIZE: of a structure
 * @BIT: bit number in a value
 * @INDEX: first number of a record
 * @NUMBER: any number
 * @CHOICE: from 0 to the argument's count minus one
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

/*
 * enum text - meaning of a text
 */
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
 * struct kind - a kind of operation
 * @name: in the text form of programs
 * @run: executes it
 * @arguments: domains of the numbers
 * @text: meaning of the text
 * @weight: relative frequency
 * @is_concurrent: the time of its effect does not depend on the program alone
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

/* Upper bound of the number of kinds. */
#define KINDS_MAX 64

/* Slots for objects of a program; the slot determines the descriptor. */
#define FILES 6
#define PERFS 3
#define EVENTS 6
#define INSTANCES 3

enum place {
	PLACE_PLAIN,
	PLACE_PAGE_END, /* last byte is the last byte of a page */
	PLACE_PAST_END, /* a few bytes are on an unmapped page */
	PLACE_UNALIGNED, /* not aligned */
	PLACE_END,
};

#endif /* SELFTESTS_FUZZ_KINDS_H */
