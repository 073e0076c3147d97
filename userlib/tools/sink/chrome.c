// SPDX-License-Identifier: MIT
/*
 * user-events decode: trace events for the timelines of Chrome and Perfetto.
 *
 * A record is an instant of its thread. EventHeader events with the opcodes
 * start and stop are the ends of a slice. With an activity they are matched by
 * that, across threads; otherwise slices nest in their thread. A stop without a
 * start is an instant, and an open slice ends with the trace.
 *
 * A slice of a thread is one event, written at its stop, because Chrome matches
 * separate ends only if no other thread has events in between. A slice of an
 * activity is two events, because it can cross threads. These are matched by
 * name and category, so the stop repeats those of the start. The fields of a
 * stop are in an object of their own beside those of the start.
 *
 * Slices of struct query_track are those of a thread, or of an activity if their
 * track has another scope or a name. Counters are events of their own.
 *
 * Firefox Profiler reads only "data" in the arguments, and shows only "detail"
 * there, which is the text of the fields. "data" of the end of an activity would
 * take the place of that of its start.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "formats/loss.h"
#include "formats/record_text.h"
#include "query/spans.h"
#include "sink/formats.h"
#include "util/id_table.h"
#include "util/siphash.h"
#include "tool.h"

/* Limits of open slices, bytes of their texts, and known threads. */
#define OPEN_MAX 65536
#define OPEN_BYTES_MAX ((size_t)16 << 20)
#define THREADS_MAX 65536

/* Number of hash lists of activities. */
#define ACTIVITY_LISTS 4096

/* Maximum bytes of the text of the fields, which are also members */
#define DETAIL_MAX 1000

/*
 * struct start - An open slice
 * @outer: the enclosing open slice of the thread, or the next one in a list of
 *        activities
 * @size: bytes of the texts
 * @pid: process of the start, with @tid
 * @activity: its activity, if it is in a list of activities
 * @name: quoted name in the trace, with @category
 * @args: fields of the record; NULL in a list of activities
 * @provider: provider of the start event
 */
struct start {
	struct start *outer;
	uint64_t time;
	size_t size;
	uint32_t pid;
	uint32_t tid;
	uint8_t activity[UEV_ACTIVITY_SIZE];
	char *name;
	char *category;
	char *args;
	char *provider;
};

/*
 * struct thread - A known thread
 * @comm: its last name; NULL if unknown
 * @innermost: its innermost open slice
 * @dropped: number of open slices inside it that were not kept
 */
struct thread {
	struct thread *next;
	uint32_t pid;
	uint32_t tid;
	char *comm;
	struct start *innermost;
	size_t dropped;
};

/*
 * @threads: struct thread by pid and tid
 * @all: list of these threads
 * @activities: open slices with an activity, newest first in each list
 * @detail: the text of the fields of a record
 * @track: the slice or counter of a record
 * @args: fields of a record
 * @name: quoted name of a record, with @category
 * @event: output of a record; memory before
 * @last_time: newest time so far
 */
struct chrome {
	struct output_file *file;
	struct uev_id_table threads;
	struct thread *all;
	struct start *activities[ACTIVITY_LISTS];
	size_t open;
	size_t open_bytes;
	struct uev_output detail;
	struct query_track track;
	struct uev_output args;
	struct uev_output name;
	struct uev_output category;
	struct uev_output event;
	uint64_t last_time;
	bool has_events;
};

static int begin(struct sink *sink, const struct sink_options *options)
{
	struct chrome *chrome = tool_alloc(sizeof(*chrome));

	(void)options;
	chrome->file = sink->file;
	sink->data = chrome;
	output_file_text(chrome->file,
			 "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");

	return 0;
}

/* Writes microseconds after a name. */
static void put_time(struct chrome *chrome, const char *name, uint64_t time)
{
	format_print(&chrome->event, ",\"%s\":%" PRIu64 ".%03" PRIu64, name,
		     time / 1000, time % 1000);
}

/* Starts an event with its common members; the caller closes it. */
static void begin_event(struct chrome *chrome, char phase, uint64_t time,
			uint32_t pid, uint32_t tid)
{
	struct uev_output *event = &chrome->event;

	event->size = 0;
	format_print(event, "%s\n{\"ph\":\"%c\"", chrome->has_events ? "," : "",
		     phase);
	put_time(chrome, "ts", time);
	format_print(event,
		     ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":", pid,
		     tid);
	chrome->has_events = true;
}

