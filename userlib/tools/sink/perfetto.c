// SPDX-License-Identifier: MIT
/*
 * user-events decode: packets of Perfetto's own format, with exact times.
 *
 * A record is one packet. It is an instant of its thread, or the beginning or end
 * of a slice, or the value of a counter, as in the format "chrome". What an end
 * does not match is an instant. Packets that describe a track precede its first
 * record, and again when its thread has another name. A slice of an activity has
 * a track of its own while it is open.
 *
 * The file is a message Trace. Numbers of fields below are those of Perfetto's
 * definitions, of the messages TracePacket, TrackDescriptor, TrackEvent and
 * DebugAnnotation.
 */
#include <stdlib.h>
#include <string.h>

#include "export/protobuf.h"
#include "formats/loss.h"
#include "formats/stack.h"
#include "query/fields.h"
#include "query/spans.h"
#include "sink/formats.h"
#include "util/id_table.h"
#include "util/siphash.h"
#include "tool.h"

enum {
	TRACE_PACKET = 1,
};

enum {
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_TRACK = 60,
};

/* Of ClockSnapshot and its Clock */
enum {
	CLOCKS_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIME = 2,
	CLOCK_REALTIME_ID = 1,
	CLOCK_TRACE_ID = 6,
};

/* Of TrackDescriptor, ProcessDescriptor and ThreadDescriptor */
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
};

enum {
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_COUNTER_DOUBLE = 44,
};

enum event_type {
	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4,
};

enum {
	ANNOTATION_BOOL = 2,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_STRING = 6,
	ANNOTATION_POINTER = 7,
	ANNOTATION_NAME = 10,
	ANNOTATION_MEMBER = 11,
	ANNOTATION_ELEMENT = 12,
};

/* Limits of known tracks and open slices */
#define TRACKS_MAX 65536
#define OPEN_MAX 65536

/* Messages in each other: structs and arrays of a record, and those around them */
#define DEPTH_MAX (2 * UEV_STRUCT_DEPTH_MAX + 8)

/* struct open - An open slice: a hash of its provider, and its time */
struct open {
	uint64_t provider;
	uint64_t time;
};

/*
 * struct track - A track that was described
 * @previous, @next: in the list of all
 * @id: a hash of what it is about
 * @uuid: in the file
 * @comm: last name of a thread
 * @open: its @open_count open slices
 * @dropped: number of open slices inside them that were not kept
 */
struct track {
	struct track *previous;
	struct track *next;
	uint64_t id;
	uint64_t uuid;
	char *comm;
	struct open *open;
	size_t open_count;
	size_t dropped;
};

/*
 * @part: number of the file, whose threads are others than those of the next
 * @tracks: struct track by id; @all: list of them
 * @open_count: number of open slices of all
 * @packet: output of a packet, and @starts of its @depth messages that have not
 *        ended
 * @track: the slice or counter of a record
 * @name: name of a record, with @category
 * @key, @text: memory
 */
struct perfetto {
	struct output_file *file;
	uint32_t part;
	struct uev_id_table tracks;
	struct track *all;
	size_t open_count;
	struct uev_output packet;
	size_t starts[DEPTH_MAX];
	size_t depth;
	struct query_track track;
	struct uev_output name;
	struct uev_output category;
	struct uev_output key;
	struct uev_output text;
	uint64_t last_time;
	bool has_clock;
};

static int open_trace(struct sink *sink, const struct sink_options *options)
{
	struct perfetto *perfetto = tool_alloc(sizeof(*perfetto));

	(void)options;
	perfetto->file = sink->file;
	sink->data = perfetto;

	return 0;
}

/* ---- Packets ---- */

static void begin(struct perfetto *perfetto, unsigned int id)
{
	perfetto->starts[perfetto->depth++] =
		protobuf_begin(&perfetto->packet, id);
}

static void end(struct perfetto *perfetto)
{
	protobuf_end(&perfetto->packet, perfetto->starts[--perfetto->depth]);
}

static void begin_packet(struct perfetto *perfetto)
{
	perfetto->packet.size = 0;
	begin(perfetto, TRACE_PACKET);
	/* Tracks and their events are of one writer. */
	protobuf_put_number(&perfetto->packet, PACKET_SEQUENCE, 1);
}

