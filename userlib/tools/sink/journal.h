/* SPDX-License-Identifier: MIT */
/* user-events export: records as entries of the journal. */
#ifndef USER_EVENTS_SINK_JOURNAL_H
#define USER_EVENTS_SINK_JOURNAL_H

#include "export/journal.h"
#include "pipe/pipe.h"

/*
 * struct sink_journal - The journal; released with sink_journal_release()
 * @is_on: records are sent; set by the command
 * @sink: in the pipe
 */
struct sink_journal {
	bool is_on;
	struct export_journal journal;
	struct sink sink;
};

/*
 * sink_journal_add() - Opens the journal of the system, and adds the sink, if it
 * is on
 * Return: an exit status; an error is printed
 */
int sink_journal_add(struct sink_journal *journal, struct pipe *pipe);

void sink_journal_release(struct sink_journal *journal);

#endif
