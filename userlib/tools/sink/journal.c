// SPDX-License-Identifier: MIT
#include "sink/journal.h"

#include <inttypes.h>

#include "tool.h"

int sink_journal_open(struct export_journal *journal)
{
	int ret = export_journal_open(journal, EXPORT_JOURNAL_SOCKET);

	return ret ? tool_error_of(ret, "--journal: %s", EXPORT_JOURNAL_SOCKET)
		   : TOOL_OK;
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	export_journal_take(data, decoder, record);

	return 0;
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

const struct sink_ops sink_journal = {
	.record = take_record,
	.loss = take_loss,
	.finish = finish,
};