/* Ends all messages. */
static void end_packet(struct perfetto *perfetto)
{
	while (perfetto->depth)
		end(perfetto);
	output_file_write(perfetto->file, perfetto->packet.text,
			  perfetto->packet.size);
}

/* Texts must be UTF-8. */
static void put_text(struct perfetto *perfetto, unsigned int id,
		     const char *text, size_t size)
{
	const struct uev_decoded_value value = tool_text(text, size);

	perfetto->text.size = 0;
	tool_need(uev_decoded_value_append_text(&value, &perfetto->text));
	protobuf_put_bytes(&perfetto->packet, id, perfetto->text.text,
			   perfetto->text.size);
}

static void put_clock(struct perfetto *perfetto, uint64_t id, uint64_t time)
{
	begin(perfetto, CLOCKS_CLOCK);
	protobuf_put_number(&perfetto->packet, CLOCK_ID, id);
	protobuf_put_number(&perfetto->packet, CLOCK_TIME, time);
	end(perfetto);
}

/* Tells the date of a time. */
static void put_clocks(struct perfetto *perfetto,
		       const struct format_record *record)
{
	uint64_t time = record->sample->time;

	if (perfetto->has_clock || !record->clock ||
	    !(record->sample->flags & UEV_HAS_TIME))
		return;
	perfetto->has_clock = true;
	begin_packet(perfetto);
	begin(perfetto, PACKET_CLOCKS);
	put_clock(perfetto, CLOCK_TRACE_ID, time);
	put_clock(perfetto, CLOCK_REALTIME_ID,
		  uev_clock_wall(record->clock, time));
	end_packet(perfetto);
}

/* ---- Tracks ---- */

/* Returns the uuid of what @key is about; other files have others. */
static uint64_t uuid_of(const struct perfetto *perfetto, char kind,
			const void *key, size_t size)
{
	const uint64_t secret[2] = { perfetto->part, (unsigned char)kind };
	uint64_t uuid = uev_siphash(secret, key, size);

	return uuid ? uuid : 1;
}

static uint64_t uuid_of_process(const struct perfetto *perfetto, uint32_t pid)
{
	return uuid_of(perfetto, 'p', &pid, sizeof(pid));
}

static uint64_t uuid_of_thread(const struct perfetto *perfetto, uint32_t pid,
			       uint32_t tid)
{
	const uint32_t ids[] = { pid, tid };

	return uuid_of(perfetto, 't', ids, sizeof(ids));
}

/* Returns a track, or NULL; @is_new: it must be described. */
static struct track *track_of(struct perfetto *perfetto, uint64_t id,
			      bool *is_new)
{
	struct track *track = uev_id_table_get(&perfetto->tracks, id);

	*is_new = !track;
	if (track || perfetto->tracks.count == TRACKS_MAX)
		return track;
	track = tool_alloc(sizeof(*track));
	track->id = id;
	track->next = perfetto->all;
	if (track->next)
		track->next->previous = track;
	perfetto->all = track;
	tool_need(uev_id_table_set(&perfetto->tracks, id, track));

	return track;
}

static void forget(struct perfetto *perfetto, struct track *track)
{
	if (track->previous)
		track->previous->next = track->next;
	else
		perfetto->all = track->next;
	if (track->next)
		track->next->previous = track->previous;
	perfetto->open_count -= track->open_count;
	uev_id_table_remove(&perfetto->tracks, track->id);
	free(track->comm);
	free(track->open);
	free(track);
}

/* @parent: 0 for none */
static void begin_track(struct perfetto *perfetto, uint64_t uuid,
			uint64_t parent)
{
	begin_packet(perfetto);
	begin(perfetto, PACKET_TRACK);
	protobuf_put_number(&perfetto->packet, TRACK_UUID, uuid);
	if (parent)
		protobuf_put_number(&perfetto->packet, TRACK_PARENT, parent);
}

