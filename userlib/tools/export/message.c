// SPDX-License-Identifier: MIT
#include "export/message.h"

#include "query/metadata.h"
#include "tool.h"

void export_message_set(struct export_message *message,
			struct uev_decoder *decoder,
			const struct format_record *record, size_t limit)
{
	struct uev_output *line = &message->line;

	line->size = 0;
	format_start(decoder, record);
	query_event_name(line, record->sample, uev_decoder_info(decoder));
	message->name_size = line->size;
	tool_append(line, " ", 1);
	record_text_fields(line, decoder, record, limit);
}

void export_message_release(struct export_message *message)
{
	uev_output_release(&message->line);
}
