/* SPDX-License-Identifier: MIT */
/*
 * user-events decode: types and bytes of a record in the Common Trace Format
 * (CTF) 1.8.
 *
 * CTF requires fixed types per event class, but each EventHeader record has its
 * own. Therefore each shape of an event's records is an event class.
 */
#ifndef USER_EVENTS_SINK_CTF_SHAPE_H
#define USER_EVENTS_SINK_CTF_SHAPE_H

#include <userevents/decode.h>

/* Maximum fields of a shape, including members of structs. */
#define CTF_SHAPE_MAX 1024

struct ctf_node;

/*
 * struct ctf_shape - The shape of a record, reused for all records
 * @nodes: its fields
 * @count, @room: number of used and allocated nodes
 * @names: names of the enclosing structs, each between two NULs
 * @scratch: a value as text
 */
struct ctf_shape {
	struct ctf_node *nodes;
	size_t count;
	size_t room;
	struct uev_output names;
	struct uev_output scratch;
};

/* Types used by ctf_shape_types(), for the start of the metadata. */
extern const char ctf_shape_aliases[];

/*
 * ctf_shape_read() - Determines the shape of a record
 * @decoder: started with the record
 * Return: 1; 0 if CTF does not support it or it is too large; or an error of
 * uev_decoder_next()
 */
int ctf_shape_read(struct ctf_shape *shape, struct uev_decoder *decoder);

/* Appends the members of a struct, possibly none, without brackets. */
void ctf_shape_types(struct ctf_shape *shape, struct uev_output *to);

/* Appends the record; @decoder was started with it again. */
void ctf_shape_bytes(struct ctf_shape *shape, struct uev_decoder *decoder,
		     struct uev_output *to);

/* Appends NUL-terminated text; a NUL in it becomes \u0000. */
void ctf_append_string(struct uev_output *to, const char *text, size_t size);

void ctf_shape_release(struct ctf_shape *shape);

#endif
