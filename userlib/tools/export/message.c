// SPDX-License-Identifier: MIT
#include "export/message.h"

#include "query/metadata.h"
#include "tool.h"

size_t export_message_set(struct uev_output *message,
			  struct uev_decoder *decoder,
			  const struct format_record *record, size_t limit)
{
	size_t name_size;

	message->size = 0;
	format_start(decoder, record);
	query_event_name(message, record->sample, uev_decoder_info(decoder));
	name_size = message->size;
	tool_append(message, " ", 1);
	record_text_fields(message, decoder, record, limit);

	return name_size;
}