/* @comm: NULL if unknown */
static void describe_process(struct perfetto *perfetto, uint32_t pid,
			     const char *comm)
{
	begin_track(perfetto, uuid_of_process(perfetto, pid), 0);
	begin(perfetto, TRACK_PROCESS);
	protobuf_put_number(&perfetto->packet, PROCESS_PID, pid);
	if (comm)
		put_text(perfetto, PROCESS_NAME, comm, strlen(comm));
	end_packet(perfetto);
}

static void describe_thread(struct perfetto *perfetto, uint32_t pid,
			    uint32_t tid, const char *comm)
{
	describe_process(perfetto, pid, pid == tid ? comm : NULL);
	begin_track(perfetto, uuid_of_thread(perfetto, pid, tid),
		    uuid_of_process(perfetto, pid));
	begin(perfetto, TRACK_THREAD);
	protobuf_put_number(&perfetto->packet, THREAD_PID, pid);
	protobuf_put_number(&perfetto->packet, THREAD_TID, tid);
	if (comm)
		put_text(perfetto, THREAD_NAME, comm, strlen(comm));
	end_packet(perfetto);
}

static void describe(struct perfetto *perfetto, uint64_t uuid, uint64_t parent,
		     const char *name, size_t size, bool is_counter)
{
	begin_track(perfetto, uuid, parent);
	put_text(perfetto, TRACK_NAME, name, size);
	if (is_counter)
		protobuf_put_bytes(&perfetto->packet, TRACK_COUNTER, NULL, 0);
	end_packet(perfetto);
}

/* Describes a track of no thread before its first record. */
static struct track *track_named(struct perfetto *perfetto, uint64_t uuid,
				 const char *name)
{
	bool is_new;
	struct track *track = track_of(perfetto, uuid, &is_new);

	if (is_new)
		describe(perfetto, uuid, 0, name, strlen(name), false);

	return track;
}

/* Describes a thread before its first record and when its name changes. */
static struct track *track_of_thread(struct perfetto *perfetto,
				     const struct format_record *record,
				     uint64_t *uuid)
{
	const struct uev_sample *sample = record->sample;
	const char *comm = record->comm;
	struct track *track;
	bool is_new;

	if (!(sample->flags & UEV_HAS_TID)) {
		*uuid = uuid_of(perfetto, 'n', NULL, 0);
		return track_named(perfetto, *uuid, "unknown thread");
	}
	*uuid = uuid_of_thread(perfetto, sample->pid, sample->tid);
	track = track_of(perfetto, *uuid, &is_new);
	if (!is_new && (!comm || (track->comm && !strcmp(track->comm, comm))))
		return track;
	describe_thread(perfetto, sample->pid, sample->tid, comm);
	if (track && comm) {
		free(track->comm);
		track->comm = tool_copy(comm);
	}

	return track;
}

/* Returns the uuid of a process that is described, or 0. */
static uint64_t parent_of(const struct perfetto *perfetto,
			  const struct uev_sample *sample)
{
	return sample->flags & UEV_HAS_TID
		       ? uuid_of_process(perfetto, sample->pid)
		       : 0;
}

/* ---- Annotations ---- */

static void put_value(struct perfetto *perfetto,
		      const struct uev_decoded_value *value)
{
	struct uev_output *to = &perfetto->packet;

	switch (value->type) {
	case UEV_DECODED_NULL:
		return;
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_PORT:
		/* Perfetto shows larger ones as negative. */
		if (value->u64 > INT64_MAX)
			break;
		protobuf_put_number(to, ANNOTATION_UINT, value->u64);
		return;
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_PID:
		protobuf_put_number(to, ANNOTATION_INT, (uint64_t)value->i64);
		return;
	case UEV_DECODED_HEX:
		protobuf_put_number(to, ANNOTATION_POINTER, value->u64);
		return;
	case UEV_DECODED_BOOL:
		protobuf_put_number(to, ANNOTATION_BOOL, value->boolean);
		return;
	case UEV_DECODED_FLOAT:
		protobuf_put_double(to, ANNOTATION_DOUBLE, value->f64);
		return;
	default:
		break;
	}
	perfetto->text.size = 0;
	tool_need(uev_decoded_value_append_text(value, &perfetto->text));
	protobuf_put_bytes(to, ANNOTATION_STRING, perfetto->text.text,
			   perfetto->text.size);
}

