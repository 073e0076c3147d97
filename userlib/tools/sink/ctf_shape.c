// SPDX-License-Identifier: MIT
#include "sink/ctf_shape.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "tool.h"

/* Limit of a name in the metadata; longer ones are truncated. */
#define NAME_MAX_SIZE 200

/* Kinds of a field. */
enum kind {
	NOTHING, /* a missing value, which has no field */
	UNSIGNED,
	HEX,
	SIGNED,
	FLOAT,
	STRING,
	STRUCT,
	ARRAY,
};

/* Open structs and arrays, of which a decoder has one fewer, and the record */
#define DEPTH_MAX (2 * UEV_STRUCT_DEPTH_MAX + 2)

/*
 * struct ctf_node - A field; followed by its members, or by one element for all
 * elements of an array
 * @kind: of enum kind
 * @name: name in the record, not NUL-terminated
 * @end: index of the node after its descendants
 */
struct ctf_node {
	uint8_t kind;
	const char *name;
	size_t name_size;
	size_t end;
};

/*
 * struct open - An open struct or array of a record
 * @node: its node
 * @is_new: not in a previous element
 * @elements: number of elements of an array so far
 * @at: position of this number in the bytes
 */
struct open {
	size_t node;
	bool is_new;
	uint32_t elements;
	size_t at;
};

/*
 * struct walk - Position in a record
 * @open: open structs and arrays, innermost last
 * @next: node of the next item, if it exists
 * @arrays: number of arrays in @open
 */
struct walk {
	struct open open[DEPTH_MAX];
	size_t depth;
	size_t next;
	size_t arrays;
};

const char ctf_shape_aliases[] =
	"typealias integer { size = 8; align = 8; signed = false; } "
	":= uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } "
	":= uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } "
	":= uint32_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } "
	":= int32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } "
	":= uint64_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } "
	":= int64_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; "
	"base = 16; } := hex64_t;\n"
	"typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } "
	":= float64_t;\n";

static const char *const types[] = {
	[UNSIGNED] = "uint64_t", [HEX] = "hex64_t",   [SIGNED] = "int64_t",
	[FLOAT] = "float64_t",	 [STRING] = "string",
};

/* ---- Shapes ---- */

static uint8_t kind_of(const struct uev_decoded_value *value, bool in_array)
{
	switch (value->type) {
	case UEV_DECODED_NULL:
		/* An element cannot be missing. */
		return in_array ? STRING : NOTHING;
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_BOOL:
	case UEV_DECODED_PORT:
		return UNSIGNED;
	case UEV_DECODED_HEX:
		return HEX;
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_ERRNO:
	case UEV_DECODED_PID:
	case UEV_DECODED_TIME:
		return SIGNED;
	case UEV_DECODED_FLOAT:
		return FLOAT;
	default:
		return STRING;
	}
}

/* Tests whether it has fields: a struct can have no members. */
static bool is_there(const struct ctf_shape *shape, size_t node)
{
	size_t i;

	for (i = node; i < shape->nodes[node].end; i++)
		if (shape->nodes[i].kind != STRUCT &&
		    shape->nodes[i].kind != NOTHING)
			return true;

	return false;
}

/* Return: false without room. */
static bool add_node(struct ctf_shape *shape, const struct uev_item *item,
		     uint8_t kind)
{
	if (shape->count == CTF_SHAPE_MAX)
		return false;
	if (shape->count == shape->room) {
		shape->room = shape->room ? shape->room * 2 : 64;
		shape->nodes = tool_grow(shape->nodes,
					 shape->room * sizeof(*shape->nodes));
	}
	shape->nodes[shape->count] = (struct ctf_node){
		.kind = kind,
		.name = item->name,
		.name_size = item->name_size,
		.end = shape->count + 1,
	};
	shape->count++;

	return true;
}

/*
 * Merges an element into a previous one, which has the same description: values of
 * different kinds become text.
 */
static void merge(struct ctf_node *node, uint8_t kind)
{
	if (node->kind != kind)
		node->kind = STRING;
}

/* Advances to the node of the next item. Return: whether it is possible */
static bool go_to_item(const struct ctf_shape *shape, struct walk *walk,
		       bool *is_new)
{
	struct open *open = &walk->open[walk->depth - 1];
	const struct ctf_node *node = &shape->nodes[open->node];

	*is_new = open->is_new && !open->elements;
	if (node->kind == ARRAY && open->elements++)
		walk->next = open->node + 1;

	/* The array was empty before. */
	return *is_new || walk->next < node->end ||
	       (node->kind == ARRAY && open->is_new);
}

static uint8_t kind_of_item(const struct uev_item *item, bool in_array)
{
	switch (item->kind) {
	case UEV_ITEM_VALUE:
		return kind_of(&item->value, in_array);
	case UEV_ITEM_STRUCT_BEGIN:
		return STRUCT;
	default:
		return ARRAY;
	}
}

