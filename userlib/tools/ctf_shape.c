// SPDX-License-Identifier: MIT
#include "ctf_shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "tool.h"

/* Of a name in the metadata; longer ones are cut. */
#define NAME_MAX_SIZE 200

/* What a field is. */
enum kind {
	NOTHING, /* a value that is missing: there is no such field */
	UNSIGNED,
	HEX,
	SIGNED,
	FLOAT,
	STRING,
	STRUCT,
	ARRAY,
};

#define NONE SIZE_MAX

/*
 * struct ctf_node - a field
 * @kind: of enum kind
 * @name: the record's, not ended by a NUL
 * @first: the first member, or what every element is
 * @last: the last member
 * @next: the next member of what this is one of
 */
struct ctf_node {
	uint8_t kind;
	const char *name;
	size_t name_size;
	size_t first;
	size_t last;
	size_t next;
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

static uint8_t kind_of(const struct uev_decoded *value, bool in_array)
{
	switch (value->type) {
	case UEV_DECODED_NULL:
		/* An element cannot be left out. */
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

static size_t add_node(struct ctf_shape *shape, const struct uev_item *item)
{
	struct ctf_node *node;

	if (shape->count == CTF_SHAPE_MAX)
		return NONE;
	if (shape->count == shape->room) {
		shape->room = shape->room ? shape->room * 2 : 64;
		shape->nodes = tool_grow(shape->nodes,
					 shape->room * sizeof(*shape->nodes));
	}
	node = &shape->nodes[shape->count];
	*node = (struct ctf_node){
		.name = item->name,
		.name_size = item->name_size,
		.first = NONE,
		.last = NONE,
		.next = NONE,
	};

	return shape->count++;
}

static void add_member(struct ctf_shape *shape, size_t parent, size_t member)
{
	struct ctf_node *nodes = shape->nodes;

	if (nodes[parent].first == NONE)
		nodes[parent].first = member;
	else
		nodes[nodes[parent].last].next = member;
	nodes[parent].last = member;
}

/* Whether there is anything of it: a struct may have no members. */
static bool is_there(const struct ctf_shape *shape, size_t node)
{
	const struct ctf_node *nodes = shape->nodes;
	size_t member;

	if (nodes[node].kind != STRUCT)
		return nodes[node].kind != NOTHING;
	for (member = nodes[node].first; member != NONE;
	     member = nodes[member].next)
		if (is_there(shape, member))
			return true;

	return false;
}

/*
 * Makes one element stand for another, too: values that differ in what they are
 * become texts. Return: whether that is possible
 */
static bool merge(struct ctf_shape *shape, size_t into, size_t from)
{
	struct ctf_node *one = &shape->nodes[into];
	const struct ctf_node *other = &shape->nodes[from];
	size_t a, b;

	if (one->kind < STRUCT && other->kind < STRUCT) {
		if (one->kind != other->kind)
			one->kind = STRING;
		return true;
	}
	if (one->kind != other->kind)
		return false;
	/* An array that is empty says nothing of its elements. */
	if (one->kind == ARRAY && other->first == NONE)
		return true;
	if (one->kind == ARRAY && one->first == NONE) {
		one->first = other->first;
		one->last = other->last;
		shape->keeps = true;
		return true;
	}
	for (a = one->first, b = other->first; a != NONE && b != NONE;
	     a = shape->nodes[a].next, b = shape->nodes[b].next)
		if (!merge(shape, a, b))
			return false;

	return a == b;
}

static int read_item(struct ctf_shape *shape, struct uev_decoder *decoder,
		     bool in_array, size_t *node);

static int read_members(struct ctf_shape *shape, struct uev_decoder *decoder,
			bool in_array, size_t parent)
{
	size_t member;
	int ret;

	while ((ret = uev_decoder_next(decoder)) > 0 &&
	       ret != UEV_ITEM_STRUCT_END) {
		ret = read_item(shape, decoder, in_array, &member);
		if (ret <= 0)
			return ret;
		add_member(shape, parent, member);
	}

	return ret ? ret : 1;
}

static int read_elements(struct ctf_shape *shape, struct uev_decoder *decoder,
			 size_t parent)
{
	size_t element, before;
	int ret;

	while ((ret = uev_decoder_next(decoder)) > 0 &&
	       ret != UEV_ITEM_ARRAY_END) {
		before = shape->count;
		ret = read_item(shape, decoder, true, &element);
		if (ret <= 0)
			return ret;
		if (shape->nodes[parent].first == NONE) {
			add_member(shape, parent, element);
			continue;
		}
		shape->keeps = false;
		if (!merge(shape, shape->nodes[parent].first, element))
			return 0;
		if (!shape->keeps)
			shape->count = before;
	}
	element = shape->nodes[parent].first;
	/* Arrays of arrays, and of what has no bytes. */
	if (ret > 0 && element != NONE &&
	    (shape->nodes[element].kind == ARRAY || !is_there(shape, element)))
		return 0;

	return ret;
}

/* Return: as ctf_shape_read(). */
static int read_item(struct ctf_shape *shape, struct uev_decoder *decoder,
		     bool in_array, size_t *node)
{
	const struct uev_item *item = uev_decoder_item(decoder);

	*node = add_node(shape, item);
	if (*node == NONE)
		return 0;
	switch (item->kind) {
	case UEV_ITEM_VALUE:
		shape->nodes[*node].kind = kind_of(&item->value, in_array);
		return 1;
	case UEV_ITEM_STRUCT_BEGIN:
		shape->nodes[*node].kind = STRUCT;
		return read_members(shape, decoder, in_array, *node);
	default:
		shape->nodes[*node].kind = ARRAY;
		return read_elements(shape, decoder, *node);
	}
}

int ctf_shape_read(struct ctf_shape *shape, struct uev_decoder *decoder)
{
	static const struct uev_item all = { .name = "" };
	size_t root;

	shape->count = 0;
	root = add_node(shape, &all);
	shape->nodes[root].kind = STRUCT;

	return read_members(shape, decoder, false, root);
}

/* ---- Types ---- */

static void append(struct uev_output *to, const char *text)
{
	decode_check(uev_output_append(to, text, strlen(text)));
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

/* Whether a struct, whose names begin at @begin, has @prefix @name @suffix. */
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

static void take(struct ctf_shape *shape, const char *prefix, const char *name,
		 const char *suffix)
{
	append(&shape->names, prefix);
	append(&shape->names, name);
	append(&shape->names, suffix);
	decode_check(uev_output_append(&shape->names, "", 1));
}

/*
 * A name that C and CTF do not have, and the struct has not either: behind a
 * '_', which readers take away. @begin is where names of the struct begin.
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
		name[size++] = is_letter(node->name[i]) ? node->name[i] : '_';
	name[size] = '\0';
	plain = size;
	while (is_taken(shape, begin, "", name, "") ||
	       (node->kind == ARRAY &&
		is_taken(shape, begin, "_", name, "_length")))
		snprintf(name + plain, 16, "_%u", number++);
	take(shape, "", name, "");
	if (node->kind == ARRAY)
		take(shape, "_", name, "_length");
}

static void put_members(struct ctf_shape *shape, size_t node,
			struct uev_output *to);

static void put_type(struct ctf_shape *shape, size_t node,
		     struct uev_output *to)
{
	if (shape->nodes[node].kind != STRUCT) {
		append(to, types[shape->nodes[node].kind]);
		return;
	}
	append(to, "struct { ");
	put_members(shape, node, to);
	append(to, "}");
}

static void put_member(struct ctf_shape *shape, size_t node, size_t begin,
		       struct uev_output *to)
{
	size_t element = shape->nodes[node].first;
	char name[NAME_MAX_SIZE + 32];

	make_name(shape, &shape->nodes[node], begin, name);
	if (shape->nodes[node].kind != ARRAY) {
		put_type(shape, node, to);
		decode_print(to, " %s; ", name);
		return;
	}
	append(to, "uint32_t _");
	append(to, name);
	append(to, "_length; ");
	if (element == NONE)
		append(to, types[STRING]);
	else
		put_type(shape, element, to);
	append(to, " ");
	append(to, name);
	append(to, "[_");
	append(to, name);
	append(to, "_length]; ");
}

static void put_members(struct ctf_shape *shape, size_t node,
			struct uev_output *to)
{
	size_t begin = shape->names.size, member;

	/* Each is between two NULs. */
	decode_check(uev_output_append(&shape->names, "", 1));
	for (member = shape->nodes[node].first; member != NONE;
	     member = shape->nodes[member].next)
		if (is_there(shape, member))
			put_member(shape, member, begin, to);
	shape->names.size = begin;
}

void ctf_shape_types(struct ctf_shape *shape, struct uev_output *to)
{
	put_members(shape, 0, to);
}

/* ---- Bytes ---- */

static void put_number(struct uev_output *to, const void *number, size_t size)
{
	decode_check(uev_output_append(to, number, size));
}

void ctf_append_string(struct uev_output *to, const char *text, size_t size)
{
	const char *end;

	while (size && (end = memchr(text, '\0', size))) {
		decode_check(uev_output_append(to, text, (size_t)(end - text)));
		append(to, "\\u0000");
		size -= (size_t)(end - text) + 1;
		text = end + 1;
	}
	decode_check(uev_output_append(to, text, size));
	decode_check(uev_output_append(to, "", 1));
}

static void put_value(struct ctf_shape *shape, uint8_t kind,
		      const struct uev_decoded *value, struct uev_output *to)
{
	uint64_t number = value->type == UEV_DECODED_BOOL ? value->boolean
							  : value->u64;

	switch (kind) {
	case NOTHING:
		break;
	case UNSIGNED:
	case HEX:
	case SIGNED:
		put_number(to, &number, sizeof(number));
		break;
	case FLOAT:
		put_number(to, &value->f64, sizeof(value->f64));
		break;
	default:
		shape->scratch.size = 0;
		if (value->type != UEV_DECODED_NULL)
			decode_check(uev_decoded_append_text(value,
							     &shape->scratch));
		ctf_append_string(
			to, shape->scratch.text ? shape->scratch.text : "",
			shape->scratch.size);
	}
}

static void put_item(struct ctf_shape *shape, struct uev_decoder *decoder,
		     size_t node, struct uev_output *to);

static void put_struct(struct ctf_shape *shape, struct uev_decoder *decoder,
		       size_t node, struct uev_output *to)
{
	size_t member = shape->nodes[node].first;
	int kind;

	while ((kind = uev_decoder_next(decoder)) > 0 &&
	       kind != UEV_ITEM_STRUCT_END) {
		put_item(shape, decoder, member, to);
		member = shape->nodes[member].next;
	}
}

static void put_array(struct ctf_shape *shape, struct uev_decoder *decoder,
		      size_t node, struct uev_output *to)
{
	size_t at = to->size;
	uint32_t count = 0;
	int kind;

	put_number(to, &count, sizeof(count));
	while ((kind = uev_decoder_next(decoder)) > 0 &&
	       kind != UEV_ITEM_ARRAY_END) {
		put_item(shape, decoder, shape->nodes[node].first, to);
		count++;
	}
	memcpy(to->text + at, &count, sizeof(count));
}

static void put_item(struct ctf_shape *shape, struct uev_decoder *decoder,
		     size_t node, struct uev_output *to)
{
	const struct uev_item *item = uev_decoder_item(decoder);

	switch (item->kind) {
	case UEV_ITEM_VALUE:
		put_value(shape, shape->nodes[node].kind, &item->value, to);
		break;
	case UEV_ITEM_STRUCT_BEGIN:
		put_struct(shape, decoder, node, to);
		break;
	default:
		put_array(shape, decoder, node, to);
	}
}

void ctf_shape_bytes(struct ctf_shape *shape, struct uev_decoder *decoder,
		     struct uev_output *to)
{
	put_struct(shape, decoder, 0, to);
}

void ctf_shape_release(struct ctf_shape *shape)
{
	free(shape->nodes);
	uev_output_release(&shape->names);
	uev_output_release(&shape->scratch);
	*shape = (struct ctf_shape){ 0 };
}