/* Starts an annotation, with the name of its item unless it is an element. */
static void begin_item(struct perfetto *perfetto, unsigned int id,
		       const struct uev_item *item)
{
	begin(perfetto, item->is_element ? ANNOTATION_ELEMENT : id);
	if (!item->is_element)
		put_text(perfetto, ANNOTATION_NAME, item->name,
			 format_name_size(item));
}

/*
 * Writes the fields of a record up to an error.
 * @outer: how the event or the dictionary around them has them
 * Return: 0, or the error
 */
static int put_fields(struct perfetto *perfetto, struct uev_decoder *decoder,
		      unsigned int outer)
{
	size_t depth = perfetto->depth;
	const struct uev_item *item;
	int ret;

	while ((ret = uev_decoder_next(decoder)) > 0) {
		if (ret == UEV_ITEM_STRUCT_END || ret == UEV_ITEM_ARRAY_END) {
			end(perfetto);
			continue;
		}
		item = uev_decoder_item(decoder);
		begin_item(perfetto,
			   perfetto->depth > depth ? ANNOTATION_MEMBER : outer,
			   item);
		if (ret == UEV_ITEM_VALUE) {
			put_value(perfetto, &item->value);
			end(perfetto);
		}
	}
	while (perfetto->depth > depth)
		end(perfetto);

	return ret;
}

static void begin_member(struct perfetto *perfetto, unsigned int id,
			 const char *name)
{
	begin(perfetto, id);
	protobuf_put_text(&perfetto->packet, ANNOTATION_NAME, name);
}

static void put_number(struct perfetto *perfetto, unsigned int id,
		       const char *name, uint64_t number)
{
	begin_member(perfetto, id, name);
	protobuf_put_number(&perfetto->packet, ANNOTATION_UINT, number);
	end(perfetto);
}

static void put_string(struct perfetto *perfetto, unsigned int id,
		       const char *name, const char *text)
{
	begin_member(perfetto, id, name);
	put_text(perfetto, ANNOTATION_STRING, text, strlen(text));
	end(perfetto);
}

static void put_activity(struct perfetto *perfetto, const char *name,
			 const uint8_t *activity)
{
	const struct uev_decoded_value value = tool_uuid(activity);

	if (!activity)
		return;
	begin_member(perfetto, ANNOTATION_MEMBER, name);
	put_value(perfetto, &value);
	end(perfetto);
}

/* Numbers of the header other than 0 */
static void put_header(struct perfetto *perfetto,
		       const struct uev_record_info *info)
{
	const struct {
		const char *name;
		uint64_t number;
	} numbers[] = {
		{ "id", info->id },	    { "version", info->version },
		{ "level", info->level },   { "keyword", info->keyword },
		{ "opcode", info->opcode }, { "tag", info->tag },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].number)
			put_number(perfetto, ANNOTATION_MEMBER, numbers[i].name,
				   numbers[i].number);
	put_activity(perfetto, "activity", info->activity);
	put_activity(perfetto, "related", info->related);
}

static void put_frame(void *data, const struct stack_frame *frame)
{
	_cleanup_free_ char *text = NULL;
	struct perfetto *perfetto = data;
	const char *name = frame->symbol ? frame->symbol : "[unknown]";

	text = tool_print("%s (%s)", name,
			  frame->file ? frame->file : "[unknown]");
	begin(perfetto, ANNOTATION_ELEMENT);
	put_text(perfetto, ANNOTATION_STRING, text, strlen(text));
	end(perfetto);
}

/* What is not a field: "meta" and "stack", as in JSON */
static void put_meta(struct perfetto *perfetto,
		     const struct uev_record_info *info,
		     const struct format_record *record, unsigned int outer)
{
	const struct uev_sample *sample = record->sample;

	begin_member(perfetto, outer, "meta");
	if (sample->flags & UEV_HAS_CPU)
		put_number(perfetto, ANNOTATION_MEMBER, "cpu", sample->cpu);
	if (info->is_eventheader)
		put_header(perfetto, info);
	end(perfetto);
	if (!sample->stack_size)
		return;
	begin_member(perfetto, outer, "stack");
	stack_each(record, put_frame, perfetto);
	end(perfetto);
}

