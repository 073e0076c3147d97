// SPDX-License-Identifier: MIT
#include "export/journal.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "tool.h"

/* The journal refuses longer names. */
#define NAME_MAX_SIZE 64

/* Names of fields have a prefix, because a record must not set PRIORITY. */
#define PREFIX "UE_"

int export_journal_open(struct export_journal *journal, const char *path)
{
	journal->path = path;
	journal->fd = -1;
	if (access(path, F_OK))
		return -errno;
	journal->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return journal->fd < 0 ? -errno : 0;
}

/* ---- Fields of an entry ---- */

/* A value with its size can have any bytes. Return: whether there was room */
static bool put(struct export_journal *journal, const char *name,
		const char *value, size_t size)
{
	struct uev_output *entry = &journal->entry;
	uint64_t bytes = htole64(size);

	if (size > EXPORT_ENTRY_MAX ||
	    entry->size + strlen(name) + size + 10 > EXPORT_ENTRY_MAX)
		return false;
	tool_put(entry, name);
	tool_append(entry, "\n", 1);
	tool_append(entry, &bytes, sizeof(bytes));
	tool_append(entry, value, size);
	tool_append(entry, "\n", 1);

	return true;
}

static bool put_text(struct export_journal *journal, const char *name,
		     const char *text)
{
	return put(journal, name, text, strlen(text));
}

static void put_number(struct export_journal *journal, const char *name,
		       uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	put_text(journal, name, text);
}

static int priority_of(const struct uev_record_info *info)
{
	static const int priorities[] = {
		[UEV_LEVEL_CRITICAL] = LOG_CRIT,
		[UEV_LEVEL_ERROR] = LOG_ERR,
		[UEV_LEVEL_WARNING] = LOG_WARNING,
		[UEV_LEVEL_INFORMATION] = LOG_INFO,
		[UEV_LEVEL_VERBOSE] = LOG_DEBUG,
	};

	if (!info->is_eventheader || info->level < UEV_LEVEL_CRITICAL ||
	    info->level > UEV_LEVEL_VERBOSE)
		return LOG_INFO;

	return priorities[info->level];
}

static void put_time(struct export_journal *journal, const char *name,
		     const struct uev_clock *clock, uint64_t nanoseconds)
{
	struct record_time time = { .clock = clock };

	journal->value.size = 0;
	record_time_append(&time, &journal->value, nanoseconds);
	put_text(journal, name, journal->value.text);
}

static void put_metadata(struct export_journal *journal,
			 const struct uev_record_info *info,
			 const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;

	put_number(journal, "PRIORITY", (unsigned int)priority_of(info));
	put_text(journal, "SYSLOG_IDENTIFIER",
		 record->comm && *record->comm ? record->comm : "user-events");
	if (sample->flags & UEV_HAS_TID) {
		put_number(journal, "USER_EVENTS_PID", sample->pid);
		put_number(journal, "USER_EVENTS_TID", sample->tid);
	}
	if (sample->flags & UEV_HAS_CPU)
		put_number(journal, "USER_EVENTS_CPU", sample->cpu);
	if (sample->flags & UEV_HAS_TIME)
		put_time(journal, "USER_EVENTS_TIME", record->clock,
			 sample->time);
}

/* Return: whether there was room for all */
static bool put_message(struct export_journal *journal,
			struct uev_decoder *decoder,
			const struct format_record *record)
{
	struct uev_output *message = &journal->message;
	size_t name_size = export_message_set(message, decoder, record,
					      EXPORT_ENTRY_MAX / 4);
	bool has_room =
		put(journal, "USER_EVENTS_EVENT", message->text, name_size);

	put_metadata(journal, uev_decoder_info(decoder), record);

	return put(journal, "MESSAGE", message->text, message->size) &&
	       has_room;
}

/* Names have capital letters, digits and underscores. */
static void set_name(char *name, const struct uev_item *item)
{
	size_t size = format_name_size(item), i;
	char *to = name + strlen(PREFIX);

	memcpy(name, PREFIX, strlen(PREFIX));
	for (i = 0; i < size && to < name + NAME_MAX_SIZE; i++, to++) {
		*to = (char)toupper((unsigned char)item->name[i]);
		if (!isalnum((unsigned char)*to))
			*to = '_';
	}
	*to = '\0';
}

static bool put_item(struct export_journal *journal,
		     const struct uev_item *item)
{
	struct uev_output *value = &journal->compound.json;
	char name[NAME_MAX_SIZE + 1];

	if (item->kind == UEV_ITEM_VALUE) {
		value = &journal->value;
		value->size = 0;
		tool_need(uev_decoded_value_append_text(&item->value, value));
	}
	set_name(name, item);

	return put(journal, name, value->text ? value->text : "", value->size);
}