static void push_node(struct walk *walk, size_t node, uint8_t kind, bool is_new)
{
	walk->open[walk->depth++] =
		(struct open){ .node = node, .is_new = is_new };
	walk->arrays += kind == ARRAY;
}

/* Return: whether CTF supports it. */
static bool begin_item(struct ctf_shape *shape, struct walk *walk,
		       const struct uev_item *item)
{
	uint8_t kind = kind_of_item(item, walk->arrays);
	bool is_new;
	size_t node;

	if (!go_to_item(shape, walk, &is_new))
		return false;
	if (is_new) {
		walk->next = shape->count;
		if (!add_node(shape, item, kind))
			return false;
	}
	node = walk->next++;
	merge(&shape->nodes[node], kind);
	if (kind >= STRUCT)
		push_node(walk, node, kind, is_new);

	return true;
}

/* Ends a struct or an array. Return: whether CTF supports it */
static bool end_item(struct ctf_shape *shape, struct walk *walk)
{
	const struct open *open = &walk->open[--walk->depth];
	struct ctf_node *node = &shape->nodes[open->node];
	bool is_array = node->kind == ARRAY;

	if (open->is_new)
		node->end = shape->count;
	walk->arrays -= is_array;
	walk->next = node->end;

	/* Without elements, or with elements that have bytes */
	return !is_array || !open->elements || is_there(shape, open->node + 1);
}

int ctf_shape_read(struct ctf_shape *shape, struct uev_decoder *decoder)
{
	static const struct uev_item all = { .name = "" };
	struct walk walk = { .next = 1 };
	bool is_good;
	int ret;

	shape->count = 0;
	add_node(shape, &all, STRUCT);
	push_node(&walk, 0, STRUCT, true);
	while ((ret = uev_decoder_next(decoder)) > 0) {
		is_good = ret == UEV_ITEM_STRUCT_END ||
					  ret == UEV_ITEM_ARRAY_END
				  ? end_item(shape, &walk)
				  : begin_item(shape, &walk,
					       uev_decoder_item(decoder));
		if (!is_good)
			return 0;
	}
	shape->nodes[0].end = shape->count;

	return ret ? ret : 1;
}

/* ---- Types ---- */

/*
 * Tests whether a struct, whose names start at @begin, has @prefix @name
 * @suffix.
 */
static bool is_taken(const struct ctf_shape *shape, size_t begin,
		     const char *prefix, const char *name, const char *suffix)
{
	char text[NAME_MAX_SIZE + 64];
	int size = snprintf(text, sizeof(text), "%c%s%s%s%c", '\0', prefix,
			    name, suffix, '\0');

	return shape->names.size > begin &&
	       memmem(shape->names.text + begin, shape->names.size - begin,
		      text, (size_t)size);
}

static void take_field(struct ctf_shape *shape, const char *prefix,
		       const char *name, const char *suffix)
{
	tool_put(&shape->names, prefix);
	tool_put(&shape->names, name);
	tool_put(&shape->names, suffix);
	tool_append(&shape->names, "", 1);
}

/*
 * Makes a name that is unique in the struct and not a keyword of C or CTF. It
 * starts with a '_', which readers remove. @begin is the start of the names of
 * the struct.
 */
static void make_name(struct ctf_shape *shape, const struct ctf_node *node,
		      size_t begin, char *name)
{
	size_t size = 0, plain, i;
	unsigned int number = 2;

	name[size++] = '_';
	for (i = 0; i < node->name_size && node->name[i] != ';' &&
		    size < NAME_MAX_SIZE;
	     i++)
		name[size++] = isalnum((unsigned char)node->name[i])
				       ? node->name[i]
				       : '_';
	name[size] = '\0';
	plain = size;
	while (is_taken(shape, begin, "", name, "") ||
	       (node->kind == ARRAY &&
		is_taken(shape, begin, "_", name, "_length")))
		snprintf(name + plain, 16, "_%u", number++);
	take_field(shape, "", name, "");
	if (node->kind == ARRAY)
		take_field(shape, "_", name, "_length");
}

/*
 * struct scope - A struct whose members are being described
 * @end: the node after its members
 * @names: start of their names
 * @name: text after the closing bracket
 * @is_array: an array of such structs
 */
struct scope {
	size_t end;
	size_t names;
	char name[NAME_MAX_SIZE + 32];
	bool is_array;
};

static void put_name(struct uev_output *to, const char *name, bool is_array)
{
	tool_put(to, " ");
	tool_put(to, name);
	if (is_array) {
		tool_put(to, "[_");
		tool_put(to, name);
		tool_put(to, "_length]");
	}
	tool_put(to, "; ");
}

static void begin_scope(struct ctf_shape *shape, struct scope *scope,
			size_t end)
{
	scope->end = end;
	scope->names = shape->names.size;
	/* Each name is between two NULs. */
	tool_append(&shape->names, "", 1);
}