/* ---- Slices ---- */

/*
 * struct place - Where a record is
 * @track: NULL if it is not kept
 * @thread: uuid of the track of the thread, where an unmatched end is an instant
 * @is_own: the track is only of slices that are not of a thread
 * @part: the beginning or end of a slice; otherwise TYPE_INSTANT or TYPE_COUNTER
 * @provider: a hash; only slices of the same provider nest
 */
struct place {
	struct track *track;
	uint64_t uuid;
	uint64_t thread;
	bool is_own;
	enum event_type part;
	uint64_t provider;
};

/* A track of another parent is another track: a file cannot move one. */
static void place_on_own(struct perfetto *perfetto, struct place *place,
			 char kind, uint64_t parent,
			 const struct uev_output *name)
{
	struct uev_output *key = &perfetto->key;
	uint64_t id = uuid_of(perfetto, kind, key->text, key->size);
	const struct query_track *track = &perfetto->track;
	bool is_new;

	/* Nothing to end: there is no such track. */
	if (place->part == TYPE_END &&
	    !uev_id_table_get(&perfetto->tracks, id)) {
		place->part = TYPE_INSTANT;
		return;
	}
	place->track = track_of(perfetto, id, &is_new);
	place->is_own = true;
	if (!is_new) {
		place->uuid = place->track->uuid;
		return;
	}
	tool_append(key, &parent, sizeof(parent));
	place->uuid = uuid_of(perfetto, kind, key->text, key->size);
	if (place->track)
		place->track->uuid = place->uuid;
	if (track->kind && track->scope == QUERY_SCOPE_PROCESS)
		describe_process(perfetto, (uint32_t)track->scope_id, NULL);
	describe(perfetto, place->uuid, parent, name->text, name->size,
		 kind == 'c');
}

/* An activity can cross threads and processes. */
static void place_activity(struct perfetto *perfetto, struct place *place,
			   const struct uev_record_info *info,
			   const struct uev_sample *sample)
{
	perfetto->key.size = 0;
	tool_append(&perfetto->key, info->activity, UEV_ACTIVITY_SIZE);
	tool_append(&perfetto->key, info->provider, info->provider_size);
	place_on_own(perfetto, place, 'a', parent_of(perfetto, sample),
		     &perfetto->name);
}

/* Returns the track around that of a slice or counter, or 0. */
static uint64_t scope_of(const struct perfetto *perfetto,
			 const struct place *place)
{
	const struct query_track *track = &perfetto->track;

	switch (track->scope) {
	case QUERY_SCOPE_THREAD:
		return place->uuid;
	case QUERY_SCOPE_PROCESS:
		return uuid_of_process(perfetto, (uint32_t)track->scope_id);
	default:
		return 0;
	}
}

static void place_track(struct perfetto *perfetto, struct place *place,
			const struct uev_sample *sample)
{
	_cleanup_(uev_output_release) struct uev_output name = UEV_OUTPUT_INIT;
	const struct query_track *track = &perfetto->track;

	perfetto->key.size = 0;
	query_track_key(track, &perfetto->key, sample);
	tool_append(&name, track->track.text, track->track.size);
	if (track->scope == QUERY_SCOPE_CPU ||
	    track->scope == QUERY_SCOPE_OTHER)
		format_print(&name, " %s%lld",
			     track->scope == QUERY_SCOPE_CPU ? "cpu " : "",
			     (long long)track->scope_id);
	place_on_own(perfetto, place, track->kind == QUERY_COUNTER ? 'c' : 's',
		     scope_of(perfetto, place), &name);
}

static enum event_type part_of(const struct query_track *track)
{
	switch (track->kind) {
	case QUERY_SLICE_BEGIN:
		return TYPE_BEGIN;
	case QUERY_SLICE_END:
		return TYPE_END;
	case QUERY_COUNTER:
		return TYPE_COUNTER;
	default:
		return TYPE_INSTANT;
	}
}