static void end_event(struct chrome *chrome)
{
	format_print(&chrome->event, "}");
	output_file_write(chrome->file, chrome->event.text, chrome->event.size);
}

/* ---- Threads ---- */

static struct thread *thread_of(struct chrome *chrome, uint32_t pid,
				uint32_t tid)
{
	uint64_t id = (uint64_t)pid << 32 | tid;
	struct thread *thread = uev_id_table_get(&chrome->threads, id);

	if (thread || chrome->threads.count == THREADS_MAX)
		return thread;
	thread = tool_alloc(sizeof(*thread));
	thread->pid = pid;
	thread->tid = tid;
	thread->next = chrome->all;
	chrome->all = thread;
	tool_need(uev_id_table_set(&chrome->threads, id, thread));

	return thread;
}

static void name_thread(struct chrome *chrome, const struct thread *thread,
			const char *kind)
{
	begin_event(chrome, 'M', 0, thread->pid, thread->tid);
	format_print(&chrome->event, "\"%s\",\"args\":{\"name\":", kind);
	tool_put_quoted(&chrome->event, thread->comm, strlen(thread->comm));
	format_print(&chrome->event, "}");
	end_event(chrome);
}

/* Writes new names of threads. */
static void set_comm(struct chrome *chrome, struct thread *thread,
		     const char *comm)
{
	if (!comm || (thread->comm && !strcmp(thread->comm, comm)))
		return;
	free(thread->comm);
	thread->comm = tool_copy(comm);
	if (thread->pid == thread->tid)
		name_thread(chrome, thread, "process_name");
	name_thread(chrome, thread, "thread_name");
}

/* ---- Starts and stops ---- */

static bool is_provider(const struct start *start,
			const struct uev_record_info *info)
{
	return tool_is(info->provider, info->provider_size, start->provider);
}

static uint32_t hash_of(uint32_t hash, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 0x01000193U;

	return hash;
}

/*
 * Returns the list of a provider's open slices in an activity, which other
 * providers can share.
 */
static struct start **list_of(struct chrome *chrome,
			      const struct uev_record_info *info)
{
	uint32_t hash = hash_of(0, info->activity, UEV_ACTIVITY_SIZE);

	hash = hash_of(hash, info->provider, info->provider_size);

	return &chrome->activities[(hash ^ hash >> 16) % ACTIVITY_LISTS];
}

/* Keeps the output for the end of the slice. */
static bool push(struct chrome *chrome, struct start **list,
		 const struct start *at, const struct uev_record_info *info)
{
	size_t size =
		chrome->name.size + chrome->category.size + info->provider_size;
	struct start *start;

	/* The start of an activity is already written. */
	if (!info->activity)
		size += chrome->args.size;
	if (chrome->open == OPEN_MAX ||
	    size > OPEN_BYTES_MAX - chrome->open_bytes)
		return false;
	start = tool_alloc(sizeof(*start));
	*start = *at;
	start->size = size;
	if (info->activity)
		memcpy(start->activity, info->activity, UEV_ACTIVITY_SIZE);
	else
		start->args = tool_copy(chrome->args.text);
	start->name = tool_copy(chrome->name.text);
	start->category = tool_copy(chrome->category.text);
	start->provider =
		tool_print("%.*s", (int)info->provider_size, info->provider);
	start->outer = *list;
	*list = start;
	chrome->open++;
	chrome->open_bytes += size;

	return true;
}

/*
 * Keeps a start, if there is room. Inside a dropped slice of a thread nothing
 * is kept, because stops would match the wrong start.
 */
static bool keep_start(struct chrome *chrome, struct thread *thread,
		       struct start **list, const struct start *at,
		       const struct uev_record_info *info)
{
	if (info->activity)
		return push(chrome, list, at, info);
	if (!thread->dropped && push(chrome, list, at, info))
		return true;
	thread->dropped++;

	return false;
}

/* Tests whether a stop is of a dropped start, which it then closes. */
static bool stop_dropped(struct thread *thread,
			 const struct uev_record_info *info)
{
	if (info->activity || !thread->dropped)
		return false;
	thread->dropped--;

	return true;
}

/* Removes the first slice of a list. */
static void pop(struct chrome *chrome, struct start **list)
{
	struct start *start = *list;

	*list = start->outer;
	chrome->open--;
	chrome->open_bytes -= start->size;
	free(start->name);
	free(start->category);
	free(start->args);
	free(start->provider);
	free(start);
}

