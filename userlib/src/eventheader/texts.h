/* SPDX-License-Identifier: MIT */
/* Texts of an event that are shortened if the event is too large. */
#ifndef USEREVENTS_EVENTHEADER_TEXTS_H
#define USEREVENTS_EVENTHEADER_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * struct uev_texts - Places of texts in the data of an event
 * @places: in the order of the data
 * @count: number of @places
 * @room: number of @places that there is memory for
 * @is_shortened: a text was shortened; reset by the caller
 */
struct uev_texts {
	struct uev_text_place *places;
	size_t count;
	size_t room;
	bool is_shortened;
};

/*
 * uev_texts_add() - Adds the text at the end of the data
 * @at: offset of its first byte
 * @length: bytes
 * @is_counted: 2 bytes with the length precede it
 *
 * Return: 0; -ENOMEM.
 */
int uev_texts_add(struct uev_texts *texts, size_t at, size_t length,
		  bool is_counted);

/*
 * uev_texts_fit() - Shortens the longest texts
 * @data: the data
 * @size: its bytes; updated
 * @excess: number of bytes to remove
 *
 * Return: 0; -E2BIG if the texts have fewer bytes, and are unchanged.
 */
int uev_texts_fit(struct uev_texts *texts, uint8_t *data, size_t *size,
		  size_t excess);

void uev_texts_release(struct uev_texts *texts);

#endif
