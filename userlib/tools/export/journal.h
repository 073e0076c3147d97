/* SPDX-License-Identifier: MIT */
/*
 * user-events export: records as entries of the journal, in its native protocol:
 * a datagram for each entry.
 */
#ifndef USER_EVENTS_EXPORT_JOURNAL_H
#define USER_EVENTS_EXPORT_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "export/message.h"
#include "formats/format.h"
#include "formats/loss.h"
#include "pipe/pipe.h"
#include "query/fields.h"

#define EXPORT_JOURNAL_SOCKET "/run/systemd/journal/socket"

/* Maximum bytes of an entry; later fields are left out. */
#define EXPORT_ENTRY_MAX ((size_t)48 * 1024)

/* The longest wait for a full journal, in milliseconds */
#define EXPORT_JOURNAL_WAIT_MS 1000

/*
 * struct export_journal - Entries and their counters; released with
 * export_journal_close()
 * @is_on: records are sent; set by the command
 * @sink: in the pipe
 * @path: path of the socket, which can be replaced while it is used
 * @sent: number of entries
 * @dropped: records that were not sent
 * @cut: entries without some of their fields
 * @error: of the last record, @last_error: of the last dropped one
 * @message, @entry, @value, @compound: memory
 */
struct export_journal {
	bool is_on;
	struct sink sink;
	int fd;
	const char *path;
	uint64_t sent;
	uint64_t dropped;
	uint64_t cut;
	int error;
	int last_error;
	struct uev_output message;
	struct uev_output entry;
	struct uev_output value;
	struct query_compound compound;
};

/*
 * export_journal_open() - Opens a socket
 * Return: 0, or an error of socket(2); -ENOENT without a socket at @path
 */
int export_journal_open(struct export_journal *journal, const char *path);

/*
 * export_journal_add() - Opens the journal of the system, and adds a sink, if it is
 * on
 * Return: an exit status; an error is printed
 */
int export_journal_add(struct export_journal *journal, struct pipe *pipe);

/*
 * export_journal_take() - Sends a record, as a function of the sink
 * @data: a struct export_journal
 * @decoder: any decoder
 *
 * Waits while the journal is full, and then drops this and later records until
 * the journal takes one.
 *
 * Return: 0, or an error of uev_decoder_next(); then the part before it is sent
 */
int export_journal_take(void *data, struct uev_decoder *decoder,
			const struct format_record *record);

/* export_journal_loss() - Sends lost records, as export_journal_take() */
void export_journal_loss(void *data, const struct format_loss *loss);

void export_journal_close(struct export_journal *journal);

#endif
