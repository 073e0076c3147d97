// SPDX-License-Identifier: MIT
#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "valid.h"

/* Structs, and arrays of them, and an array of values. */
#define OPEN_MAX (2 * UEV_STRUCT_DEPTH_MAX + 1)

/* Limit of JSON, which most inputs do not reach. */
#define LIMIT (1 << 16)

/* Open structs and arrays, outermost first. */
struct open {
	struct uev_item items[OPEN_MAX];
	size_t count;
};

static int start(struct uev_decoder *decoder, const struct walk *walk)
{
	if (walk->name)
		return uev_decoder_start_eventheader(decoder, walk->name,
						     walk->record, walk->size);

	return uev_decoder_start(decoder, walk->schema, walk->record,
				 walk->size);
}

static bool is_inside(const struct walk *walk, const void *bytes, size_t size)
{
	uintptr_t begin = (uintptr_t)walk->record, at = (uintptr_t)bytes;

	return at >= begin && at - begin <= walk->size &&
	       size <= walk->size - (at - begin);
}

static void check_value(const struct walk *walk,
			const struct uev_decoded_value *value)
{
	struct uev_output text = UEV_OUTPUT_INIT;

	EXPECT(value->type <= UEV_DECODED_BYTES);
	EXPECT(is_inside(walk, value->bytes, value->size));
	/* Very long text is skipped, because it is checked again as JSON. */
	if (value->size > 4096)
		return;

	EXPECT(!uev_decoded_value_append_text(value, &text));
	EXPECT(is_utf8(text.text, text.size));
	EXPECT(text.text[text.size] == '\0');
	if (value->type == UEV_DECODED_TEXT)
		EXPECT(text.size >= value->size / 4);
	else
		EXPECT(strlen(text.text) == text.size);
	uev_output_release(&text);
}

/* Returns the number of structs around the next item. */
static size_t depth_of(const struct open *open)
{
	size_t i, depth = 0;

	for (i = 0; i < open->count; i++)
		depth += open->items[i].kind == UEV_ITEM_STRUCT_BEGIN;

	return depth;
}

static bool is_in_array(const struct open *open)
{
	return open->count &&
	       open->items[open->count - 1].kind == UEV_ITEM_ARRAY_BEGIN;
}

/* An element has the name of its array, and comes when it is its turn. */
static void check_element(struct open *open, const struct uev_item *item)
{
	struct uev_item *array;

	EXPECT(item->is_element == is_in_array(open));
	EXPECT(item->is_element || !item->index);
	if (!item->is_element)
		return;

	array = &open->items[open->count - 1];
	/* Checks the number of elements independently of the library. */
	EXPECT(item->index == array->index++);
	EXPECT(item->index < array->count);
	EXPECT(item->name == array->name &&
	       item->name_size == array->name_size);
	EXPECT(item->encoding == array->encoding && item->tag == array->tag);
}

static void check_end(struct open *open, const struct uev_item *item)
{
	const struct uev_item *begin;

	EXPECT(open->count);
	begin = &open->items[--open->count];
	EXPECT(begin->kind == item->kind - 1);
	EXPECT(begin->name == item->name && begin->tag == item->tag);
	EXPECT(begin->depth == item->depth && begin->count == item->count);
	/* All elements were there. */
	if (begin->kind == UEV_ITEM_ARRAY_BEGIN)
		EXPECT(begin->index == begin->count);
	else
		EXPECT(begin->index == item->index);
	EXPECT(item->depth == depth_of(open));
}

