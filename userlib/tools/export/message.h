/* SPDX-License-Identifier: MIT */
/* user-events export: a record as a message, for logs. */
#ifndef USER_EVENTS_EXPORT_MESSAGE_H
#define USER_EVENTS_EXPORT_MESSAGE_H

#include "formats/format.h"
#include "formats/record_text.h"

/*
 * export_message_set() - Sets a text to the event and its fields, as watch prints
 * them
 * @decoder: any decoder
 * @limit: maximum bytes of the fields
 * Return: bytes of the name of the event, with which it starts
 */
size_t export_message_set(struct uev_output *message,
			  struct uev_decoder *decoder,
			  const struct format_record *record, size_t limit);

#endif