/*
 * Returns the link to the start of a stop: the innermost slice of its thread,
 * or the last one of the same provider in its activity. NULL if there is none.
 */
static struct start **start_of(struct start **list, uint64_t time,
			       const struct uev_record_info *info)
{
	if (info->activity)
		while (*list && (!is_provider(*list, info) ||
				 memcmp((*list)->activity, info->activity,
					UEV_ACTIVITY_SIZE) != 0))
			list = &(*list)->outer;
	if (!*list || !is_provider(*list, info) || (*list)->time > time)
		return NULL;

	return list;
}

/*
 * Returns the list for a start, in which its stop is found; NULL for other
 * records.
 */
static struct start **list_for(struct chrome *chrome, struct thread *thread,
			       const struct uev_record_info *info)
{
	if (!query_activity_part(info))
		return NULL;
	if (info->activity)
		return list_of(chrome, info);

	return thread ? &thread->innermost : NULL;
}

/* ---- Records ---- */

static void set_names(struct chrome *chrome, const struct uev_record_info *info,
		      const struct uev_sample *sample)
{
	struct uev_output *plain = &chrome->event;

	plain->size = 0;
	query_track_name(&chrome->track, plain, sample, info);
	chrome->name.size = 0;
	tool_put_quoted(&chrome->name, plain->text, plain->size);
	plain->size = 0;
	query_event_category(plain, sample, info);
	chrome->category.size = 0;
	tool_put_quoted(&chrome->category, plain->text, plain->size);
}

static void put_id(struct chrome *chrome, const uint8_t *activity)
{
	tool_put(&chrome->event, ",\"id\":\"0x");
	format_append_hex(&chrome->event, activity, UEV_ACTIVITY_SIZE);
	tool_put(&chrome->event, "\"");
}

static void put_text(struct chrome *chrome, const char *text)
{
	tool_put(&chrome->event, text);
}

/* Writes @args, the JSON of a record, as the arguments. */
static void put_args(struct chrome *chrome, const char *args)
{
	put_text(chrome, ",\"args\":{\"data\":");
	put_text(chrome, args);
	put_text(chrome, "}");
}

/* Starts an event of a record; @at has the time and the thread */
static void begin_record(struct chrome *chrome, char phase,
			 const struct start *at, const char *name,
			 const char *category)
{
	begin_event(chrome, phase, at->time, at->pid, at->tid);
	put_text(chrome, name);
	put_text(chrome, ",\"cat\":");
	put_text(chrome, category);
}

static void put_instant(struct chrome *chrome, const struct start *at)
{
	begin_record(chrome, 'i', at, chrome->name.text, chrome->category.text);
	put_text(chrome, ",\"s\":\"t\"");
	put_args(chrome, chrome->args.text);
	end_event(chrome);
}

/* A slice of a thread is written as a whole when it ends. */
static void put_start(struct chrome *chrome, const struct start *at,
		      const struct uev_record_info *info)
{
	if (!info->activity)
		return;
	begin_record(chrome, 'b', at, chrome->name.text, chrome->category.text);
	put_id(chrome, info->activity);
	put_args(chrome, chrome->args.text);
	end_event(chrome);
}

/* @is_stopped: the record is the stop, and not the last one of the trace */
static void put_end_of_thread(struct chrome *chrome, const struct start *start,
			      uint64_t end, bool is_stopped)
{
	begin_record(chrome, 'X', start, start->name, start->category);
	put_time(chrome, "dur", end - start->time);
	put_args(chrome, start->args);
	if (is_stopped) {
		/* Before the brackets. */
		chrome->event.size -= 2;
		put_text(chrome, ",\"stop\":");
		put_text(chrome, chrome->args.text);
		put_text(chrome, "}}");
	}
	end_event(chrome);
}

static void put_end_of_activity(struct chrome *chrome,
				const struct start *start,
				const struct start *at, bool is_stopped)
{
	begin_record(chrome, 'e', at, start->name, start->category);
	put_id(chrome, start->activity);
	if (is_stopped) {
		put_text(chrome, ",\"args\":{\"stop\":");
		put_text(chrome, chrome->args.text);
		put_text(chrome, "}");
	}
	end_event(chrome);
}