/* Describes a member, or starts a struct in @inner. Return: the next node */
static size_t put_member(struct ctf_shape *shape, size_t node,
			 const struct scope *scope, struct scope *inner,
			 struct uev_output *to)
{
	const struct ctf_node *member = &shape->nodes[node];
	const struct ctf_node *type = member;
	bool is_array = member->kind == ARRAY;

	inner->end = 0;
	make_name(shape, member, scope->names, inner->name);
	inner->is_array = is_array;
	if (is_array) {
		tool_put(to, "uint32_t _");
		tool_put(to, inner->name);
		tool_put(to, "_length; ");
		type++;
	}
	/* The element type of an empty array is unknown. */
	if (is_array && member->end == node + 1) {
		tool_put(to, types[STRING]);
	} else if (type->kind != STRUCT) {
		tool_put(to, types[type->kind]);
	} else {
		tool_put(to, "struct { ");
		begin_scope(shape, inner, member->end);
		return node + 1 + is_array;
	}
	put_name(to, inner->name, is_array);

	return member->end;
}

void ctf_shape_types(struct ctf_shape *shape, struct uev_output *to)
{
	struct scope scopes[DEPTH_MAX], inner = { 0 };
	size_t depth = 0, node = 1;

	begin_scope(shape, &scopes[0], shape->count);
	for (;;) {
		struct scope *scope = &scopes[depth];

		if (node == scope->end) {
			shape->names.size = scope->names;
			if (!depth--)
				return;
			tool_put(to, "}");
			put_name(to, scope->name, scope->is_array);
		} else if (!is_there(shape, node)) {
			node = shape->nodes[node].end;
		} else {
			node = put_member(shape, node, scope, &inner, to);
			if (inner.end)
				scopes[++depth] = inner;
		}
	}
}

/* ---- Bytes ---- */

void ctf_append_string(struct uev_output *to, const char *text, size_t size)
{
	const char *end;

	while (size && (end = memchr(text, '\0', size))) {
		tool_append(to, text, (size_t)(end - text));
		tool_put(to, "\\u0000");
		size -= (size_t)(end - text) + 1;
		text = end + 1;
	}
	tool_append(to, text, size);
	tool_append(to, "", 1);
}

static void put_value(struct ctf_shape *shape, uint8_t kind,
		      const struct uev_decoded_value *value,
		      struct uev_output *to)
{
	uint64_t number = value->type == UEV_DECODED_BOOL ? value->boolean
							  : value->u64;

	switch (kind) {
	case NOTHING:
		break;
	case UNSIGNED:
	case HEX:
	case SIGNED:
		tool_append(to, &number, sizeof(number));
		break;
	case FLOAT:
		tool_append(to, &value->f64, sizeof(value->f64));
		break;
	default:
		shape->scratch.size = 0;
		if (value->type != UEV_DECODED_NULL)
			tool_need(uev_decoded_value_append_text(
				value, &shape->scratch));
		ctf_append_string(
			to, shape->scratch.text ? shape->scratch.text : "",
			shape->scratch.size);
	}
}

static void begin_bytes(struct ctf_shape *shape, struct walk *walk,
			const struct uev_item *item, struct uev_output *to)
{
	static const uint32_t none;
	const struct ctf_node *node;
	bool is_new;

	go_to_item(shape, walk, &is_new);
	node = &shape->nodes[walk->next];
	if (node->kind < STRUCT) {
		put_value(shape, node->kind, &item->value, to);
	} else {
		push_node(walk, walk->next, node->kind, false);
		walk->open[walk->depth - 1].at = to->size;
		if (node->kind == ARRAY)
			tool_append(to, &none, sizeof(none));
	}
	walk->next++;
}

static void end_bytes(const struct ctf_shape *shape, struct walk *walk,
		      struct uev_output *to)
{
	const struct open *open = &walk->open[--walk->depth];
	const struct ctf_node *node = &shape->nodes[open->node];

	if (node->kind == ARRAY)
		memcpy(to->text + open->at, &open->elements,
		       sizeof(open->elements));
	walk->next = node->end;
}

void ctf_shape_bytes(struct ctf_shape *shape, struct uev_decoder *decoder,
		     struct uev_output *to)
{
	struct walk walk = { .next = 1 };
	int kind;

	push_node(&walk, 0, STRUCT, false);
	while ((kind = uev_decoder_next(decoder)) > 0) {
		if (kind == UEV_ITEM_STRUCT_END || kind == UEV_ITEM_ARRAY_END)
			end_bytes(shape, &walk, to);
		else
			begin_bytes(shape, &walk, uev_decoder_item(decoder),
				    to);
	}
}

void ctf_shape_release(struct ctf_shape *shape)
{
	free(shape->nodes);
	uev_output_release(&shape->names);
	uev_output_release(&shape->scratch);
	*shape = (struct ctf_shape){ 0 };
}