/* Return: an error of uev_decoder_next(); @has_room: there was room for all */
static int put_fields(struct export_journal *journal,
		      struct uev_decoder *decoder,
		      const struct format_record *record, bool *has_room)
{
	struct query_compound *compound = &journal->compound;
	const struct uev_item *item;
	int ret;

	format_start(decoder, record);
	compound->open = 0;
	while ((ret = uev_decoder_next(decoder)) > 0) {
		item = uev_decoder_item(decoder);
		if (*has_room && query_compound_take(compound, item))
			*has_room = put_item(journal, item);
	}

	return ret;
}

/* ---- The socket ---- */

/* Return: 0 or -errno. The socket is found again for each entry. */
static int send_entry(const struct export_journal *journal)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	ssize_t sent;

	if (strlen(journal->path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, journal->path);
	sent = sendto(journal->fd, journal->entry.text, journal->entry.size,
		      MSG_DONTWAIT | MSG_NOSIGNAL,
		      (const struct sockaddr *)&address, sizeof(address));

	return sent < 0 ? -errno : 0;
}

/*
 * Return: 0 or -errno, -EAGAIN if the journal is full. Waits for it, but not
 * again until it has taken an entry.
 */
static int send_or_wait(const struct export_journal *journal)
{
	int ret = send_entry(journal);
	int waited = journal->error == -EAGAIN ? EXPORT_JOURNAL_WAIT_MS : 0;

	/* poll() does not wait for the queue of an address. */
	while (ret == -EAGAIN && waited < EXPORT_JOURNAL_WAIT_MS) {
		poll(NULL, 0, 1);
		waited++;
		ret = send_entry(journal);
	}

	return ret;
}

static void finish_entry(struct export_journal *journal, bool has_room)
{
	int ret = send_or_wait(journal);

	journal->error = ret;
	if (ret) {
		journal->last_error = ret;
		journal->dropped++;
		return;
	}
	journal->sent++;
	journal->cut += !has_room;
}

int export_journal_take(void *data, struct uev_decoder *decoder,
			const struct format_record *record)
{
	struct export_journal *journal = data;
	bool has_room;
	int ret;

	journal->entry.size = 0;
	has_room = put_message(journal, decoder, record);
	ret = put_fields(journal, decoder, record, &has_room);
	finish_entry(journal, has_room);

	return ret;
}

/* Values of an entry are short, so there is room for all. */
void export_journal_loss(void *data, const struct format_loss *loss)
{
	struct export_journal *journal = data;
	const struct uev_loss *from = &loss->loss;
	struct uev_output *message = &journal->message;

	journal->entry.size = 0;
	put_number(journal, "PRIORITY", LOG_WARNING);
	put_text(journal, "SYSLOG_IDENTIFIER", "user-events");
	message->size = 0;
	loss_append_event(message, loss);
	if (message->size)
		put(journal, "USER_EVENTS_EVENT", message->text, message->size);
	put_number(journal, "USER_EVENTS_LOST", from->count);
	put_text(journal, "USER_EVENTS_REASON", from->reason);
	if (from->flags & UEV_HAS_CPU)
		put_number(journal, "USER_EVENTS_CPU", from->cpu);
	if (from->flags & UEV_HAS_TIME) {
		put_time(journal, "USER_EVENTS_TIME", loss->clock, from->to);
		if (from->from)
			put_time(journal, "USER_EVENTS_SINCE", loss->clock,
				 from->from);
	}
	message->size = 0;
	loss_append_message(message, loss);
	put(journal, "MESSAGE", message->text, message->size);
	finish_entry(journal, true);
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
			      journal->path);

	return journal->dropped || journal->cut ? TOOL_INCOMPLETE : TOOL_OK;
}

static const struct sink_ops ops = {
	.record = export_journal_take,
	.loss = export_journal_loss,
	.finish = finish,
};

int export_journal_add(struct export_journal *journal, struct pipe *pipe)
{
	int ret;

	if (!journal->is_on)
		return TOOL_OK;
	ret = export_journal_open(journal, EXPORT_JOURNAL_SOCKET);
	if (ret)
		return tool_error_of(ret, "--journal: %s",
				     EXPORT_JOURNAL_SOCKET);
	journal->sink.ops = &ops;
	journal->sink.data = journal;
	pipe_add(pipe, &journal->sink);

	return TOOL_OK;
}

void export_journal_close(struct export_journal *journal)
{
	if (journal->fd > 0)
		close(journal->fd);
	uev_output_release(&journal->message);
	uev_output_release(&journal->entry);
	uev_output_release(&journal->value);
	uev_output_release(&journal->compound.json);
}
