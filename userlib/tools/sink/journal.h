/* SPDX-License-Identifier: MIT */
/* user-events export: records as entries of the journal. */
#ifndef USER_EVENTS_SINK_JOURNAL_H
#define USER_EVENTS_SINK_JOURNAL_H

#include "export/journal.h"
#include "pipe/sink.h"

/*
 * sink_journal_open() - Opens the journal of the system
 * Return: an exit status; an error is printed
 */
int sink_journal_open(struct export_journal *journal);

/* Sends each record; its data is a struct export_journal. */
extern const struct sink_ops sink_journal;

#endif