static struct place place_of(struct perfetto *perfetto,
			     const struct uev_record_info *info,
			     const struct format_record *record)
{
	static const uint64_t key[2] = { 0 };
	const struct query_track *track = &perfetto->track;
	enum query_part part = query_activity_part(info);
	struct place place = { .part = TYPE_INSTANT };

	place.track = track_of_thread(perfetto, record, &place.uuid);
	place.thread = place.uuid;
	place.provider = uev_siphash(key, perfetto->category.text,
				     perfetto->category.size);
	if (track->kind) {
		place.part = part_of(track);
		if (track->kind == QUERY_COUNTER || track->has_name ||
		    track->scope != QUERY_SCOPE_THREAD)
			place_track(perfetto, &place, record->sample);
	} else if (part) {
		place.part = part == QUERY_START ? TYPE_BEGIN : TYPE_END;
		if (info->activity)
			place_activity(perfetto, &place, info, record->sample);
	}

	return place;
}

/*
 * Keeps a beginning, if there is room. Inside one that was dropped nothing is
 * kept, because ends would match the wrong one.
 */
static bool push(struct perfetto *perfetto, struct track *track,
		 const struct place *place, uint64_t time)
{
	if (track->dropped || perfetto->open_count == OPEN_MAX) {
		track->dropped++;
		return false;
	}
	*tool_add(track->open, track->open_count) =
		(struct open){ place->provider, time };
	perfetto->open_count++;

	return true;
}

static bool pop(struct perfetto *perfetto, struct track *track,
		const struct place *place, uint64_t time)
{
	const struct open *last;

	if (track->dropped) {
		track->dropped--;
		return false;
	}
	if (!track->open_count)
		return false;
	last = &track->open[track->open_count - 1];
	if (last->provider != place->provider || last->time > time)
		return false;
	track->open_count--;
	perfetto->open_count--;

	return true;
}

/* Returns the type of the packet; an instant can be in another track. */
static enum event_type match(struct perfetto *perfetto, struct place *place,
			     uint64_t time)
{
	struct track *track = place->track;

	if (place->part != TYPE_BEGIN && place->part != TYPE_END)
		return place->part;
	if (track &&
	    (place->part == TYPE_BEGIN ? push(perfetto, track, place, time)
				       : pop(perfetto, track, place, time)))
		return place->part;
	place->uuid = place->thread;

	return TYPE_INSTANT;
}

/* A track of an activity is known only while it has open slices. */
static void leave(struct perfetto *perfetto, const struct place *place)
{
	if (place->is_own && place->track && place->part != TYPE_COUNTER &&
	    !place->track->open_count && !place->track->dropped)
		forget(perfetto, place->track);
}

/* ---- Records ---- */

static void set_names(struct perfetto *perfetto,
		      const struct uev_record_info *info,
		      const struct uev_sample *sample)
{
	perfetto->name.size = 0;
	query_track_name(&perfetto->track, &perfetto->name, sample, info);
	perfetto->category.size = 0;
	query_event_category(&perfetto->category, sample, info);
}

/* Starts the packet of an event. */
static void begin_event(struct perfetto *perfetto, uint64_t time,
			enum event_type type, uint64_t uuid)
{
	struct uev_output *to = &perfetto->packet;

	begin_packet(perfetto);
	protobuf_put_number(to, PACKET_TIME, time);
	begin(perfetto, PACKET_EVENT);
	protobuf_put_number(to, EVENT_TYPE, type);
	protobuf_put_number(to, EVENT_TRACK, uuid);
}

/* Integers have a sign. */
static void put_counter(struct perfetto *perfetto)
{
	const struct query_track *track = &perfetto->track;
	struct uev_output *to = &perfetto->packet;

	if (track->is_large)
		protobuf_put_double(to, EVENT_COUNTER_DOUBLE,
				    (double)(uint64_t)track->value);
	else
		protobuf_put_number(to, EVENT_COUNTER, (uint64_t)track->value);
}