static void check_item(const struct walk *walk, struct open *open,
		       const struct uev_item *item)
{
	EXPECT(item->name);
	if (!walk->schema || uev_schema_is_eventheader(walk->schema))
		EXPECT(!walk->name ||
		       is_inside(walk, item->name, item->name_size + 1));
	EXPECT(!memchr(item->name, '\0', item->name_size));

	if (item->kind == UEV_ITEM_STRUCT_END ||
	    item->kind == UEV_ITEM_ARRAY_END) {
		check_end(open, item);
		return;
	}

	EXPECT(item->depth == depth_of(open));
	check_element(open, item);
	if (item->kind == UEV_ITEM_VALUE) {
		check_value(walk, &item->value);
		return;
	}

	EXPECT(open->count < OPEN_MAX);
	open->items[open->count] = *item;
	if (item->kind == UEV_ITEM_ARRAY_BEGIN)
		EXPECT(!open->items[open->count].index);
	open->count++;
}

static void check_error(const struct uev_decoder *decoder, int error,
			const struct walk *walk)
{
	size_t offset = SIZE_MAX;

	EXPECT(error == -EBADMSG || error == -EOPNOTSUPP || error == -E2BIG);
	EXPECT(uev_decoder_error(decoder, &offset));
	/* A header may be said to be where the record is over. */
	EXPECT(offset <= walk->size || walk->schema);
}

/*
 * walk_items - reads a record item by item
 */
void walk_items(const struct walk *walk)
{
	struct uev_decoder *decoder;
	struct open open = { .count = 0 };
	/* Each item takes a byte, or is one of few that take none. */
	size_t left = 128 * (walk->size + 8);
	const struct uev_item *item;
	int kind, ret;

	EXPECT(!uev_decoder_new(&decoder));
	ret = start(decoder, walk);
	item = uev_decoder_item(decoder);
	while ((kind = uev_decoder_next(decoder)) > 0) {
		EXPECT(!ret && left--);
		EXPECT(kind == item->kind);
		check_item(walk, &open, item);
	}

	EXPECT(uev_decoder_next(decoder) == kind);
	EXPECT(!ret || ret == kind);
	if (kind)
		check_error(decoder, kind, walk);
	else
		EXPECT(!open.count && !uev_decoder_error(decoder, NULL));
	uev_decoder_free(decoder);
}

static const struct uev_json_sample sample = {
	.size = sizeof(sample),
	.flags = UEV_HAS_WALL_TIME | UEV_HAS_CPU | UEV_HAS_TID,
	.time = 1709208000000000001,
};

static int make_json(const struct walk *walk, unsigned int flags,
		     unsigned int meta, struct uev_output *json)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_decoder *decoder;
	int ret;

	EXPECT(!uev_decoder_new(&decoder));
	options.flags = flags;
	options.meta = meta;
	options.limit = LIMIT;
	start(decoder, walk);
	json->size = 0;
	ret = uev_decoder_append_json(decoder, &options, &sample, json);
	EXPECT(json->size <= LIMIT);
	uev_decoder_free(decoder);

	return ret;
}

/*
 * walk_json() - Writes a record as JSON in all variants
 * @choice: members of "meta"
 */
void walk_json(const struct walk *walk, unsigned int choice)
{
	unsigned int meta = choice % (UEV_META_COMMON << 1);
	struct uev_output json = UEV_OUTPUT_INIT;
	int ret, partial;

	ret = make_json(walk, 0, meta, &json);
	EXPECT(ret <= 0 && !json.size == (ret < 0));
	if (!ret)
		EXPECT(is_json(json.text, json.size));

	partial = make_json(walk, UEV_JSON_PARTIAL, meta, &json);
	/*
	 * With the error the object can exceed the limit, even if it did not
	 * without.
	 */
	EXPECT(partial == ret || partial == -E2BIG);
	if (json.size)
		EXPECT(is_json(json.text, json.size));
	else
		EXPECT(partial == -E2BIG);

	partial = make_json(walk, UEV_JSON_PARTIAL | UEV_JSON_COMPACT, meta,
			    &json);
	/* It is shorter, and may be short enough where others are not. */
	EXPECT(partial == ret || ret == -E2BIG || partial == -E2BIG);
	if (json.size)
		EXPECT(is_json(json.text, json.size));
	uev_output_release(&json);
}
