/* SPDX-License-Identifier: MIT */
/*
 * user-events decode: what a record looks like in the Common Trace Format (CTF)
 * 1.8, in its language of types, and as bytes of these types.
 *
 * CTF wants the types of an event once and for all; an EventHeader record has
 * its own. So each shape that records of an event have is a class of events.
 */
#ifndef USER_EVENTS_FORMATS_CTF_SHAPE_H
#define USER_EVENTS_FORMATS_CTF_SHAPE_H

#include <userevents/decode.h>

/* Fields, with those of structs, that a shape may have. */
#define CTF_SHAPE_MAX 1024

struct ctf_node;

/*
 * struct ctf_shape - the shape of a record, for one after the other
 * @nodes: its fields
 * @count, @room: how many there are, and memory for
 * @names: those of the structs around, each between two NULs
 * @scratch: a value as text
 */
struct ctf_shape {
	struct ctf_node *nodes;
	size_t count;
	size_t room;
	struct uev_output names;
	struct uev_output scratch;
};

/* The types that ctf_shape_types() uses, for the top of the metadata. */
extern const char ctf_shape_aliases[];

/*
 * ctf_shape_read() - finds the shape of a record
 * @decoder: was started with it
 * Return: 1; 0 for what CTF cannot have, or too much; what uev_decoder_next()
 * says of a bad record
 */
int ctf_shape_read(struct ctf_shape *shape, struct uev_decoder *decoder);

/* Appends the members of a struct, maybe none, without its brackets. */
void ctf_shape_types(struct ctf_shape *shape, struct uev_output *to);

/* Appends the record; @decoder was started with it again. */
void ctf_shape_bytes(struct ctf_shape *shape, struct uev_decoder *decoder,
		     struct uev_output *to);

/* Appends a text and its NUL; a NUL in it becomes \u0000. */
void ctf_append_string(struct uev_output *to, const char *text, size_t size);

void ctf_shape_release(struct ctf_shape *shape);

#endif
