// SPDX-License-Identifier: MIT
#include "eventheader/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "util/alloc.h"

#define FIRST_ROOM 16
#define MARK_SIZE (sizeof(UEV_SHORTENED) - 1)

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

/* Returns the bytes that texts of at most @length bytes save. */
static size_t saved_bytes(const struct uev_texts *texts, size_t length)
{
	size_t i, sum = 0;

	for (i = 0; i < texts->count; i++)
		if (texts->places[i].length > length)
			sum += texts->places[i].length - length;
	return sum;
}

static size_t longest(const struct uev_texts *texts)
{
	size_t i, length = 0;

	for (i = 0; i < texts->count; i++)
		if (texts->places[i].length > length)
			length = texts->places[i].length;
	return length;
}

/* Shortens the text at @text and returns its length. */
static size_t shorten(uint8_t *text, const struct uev_text_place *place,
		      size_t limit)
{
	size_t kept = uev_shorten((const char *)text, place->length, limit);
	uint16_t length = (uint16_t)(kept + MARK_SIZE);

	memcpy(text + kept, UEV_SHORTENED, MARK_SIZE);
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
	size_t low = MARK_SIZE, high = longest(texts);

	if (saved_bytes(texts, low) < excess)
		return -E2BIG;
	/* Find the largest length that saves enough. */
	while (low < high) {
		size_t middle = (low + high + 1) / 2;

		if (saved_bytes(texts, middle) < excess)
			high = middle - 1;
		else
			low = middle;
	}
	shorten_all(texts, data, size, low);
	texts->is_shortened = true;
	return 0;
}

void uev_texts_release(struct uev_texts *texts)
{
	free(texts->places);
}