/* Ends the first slice of a list. */
static void put_end(struct chrome *chrome, struct start **list,
		    const struct start *at, bool is_stopped)
{
	if ((*list)->args)
		put_end_of_thread(chrome, *list, at->time, is_stopped);
	else
		put_end_of_activity(chrome, *list, at, is_stopped);
	pop(chrome, list);
}

static void put_record(struct chrome *chrome, struct thread *thread,
		       const struct start *at,
		       const struct uev_record_info *info)
{
	struct start **list = list_for(chrome, thread, info);

	if (list && info->opcode == UEV_OPCODE_ACTIVITY_START) {
		if (keep_start(chrome, thread, list, at, info)) {
			put_start(chrome, at, info);
			return;
		}
	} else if (list && !stop_dropped(thread, info)) {
		list = start_of(list, at->time, info);
		if (list) {
			put_end(chrome, list, at, true);
			return;
		}
	}
	put_instant(chrome, at);
}

/* Adds @detail as a member of @args. */
static void add_detail(struct chrome *chrome)
{
	/* Before the bracket. */
	chrome->args.size--;
	tool_put(&chrome->args, ",\"detail\":");
	tool_put_quoted(&chrome->args, chrome->detail.text,
			chrome->detail.size);
	tool_put(&chrome->args, "}");
}

/* Adds the text of the fields, unless a field has the name of the member. */
static void put_detail(struct chrome *chrome, struct uev_decoder *decoder,
		       const struct format_record *from)
{
	size_t size;

	if (strstr(chrome->args.text, "\"detail\":"))
		return;
	chrome->detail.size = 0;
	record_text_fields(&chrome->detail, decoder, from, DETAIL_MAX);
	if (!chrome->detail.size)
		return;
	size = uev_shorten(chrome->detail.text, chrome->detail.size,
			   DETAIL_MAX);
	if (size < chrome->detail.size) {
		chrome->detail.size = size;
		tool_put(&chrome->detail, UEV_SHORTENED);
	}
	add_detail(chrome);
}

/* Sets what stands for the activity of a track other than that of a thread. */
static void set_activity(struct chrome *chrome, const struct uev_sample *sample,
			 uint64_t activity[2])
{
	_cleanup_(uev_output_release) struct uev_output key = UEV_OUTPUT_INIT;
	static const uint64_t keys[][2] = { { 0, 1 }, { 2, 3 } };

	query_track_key(&chrome->track, &key, sample);
	activity[0] = uev_siphash(keys[0], key.text, key.size);
	activity[1] = uev_siphash(keys[1], key.text, key.size);
}

/* Writes a slice as if it was of an EventHeader event of its own provider. */
static void put_slice(struct chrome *chrome, struct thread *thread,
		      const struct start *at, const struct uev_sample *sample)
{
	const struct query_track *track = &chrome->track;
	const char *provider = sample->source->name;
	struct uev_record_info info = {
		.is_eventheader = true,
		.provider = provider,
		.provider_size = strlen(provider),
	};
	uint64_t activity[2];

	if (track->kind == QUERY_SLICE_BEGIN)
		info.opcode = UEV_OPCODE_ACTIVITY_START;
	else if (track->kind == QUERY_SLICE_END)
		info.opcode = UEV_OPCODE_ACTIVITY_STOP;
	if (track->scope != QUERY_SCOPE_THREAD || track->has_name) {
		set_activity(chrome, sample, activity);
		info.activity = (const uint8_t *)activity;
	}
	put_record(chrome, thread, at, &info);
}

/* Counters are of a process, and have an ID if they are only of a part of it. */
static void put_counter(struct chrome *chrome, const struct start *at)
{
	const struct query_track *track = &chrome->track;
	struct start of = *at;

	if (track->scope == QUERY_SCOPE_PROCESS) {
		of.pid = (uint32_t)track->scope_id;
		of.tid = of.pid;
	}
	begin_record(chrome, 'C', &of, chrome->name.text,
		     chrome->category.text);
	if (track->scope == QUERY_SCOPE_THREAD && at->tid != at->pid)
		format_print(&chrome->event, ",\"id\":\"thread %" PRIu32 "\"",
			     at->tid);
	else if (track->scope == QUERY_SCOPE_CPU)
		format_print(&chrome->event, ",\"id\":\"cpu %" PRId64 "\"",
			     track->scope_id);
	else if (track->scope == QUERY_SCOPE_OTHER)
		format_print(&chrome->event, ",\"id\":\"%" PRId64 "\"",
			     track->scope_id);
	put_text(chrome, ",\"args\":{\"value\":");
	if (track->is_large)
		format_print(&chrome->event, "%" PRIu64,
			     (uint64_t)track->value);
	else
		format_print(&chrome->event, "%" PRId64, track->value);
	put_text(chrome, "}");
	end_event(chrome);
}

