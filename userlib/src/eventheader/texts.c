// SPDX-License-Identifier: MIT
#include "eventheader/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/shorten.h"
#include "util/alloc.h"

#define FIRST_ROOM 16

struct uev_text_place {
	size_t at;
	size_t length;
	bool is_counted;
};

static int grow(struct uev_texts *texts)
{
	size_t room = texts->room ? texts->room * 2 : FIRST_ROOM;
	struct uev_text_place *places =
		uev_realloc(texts->places, room * sizeof(*places));

	if (!places)
		return -ENOMEM;
	texts->places = places;
	texts->room = room;
	return 0;
}

int uev_texts_add(struct uev_texts *texts, size_t at, size_t length,
		  bool is_counted)
{
	int err = texts->count < texts->room ? 0 : grow(texts);

	if (err)
		return err;
	texts->places[texts->count++] = (struct uev_text_place){
		.at = at,
		.length = length,
		.is_counted = is_counted,
	};
	return 0;
}

static size_t texts_size(const void *data, size_t limit)
{
	const struct uev_texts *texts = data;
	size_t i, length, size = 0;

	for (i = 0; i < texts->count; i++) {
		length = texts->places[i].length;
		size += length < limit ? length : limit;
	}
	return size;
}

/* Shortens the text at @text and returns its length. */
static size_t shorten(uint8_t *text, const struct uev_text_place *place,
		      size_t limit)
{
	uint16_t length = (uint16_t)uev_shorten_copy(
		(char *)text, (const char *)text, place->length, limit);

	if (place->is_counted)
		memcpy(text - sizeof(length), &length, sizeof(length));
	return length;
}

static void shorten_all(struct uev_texts *texts, uint8_t *data, size_t *size,
			size_t limit)
{
	size_t i, from = 0, to = 0;

	for (i = 0; i < texts->count; i++) {
		struct uev_text_place *place = &texts->places[i];
		size_t end = place->at + place->length;

		memmove(data + to, data + from, end - from);
		to += place->at - from;
		from = end;
		place->at = to;
		if (place->length > limit)
			place->length = shorten(data + to, place, limit);
		to += place->length;
	}
	memmove(data + to, data + from, *size - from);
	*size -= from - to;
}

int uev_texts_fit(struct uev_texts *texts, uint8_t *data, size_t *size,
		  size_t excess)
{
	size_t all = texts_size(texts, SIZE_MAX);

	if (all < excess)
		return -E2BIG;
	shorten_all(texts, data, size,
		    uev_shorten_limit(texts, texts_size, all - excess));
	texts->is_shortened = true;
	return 0;
}

void uev_texts_release(struct uev_texts *texts)
{
	free(texts->places);
}