/* Return: an error of uev_decoder_next() */
static int put_event(struct perfetto *perfetto, struct uev_decoder *decoder,
		     const struct format_record *record, enum event_type type)
{
	unsigned int outer = EVENT_ANNOTATION;
	int ret;

	if (type != TYPE_END) {
		put_text(perfetto, EVENT_NAME, perfetto->name.text,
			 perfetto->name.size);
		put_text(perfetto, EVENT_CATEGORY, perfetto->category.text,
			 perfetto->category.size);
	} else {
		/* Beside the fields of the beginning, which can have the same names */
		begin_member(perfetto, EVENT_ANNOTATION, "stop");
		outer = ANNOTATION_MEMBER;
	}
	/* The next call returns an error of the start again. */
	format_start(decoder, record);
	ret = put_fields(perfetto, decoder, outer);
	put_meta(perfetto, uev_decoder_info(decoder), record, outer);

	return ret;
}

static int record(void *writer, struct uev_decoder *decoder,
		  const struct format_record *from)
{
	const struct uev_sample *sample = from->sample;
	struct perfetto *perfetto = writer;
	uint64_t time = sample->flags & UEV_HAS_TIME ? sample->time : 0;
	const struct uev_record_info *info = uev_decoder_info(decoder);
	enum event_type type;
	struct place place;
	int ret = 0;

	put_clocks(perfetto, from);
	query_track_read(&perfetto->track, decoder, from);
	format_start(decoder, from);
	set_names(perfetto, info, sample);
	place = place_of(perfetto, info, from);
	type = match(perfetto, &place, time);
	begin_event(perfetto, time, type, place.uuid);
	if (type == TYPE_COUNTER)
		put_counter(perfetto);
	else
		ret = put_event(perfetto, decoder, from, type);
	end_packet(perfetto);
	leave(perfetto, &place);
	if (time > perfetto->last_time)
		perfetto->last_time = time;

	return ret;
}

/* An instant of a track of its own */
static void write_loss(void *writer, const struct format_loss *loss)
{
	static const char name[] = "lost records";
	struct perfetto *perfetto = writer;
	uint64_t uuid = uuid_of(perfetto, 'l', NULL, 0);
	uint32_t flags = loss->loss.flags;

	track_named(perfetto, uuid, name);
	begin_event(perfetto,
		    flags & UEV_HAS_TIME ? loss->loss.to : perfetto->last_time,
		    TYPE_INSTANT, uuid);
	protobuf_put_text(&perfetto->packet, EVENT_NAME, name);
	protobuf_put_text(&perfetto->packet, EVENT_CATEGORY, "lost");
	put_number(perfetto, EVENT_ANNOTATION, "lost", loss->loss.count);
	perfetto->key.size = 0;
	tool_put(&perfetto->key, "");
	loss_append_event(&perfetto->key, loss);
	if (perfetto->key.size)
		put_string(perfetto, EVENT_ANNOTATION, "event",
			   perfetto->key.text);
	put_string(perfetto, EVENT_ANNOTATION, "reason", loss->loss.reason);
	if (flags & UEV_HAS_TIME && loss->loss.from)
		put_number(perfetto, EVENT_ANNOTATION, "since",
			   loss->loss.from);
	if (flags & UEV_HAS_CPU)
		put_number(perfetto, EVENT_ANNOTATION, "cpu", loss->loss.cpu);
	end_packet(perfetto);
}

/* Threads and activities are local to a file. */
static void end_part(void *writer)
{
	struct perfetto *perfetto = writer;

	while (perfetto->all)
		forget(perfetto, perfetto->all);
	uev_id_table_free(&perfetto->tracks);
	perfetto->last_time = 0;
	perfetto->part++;
}

static void release(void *writer)
{
	struct perfetto *perfetto = writer;

	end_part(perfetto);
	uev_output_release(&perfetto->packet);
	uev_output_release(&perfetto->name);
	uev_output_release(&perfetto->category);
	uev_output_release(&perfetto->key);
	uev_output_release(&perfetto->text);
	query_track_release(&perfetto->track);
	free(perfetto);
}

const struct sink_ops sink_perfetto = {
	.name = "perfetto",
	.summary = "packets of Perfetto, with exact times",
	.has_stacks = true,
	.begin = open_trace,
	.record = record,
	.loss = write_loss,
	.end_part = end_part,
	.release = release,
	.is_binary = true,
};
