// SPDX-License-Identifier: MIT
#include "sink/journal.h"

#include <inttypes.h>

#include "tool.h"

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	return export_journal_take(data, decoder, record);
}

static void take_loss(void *data, const struct format_loss *loss)
{
	export_journal_loss(data, loss);
}

/* Return: TOOL_OK, or TOOL_INCOMPLETE if records are missing in the journal */
static int finish(void *data)
{
	const struct export_journal *journal = data;

	tool_error("journal: %" PRIu64 " entries, %" PRIu64 " dropped, %" PRIu64
		   " without some of their fields",
		   journal->sent, journal->dropped, journal->cut);
	if (journal->last_error)
		tool_error_of(journal->last_error, "%s: last error",
			      EXPORT_JOURNAL_SOCKET);

	return journal->dropped || journal->cut ? TOOL_INCOMPLETE : TOOL_OK;
}

static const struct sink_ops ops = {
	.record = take_record,
	.loss = take_loss,
	.finish = finish,
};

int sink_journal_add(struct sink_journal *journal, struct pipe *pipe)
{
	int ret;

	if (!journal->is_on)
		return TOOL_OK;
	ret = export_journal_open(&journal->journal, EXPORT_JOURNAL_SOCKET);
	if (ret)
		return tool_error_of(ret, "--journal: %s",
				     EXPORT_JOURNAL_SOCKET);
	journal->sink.ops = &ops;
	journal->sink.data = &journal->journal;
	pipe_add(pipe, &journal->sink);

	return TOOL_OK;
}

void sink_journal_release(struct sink_journal *journal)
{
	export_journal_close(&journal->journal);
}
