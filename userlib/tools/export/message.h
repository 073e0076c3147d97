/* SPDX-License-Identifier: MIT */
/* user-events export: a record as a message, for logs. */
#ifndef USER_EVENTS_EXPORT_MESSAGE_H
#define USER_EVENTS_EXPORT_MESSAGE_H

#include "formats/format.h"
#include "formats/record_text.h"

/*
 * struct export_message - The event and its fields, as watch prints them;
 * initialized to zeros, released with export_message_release()
 * @line: the message, which starts with the name of the event
 * @name_size: bytes of the name
 */
struct export_message {
	struct uev_output line;
	size_t name_size;
};

/*
 * export_message_set() - Sets the message of a record; @decoder is any decoder
 * @limit: maximum bytes of the fields
 */
void export_message_set(struct export_message *message,
			struct uev_decoder *decoder,
			const struct format_record *record, size_t limit);

void export_message_release(struct export_message *message);

#endif