static void put_any(struct chrome *chrome, struct thread *thread,
		    const struct start *at, const struct uev_sample *sample,
		    const struct uev_record_info *info)
{
	if (chrome->track.kind == QUERY_COUNTER)
		put_counter(chrome, at);
	else if (chrome->track.kind)
		put_slice(chrome, thread, at, sample);
	else
		put_record(chrome, thread, at, info);
}

static int record(void *writer, struct uev_decoder *decoder,
		  const struct format_record *from)
{
	const struct uev_sample *sample = from->sample;
	const struct start at = {
		.time = sample->flags & UEV_HAS_TIME ? sample->time : 0,
		.pid = sample->flags & UEV_HAS_TID ? sample->pid : 0,
		.tid = sample->flags & UEV_HAS_TID ? sample->tid : 0,
	};
	const struct uev_record_info *info = uev_decoder_info(decoder);
	struct chrome *chrome = writer;
	struct thread *thread;
	int ret;

	query_track_read(&chrome->track, decoder, from);
	chrome->args.size = 0;
	ret = format_append_json(&chrome->args, decoder, from, UEV_JSON_COMPACT,
				 UEV_META_DEFAULT &
					 ~(UEV_META_TIME | UEV_META_PID |
					   UEV_META_TID));
	if (!chrome->args.size)
		return ret;
	put_detail(chrome, decoder, from);

	thread = thread_of(chrome, at.pid, at.tid);
	if (thread)
		set_comm(chrome, thread, from->comm);
	set_names(chrome, info, sample);
	put_any(chrome, thread, &at, sample, info);
	if (at.time > chrome->last_time)
		chrome->last_time = at.time;

	return ret;
}

/* A line over all threads */
static void write_loss(void *writer, const struct format_loss *loss)
{
	struct chrome *chrome = writer;
	uint64_t time = loss->loss.flags & UEV_HAS_TIME ? loss->loss.to
							: chrome->last_time;

	begin_event(chrome, 'i', time, 0, 0);
	chrome->args.size = 0;
	loss_append_json(&chrome->args, loss);
	chrome->detail.size = 0;
	loss_append_message(&chrome->detail, loss);
	add_detail(chrome);
	put_text(chrome, "\"lost records\",\"cat\":\"lost\",\"s\":\"g\"");
	put_args(chrome, chrome->args.text);
	end_event(chrome);
}

/* Open slices end with the trace. */
static void end_all(struct chrome *chrome, struct start **list)
{
	struct start at;

	while (*list) {
		at = **list;
		at.time = chrome->last_time;
		put_end(chrome, list, &at, false);
	}
}

/* IDs of threads and activities are local to a file. */
static void end_part(void *writer)
{
	struct chrome *chrome = writer;
	struct thread *thread;
	size_t i;

	for (i = 0; i < ACTIVITY_LISTS; i++)
		end_all(chrome, &chrome->activities[i]);
	while (chrome->all) {
		thread = chrome->all;
		end_all(chrome, &thread->innermost);
		chrome->all = thread->next;
		free(thread->comm);
		free(thread);
	}
	uev_id_table_free(&chrome->threads);
	chrome->last_time = 0;
}

static int finish(void *writer)
{
	struct chrome *chrome = writer;

	output_file_text(chrome->file, "\n]}\n");
	end_part(chrome);

	return 0;
}

static void release(void *writer)
{
	struct chrome *chrome = writer;

	uev_output_release(&chrome->detail);
	query_track_release(&chrome->track);
	uev_output_release(&chrome->args);
	uev_output_release(&chrome->name);
	uev_output_release(&chrome->category);
	uev_output_release(&chrome->event);
	free(chrome);
}

const struct sink_ops sink_chrome = {
	.name = "chrome",
	.summary = "trace events, for Perfetto and Chrome",
	.begin = begin,
	.record = record,
	.loss = write_loss,
	.end_part = end_part,
	.finish = finish,
	.discard = end_part,
	.release = release,
};
