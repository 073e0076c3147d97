/* SPDX-License-Identifier: MIT */
/* Plugin of libtraceevent: the EventHeader events that a program can print. */
#ifndef USEREVENTS_PLUGIN_NAMES_H
#define USEREVENTS_PLUGIN_NAMES_H

#include <stddef.h>

#include <userevents/decode.h>

/* @schema: of the first record that is printed; NULL before */
struct event_name {
	char *system;
	char *name;
	struct uev_schema *schema;
};

/* Sorted; each is there once. */
struct event_names {
	struct event_name *array;
	size_t count;
};

/*
 * event_names_find() - Finds the events in the perf.data and trace.dat files that
 * the program has open, and those that exist on this machine
 *
 * Errors are not reported: names that cannot be read are missing.
 */
void event_names_find(struct event_names *names);
void event_names_free(struct event_names *names);

#endif
